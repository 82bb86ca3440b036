"""What the content of a LangChain message comes to: a text, or blocks in the ways of the providers or of LangChain itself.

https://docs.langchain.com/oss/python/langchain/messages#standard-content-blocks
"""

from collections.abc import Callable
from typing import Any

from core.importers._shapes.blocks import MessageParts, string, tool_call
from core.importers._shapes.images import embedded, linked
from core.model.session import Image

_PICTURES = {"image", "media", "audio", "video", "file"}
_PIECES = {"tool_call_chunk", "server_tool_call_chunk", "input_json_delta"}
"""Parts of a call as they were streamed: the call stands whole elsewhere in the message."""


def parts_of(content: Any) -> MessageParts:
    """The texts, thoughts, calls, pictures and results of a message's content."""
    parts = MessageParts()
    for block in content if isinstance(content, list) else [content]:
        kind = string(block.get("type")) if isinstance(block, dict) else ""
        if kind in _OWN:
            _OWN[kind](parts, block)
        elif kind in _PICTURES and not isinstance(block.get("source"), dict):
            parts.images.append(_picture(kind, block))
        elif kind not in _PIECES:
            parts.add([block])
    return parts


def _thought(parts: MessageParts, block: dict[str, Any]) -> None:
    """Thinking is a text, or a list of texts under `summary`."""
    inner = block.get("reasoning_content")
    text = inner.get("text") if isinstance(inner, dict) else block.get("reasoning", block.get("text"))
    parts.thinking += [t for t in (string(text), summary_text(block.get("summary"))) if t]


def summary_text(summary: Any) -> str:
    """What was thought, where only a summary of it was given: a list of texts."""
    texts = [string(s.get("text")) for s in summary if isinstance(s, dict)] if isinstance(summary, list) else []
    return "\n".join(t for t in texts if t)


def _call(parts: MessageParts, block: dict[str, Any]) -> None:
    given = next((block[key] for key in ("args", "arguments", "input") if key in block), None)
    parts.calls.append(tool_call(block.get("call_id") or block.get("id"), block.get("name"), given))


def _result(parts: MessageParts, block: dict[str, Any]) -> None:
    """The result of a tool that the provider ran, as the blocks of its own shape would have it."""
    failed = block.get("status") == "error"
    parts.results.append({"tool_use_id": block.get("tool_call_id"), "content": block.get("output"), "is_error": failed})


def _plain(parts: MessageParts, block: dict[str, Any]) -> None:
    parts.texts.append(string(block.get("text")))


_OWN: dict[str, Callable[[MessageParts, dict[str, Any]], None]] = {
    "reasoning": _thought,
    "reasoning_content": _thought,
    "tool_call": _call,
    "invalid_tool_call": _call,
    "function_call": _call,
    "server_tool_call": _call,
    "server_tool_result": _result,
    "text-plain": _plain,
}


def _picture(kind: str, block: dict[str, Any]) -> Image:
    """A picture, or another medium, embedded or by its address: in the shape of LangChain 1, or that of 0.3."""
    media = string(block.get("mime_type")) or ("" if kind in ("image", "media") else kind)
    data = block.get("base64") or block.get("data")
    if isinstance(data, str) and data:
        return embedded(media, data)
    found = linked(block.get("url") or block.get("file_id"))
    return found.model_copy(update={"media_type": found.media_type or media})
