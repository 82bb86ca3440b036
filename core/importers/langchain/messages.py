"""One message as LangChain writes it down: as a constructor, as a stored message, or flat.

{"lc": 1, "type": "constructor", "id": ["langchain", …, "AIMessage"], "kwargs": {…}}     dumpd, dumps
{"type": "ai", "data": {…}}                                                              messages_to_dict
{"type": "ai", "content": …, …}                                                          a state of LangGraph
"""

from typing import Any

from core.importers._shapes.blocks import (
    MessageParts,
    anthropic_usage,
    objects_in,
    result_text,
    string,
    tool_call,
    whole_number,
)
from core.importers.langchain.blocks import parts_of, summary_text
from core.importers.openai_chat import usage_of
from core.model.session import Message, Role, ToolCall, Usage, construct_unchecked

_ROLES: dict[str, Role] = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": "system",
    "developer": "system",
    "chat": "user",
}
_OWN = {"human", "ai", "chat", "remove"}
"""Kinds whose names alone tell that LangChain wrote them."""

_MARKS = {"additional_kwargs", "response_metadata", "usage_metadata"}


def fields(item: Any) -> tuple[str, dict[str, Any]]:
    """The kind ("human", "ai", "tool", "remove", …) and the fields of a message; no kind where it is none."""
    if not isinstance(item, dict):
        return "", {}
    path, inner = item.get("id"), item.get("kwargs")
    if item.get("type") == "constructor" and isinstance(path, list) and isinstance(inner, dict):
        return _kind(path[-1] if path else ""), inner
    if isinstance(item.get("data"), dict):
        return _kind(item.get("type")), item["data"]
    kind = _kind(item.get("type")) or _kind(item.get("role"))
    return (kind, item) if "content" in item or kind == "remove" else ("", {})


def _kind(name: Any) -> str:
    """A kind by the name of its class or its type: "HumanMessageChunk", "AIMessage" and "ai" alike."""
    short = string(name).removesuffix("Chunk").removesuffix("Message").lower()
    return short if short in _ROLES or short == "remove" else ""


def is_message(item: Any) -> bool:
    """Whether it is a message in any of the shapes, which nobody but LangChain writes."""
    kind, found = fields(item)
    if not kind:
        return False
    if found is not item or not found.keys().isdisjoint(_MARKS):
        return True
    return kind in _OWN and "role" not in item and "from" not in item


def messages_of(kind: str, found: dict[str, Any], place: int, id: str = "") -> list[Message]:
    """The message, and behind it the results of what the provider's own tools did in it; `id` is for one that has none."""
    parts = parts_of(found.get("content"))
    calls = _calls(found, parts) if _ROLES[kind] == "assistant" else []
    role = _ROLES.get(string(found.get("role")), _ROLES[kind]) if kind == "chat" else _ROLES[kind]
    details = _known(found, "response_metadata")
    message = Message(
        id=string(found.get("id")) or id,
        role=role,
        content=parts.text,
        tool_calls=tuple(calls),
        tool_call_id=string(found.get("tool_call_id")) or None if role == "tool" else None,
        name=string(found.get("name")) or None if role == "tool" else None,
        reply_id=(string(details.get("id")) or string(found.get("id")) or None) if role == "assistant" else None,
        thinking="\n".join(parts.thinking) or _thinking(found),
        images=tuple(parts.images),
        usage=_usage(found, details) if role == "assistant" else None,
        model=(string(details.get("model_name")) or string(details.get("model"))) if role == "assistant" else "",
        line=place,
        injected=_injected(kind, found),
        is_error=role == "tool" and found.get("status") == "error",
    )
    results = [_result(block, calls, place, f"{message.id}-result-{n}") for n, block in enumerate(parts.results)]
    return [message, *results]


def _result(block: dict[str, Any], calls: list[ToolCall], place: int, id: str) -> Message:
    call, content = string(block.get("tool_use_id")), block.get("content")
    shown = result_text(content)
    return Message(
        id=id,
        role="tool",
        content=shown.text,
        images=tuple(shown.images),
        tool_call_id=call or None,
        name=next((c.name for c in calls if c.id == call), None),
        line=place,
        is_error=block.get("is_error") is True or (isinstance(content, dict) and "error_code" in content),
    )


def _known(found: dict[str, Any], key: str) -> dict[str, Any]:
    inner = found.get(key)
    return inner if isinstance(inner, dict) else {}


def _injected(kind: str, found: dict[str, Any]) -> str:
    """What a middleware put in says so: "summary" where it summarized, else the name that it gives itself."""
    source = string(_known(found, "additional_kwargs").get("lc_source"))
    if kind == "chat" and string(found.get("role")) not in _ROLES:
        return string(found.get("role")) or "chat"
    return "summary" if source == "summarization" and _ROLES[kind] == "user" else source


def _calls(found: dict[str, Any], parts: MessageParts) -> list[ToolCall]:
    """The calls, each once: the content of some providers' messages repeats them, and what is older does so in its own way.

    Arguments that were no JSON stand apart, as text.
    """
    calls = [tool_call(c.get("id"), c.get("name"), c.get("args")) for c in objects_in(found.get("tool_calls"))]
    broken = [tool_call(c.get("id"), c.get("name"), c.get("args")) for c in objects_in(found.get("invalid_tool_calls"))]
    calls += [c for c in broken if c.id not in {known.id for known in calls}]
    own = {c.id for c in calls}
    blocks = [c for c in parts.calls if not calls or (c.id and c.id not in own)]
    return calls + blocks or _old_calls(_known(found, "additional_kwargs"))


def _old_calls(extra: dict[str, Any]) -> list[ToolCall]:
    """Calls as the OpenAI API gave them, where LangChain kept nothing else."""
    given = objects_in(extra.get("tool_calls"))
    pairs = [(c.get("id"), c["function"]) for c in given if isinstance(c.get("function"), dict)]
    if not pairs and isinstance(extra.get("function_call"), dict):
        pairs = [("", extra["function_call"])]
    return [tool_call(id, function.get("name"), function.get("arguments")) for id, function in pairs]


def _thinking(found: dict[str, Any]) -> str:
    """What was thought, as some providers' messages keep it beside the content."""
    extra = _known(found, "additional_kwargs")
    return string(extra.get("reasoning_content")) or summary_text(_known(extra, "reasoning").get("summary"))


def _usage(found: dict[str, Any], details: dict[str, Any]) -> Usage | None:
    """Recorded tokens: LangChain's own count, whose input includes what was cached; failing that, the provider's."""
    used = found.get("usage_metadata")
    if not isinstance(used, dict):
        return usage_of({"usage": details.get("token_usage")}) or anthropic_usage(details.get("usage"))
    inside = _known(used, "input_token_details")
    written = sum(whole_number(v) for k, v in inside.items() if k.startswith("ephemeral_"))
    read, written = whole_number(inside.get("cache_read")), max(written, whole_number(inside.get("cache_creation")))
    return construct_unchecked(
        Usage,
        input_uncached=max(0, whole_number(used.get("input_tokens")) - read - written),
        cache_read=read,
        cache_write=written,
        output=whole_number(used.get("output_tokens")),
    )
