"""One item of the Responses API: its role, its call, its result.

https://platform.openai.com/docs/api-reference/responses/object
"""

import json
from dataclasses import dataclass
from typing import Any

from core.importers._shapes.blocks import MessageParts, result_text, string, tool_call, whole_number
from core.importers._shapes.images import embedded
from core.model.session import Image, Role, ToolCall, Usage, construct_unchecked

ROLES: dict[str, Role] = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}

COMPACTIONS = frozenset({"compaction", "compaction_summary", "context_compaction"})

_WHOLE = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "mcp_call": "arguments",
    "tool_search_call": "arguments",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
    "web_search_call": "action",
}
"""The field that is all of a call's arguments; other calls have a field for each argument."""

_APART = frozenset({"type", "id", "call_id", "status", "caller", "results", "outputs", "result", "tools", "error"})
"""Fields of other calls that are no arguments."""

_HELD: dict[str, str] = {
    "mcp_call": "output",
    "mcp_list_tools": "tools",
    "file_search_call": "results",
    "code_interpreter_call": "outputs",
    "image_generation_call": "result",
}
"""The field in which a call that the server ran holds what came of it."""


def kind_of(item: dict[str, Any]) -> str:
    """The type of an item; one with a role alone is a message."""
    kind = item.get("type")
    if kind is None and isinstance(item.get("role"), str):
        return "message"
    return string(kind) or "unknown"


def is_call(kind: str) -> bool:
    """Whether items of this type call a tool, also one that the server runs."""
    return kind.endswith("_call") or kind in ("mcp_list_tools", "mcp_approval_request")


def is_result(kind: str) -> bool:
    """Whether items of this type are what came back from a call."""
    return kind.endswith("_output") or kind == "mcp_approval_response"


def parts_of(content: Any) -> MessageParts:
    """The content of a message; files are never text, and what is encrypted is none that can be read."""
    parts = MessageParts()
    for block in content if isinstance(content, list) else [content]:
        kind = string(block.get("type")) if isinstance(block, dict) else ""
        if kind == "input_file":
            parts.images.append(Image(media_type="file", source=string(block.get("filename"))[:200]))
        elif kind == "input_image" and string(block.get("file_id")):
            parts.images.append(Image(source=block["file_id"][:200]))
        elif kind != "encrypted_content":
            parts.add([block])
    return parts


def thinking_of(item: dict[str, Any]) -> str:
    """What a reasoning item says in words: what was thought, or its summary. What is encrypted cannot be read."""
    for key in ("content", "summary"):
        blocks = item.get(key)
        texts = [string(b.get("text")) for b in blocks if isinstance(b, dict)] if isinstance(blocks, list) else []
        if any(texts):
            return "\n".join(t for t in texts if t)
    return ""


def call_of(kind: str, item: dict[str, Any], spare: str) -> ToolCall:
    """The call in an item; `spare` is its id where it has none."""
    id = string(item.get("call_id")) or string(item.get("id")) or spare
    return tool_call(id, _name(kind, item), _arguments(kind, item))


def _name(kind: str, item: dict[str, Any]) -> str:
    """A tool's name, with what it belongs to; of what the server offers, that of the type."""
    given, space = string(item.get("name")), string(item.get("namespace"))
    if not given or kind == "mcp_approval_request":
        return kind.removesuffix("_call")
    return given if not space or given.startswith(space) else f"{space}.{given}"


def _arguments(kind: str, item: dict[str, Any]) -> Any:
    if kind in _WHOLE:
        found = item.get(_WHOLE[kind])
        return {} if found is None else found
    return {key: value for key, value in item.items() if key not in _APART and value is not None}


@dataclass(slots=True)
class Outcome:
    """The result of a call."""

    parts: MessageParts
    failed: bool


def held_by(kind: str, item: dict[str, Any]) -> Outcome | None:
    """What a call that the server ran holds of its result; None where it holds nothing."""
    error, found = item.get("error"), item.get(_HELD.get(kind, ""))
    if error:
        return Outcome(MessageParts([error if isinstance(error, str) else _json(error)]), True)
    if found is None:
        return None
    if kind == "image_generation_call":
        return Outcome(MessageParts(images=[embedded("image/png", found)]), False)
    return Outcome(MessageParts([_json(found)]) if kind == "mcp_list_tools" else _output_parts(found), False)


def outcome_of(kind: str, item: dict[str, Any]) -> Outcome:
    """What an item that answers a call says."""
    failed = item.get("status") == "failed"
    if kind == "mcp_approval_response":
        words = "approved" if item.get("approve") is True else "refused"
        reason = string(item.get("reason"))
        return Outcome(MessageParts([f"{words}: {reason}" if reason else words]), False)
    if "output" not in item and "tools" in item:
        return Outcome(MessageParts([_json(item["tools"])]), failed)
    output = item.get("output")
    return Outcome(_output_parts(output), failed or (isinstance(output, dict) and output.get("success") is False))


def _output_parts(output: Any) -> MessageParts:
    """An output as text and pictures: a text, content, or what a shell printed."""
    if isinstance(output, dict):
        return parts_of([output]) if "image_url" in output or "file_id" in output else _of_object(output)
    if not isinstance(output, list):
        return MessageParts().add(output)
    parts = MessageParts()
    for one in output:
        found = _of_object(one) if isinstance(one, dict) and not _is_content(one) else parts_of([one])
        parts.texts += found.texts
        parts.images += found.images
    return parts


def _is_content(block: dict[str, Any]) -> bool:
    return "image_url" in block or string(block.get("type")).startswith(("input_", "output_", "text"))


def _of_object(output: dict[str, Any]) -> MessageParts:
    """An object with content, what a program printed, or anything else as its JSON."""
    if isinstance(output.get("logs"), str):
        return MessageParts([output["logs"]])
    return parts_of(output["content"]) if isinstance(output.get("content"), list) else result_text(output)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def usage_of(usage: Any) -> Usage | None:
    """Recorded tokens of a reply. Input includes what was cached, which is taken out of it; output what was thought."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("input_tokens_details")
    cached = (
        whole_number(details.get("cached_tokens"))
        if isinstance(details, dict)
        else whole_number(usage.get("cached_input_tokens"))
    )
    prompt = whole_number(usage.get("input_tokens"))
    cached = min(cached, prompt)
    return construct_unchecked(
        Usage,
        input_uncached=prompt - cached,
        cache_read=cached,
        cache_write=0,
        output=whole_number(usage.get("output_tokens")),
    )


def sealed(item: dict[str, Any]) -> str:
    """What stands in the place of a summary that only the provider can read."""
    size = len(string(item.get("encrypted_content")))
    length = f", {size:,} characters" if size > len("REDACTED") else ""
    return f"[encrypted summary{length}: only the provider can read it]"
