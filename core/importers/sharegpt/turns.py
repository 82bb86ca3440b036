"""The turns of a conversation of a data set, in the shape of OpenAI's messages: what differs is put right here.

{"from": "human", "value": "…"}                                       ShareGPT
{"from": "function_call", "value": "{\\"name\\": …, \\"arguments\\": …}"}     a call, or a list of calls
{"from": "observation", "value": "…"}                                 what came of it
{"role": "assistant", "content": [{"type": "text", "value": "…"}]}    LLaMA-Factory: also `reasoning` and `tool_call`
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.text import parse
from core.importers._shapes.blocks import string
from core.importers._shapes.chat_lines import ROLES

_ROLES = {
    "human": "user",
    "user": "user",
    "prompter": "user",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "assistant": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "model": "assistant",
    "ai": "assistant",
    "function_call": "call",
    "tool_call": "call",
    "tool_calls": "call",
    "observation": "tool",
    "tool": "tool",
    "ipython": "tool",
    "function": "tool",
    "function_response": "tool",
    "tool_response": "tool",
}
_IMAGE = "<image>"


def items(turns: list[Any], images: list[Any]) -> Iterator[Any]:
    """The turns as messages; a turn that is none comes as it is. Pictures of a column go where the texts say `<image>`."""
    pictures = iter(images)
    for turn in turns:
        item = _item(turn)
        if item is not None and isinstance(item.get("content"), str) and images and _IMAGE in item["content"]:
            item = item | {"content": _pictured(item["content"], pictures)}
        yield turn if item is None else item


def _pictured(text: str, pictures: Iterator[Any]) -> list[dict[str, Any]]:
    """A text with the pictures it speaks of: their place in it is left out."""
    found = [url for _, url in zip(range(text.count(_IMAGE)), pictures, strict=False)]
    blocks = [{"type": "image_url", "image_url": {"url": url}} for url in found]
    return [*blocks, {"type": "text", "text": text.replace(_IMAGE, "").strip()}]


def _item(turn: Any) -> dict[str, Any] | None:
    if not isinstance(turn, dict):
        return None
    who = string(turn.get("from")) or string(turn.get("role"))
    content = turn.get("value") if "from" in turn else turn.get("content")
    role = _ROLES.get(who.lower(), who.lower())
    if role == "call":
        return {"role": "assistant", "content": "", "tool_calls": list(_calls(content))}
    if role not in ROLES or ("value" if "from" in turn else "role") not in turn:
        return None
    if isinstance(content, list):
        return _typed(turn, role, content)
    fields = {"content": content} if isinstance(content, (str, dict)) or content is None else {"content": str(content)}
    return {**{k: v for k, v in turn.items() if k not in ("parts", "type", "info")}, "role": role, **fields}


def _calls(value: Any) -> Iterator[dict[str, Any]]:
    """The calls in a text: JSON of one, or of a list; what is no JSON is a call without a name, and keeps its text."""
    found = _parsed(value)
    for one in found if isinstance(found, list) else [found]:
        named = isinstance(one, dict) and isinstance(one.get("name"), str)
        inner = one.get("function") if isinstance(one, dict) else None
        if named:
            yield {
                "id": one.get("id"),
                "name": one["name"],
                "arguments": one.get("arguments", one.get("parameters", {})),
            }
        elif isinstance(inner, dict):
            yield {"id": one.get("id"), "function": inner}
        else:
            yield {"name": "", "arguments": value if isinstance(value, str) and one is found else one}


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return parse(value)
    except ValueError:
        return value


def _typed(turn: dict[str, Any], role: str, content: list[Any]) -> dict[str, Any]:
    """A turn whose content is typed blocks: thoughts and calls stand apart from what is said."""
    blocks = [_block(block) for block in content]
    thoughts = [b["value"] for b in blocks if _is(b, "reasoning") and isinstance(b.get("value"), str)]
    calls = [call for b in blocks if _is(b, "tool_call") and "value" in b for call in _calls(b["value"])]
    shown = [b for b in blocks if not (_is(b, "reasoning", "tool_call") and "value" in b)]
    rest = {k: v for k, v in turn.items() if k not in ("from", "value", "parts", "type", "info")}
    item = {**rest, "role": role, "content": shown}
    item |= {"reasoning_content": "\n".join(thoughts)} if thoughts else {}
    return item | ({"tool_calls": calls} if calls else {})


def _is(block: Any, *kinds: str) -> bool:
    return isinstance(block, dict) and block.get("type") in kinds


def _block(block: Any) -> Any:
    """A block of LLaMA-Factory's, as OpenAI's would be; any other as it is."""
    if not isinstance(block, dict) or "value" not in block:
        return block
    kind, value = string(block.get("type")), block["value"]
    if kind in ("image", "image_url"):
        return {"type": "image_url", "image_url": {"url": value}}
    if kind in ("audio", "video", "audio_url", "video_url"):
        return {"type": "input_audio"}
    return {"type": "text", "text": value} if kind == "text" else block
