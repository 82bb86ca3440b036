"""What a meter is."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from core.model import Frozen, Message


@runtime_checkable
class Meter(Protocol):
    """Anything that counts the tokens of a message."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        ...


class MeterInfo(Frozen):
    """A meter's name, how its numbers are got ("estimated", "counted", "recorded"), one line on it, its
    source.
    """

    name: str
    how: str
    about: str
    source: str


class Tally(NamedTuple):
    """The tokens of some messages, in order, and what a person should know about how they were got."""

    tokens: Sequence[int]
    notes: tuple[str, ...] = ()


def meter_name(given: Meter) -> str:
    """The name to show beside a number this meter counted."""
    info = getattr(given, "info", None)
    return info.name if isinstance(info, MeterInfo) else type(given).__name__


def tally(messages: Sequence[Message], given: Meter) -> Tally:
    """The messages counted: by the meter's own `tally` if it has one, else one by one."""
    own = getattr(given, "tally", None)
    return own(messages) if own else Tally([given.count(m) for m in messages])
