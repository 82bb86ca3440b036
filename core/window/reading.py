"""What a summarizer is given of the messages that go: steps that the reading rules of policies are made of."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from core.model.cached import cached
from core.model.session import Message
from core.window.measured import Measured

Count = Callable[[Message], int]


def without_calls(base: Measured, messages: Sequence[Message]) -> list[Message]:
    """The messages with no calls; copies are made once for a session, however many policies ask."""
    known: dict[int, tuple[Message, Message]] = cached(base, "without calls", lambda base: {})
    return [_without_call(known, m) if m.tool_calls else m for m in messages]


def _without_call(known: dict[int, tuple[Message, Message]], message: Message) -> Message:
    """Its copy; the message is kept with it, so that no other can take its identity."""
    if id(message) not in known:
        known[id(message)] = (message, message.model_copy(update={"tool_calls": ()}))
    return known[id(message)][1]


def newest_within(messages: Sequence[Message], most: int, count: Count) -> list[Message]:
    """The newest messages of at most so many tokens, from a user message on; of one more as many last lines as fit."""
    most, start = max(0, most), len(messages)
    while start and count(messages[start - 1]) <= most:
        start -= 1
        most -= count(messages[start])
    part = _last_lines(messages[start - 1], most, count) if start else []
    read = [*part, *messages[start:]]
    opening = next((k for k, m in enumerate(read) if m.role == "user"), len(read))
    return read[opening:]


def _last_lines(message: Message, most: int, count: Count) -> list[Message]:
    """The message with as many of its last lines as count no more than this; none where not one does."""

    def cut(k: int) -> Message:
        return message.model_copy(update={"content": "\n".join(lines[-k:])})

    lines = message.content.split("\n")
    fits = bisect_right(range(1, len(lines) + 1), most, key=lambda k: count(cut(k)))
    return [cut(fits)] if fits and message.content else []
