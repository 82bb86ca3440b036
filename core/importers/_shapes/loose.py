"""The messages in a value of any shape: what a trace holds of a model call's input and output.

A list of messages, an object with one under a key of some provider's or framework's request or response, a text, any of
them as JSON in a text. One API reply is one message: items that stand in a row as parts of it are joined. Calls and results
without an id get one, made of what was called, so that they find each other in every prompt.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from core.importers._shapes.blocks import string
from core.importers._shapes.loose_blocks import BARE, Pieces, Result, as_text, call_of, in_json
from core.model.session import Message, Role, ToolCall, construct_unchecked

_ROLES: dict[str, Role] = {
    **dict.fromkeys(("system", "developer", "systemmessage"), "system"),
    **dict.fromkeys(("user", "human", "humanmessage", "humanmessagechunk"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "bot", "chatbot", "aimessage", "aimessagechunk"), "assistant"),
    **dict.fromkeys(("tool", "function", "toolmessage", "functionmessage", "ipython"), "tool"),
}
_HELD = (
    *("messages", "input", "contents", "prompt", "history", "output", "choices", "generations", "candidates"),
    *("response", "message", "completion", "prompts", "kwargs"),
)
"""Where an object keeps its messages, the likeliest first."""

_SYSTEMS = ("system", "system_prompt", "instructions", "systemInstruction", "system_instruction", "systemPrompt")
_ITEMS = {"message", "reasoning", "tool-call", "tool_call", "tool-result", "function_response"}
_CHARACTERS = ("toolCallId", "toolCalls", "tool_calls", "functionCall", "parts", "toolUse")
_BLOCKS = {
    *("text", "tool_use", "thinking", "redacted_thinking", "reasoning", "image", "image_url"),
    *("input_text", "output_text", "input_image"),
}
_DEEP = 12


def messages_in(value: Any, role: Role) -> list[Message]:
    """The messages in a value, in order; what has no role of its own is of the one given."""
    return list(_answered(_joined(m for m in _found(value, role, 0) if not _is_empty(m))))


def system_in(value: Any) -> list[Message]:
    """The system prompt that an object of a request, or a response that repeats it, holds beside its messages."""
    value = in_json(value)
    config = value.get("config") if isinstance(value, dict) else None
    holders = [holder for holder in (value, config) if isinstance(holder, dict)]
    given = next((holder[k] for holder in holders for k in _SYSTEMS if holder.get(k)), None)
    text = Pieces().add(given["parts"] if isinstance(given, dict) and "parts" in given else given).text if given else ""
    return [construct_unchecked(Message, id="", role="system", content=text)] if text.strip() else []


def _found(value: Any, role: Role, deep: int) -> Iterator[Message]:
    value = in_json(value)
    if deep > _DEEP or value is None or value == {}:
        return
    if isinstance(value, list):
        if _are_blocks(value):
            yield from _message({"content": value}, role)
        else:
            for item in value:
                yield from _found(item, role, deep + 1)
    elif isinstance(value, dict):
        yield from _in_object(value, role, deep)
    else:
        yield construct_unchecked(Message, id="", role=role, content=as_text(value))


def _are_blocks(items: list[Any]) -> bool:
    """Whether a list is the content of one message rather than messages."""
    bare = all(isinstance(item, dict) and not _role_of(item) for item in items)
    return bare and bool(items) and {string(item.get("type")) for item in items} <= _BLOCKS


def _in_object(value: dict[str, Any], role: Role, deep: int) -> Iterator[Message]:
    if _is_message(value):
        yield from _message(value, role)
        return
    key = next((k for k in _HELD if isinstance(value.get(k), (list, dict, str)) and value[k]), None)
    if key is None:
        yield from _message(value, role)
        return
    if role != "assistant":
        yield from system_in(value)
    held = value[key]
    yield from _found(held[:1] if key in ("choices", "candidates") and isinstance(held, list) else held, role, deep + 1)


def _is_message(value: dict[str, Any]) -> bool:
    """Whether an object is one message, rather than holding some."""
    kind = string(value.get("type"))
    if _role_of(value) or kind in _ITEMS or "_call" in kind or kind.endswith("_output"):
        return True
    return any(key in value for key in _CHARACTERS) and "messages" not in value


def _role_of(value: dict[str, Any]) -> Role | None:
    """By the role, by the type of LangChain, or by the name of its class."""
    names = [value.get("role"), value.get("type") if "function" not in value else ""]
    if isinstance(value.get("id"), list) and value["id"]:
        names.append(value["id"][-1])
    known = (_ROLES.get(string(name).rpartition(".")[2].lower()) for name in names)
    return next((role for role in known if role), None)


def _message(item: dict[str, Any], role: Role) -> Iterator[Message]:
    """One item: its results as messages of their own, and what else it says."""
    mine, inner = _role_of(item), item.get("content")
    if isinstance(inner, dict) and inner.get("type") == "function" and isinstance(inner.get("function"), dict):
        return  # LangChain's handler for Langfuse puts the tools there are among the messages
    for key in ("kwargs", "data"):
        if mine and isinstance(item.get(key), dict):
            item = item[key]
    pieces = _pieces(item)
    mine = mine or (
        "tool" if pieces.results else "assistant" if pieces.calls or item.get("type") == "reasoning" else role
    )
    if mine == "tool" and not pieces.results:
        call = string(next((item[k] for k in ("tool_call_id", "toolCallId", "call_id", "id") if item.get(k)), None))
        pieces.results.append(Result(call, string(item.get("name")), pieces, item.get("status") == "error"))
    for result in pieces.results:
        yield _result(result)
    for summary in pieces.summaries:
        yield construct_unchecked(Message, id="", role="user", content=summary, injected="summary")
    if mine != "tool":
        yield construct_unchecked(
            Message,
            id="",
            role=mine,
            content=pieces.text,
            tool_calls=tuple(pieces.calls),
            thinking="\n".join(pieces.thinking),
            images=tuple(pieces.images),
        )


def _result(result: Result) -> Message:
    return construct_unchecked(
        Message,
        id="",
        role="tool",
        content=result.pieces.text,
        tool_call_id=result.call_id or None,
        name=result.name or None,
        images=tuple(result.pieces.images),
        is_error=result.failed,
    )


def _pieces(item: dict[str, Any]) -> Pieces:
    """The content of a message, wherever it stands, and the calls beside it."""
    content = next((item[k] for k in ("parts", "content", "contents", "blocks", "text", "json") if item.get(k)), None)
    if isinstance(content, dict) and "parts" in content:
        content = content["parts"]
    if _is_piece(item):
        return Pieces().add([item])
    pieces = Pieces().add(content)
    if content is None and not _role_of(item) and not any(item.get(k) for k in (*_CHARACTERS, "refusal")):
        pieces.texts.append(as_text(item))
    pieces.texts += [t for t in [string(item.get("refusal"))] if t]
    pieces.thinking += [t for k in ("reasoning_content", "reasoning", "thinking") if (t := string(item.get(k)))]
    known = {call.id for call in pieces.calls}
    pieces.calls += [call for call in _calls(item) if call.id not in known and (call.id or not known)]
    return pieces


def _is_piece(item: dict[str, Any]) -> bool:
    """Whether an item is a block that stands where messages do: OpenAI's Responses, the calls of an AI SDK reply."""
    kind = string(item.get("type"))
    if not kind:
        return "role" not in item and any(isinstance(item.get(key), dict) for key in BARE)
    return kind != "message" and kind not in _ROLES and ("role" not in item or "call" in kind)


def _calls(item: dict[str, Any]) -> list[ToolCall]:
    extra = item.get("additional_kwargs")
    holders = [item, extra] if isinstance(extra, dict) else [item]
    given = (in_json(h.get(k)) for h in holders for k in ("tool_calls", "toolCalls"))
    found: list[Any] = next((g for g in given if isinstance(g, list) and g), [])
    single = next((h["function_call"] for h in holders if isinstance(h.get("function_call"), dict)), None)
    bare = [item] if "toolCallId" in item and "toolName" in item and not _role_of(item) else []
    return [
        call_of(call) for call in (*found, *([] if found or not single else [single]), *bare) if isinstance(call, dict)
    ]


def _is_empty(message: Message) -> bool:
    has_content = message.content or message.tool_calls or message.images or message.thinking
    return not has_content and message.role != "tool"


def _joined(found: Iterable[Message]) -> Iterator[Message]:
    """Replies that stand in a row are one: each item of OpenAI's Responses is a part of it."""
    held: Message | None = None
    for message in found:
        if held is not None and held.role == message.role == "assistant":
            held = both(held, message)
            continue
        if held is not None:
            yield held
        held = message
    if held is not None:
        yield held


def both(one: Message, other: Message) -> Message:
    """Two parts of a reply as one."""
    return one.model_copy(
        update={
            "content": "\n".join(t for t in (one.content, other.content) if t),
            "thinking": "\n".join(t for t in (one.thinking, other.thinking) if t),
            "tool_calls": (*one.tool_calls, *other.tool_calls),
            "images": (*one.images, *other.images),
        }
    )


def _answered(found: Iterable[Message]) -> Iterator[Message]:
    """Calls and results without ids get one: a result answers the first open call of its name."""
    opened: list[ToolCall] = []
    for message in found:
        if message.tool_calls:
            calls = tuple(call if call.id else _named(call) for call in message.tool_calls)
            opened = [*opened, *calls][-200:]
            yield message if calls == message.tool_calls else message.model_copy(update={"tool_calls": calls})
        elif message.role == "tool" and opened and (message.tool_call_id is None or not message.name):
            yield _matched(message, opened)
        else:
            yield message


def _named(call: ToolCall) -> ToolCall:
    text = f"{call.name} {as_text(call.arguments)} {call.raw}"
    return call.model_copy(update={"id": f"call-{hashlib.sha256(text.encode()).hexdigest()[:12]}"})


def _matched(message: Message, opened: list[ToolCall]) -> Message:
    """A result with the id and the name of the call it answers, which is open no more."""
    of_id = [c for c in opened if c.id == message.tool_call_id]
    of_name = [c for c in opened if not message.name or c.name == message.name]
    call = next(iter(of_id or ([] if message.tool_call_id else of_name or opened)), None)
    if call is None:
        return message
    opened.remove(call)
    return message.model_copy(update={"tool_call_id": call.id, "name": message.name or call.name})
