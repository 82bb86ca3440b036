"""The tokens before and after a compaction: what the recorded prompts around it say. This is their only definition.

Tokens before are what the agent counted when it compacted; where its format records no such number, or the number is in doubt
and not near it, they are the recorded prompt of the last model call before the compaction. Tokens after mean the same for each
agent: the recorded prompt of the first model call after it, as the provider counted it. Only where there is none are they the
agent's own count, which often leaves out the system prompt, the tools or a summary that nobody can read. So a prompt after it
is put beside each number of a format's own (`RecordedSizes`), but for foldline's own runs: their meter counts both sides.

A prompt is the input that was not cached, read from a cache and written to one, without the reply. A call on the far side of
another compaction had another window and does not count. `before_from` and `after_from` say in words where each number is
from, names of fields in backticks.

A recorded microcompaction has the numbers that the format records, or none: it frees too little for prompts to show it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from core.model.session import Message, RecordedCompaction, Session
from core.trace.trace import conversation

BEFORE, AFTER = "prompt of the model call before", "prompt of the model call after"

_A_PROMPT = "prompt of "
"""How the source of a number begins that is a recorded prompt itself."""


def own_count(field: str) -> str:
    """The source of a number that the agent itself wrote down."""
    return f"the agent's own count (`{field}`)"


def with_compaction_tokens(session: Session) -> Session:
    """The session, and its sub-agents', with the tokens that their compactions do not record."""
    known: dict[str, Any] = {}
    filled = tuple(_filled(session))
    if any(new is not old for new, old in zip(filled, session.compactions, strict=True)):
        known["compactions"] = filled
    children = [
        child.model_copy(update={"session": with_compaction_tokens(child.session)}) for child in session.children
    ]
    if any(new.session is not old.session for new, old in zip(children, session.children, strict=True)):
        known["children"] = tuple(children)
    return session.model_copy(update=known) if known else session


def _filled(session: Session) -> Iterator[RecordedCompaction]:
    """The compactions, in the order they happened."""
    arrived = conversation(session)
    calls = [(i, m.usage.prompt) for i, m in enumerate(arrived) if m.usage is not None and m.usage.prompt > 0]
    found, start = sorted(session.compactions, key=lambda c: c.at), 0
    ends = _next_compactions(found, len(arrived))
    for one, end in zip(found, ends, strict=True):
        measured = one.kind == "compaction" or one.fidelity == "inferred"
        yield _with_tokens(one, calls, start, end, _first_after(one, arrived)) if measured else one
        start = one.at if one.kind == "compaction" else start


def _next_compactions(found: Sequence[RecordedCompaction], end: int) -> list[int]:
    """For each, where the next compaction happened; microcompactions do not count."""
    ends = []
    for one in reversed(found):
        ends.append(end)
        end = one.at if one.kind == "compaction" else end
    return ends[::-1]


def _first_after(one: RecordedCompaction, arrived: Sequence[Message]) -> int:
    """The first message that may be the reply of a call after the compaction: not the one whose own call compacted."""
    own = one.in_reply and one.at < len(arrived) and arrived[one.at].role == "assistant"
    return one.at + own


def _with_tokens(
    one: RecordedCompaction, calls: Sequence[tuple[int, int]], start: int, end: int, first: int
) -> RecordedCompaction:
    """One compaction with the calls, (place, prompt), that lie between `start` and it, and between `first` and `end`."""
    before, after = bisect_left(calls, (one.at,)) - 1, bisect_left(calls, (first,))
    known: dict[str, Any] = {}
    if before >= 0 and calls[before][0] >= start:
        known |= _beside(one, "before", one.tokens_before, calls[before][1], BEFORE)
    if after < len(calls) and calls[after][0] < end:
        known |= _beside(one, "after", one.tokens_after, calls[after][1], AFTER)
    return one.model_copy(update=known) if known else one


def _beside(one: RecordedCompaction, side: str, recorded: int | None, prompt: int, words: str) -> dict[str, Any]:
    """The prompt in place of a number that the format does not record, or beside one of the agent's own."""
    if recorded is None:
        return {f"tokens_{side}": prompt, f"{side}_from": words}
    own = not getattr(one, f"{side}_from").startswith(_A_PROMPT) and not one.policy
    return {f"prompt_{side}": prompt} if own and (side == "after" or one.doubtful) else {}
