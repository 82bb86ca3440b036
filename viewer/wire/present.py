"""The body of a message as the browser gets it; docs/wire.md."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.model.failure import is_failure
from core.model.session import Message, ToolCall
from core.trace.trace import Trace
from core.window.measured import Measured
from viewer.wire.preview import label

PIECE = 200_000  # characters of a body that are sent in one answer


def message_of(measured: Measured, index: int, start: int = 0, most: int | None = PIECE) -> dict[str, Any]:
    """The body of the session's message at `index`, its content from character `start` on, with its tool partners."""
    message = measured.messages[index]
    return message_body(message, measured.tokens[index], index, start, tool_partners(measured, index), most)


def message_body(
    message: Message, tokens: int, index: int, start: int = 0, pairs: Sequence[int] = (), most: int | None = PIECE
) -> dict[str, Any]:
    """A message, with at most `most` characters of its content from `start` on; `total` is the whole length.

    Thinking and the arguments of each call are cut to the same length; `thinking_total` and `arguments_total` are theirs.
    None cuts nothing.
    """
    start = max(0, min(start, len(message.content)))
    known = message.model_dump(include=_UNCHANGED) | {
        "usage": message.usage and message.usage.model_dump(exclude_none=True)
    }
    return known | {
        "is_error": is_failure(message),
        "index": index,
        "label": label(message),
        "content": message.content[start:][:most],
        "from": start,
        "total": len(message.content),
        "thinking": message.thinking[:most],
        "thinking_total": len(message.thinking),
        "tool_calls": [_call(call, most) for call in message.tool_calls],
        "images": [image.model_dump(include={"media_type", "width", "height"}) for image in message.images],
        "tokens": tokens,
        "pairs": list(pairs),
    }


_UNCHANGED = {"id", "role", "tool_call_id", "name", "reply_id", "model", "timestamp", "line", "injected"}


def _call(call: ToolCall, most: int | None) -> dict[str, Any]:
    text = _pretty(call.arguments)
    raw = None if call.raw is None else call.raw[:most]
    return {"id": call.id, "name": call.name, "arguments": text[:most], "arguments_total": len(text), "raw": raw}


def _pretty(arguments: Mapping[str, Any]) -> str:
    try:
        return json.dumps(arguments, indent=2, ensure_ascii=False, default=str)
    except RecursionError:
        return "(nested too deeply to show)"


def tool_partners(measured: Measured, index: int) -> list[int]:
    """Where the other halves of a message's tool pairs stand: the call it answers, or the results of its calls."""
    if measured.messages[index].role == "tool":
        return [place for place in (measured.call_of[index],) if place >= 0]
    return list(measured.answers.get(index, ()))


def shadow_of(trace: Trace, s: int, index: int, start: int = 0) -> dict[str, Any] | None:
    """The message at `index` as stage `s` of the policy clears it; None if it never does."""
    if not 0 <= s < len(trace.cleared_copies) or index not in trace.cleared_copies[s].tokens:
        return None
    shadow = trace.cleared_copies[s]
    return message_body(shadow.copies[index], shadow.tokens[index], index, start)
