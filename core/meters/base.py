"""The protocol of a meter, and its description."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from core.model.session import Frozen, Message


@runtime_checkable
class Meter(Protocol):
    """Anything that counts the tokens of a message."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        ...


class MeterInfo(Frozen):
    """The description of a meter; `how` its numbers are obtained is "estimated", "counted", "calibrated" or "recorded"."""

    name: str
    how: str
    about: str
    source: str


class Tally(NamedTuple):
    """The tokens of messages, in order, and notes on how they were counted."""

    tokens: Sequence[int]
    notes: tuple[str, ...] = ()


def meter_name(given: Meter) -> str:
    """The name to show beside the numbers of this meter."""
    info = getattr(given, "info", None)
    return info.name if isinstance(info, MeterInfo) else type(given).__name__


def tally(messages: Sequence[Message], given: Meter) -> Tally:
    """The tokens of the messages, by the meter's own `tally` if it has one, else one by one."""
    own = getattr(given, "tally", None)
    return own(messages) if own else Tally([given.count(m) for m in messages])
