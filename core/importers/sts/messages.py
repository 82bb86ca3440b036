"""One message of a session trace.

Beside what the format says, llama.cpp's app records the tokens of a reply (`timings`: prompt_n were read anew, cache_n came
from the cache, predicted_n were written; the window is their sum) and what was attached to a message (`extra`).
https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
"""

from collections import Counter
from typing import Any

from core.importers._shapes.blocks import MessageParts, list_of, object_of, objects_in, string, tool_call, whole_number
from core.importers._shapes.images import linked
from core.importers._shapes.loose_blocks import in_json
from core.importers._shapes.times import iso
from core.importers.sts.branch import Line
from core.model.session import Message, Role, ToolCall, Usage

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}


def message_of(line: Line, tools: dict[str, str], other: Counter[str]) -> Message | None:
    """The message of a line; None for a role that is not known. `tools` learns the tools called, `other` what is left out."""
    given = line.message
    role = _ROLES.get(string(given.get("role")))
    if role is None:
        other["message/unknown"] += 1
        return None
    parts = MessageParts().add(given.get("content"))
    _attach(parts, given, other)
    calls = tuple(map(_call, objects_in(in_json(given.get("toolCalls"))))) if role == "assistant" else ()
    tools.update((call.id, call.name) for call in calls)
    answers = string(given.get("toolCallId")) if role == "tool" else ""
    return Message(
        id=line.id,
        role=role,
        content=parts.text,
        tool_calls=calls,
        tool_call_id=answers or None,
        name=tools.get(answers),
        thinking=string(given.get("reasoningContent")),
        images=tuple(parts.images),
        usage=_usage(given.get("timings")) if role == "assistant" else None,
        model=string(given.get("model")) if role == "assistant" else "",
        timestamp=iso(int(line.time)) if 0 < line.time < 2**53 else "",
        line=line.number,
    )


def _call(call: dict[str, Any]) -> ToolCall:
    function = object_of(call.get("function"))
    return tool_call(call.get("id"), function.get("name"), function.get("arguments"))


def _attach(parts: MessageParts, given: dict[str, Any], other: Counter[str]) -> None:
    """Add the pictures and the texts that were attached; what else there is, sound and video, is counted."""
    for extra in map(object_of, list_of(given.get("extra"))):
        picture, text = string(extra.get("base64Url")), string(extra.get("content"))
        if picture:
            parts.images.append(linked(picture))
        elif text:
            parts.texts.append(text)
        else:
            other[f"attachment/{string(extra.get('type')) or 'unknown'}"] += 1


def _usage(timings: Any) -> Usage | None:
    """The tokens of a reply; None where they are not recorded."""
    found = object_of(timings)
    read, anew, written = (whole_number(found.get(key)) for key in ("cache_n", "prompt_n", "predicted_n"))
    return Usage(input_uncached=anew, cache_read=read, output=written) if read or anew or written else None
