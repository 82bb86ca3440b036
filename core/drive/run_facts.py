"""What a list says of a run, read off the lines of its file without opening it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.drive.state import FORKED, LEFT_OPEN, Status, end_reason
from core.model.session import Usage
from core.trace.events import ANY_EVENT, AnyEvent, Arrived, Began, Changed, Compacted, Ended, Failed, Used


@dataclass(frozen=True)
class RunFacts:
    """How a run stands: its status were it opened now, policy, model and address, its messages, model calls, recorded usage.

    `parameters` are those of the policy that were set, `compactions` those of the policy: a person's edits are none.
    `reason` is why it rests, `problem` the kind of the error where it failed. `priced` are the calls whose cost the server
    reported: `usage.cost` is theirs.
    """

    status: Status = "ready"
    reason: str = ""
    problem: str = ""
    policy: str = ""
    model: str = ""
    base_url: str = ""
    messages: int = 0
    calls: int = 0
    priced: int = 0
    usage: Usage = field(default_factory=Usage)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    compactions: int = 0


def run_facts(first: Began, lines: Sequence[bytes]) -> RunFacts:
    """The facts of a run that began with `first`, from the lines of its file. A line that cannot be read is passed over."""
    now, usage, priced, compactions = first.settings, Usage(), 0, 0
    for event in _parsed(lines, b"changed", b"usage", b"compaction"):
        if isinstance(event, Changed):
            changed = {"model": event.model or now.model, "base_url": event.base_url or now.base_url}
            now = now.model_copy(update={"policy": event.policy, "parameters": event.parameters, **changed})
        elif isinstance(event, Used):
            usage += event.usage
            priced += event.usage.cost is not None
        elif isinstance(event, Compacted):
            compactions += event.compaction.acted and not event.compaction.by_hand
    counts = {"messages": _count(lines, b"message"), "calls": _count(lines, b"call"), "priced": priced}
    counts["compactions"] = compactions
    status, reason, problem = _standing(first, lines)
    return RunFacts(
        status, reason, problem, now.policy, now.model, now.base_url, usage=usage, parameters=now.parameters, **counts
    )


def _standing(first: Began, lines: Sequence[bytes]) -> tuple[Status, str, str]:
    """Status, reason and problem as core/drive/restore.py has them: a turn that was left open has failed or was stopped."""
    open_turn, reason, problem = False, "", ""
    for line in lines:
        if line.startswith(b'{"kind":"message"'):
            open_turn, problem = open_turn or _is_typed(line), ""
            reason = "" if open_turn else reason
        elif line.startswith(b'{"kind":"call"') and b'"purpose":"summary"' not in line:
            reason = "" if open_turn else reason
        elif line.startswith((b'{"kind":"error"', b'{"kind":"ended"')):
            for event in _parsed([line], b"error", b"ended"):
                if isinstance(event, Failed):
                    problem = event.error
                elif isinstance(event, Ended):
                    open_turn = event.why in ("stopped", "failed")
                    reason = end_reason(event.why, first.settings.max_calls)
    if not open_turn:
        return ("ended", reason, "") if reason else ("ready", "", "")
    if problem:
        return "failed", "", problem
    ran_on = first.fork is None or sum(map(bool, lines)) > 1 + first.fork.events
    return "stopped", reason or (LEFT_OPEN if ran_on else FORKED), ""


def _is_typed(line: bytes) -> bool:
    if b'"role":"user"' not in line:  # most are not: those need not be parsed
        return False
    return any(isinstance(event, Arrived) and event.message.typed for event in _parsed([line], b"message"))


def _parsed(lines: Sequence[bytes], *kinds: bytes) -> list[AnyEvent]:
    starts = tuple(b'{"kind":"%s"' % kind for kind in kinds)
    found = list[AnyEvent]()
    for line in lines:
        if line.startswith(starts):
            try:
                found.append(ANY_EVENT.validate_json(line))
            except ValueError:
                continue
    return found


def _count(lines: Sequence[bytes], kind: bytes) -> int:
    start = b'{"kind":"%s"' % kind
    return sum(line.startswith(start) for line in lines)
