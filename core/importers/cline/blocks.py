"""The content of a message as Cline and Roo Code write it: Anthropic's blocks, those of Cline's SDK and of the AI SDK."""

import json
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, object_of, string, tool_call
from core.importers._shapes.images import embedded, linked
from core.model.session import Image, ToolCall


@dataclass(slots=True)
class Result:
    """The result of one call."""

    call: str
    name: str
    text: str
    images: tuple[Image, ...]
    failed: bool


@dataclass(slots=True)
class Content:
    """The blocks of one message, told apart. `files` are attached ones, with their paths before them."""

    texts: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that is said, a line apart."""
        return "\n".join([*self.texts, *self.files])


def content_of(content: Any) -> Content:
    """A message's content: a text, or a list of texts and blocks."""
    found = Content()
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, dict):
            _block(found, block)
        elif block is not None:
            found.texts.append(block if isinstance(block, str) else json.dumps(block))
    return found


def _block(found: Content, block: dict[str, Any]) -> None:
    kind = string(block.get("type"))
    if kind in ("tool_use", "tool-call"):
        id, name = block.get("id") or block.get("toolCallId"), block.get("name") or block.get("toolName")
        found.calls.append(tool_call(id, name, block.get("input")))
    elif kind in ("tool_result", "tool-result"):
        found.results.append(_result(block))
    elif kind in ("thinking", "reasoning"):
        found.thinking.append(string(block.get("thinking")) or string(block.get("text")))
    elif kind == "image":
        found.images.append(_picture(block))
    elif kind == "file":
        _file(found, block)
    elif kind not in ("redacted_thinking", "thoughtSignature"):
        parts = MessageParts().add([block])
        found.texts += parts.texts
        found.images += parts.images


def _file(found: Content, block: dict[str, Any]) -> None:
    """A file with its text, or one that is sent as it is."""
    if "content" in block:
        found.files.append(f"{string(block.get('path'))}\n{_text(block['content'])}")
    else:
        found.images.append(embedded(block.get("mediaType"), block.get("data")))


def _picture(block: dict[str, Any]) -> Image:
    """A picture: in Anthropic's shape, Cline's, or the AI SDK's."""
    source = object_of(block.get("source"))
    if source.get("type") == "url" or "url" in source:
        return linked(source.get("url"))
    if source:
        return embedded(source.get("media_type"), source.get("data"))
    given = string(block.get("image"))
    if given.startswith(("data:", "http:", "https:")):
        return linked(given)
    return embedded(block.get("mediaType"), block.get("data") or given)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _result(block: dict[str, Any]) -> Result:
    output = object_of(block.get("output"))
    content = block.get("content", output.get("value", block.get("output")))
    inner = Content()
    for item in content if isinstance(content, list) else [content]:
        _answer(inner, item)
    items = [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []
    refused = bool(items) and all(item.get("success") is False for item in items)
    return Result(
        call=string(block.get("tool_use_id")) or string(block.get("toolCallId")),
        name=string(block.get("name")) or string(block.get("toolName")),
        text="\n".join([*inner.texts, *inner.files]),
        images=tuple(inner.images),
        failed=block.get("is_error") is True or refused or string(output.get("type")).startswith("error"),
    )


def _answer(inner: Content, item: Any) -> None:
    """One part of a result; of a query with its result the pictures are taken out."""
    nested = item.get("result") if isinstance(item, dict) and "type" not in item else None
    if isinstance(nested, list):
        pictures = [part for part in nested if isinstance(part, dict) and part.get("type") == "image"]
        inner.images += [_picture(part) for part in pictures]
        shown = [part for part in nested if not (isinstance(part, dict) and part.get("type") == "image")]
        inner.texts.append(_text({**item, "result": shown}))
    elif isinstance(item, dict) and "type" in item:
        _block(inner, item)
    elif item is not None:
        inner.texts.append(_text(item))
