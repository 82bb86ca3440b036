"""Compactions and traces made by hand, for the tests of findings; every message counts 10 tokens."""

from collections.abc import Sequence
from typing import Any

from core import Compaction, Message, compact, meter, policy
from core.analyse import Finding, findings
from core.trace.compaction import Edit, of_version_1
from core.trace.trace import Trace, as_session

LONG = "word " * 200


def summary(text: str = "a summary of it all", role: str = "system", id: str = "summary") -> Message:
    """The message a policy adds for what it summarized."""
    return Message.model_validate({"id": id, "role": role, "content": text, "injected": "summary"})


def run(messages: Sequence[Message], *compactions: Compaction) -> Trace:
    """A trace over these messages with these compactions, whose layouts count added messages behind the others."""
    tokens = (10,) * len(messages)
    session = as_session(messages)
    placed = tuple(of_version_1(compaction, len(messages)) for compaction in compactions)
    return Trace(kind="simulate", session=session, meter="hand", tokens=tokens, compactions=placed)


def event(
    at: int,
    before: Sequence[tuple[int, int]],
    after: Sequence[tuple[int, int]],
    *edits: tuple[str, tuple[int, int]],
    put: Sequence[Message] = (),
    **known: Any,
) -> Compaction:
    """One compaction by its layouts and its edits, each an action and one range."""
    made = {
        "status": "compacted",
        "at": at,
        "layout_before": tuple(before),
        "layout_after": tuple(after),
        "edits": tuple(Edit.model_validate({"action": action, "ranges": (part,)}) for action, part in edits),
        "added": tuple(put),
        "added_tokens": (10,) * len(put),
        "window_before": 10 * sum(b - a for a, b in before),
        "window_after": 10 * sum(b - a for a, b in after),
    }
    return Compaction.model_validate(made | known)


def cut_out(
    messages: Sequence[Message], a: int, b: int, *put: Message, action: str = "summarised", **known: Any
) -> Compaction:
    """The compaction that takes messages a up to b out of a window of all these messages, and puts some in their place."""
    n = len(messages)
    after = [part for part in ((0, a), (n, n + len(put)), (b, n)) if part[0] < part[1]]
    edits = [(action, (a, b))] if a < b else []
    return run(messages, event(n, [(0, n)], after, *edits, put=put, **known)).compactions[0]


def found_in(*messages: Message, keep: int, text: str = "a summary of it all", budget: int = 1) -> tuple[Finding, ...]:
    """The findings of one pass of agentkit's memory over these messages."""
    rule = policy("agentkit.memory", budget=budget, keep_recent=keep)
    return findings(compact(messages, rule, meter=meter("agentkit"), summarizer=lambda ms, prior: text))


def kinds_of(found: Sequence[Finding]) -> list[str]:
    """What kind each finding is."""
    return [finding.kind for finding in found]


def of_kind(kind: str, found: Sequence[Finding]) -> list[Finding]:
    """The findings of one kind."""
    return [finding for finding in found if finding.kind == kind]
