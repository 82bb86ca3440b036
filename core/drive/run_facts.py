"""What a list says of a run, read off the lines of its file without opening it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.drive.state import Status
from core.model.session import Usage
from core.trace.events import ANY_EVENT, AnyEvent, Arrived, Began, Changed, Ended, Used


@dataclass(frozen=True)
class RunFacts:
    """How a run stands: its status were it opened now, its policy and model, its messages, model calls and recorded usage.

    `priced` are the calls whose cost the server reported: `usage.cost` is theirs.
    """

    status: Status = "ready"
    policy: str = ""
    model: str = ""
    messages: int = 0
    calls: int = 0
    priced: int = 0
    usage: Usage = field(default_factory=Usage)


def run_facts(first: Began, lines: Sequence[bytes]) -> RunFacts:
    """The facts of a run that began with `first`, from the lines of its file. A line that cannot be read is passed over."""
    policy, model, usage, priced = first.settings.policy, first.settings.model, Usage(), 0
    for event in _parsed(lines, b"changed", b"usage"):
        if isinstance(event, Changed):
            policy, model = event.policy, event.model or model
        elif isinstance(event, Used):
            usage += event.usage
            priced += event.usage.cost is not None
    return RunFacts(_status(lines), policy, model, _count(lines, b"message"), _count(lines, b"call"), priced, usage)


def _status(lines: Sequence[bytes]) -> Status:
    """As core/drive/restore.py restores it: a turn that was left open has failed or was stopped."""
    open_turn = failed = False
    found: Status = "ready"
    for line in lines:
        if line.startswith(b'{"kind":"message"'):
            open_turn, failed = open_turn or _is_typed(line), False
        elif line.startswith(b'{"kind":"error"'):
            failed = True
        elif line.startswith(b'{"kind":"ended"'):
            ends = [event for event in _parsed([line], b"ended") if isinstance(event, Ended)]
            open_turn, found = any(event.why in ("stopped", "failed") for event in ends), "ended"
    return ("failed" if failed else "stopped") if open_turn else found


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
