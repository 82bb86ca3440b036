"""The parts of pydantic-ai's messages: texts, files, calls, what tools gave back, what a reply used."""

import json
from typing import Any

from core.importers._shapes.blocks import MessageParts, apart_from_cache, string, tool_call, whole_number
from core.importers._shapes.images import embedded, linked
from core.model.session import Image, ToolCall, Usage

_LINKS = ("image-url", "audio-url", "video-url", "document-url")
_FILES = (*_LINKS, "binary", "uploaded-file")
_BAD = ("failed", "denied", "interrupted", "retried")


def content_of(content: Any) -> MessageParts:
    """What a prompt says: a text, or a list of texts and files."""
    parts = MessageParts()
    for item in content if isinstance(content, list) else [content]:
        kind = string(item.get("kind")) if isinstance(item, dict) else ""
        if kind in _FILES:
            parts.images.append(_file(kind, item))
        elif kind in ("text-content", "structured-content"):
            parts.texts.append(string(item.get("content")))
        elif kind != "cache-point":
            parts.add(item)
    return parts


def _file(kind: str, item: dict[str, Any]) -> Image:
    """A file: embedded, at an address, or kept by the provider under an id."""
    media = string(item.get("media_type"))
    if kind == "binary":
        return embedded(media, item.get("data"))
    image = linked(item.get("url") if kind in _LINKS else item.get("file_id"))
    return image if image.media_type else image.model_copy(update={"media_type": media})


def is_file(value: Any) -> bool:
    """Whether a value is a file, not to be told as text."""
    return isinstance(value, dict) and value.get("kind") in _FILES


def result_of(part: dict[str, Any]) -> tuple[MessageParts, bool]:
    """What a tool gave back, as the model is told, and whether it failed: a text, or the JSON of anything else."""
    content = part.get("content")
    items: list[Any] = content if isinstance(content, list) else [content]
    files = [item for item in items if is_file(item)]
    data: Any = [item for item in items if not is_file(item)] if files else content
    if files and len(data) < 2:
        data = data[0] if data else None
    parts = MessageParts(_texts(data), images=[_file(f["kind"], f) for f in files])
    bad = part.get("outcome") in _BAD or str(part.get("part_kind")).startswith("retry")
    return parts, bad


def _texts(data: Any) -> list[str]:
    if data is None:
        return []
    if isinstance(data, dict) and data.get("kind") in ("text-content", "structured-content"):
        return [string(data.get("content"))]
    return [data if isinstance(data, str) else json.dumps(_plain(data), ensure_ascii=False, separators=(",", ":"))]


def _plain(value: Any) -> Any:
    """The value without the bytes of files that lie deep inside."""
    if is_file(value):
        return {key: item for key, item in value.items() if key != "data"}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def call_of(part: dict[str, Any], id: str) -> ToolCall:
    """A call; its arguments are an object, or its JSON as text."""
    arguments = part.get("args")
    return tool_call(id, part.get("tool_name"), {} if arguments is None else arguments)


def usage_of(usage: Any) -> Usage | None:
    """Recorded tokens of a reply, under the newer names or the older ones: the input includes what was cached."""
    if not isinstance(usage, dict):
        return None
    details = usage["details"] if isinstance(usage.get("details"), dict) else {}
    read = _first(usage.get("cache_read_tokens"), details.get("cache_read_input_tokens"), details.get("cached_tokens"))
    write = _first(usage.get("cache_write_tokens"), details.get("cache_creation_input_tokens"))
    prompt = _first(usage.get("input_tokens"), usage.get("request_tokens"))
    output = _first(usage.get("output_tokens"), usage.get("response_tokens"))
    return apart_from_cache(prompt, read, write, output)


def _first(*counts: Any) -> int:
    return next((n for n in map(whole_number, counts) if n), 0)
