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
        self.__dict__["_made"] = dict[str, int]()
        self.__dict__["_answered"] = set[tuple[int, str | None]]()
        for message, count in zip(messages, tokens, strict=True):
            self.append(message, count)

    __hash__ = object.__hash__
    _made: dict[str, int]
    _answered: set[tuple[int, str | None]]

    def _tie(self, place: int, message: Message) -> None:
        """Carry on what is known of calls and results: they are tied together once, when the result arrives."""
        known = self.__dict__
        answer = message.role == "tool"
        start = self._made.get(message.tool_call_id or "", -1) if answer else -1
        if not answer:
            self._made.update((call.id, place) for call in message.tool_calls)
        if "asked" in known:
            self.asked.append(start)
        if "answers" in known and start >= 0:
            self.answers.setdefault(start, []).append(place)
        first = start >= 0 and (start, message.tool_call_id) not in self._answered
        self._answered.add((start, message.tool_call_id))
        if "bound" in known and first:
            self.bound.setdefault(start, []).append(place)
        self._cut(place, message, start if first else -1)

    def _cut(self, place: int, message: Message, start: int) -> None:
        """Carry on what a cut would part; `start` is where the call was made that this is the first to answer."""
        known = self.__dict__
        if "inside" in known:
            self.inside.append(0)
            for a in (start, place - 1 if place and not self._opens_reply(place) else -1):
                for k in range(a + 1, place + 1) if a >= 0 else ():
                    self.inside[k] += 1
        if "open" in known:
            self.open.append(self.open[-1] + len(message.tool_calls))
            if start >= 0:
                same = sum(call.id == message.tool_call_id for call in self.messages[start].tool_calls)
                for k in range(start + 1, place + 2):
                    self.open[k] -= same

    def append(self, message: Message, tokens: int) -> int:
        """Put a message at the end; returns its place."""
        place, known = len(self.messages), self.__dict__
        self.messages.append(message)  # type: ignore[attr-defined]
        self.tokens.append(tokens)  # type: ignore[attr-defined]
        for name in [name for name in known if name not in _FIELDS]:
            if name in _GROWS:
                _GROWS[name](known[name], place, message, tokens)
            elif name not in _TIED and (name != "mark" or message.id.startswith(known[name])):
                del known[name]
        if "calls" in known and message.role == "assistant" and self._opens_reply(place):
            self.calls.append(place)
        self._tie(place, message)
        return place


def _sum(counts: Callable[[Message], bool]) -> Extend:
    """A running sum over the messages that count."""
    return lambda held, place, message, tokens: held.append(held[-1] + (tokens if counts(message) else 0))


def _places(wanted: Callable[[Message], bool]) -> Extend:
    """The places of the messages that are wanted."""
    return lambda held, place, message, tokens: held.append(place) if wanted(message) else None


def _named(held: dict[str, int], place: int, message: Message, tokens: int) -> None:
    held[message.id] = place


_FIELDS = ("messages", "tokens", "_made", "_answered")
_TIED = ("asked", "answers", "bound", "inside", "open")  # carried on by `_tie`
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
