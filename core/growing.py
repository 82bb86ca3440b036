"""Measured messages that go on arriving: what a live run keeps.

Sums and places that only grow are carried on with each message; what a later message can change is worked out anew when it
is next asked for, which is when something is compacted.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.measured import Measured, is_cut_request
from core.model import Message

Extend = Callable[[Any, int, Message, int], None]


class Growing(Measured):
    """Messages with their tokens by one meter, more of which arrive. Its own lists: nobody else may change them."""

    def __init__(self, messages: Sequence[Message] = (), tokens: Sequence[int] = ()) -> None:
        super().__init__([], [])
        for message, count in zip(messages, tokens, strict=True):
            self.append(message, count)

    __hash__ = object.__hash__

    def append(self, message: Message, tokens: int) -> int:
        """Put a message at the end; returns its place."""
        place, known = len(self.messages), self.__dict__
        self.messages.append(message)  # type: ignore[attr-defined]
        self.tokens.append(tokens)  # type: ignore[attr-defined]
        for name in [name for name in known if name not in _FIELDS]:
            if name in _GROWS:
                _GROWS[name](known[name], place, message, tokens)
            else:
                del known[name]
        if "calls" in known and message.role == "assistant" and self._opens_reply(place):
            self.calls.append(place)
        return place


def _sum(counts: Callable[[Message], bool]) -> Extend:
    """A running sum over the messages that count."""
    return lambda held, place, message, tokens: held.append(held[-1] + (tokens if counts(message) else 0))


def _places(wanted: Callable[[Message], bool]) -> Extend:
    """The places of the messages that are wanted."""
    return lambda held, place, message, tokens: held.append(place) if wanted(message) else None


def _named(held: dict[str, int], place: int, message: Message, tokens: int) -> None:
    held[message.id] = place


_FIELDS = ("messages", "tokens")
_GROWS: dict[str, Extend] = {  # as the properties of Measured have them
    "running": _sum(lambda m: True),
    "active": _sum(lambda m: m.role != "system" and m.injected != "summary"),
    "unsystem": _sum(lambda m: m.role != "system"),
    "result_tokens": _sum(lambda m: m.role == "tool"),
    "turn_starts": _places(lambda m: m.typed),
    "requests": _places(lambda m: m.typed or is_cut_request(m)),
    "systems": _places(lambda m: m.role == "system"),
    "results": _places(lambda m: m.role == "tool"),
    "spoken": _places(lambda m: m.role in ("user", "assistant")),
    "conversation": _places(lambda m: m.role != "system"),
    "groups": _places(lambda m: bool(m.tool_calls)),
    "calls": lambda held, place, message, tokens: None,  # below: it looks at the message before
    "places": _named,
}
