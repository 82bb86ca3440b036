"""The pieces of one message, in the shape of any provider or framework: text, thoughts, calls, results, pictures.

A trace holds whatever the traced program handed over. A block is told by its `type`, or by its one key where it has none
(Gemini, Bedrock); ids and names go by several keys. What is of no kind known here is kept as JSON: it takes up context too.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.text import parse
from core.importers._shapes.blocks import string, tool_call
from core.importers._shapes.images import embedded, linked
from core.model.session import Image, ToolCall

_CALL_IDS = ("toolCallId", "tool_call_id", "call_id", "tool_use_id", "toolUseId", "id")
_NAMES = ("toolName", "tool_name", "name")
_ARGUMENTS = ("arguments", "args", "input", "parameters")
_OUTPUTS = ("output", "result", "response", "content")
_TEXTS = ("text", "content", "output_text", "input_text", "refusal", "value")
_THOUGHTS = ("thinking", "reasoning", "text", "content", "reasoning_content", "reasoningText", "summary")

_CALLS = {
    *("tool_use", "server_tool_use", "mcp_tool_use", "tool-call", "tool_call", "toolCall", "function_call"),
    *("custom_tool_call", "functionCall", "toolUse", "mcp_call", "function"),
}
_RESULTS = {
    *("tool_result", "mcp_tool_result", "tool-result", "tool_call_response", "tool_response", "toolResult"),
    *("functionResponse", "function_response", "function_call_output", "custom_tool_call_output", "tool-error"),
}
_THINKING = {"thinking", "reasoning", "reasoning_content", "reasoningContent"}
COMPACTION = "compaction"
"""A block that stands for all before it: of OpenTelemetry (CompactionPart), Anthropic and OpenAI."""
_PICTURES = {
    *("image", "image_url", "input_image", "blob", "uri", "file", "file_data", "inlineData", "inline_data", "fileData"),
    *("input_file", "input_audio", "document", "audio", "video", "media"),
}
BARE = _CALLS | _RESULTS | _PICTURES | {"reasoningContent"}
"""What a block without a type may be, by its only key."""


NOT_RECORDED = "[summary not recorded"
"""How that begins which stands for a summary that the provider keeps to itself, or that was not recorded."""


@dataclass(slots=True)
class Result:
    """The result of a tool."""

    call_id: str
    name: str
    pieces: "Pieces"
    failed: bool = False


@dataclass(slots=True)
class Pieces:
    """What the content of one message comes to."""

    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All texts, a line apart."""
        return "\n".join(self.texts)

    def add(self, content: Any) -> "Pieces":
        """Take in a text, a block, or a list of them."""
        for block in blocks_of(content):
            if isinstance(block, dict):
                self._block(block)
            elif isinstance(block, str):
                self.texts.append(block)
            elif block is not None:
                self.texts.append(as_text(block))
        return self

    def _block(self, given: dict[str, Any]) -> None:
        kind, block = _kind_and_block(given)
        if kind in _CALLS:
            self.calls.append(call_of(block))
        elif kind in _RESULTS:
            self.results.append(result_of(block))
        elif kind in _THINKING:
            self.thinking += [t for t in [_thought(block)] if t]
        elif kind in _PICTURES:
            self._picture(kind, block)
        elif kind == COMPACTION:
            self.summaries.append(_thought(block) or _placeholder(block))
        elif kind != "redacted_thinking":
            self.texts.append(_words(block))

    def _picture(self, kind: str, block: dict[str, Any]) -> None:
        """A picture or a file; a document that is a text stays one."""
        source = block.get("source")
        if isinstance(source, dict) and source.get("type") == "text":
            self.texts.append(string(source.get("data")))
        else:
            self.images.append(picture_of(kind, block))


def _placeholder(block: dict[str, Any]) -> str:
    """What stands for a summary that is not there: the id tells it from others."""
    id = string(block.get("id"))
    return f"{NOT_RECORDED}{': ' if id else ''}{id}]"


def blocks_of(content: Any) -> list[Any]:
    """The blocks of a content, also where they are JSON in a text."""
    if isinstance(content, str) and content[:1] == "[" and content[-1:] == "]":
        found = in_json(content)
        if isinstance(found, list) and found and all(isinstance(b, dict) and _is_block(b) for b in found):
            return found
    return content if isinstance(content, list) else [content]


def _is_block(block: dict[str, Any]) -> bool:
    return isinstance(block.get("type"), str) or set(block) <= {"text", *BARE}


def in_json(text: Any) -> Any:
    """The object or the list in a text of JSON; the value itself where it is none."""
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        found = parse(text)
    except ValueError:
        return text
    return found if isinstance(found, (dict, list)) else text


def _kind_and_block(block: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """(kind, what it holds): by the type, or by the only key that says one."""
    kind = "thinking" if block.get("thought") is True else string(block.get("type"))
    if kind:
        inner = block.get(kind)
        return kind, {**block, **inner} if isinstance(inner, dict) and kind in ("toolUse", "function_call") else block
    for key in block:
        if key in BARE and isinstance(block[key], dict):
            return key, block[key]
    return "", block


def _first(block: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((block[key] for key in keys if block.get(key) is not None), None)


def call_of(block: dict[str, Any]) -> ToolCall:
    """A call of a tool; Chat Completions keep its name and arguments one level below."""
    inner = next((block[key] for key in ("function", "custom") if isinstance(block.get(key), dict)), block)
    name = string(_first(inner, _NAMES)) or string(_first(block, _NAMES))
    return tool_call(string(_first(block, _CALL_IDS)), name, _first(inner, _ARGUMENTS))


def result_of(block: dict[str, Any]) -> Result:
    """A tool's result; AI SDK 5 says what kind its output is of, and whether it is an error."""
    output, failed = _first(block, _OUTPUTS), block.get("is_error") is True or block.get("isError") is True
    failed = failed or block.get("status") == "error" or block.get("type") == "tool-error"
    if isinstance(output, dict) and string(output.get("type")).split("-")[0] in ("text", "json", "error", "content"):
        failed = failed or string(output.get("type")).startswith("error")
        output = output.get("value", output.get("text", output))
    pieces = Pieces().add(_shown(output if output is not None else block.get("error")))
    return Result(string(_first(block, _CALL_IDS)), string(_first(block, _NAMES)), pieces, failed)


def _shown(output: Any) -> Any:
    """What of an output was sent: its blocks, or itself as text."""
    if isinstance(output, dict) and isinstance(output.get("content"), list) and len(output) <= 2:
        output = output["content"]
    if isinstance(output, list) and output and all(isinstance(b, dict) and _is_block(b) for b in output):
        return output
    return output if output is None or isinstance(output, str) else as_text(output)


def as_text(value: Any) -> str:
    """A value as a text: itself, or its JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _thought(block: dict[str, Any]) -> str:
    return "\n".join(_strings(_first(block, _THOUGHTS)))


def _strings(value: Any) -> Iterator[str]:
    """The texts in a text, a block or a list of them."""
    for item in value if isinstance(value, list) else [value]:
        text = _first(item, _TEXTS) if isinstance(item, dict) else item
        if isinstance(text, str) and text:
            yield text


def _words(block: dict[str, Any]) -> str:
    text = _first(block, _TEXTS)
    return text if isinstance(text, str) else as_text(block)


def picture_of(kind: str, block: dict[str, Any]) -> Image:
    """A picture or another file: never its base64 as text."""
    inner = next((block[k] for k in ("source", "image_url", "image", "file", "input_audio") if k in block), block)
    if isinstance(inner, str):
        return _sized(inner, block, kind)
    inner = inner if isinstance(inner, dict) else {}
    media = _first(inner, ("media_type", "mime_type", "mimeType", "mediaType"))
    data = _first(inner, ("data", "bytes", "file_data", "content"))
    if isinstance(data, str) and not data.startswith("data:"):
        return embedded(media or _media(block, kind), data)
    return _sized(_first(inner, ("url", "uri", "fileUri", "file_id", "id")) or data, block, kind)


def _sized(address: Any, block: dict[str, Any], kind: str) -> Image:
    """A picture by its address; what is no address is its base64."""
    text = string(address)
    if len(text) > 1000 and not text.startswith(("data:", "http")):
        return embedded(_media(block, kind), text)
    image = linked(text)
    return image if image.media_type else image.model_copy(update={"media_type": _media(block, kind)})


def _media(block: dict[str, Any], kind: str) -> str:
    known = string(_first(block, ("mediaType", "media_type", "mime_type", "mimeType")))
    return known or ("" if kind in ("image", "image_url", "input_image") else kind)
