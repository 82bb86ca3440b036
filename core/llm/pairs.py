"""Tool calls and their results: which belong together, which stand alone, and how a provider wants them placed.

The rule is the stricter one of the two providers, so that a window that passes can be sent to either: every result of a call
comes after it and before the next assistant message. What else stands between them is moved behind the results by `settled`.

https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
https://developers.openai.com/api/docs/guides/function-calling
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import BrokenPairError
from core.model import Message


@dataclass(frozen=True)
class BrokenPair:
    """Half of a tool pair. `missing` is the other half; `message_id` is where this half stands.

    `place` is the message's number in the window, `call` the number of the call in it; both from 0. `call` is -1 for a result.
    """

    call_id: str
    tool: str
    missing: Literal["call", "result"]
    message_id: str
    place: int
    call: int = -1


def broken_pairs(messages: Sequence[Message]) -> list[BrokenPair]:
    """Every call without a result and every result without a call, in order of the window; none for a sound one.

    A second result of one call is one without a call. A result behind a later assistant message comes too late: both halves
    are told.
    """
    broken: list[BrokenPair] = []
    waiting: list[BrokenPair] = []
    for place, message in enumerate(messages):
        if message.role == "assistant":
            broken += waiting
            waiting = _calls(message, place)
        elif message.role == "tool":
            answered = next((call for call in waiting if call.call_id == (message.tool_call_id or "")), None)
            if answered is None:
                broken.append(_orphan(message, place))
            else:
                waiting.remove(answered)
    return sorted([*broken, *waiting], key=lambda pair: (pair.place, pair.call))


def _calls(message: Message, place: int) -> list[BrokenPair]:
    """The calls of a message, as broken as they are until a result comes."""
    calls = enumerate(message.tool_calls)
    return [BrokenPair(call.id, call.name, "result", message.id, place, number) for number, call in calls]


def _orphan(message: Message, place: int) -> BrokenPair:
    return BrokenPair(message.tool_call_id or "", message.name or "", "call", message.id, place)


def check_pairs(messages: Sequence[Message]) -> None:
    """Nothing, if every tool pair is whole. Raises BrokenPairError, naming the first broken one and all messages concerned."""
    if broken := broken_pairs(messages):
        first = broken[0]
        raise BrokenPairError(
            first.call_id, first.tool, first.missing, dict.fromkeys(pair.message_id for pair in broken)
        )


def without_orphans(messages: Sequence[Message]) -> list[Message]:
    """The messages without the broken halves: results are left out, calls are taken out of their message.

    A message that held nothing but such calls goes as a whole. The others are the same objects, in the same order.
    """
    broken = broken_pairs(messages)
    results = {pair.place for pair in broken if pair.missing == "call"}
    calls = {(pair.place, pair.call) for pair in broken if pair.missing == "result"}
    kept = [
        _without(message, {number for at, number in calls if at == place})
        for place, message in enumerate(messages)
        if place not in results
    ]
    return [message for message in kept if message is not None]


def _without(message: Message, gone: set[int]) -> Message | None:
    """The message without some of its calls; None where nothing else is in it."""
    if not gone:
        return message
    left = tuple(call for number, call in enumerate(message.tool_calls) if number not in gone)
    if not (left or message.content or message.images):
        return None
    return message.model_copy(update={"tool_calls": left})


def settled(messages: Sequence[Message]) -> list[Message]:
    """The messages with every result directly behind its call's message, what stood between behind them; pairs are whole."""
    placed: list[Message] = []
    held: list[Message] = []
    waiting = 0
    for message in messages:
        if message.role == "tool":
            waiting -= 1
            placed.append(message)
        else:
            (held if waiting else placed).append(message)
        if message.role == "assistant":
            waiting = len(message.tool_calls)
        if held and not waiting:
            placed += held
            held = []
    return placed + held
