"""Measured messages that go on arriving: what a live run keeps.

Sums and places that only grow are carried on with each message; what a later message can change is worked out anew when it
is next asked for, which is when something is compacted.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.model.session import Message
from core.model.tool_pairs import PairFinder
from core.window.measured import Measured, calls_each, is_cut_request, is_reply, is_wordless, results_as_one

Extend = Callable[[Any, int, Message, int], None]


class Growing(Measured):
    """Messages with their tokens by one meter, more of which arrive. Its own lists: nobody else may change them."""

    def __init__(self, messages: Sequence[Message] = (), tokens: Sequence[int] = ()) -> None:
        super().__init__([], [])
        self._pairs = PairFinder()
        vars(self).update(
            call_of=[], answers={}
        )  # carried on from the start: others look at them while messages arrive
        for message, count in zip(messages, tokens, strict=True):
            self.append(message, count)

    def _tie(self, place: int, message: Message) -> None:
        """Carry on what is known of calls and results: they are tied together once, when the result arrives."""
        known, pair = vars(self), self._pairs.take(place, message)
        if "call_of" in known:
            self.call_of.append(pair.call_at if pair else -1)
        if "answers" in known and pair:
            self.answers.setdefault(pair.call_at, []).append(place)
        if "bound" in known and pair and pair.first:
            self.bound.setdefault(pair.call_at, []).append(place)
        self._cut(place, message, pair.call_at if pair and pair.first else -1)

    def _cut(self, place: int, message: Message, start: int) -> None:
        """Carry on what a cut would part; `start` is where the call was made that this is the first to answer."""
        known = vars(self)
        if "inside" in known:
            self.inside.append(0)
            for a in (start, place - 1 if place and self._same_reply(place - 1, place) else -1):
                for k in range(a + 1, place + 1) if a >= 0 else ():
                    self.inside[k] += 1
        if "open" in known:
            self.open.append(self.open[-1] + len(message.tool_calls))
            if start >= 0:
                same = sum(call.id == message.tool_call_id for call in self.messages[start].tool_calls)
                for k in range(start + 1, place + 2):
                    self.open[k] -= same

    def _reply(self, place: int) -> None:
        """Carry on the replies, and the calls that brought them."""
        if self.replies and self._same_reply(self.replies[-1][0], place):
            self.replies[-1].append(place)
            return
        self.replies.append([place])
        if "calls" in vars(self):
            self.calls.append(place)

    def append(self, message: Message, tokens: int) -> int:
        """Put a message at the end; returns its place."""
        place, known = len(self.messages), vars(self)
        self.messages.append(message)  # type: ignore[attr-defined]
        self.tokens.append(tokens)  # type: ignore[attr-defined]
        for name in [name for name in known if name not in _FIELDS]:
            if name in _GROWS:
                _GROWS[name](known[name], place, message, tokens)
            elif name not in _TIED and (name != "mark" or message.id.startswith(known[name])):
                del known[name]
        if "replies" in known and is_reply(message):
            self._reply(place)
        if "results_joined" in known:
            before = self.messages[place - 1] if place else None
            self.results_joined.append(self.results_joined[-1] + results_as_one(message, before))
        self._tie(place, message)
        return place


def _sum(counts: Callable[[Message], bool]) -> Extend:
    """A running sum over the messages that count."""
    return lambda sums, place, message, tokens: sums.append(sums[-1] + (tokens if counts(message) else 0))


def _places(wanted: Callable[[Message], bool]) -> Extend:
    """The places of the messages that are wanted."""
    return lambda found, place, message, tokens: found.append(place) if wanted(message) else None


def _place(known: dict[str, int], place: int, message: Message, tokens: int) -> None:
    known[message.id] = place


_FIELDS = ("messages", "tokens", "_pairs")
_TIED = ("call_of", "answers", "bound", "inside", "open")  # carried on by `_tie`
_GROWS: dict[str, Extend] = {  # as the properties of Measured have them
    "running": _sum(lambda m: True),
    "active": _sum(lambda m: m.role != "system" and m.injected != "summary"),
    "without_systems": _sum(lambda m: m.role != "system"),
    "with_wordless": lambda sums, place, message, tokens: sums.append(sums[-1] + tokens + is_wordless(message)),
    "result_tokens": _sum(lambda m: m.role == "tool"),
    "turn_starts": _places(lambda m: m.typed),
    "requests": _places(lambda m: m.typed or is_cut_request(m)),
    "systems": _places(lambda m: m.role == "system"),
    "results": _places(lambda m: m.role == "tool"),
    "dialogue": _places(lambda m: m.role in ("user", "assistant")),
    "conversation": _places(lambda m: m.role != "system"),
    "groups": _places(lambda m: bool(m.tool_calls)),
    "calls_apart": lambda sums, place, message, tokens: sums.append(sums[-1] + calls_each(message)),
    "replies": lambda replies, place, message, tokens: None,  # these look at messages before: see `append`
    "calls": lambda calls, place, message, tokens: None,
    "results_joined": lambda sums, place, message, tokens: None,
    "places": _place,
}
