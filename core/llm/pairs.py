"""Tool pairs: which are broken, and in which order a provider accepts them.

The rule is the stricter one of the two providers, so that a window that passes can be sent to either: every result follows
its call and comes before the next assistant message. `results_first` moves other messages between them behind the results.

https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
https://developers.openai.com/api/docs/guides/function-calling
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.model.errors import BrokenPairError
from core.model.session import Message


@dataclass(frozen=True)
class BrokenPair:
    """Half of a tool pair, in the message `message_id`; `missing` is the other half.

    `place` is the index of the message in the window, `call` the index of the call in the message, -1 for a result.
    """

    call_id: str
    tool: str
    missing: Literal["call", "result"]
    message_id: str
    place: int
    call: int = -1


def broken_pairs(messages: Sequence[Message]) -> list[BrokenPair]:
    """Every call without a result and every result without a call, in the order of the window.

    A second result of a call counts as one without a call. Where a result follows a later assistant message, both halves are
    broken.
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
    """The calls of a message: each is broken until its result comes."""
    calls = enumerate(message.tool_calls)
    return [BrokenPair(call.id, call.name, "result", message.id, place, number) for number, call in calls]


def _orphan(message: Message, place: int) -> BrokenPair:
    return BrokenPair(message.tool_call_id or "", message.name or "", "call", message.id, place)


def check_pairs(messages: Sequence[Message]) -> None:
    """Raises BrokenPairError, with the first broken pair and all messages concerned, unless every tool pair is whole."""
    if broken := broken_pairs(messages):
        first = broken[0]
        raise BrokenPairError(
            first.call_id, first.tool, first.missing, dict.fromkeys(pair.message_id for pair in broken)
        )


def without_orphans(messages: Sequence[Message]) -> list[Message]:
    """The messages without broken halves: orphaned results are left out, calls without results are removed.

    A message that held only such calls is left out. The others are the same objects, in the same order.
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
    """The message without some of its calls; None if nothing else is in it."""
    if not gone:
        return message
    left = tuple(call for number, call in enumerate(message.tool_calls) if number not in gone)
    if not (left or message.content or message.images):
        return None
    return message.model_copy(update={"tool_calls": left})


def results_first(messages: Sequence[Message]) -> list[Message]:
    """The messages with every result directly after the message of its call. All tool pairs must be whole."""
    placed: list[Message] = []
    later: list[Message] = []
    waiting = 0
    for message in messages:
        if message.role == "tool":
            waiting -= 1
            placed.append(message)
        else:
            (later if waiting else placed).append(message)
        if message.role == "assistant":
            waiting = len(message.tool_calls)
        if later and not waiting:
            placed += later
            later = []
    return placed + later
