"""Content blocks of the Anthropic and OpenAI APIs as the parts of a message, and readers of values that may be of any type.

https://docs.anthropic.com/en/api/messages · https://platform.openai.com/docs/api-reference/chat/create
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from sys import intern
from typing import Any

from core.importers._files.text import parse
from core.importers._shapes.images import embedded, linked
from core.model.own_text import request_of
from core.model.session import (
    INVALID,
    TOKEN_FIELDS,
    Image,
    Message,
    ToolCall,
    Usage,
    construct_unchecked,
    total_cost,
)
from core.model.text import leads_on, unmarked

_TITLED = 20_000  # characters of a text that are looked through for a title
_LEADING = re.compile(
    r"(?:please )?\w+ (?:the following|this)(?: \w+)?:", re.IGNORECASE
)  # "Implement the following plan:"

DEPTH = 100
"""Arguments nested deeper than this stay text: what writes JSON further on gives up not far beyond."""


@dataclass(slots=True)
class MessageParts:
    """The parts of one message: texts, thinking, tool calls, images, tool results and summaries.

    `told` is how many of the texts stand in front of the last result: of a reply in which a server ran tools, what follows is
    the answer.
    """

    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)
    told: int = 0

    @property
    def answer(self) -> int:
        """Where the text behind the last result begins; 0 where nothing is said before or behind it."""
        before = self.texts[: self.told]
        return sum(map(len, before)) + len(before) if self.told < len(self.texts) else 0

    @property
    def text(self) -> str:
        """All texts, joined by line breaks."""
        return "\n".join(self.texts)

    def add(self, content: Any) -> "MessageParts":
        """Add the content of a message: a text, or a list of texts and blocks."""
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict):
                self._block(block)
            elif block is not None:
                self.texts.append(block if isinstance(block, str) else json.dumps(block))
        return self

    def _block(self, block: dict[str, Any]) -> None:
        kind = string(block.get("type"))
        if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            self.calls.append(tool_call(block.get("id"), block.get("name"), block.get("input")))
        elif kind.endswith("tool_result"):
            self.results.append(block)
            self.told = len(self.texts)
        elif kind in ("tool_call", "tool_response") and "tool_name" in block:
            self._named(kind, block)
        elif kind == "thinking":
            self.thinking.append(string(block.get("thinking")))
        elif kind == "compaction":
            self.summaries += [] if block.get("content") is None else [MessageParts().add(block["content"]).text]
        elif kind != "redacted_thinking":
            self._shown(kind, block)

    def _named(self, kind: str, block: dict[str, Any]) -> None:
        """A call or a result as data sets of runs write them, both with the name of their tool."""
        if kind == "tool_call":
            self.calls.append(tool_call(block.get("id"), block["tool_name"], block.get("input")))
        else:
            result = block.get("tool_response")
            self.results.append({"tool_use_id": block.get("id"), "content": result, "is_error": block.get("is_error")})

    def _shown(self, kind: str, block: dict[str, Any]) -> None:
        """Add text and pictures. A block of an unknown kind takes up context as well, so its JSON is kept as text."""
        source, url = block.get("source"), block.get("image_url")
        if isinstance(source, dict) and (kind in ("image", "document") or "data" in source):
            self._sourced(source)
        elif url is not None:
            self.images.append(_linked(url, block))
        elif kind in ("input_audio", "file"):
            self.images.append(Image(media_type=kind))
        else:
            text = next((block[key] for key in ("text", "refusal") if isinstance(block.get(key), str)), None)
            self.texts.append(json.dumps(block, ensure_ascii=False) if text is None else text)

    def _sourced(self, source: dict[str, Any]) -> None:
        kind = source.get("type")
        if kind == "text":
            self.texts.append(string(source.get("data")))
        elif kind == "content":
            self.add(source.get("content"))
        elif kind == "base64" or "data" in source:
            self.images.append(embedded(source.get("media_type"), source.get("data")))
        else:
            self.images.append(linked(source.get("url") or source.get("file_id")))


def _linked(url: Any, block: dict[str, Any]) -> Image:
    """A picture of OpenAI's, with how closely the model was asked to look at it."""
    inner = url if isinstance(url, dict) else {"url": url}
    detail = string(inner.get("detail")) or string(block.get("detail"))
    image = linked(inner.get("url"))
    return image.model_copy(update={"detail": detail}) if detail else image


def tool_call(id: Any, name: Any, arguments: Any) -> ToolCall:
    """A call with its arguments decoded; arguments that are not an object, or nested too deeply, stay text in `raw`.

    The arguments must come from `parse`, which leaves no lone surrogates in them.
    """
    found, raw = arguments, None
    if isinstance(arguments, str):
        found, raw = _decoded(arguments), arguments
    if isinstance(found, dict) and found.keys() == {INVALID} and isinstance(found[INVALID], str):
        arguments = raw = found[INVALID]  # wrapped so to be sent back, as Anthropic's documentation says
        found = None
    name = intern(string(name))  # one string for all calls of a tool: a large session has thousands
    if isinstance(found, dict) and _shallow(found):
        return construct_unchecked(ToolCall, id=string(id), name=name, arguments=found, raw=None)
    return construct_unchecked(ToolCall, id=string(id), name=name, arguments={}, raw=_raw(raw, arguments))


def _decoded(text: str) -> Any:
    try:
        return parse(text) if text.strip() else {}
    except ValueError:
        return None


def _raw(raw: str | None, arguments: Any) -> str | None:
    if raw is not None or arguments is None:
        return raw
    try:
        return json.dumps(arguments, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to show)"


def _shallow(value: dict[str, Any] | list[Any], depth: int = 0) -> bool:
    """Whether nothing in an object or a list lies deeper than DEPTH."""
    items = value.values() if isinstance(value, dict) else value
    if depth == DEPTH:
        return not items
    return all(_shallow(item, depth + 1) for item in items if isinstance(item, (dict, list)))


def result_text(content: Any) -> MessageParts:
    """The text and pictures of a tool result, also of a server's tool: its output, or its JSON where it is none."""
    if not isinstance(content, dict):
        return MessageParts().add(content)
    if isinstance(content.get("content"), (str, list)) and "stdout" not in content:
        return MessageParts().add(content["content"])
    texts = [t for t in (content.get(key) for key in ("stdout", "stderr", "text", "error_code")) if isinstance(t, str)]
    shown = {k: v for k, v in content.items() if not k.startswith("encrypted")}
    return MessageParts(texts=[t for t in texts if t] if texts else [json.dumps(shown, ensure_ascii=False)])


def anthropic_usage(usage: Any) -> Usage | None:
    """Recorded tokens of an Anthropic reply: its input does not include what was cached."""
    if not isinstance(usage, dict):
        return None
    return construct_unchecked(
        Usage,
        input_uncached=whole_number(usage.get("input_tokens")),
        cache_read=whole_number(usage.get("cache_read_input_tokens")),
        cache_write=whole_number(usage.get("cache_creation_input_tokens")),
        output=whole_number(usage.get("output_tokens")),
        cost=None,
    )


def total(usages: Iterator[Usage | None]) -> Usage | None:
    """The sum of recorded usage; None where none is recorded."""
    found = [u for u in usages if u is not None]
    if not found:
        return None
    tokens = {name: sum(map(attrgetter(name), found)) for name in TOKEN_FIELDS}
    return Usage(**tokens, cost=total_cost(u.cost for u in found))


def apart_from_cache(prompt: int, read: int, write: int, output: int) -> Usage | None:
    """Usage of a prompt that includes what was cached, unless it is less than that; None where nothing is recorded."""
    if not (prompt or output or read or write):
        return None
    fresh = prompt - read - write if prompt >= read + write else prompt
    return construct_unchecked(Usage, input_uncached=fresh, cache_read=read, cache_write=write, output=output)


def most_used(models: Counter[str]) -> str:
    """The model of most replies; empty where none is named."""
    return models.most_common(1)[0][0] if models else ""


def first_typed(messages: Iterable[Message]) -> str:
    """The first text that a person typed; empty where nobody did."""
    return next((m.content for m in messages if m.typed and m.content.strip()), "")


def string(value: Any) -> str:
    """The value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects_in(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none if the value is not a list."""
    return [item for item in list_of(value) if isinstance(item, dict)]


def whole_number(value: Any) -> int:
    """The value if it is a whole number from 0 up, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else 0


def label(text: str) -> str:
    """A text as a title: its first line that says something, without marks of Markdown, 80 characters at most.

    A line that ends in a colon only leads to what follows, so the next one stands behind it, or in its place where it says
    no more than that. Of a prompt that an agent writes around a task it is the task.
    """
    asked = request_of(text[:_TITLED]).strip()
    lines = (unmarked(line) for line in asked.splitlines())
    first, *more = (
        [*islice((line for line in lines if any(map(str.isalnum, line))), 2)] or asked.splitlines()[:1] or [""]
    )
    leads = more and leads_on(first)
    line = more[0] if leads and _LEADING.fullmatch(first) else f"{first} {more[0]}" if leads else first
    return line if len(line) <= 80 else line[:79] + "…"
