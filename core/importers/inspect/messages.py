"""Messages of an Inspect sample: attachments put back in their place, content of every kind, calls and their results."""

from collections.abc import Iterator
from typing import Any

from core.importers._shapes.blocks import MessageParts, string, tool_call, whole_number
from core.importers._shapes.images import linked
from core.model.session import Image, Message, ToolCall, Usage, construct_unchecked, content_id

ROLES = ("system", "user", "assistant", "tool")

_PROTOCOLS = ("attachment://", "tc://")  # the second one until 2024
_DEEP = 100

EMPTIED = "(Tool result removed)"
"""What stands in the place of a tool result that a compaction emptied."""


class Reader:
    """Turns the messages of one sample into ours. Messages that say the same are the same object, however often they
    were sent. `typed` is whether messages that a person typed are marked; `missing` are attachments that are not there.
    """

    def __init__(self, attachments: dict[str, Any], typed: bool) -> None:
        self.attachments, self.typed = attachments, typed
        self.missing: set[str] = set()
        self.invalid = 0
        self._made: dict[int, tuple[Message, ...]] = {}
        self._known: dict[tuple[Any, ...], Message] = {}
        self._numbers: dict[int, int] = {}

    def all(self, raw: Any) -> list[Message]:
        """The messages of a list, each as it is recorded; what is none is counted in `odd`."""
        found: list[Message] = []
        for item in raw if isinstance(raw, list) else ():
            made = self.message(item)
            self.invalid += not made
            found.extend(made)
        return found

    def sent(self, raw: Any) -> tuple[Message, ...]:
        """A message of a prompt: the same object for all that say the same. An emptied result says nothing."""
        if id(raw) not in self._made:
            self._made[id(raw)] = tuple(self._known.setdefault(key(m), m) for m in map(_emptied, self.message(raw)))
        return self._made[id(raw)]

    def number(self, message: Message) -> int:
        """The same number for all messages that say the same."""
        if id(message) not in self._numbers:
            same = self._known.setdefault(key(message), message)
            self._numbers[id(message)] = id(same)
        return self._numbers[id(message)]

    def message(self, raw: Any) -> tuple[Message, ...]:
        """A message, and the results of the tools that the provider ran within it; nothing for what is no message."""
        if not isinstance(raw, dict) or raw.get("role") not in ROLES:
            return ()
        role, parts = raw["role"], _Parts(self).take(raw)
        reply = role == "assistant"
        calls = (*parts.calls, *self._calls(raw)) if reply else ()
        content, failed = self._content(raw, parts.text)
        call = string(raw.get("tool_call_id")) or None
        known = {"role": role, "content": content, "tool_call_id": call, "thinking": "\n".join(parts.thinking)}
        id = string(raw.get("id")) or content_id(known | {"tool_calls": [c.model_dump() for c in calls]})
        message = construct_unchecked(
            Message,
            **known,
            id=id,
            tool_calls=calls,
            reply_id=id if reply else None,
            images=tuple(parts.images),
            name=(string(raw.get("function")) or None) if role == "tool" else None,
            model=string(raw.get("model")) if reply else "",
            injected=self._injected(raw) if role == "user" else "",
            is_error=failed,
        )
        return (message, *self._ran(id, parts)) if reply else (message,)

    def _injected(self, raw: dict[str, Any]) -> str:
        """Whether the scaffold, not a person, said this: it, or what a tool gave that a result cannot hold."""
        if isinstance(raw.get("tool_call_id"), list):
            return "tool"
        return "scaffold" if self.typed and raw.get("source") != "input" else ""

    def _content(self, raw: dict[str, Any], text: str) -> tuple[str, bool]:
        """The text, and whether it is that of a tool that failed: then the model is told the error."""
        error = raw.get("error") if raw["role"] == "tool" else None
        failure = error.get("message") if isinstance(error, dict) else raw.get("tool_error")
        return (self.text(failure) or text, True) if raw["role"] == "tool" and failure else (text, bool(error))

    def _calls(self, raw: dict[str, Any]) -> Iterator[ToolCall]:
        calls = raw.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if not isinstance(call, dict):
                continue
            inner = call["function"] if isinstance(call.get("function"), dict) else {}
            arguments = self.resolved(call.get("arguments", inner.get("arguments")))
            found = tool_call(call.get("id"), inner.get("name", call.get("function")), arguments)
            error = string(call.get("parse_error"))
            yield found.model_copy(update={"raw": error}) if error and not found.arguments and not found.raw else found

    def _ran(self, id: str, parts: "_Parts") -> Iterator[Message]:
        """The results of the tools that the provider ran."""
        for number, (call, text, failed) in enumerate(parts.ran):
            yield construct_unchecked(
                Message,
                id=f"{id}-result-{number}",
                role="tool",
                content=text,
                tool_call_id=call.id,
                name=call.name or None,
                is_error=failed,
            )

    def text(self, value: Any) -> str:
        """A text, with what is kept apart put back."""
        text = string(value)
        if not text.startswith(_PROTOCOLS):
            return text
        name = text.split("://", 1)[1]
        kept = self.attachments.get(name)
        if isinstance(kept, str):
            return kept
        self.missing.add(name)
        return text

    def resolved(self, value: Any, depth: int = 0) -> Any:
        """Arguments with what is kept apart put back."""
        if isinstance(value, str):
            return self.text(value)
        if depth >= _DEEP or not self.attachments:
            return value
        if isinstance(value, dict):
            return {k: self.resolved(v, depth + 1) for k, v in value.items()}
        return [self.resolved(v, depth + 1) for v in value] if isinstance(value, list) else value


class _Parts(MessageParts):
    """What the content of one message comes to; `ran` are the tools that the provider ran, with what came of them."""

    __slots__ = ("ran", "reader")

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader, self.ran = reader, list[tuple[ToolCall, str, bool]]()

    def take(self, raw: dict[str, Any]) -> "_Parts":
        """The content, and the thinking that old messages keep beside it."""
        content = raw.get("content")
        if string(raw.get("reasoning")):
            self.thinking.append(self.reader.text(raw["reasoning"]))
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, dict):
                self._part(string(part.get("type")), part)
            elif part is not None:
                self.add(self.reader.text(part) if isinstance(part, str) else part)
        return self

    def _part(self, kind: str, part: dict[str, Any]) -> None:
        if kind == "text":
            self.texts.append(self.reader.text(part.get("text")))
        elif kind == "reasoning":
            self._reasoning(part)
        elif kind in ("image", "audio", "video", "document"):
            self.images.append(self._picture(kind, part))
        elif kind == "tool_use":
            self._ran(part)
        elif kind != "data":  # what only the provider reads
            self.add(self.reader.resolved(part))

    def _reasoning(self, part: dict[str, Any]) -> None:
        """Thinking; where the provider locked it away, the summary of it."""
        locked = part.get("redacted") is True
        text = self.reader.text(part.get("summary") if locked else part.get("reasoning"))
        self.thinking += [text] if text else []

    def _picture(self, kind: str, part: dict[str, Any]) -> Image:
        image = linked(self.reader.text(part.get(kind)))
        media_type = string(part.get("mime_type")) or "/".join(filter(None, (kind, string(part.get("format")))))
        return image if image.media_type or kind == "image" else image.model_copy(update={"media_type": media_type})

    def _ran(self, part: dict[str, Any]) -> None:
        call = tool_call(part.get("id"), part.get("name"), self.reader.text(part.get("arguments")))
        error = self.reader.text(part.get("error"))
        self.calls.append(call)
        self.ran.append((call, error or self.reader.text(part.get("result")), bool(error)))


def _emptied(message: Message) -> Message:
    """A tool result; where a compaction emptied it, with nothing in it: it is shorter then than any."""
    empty = message.role == "tool" and message.content == EMPTIED
    return message.model_copy(update={"content": ""}) if empty else message


def key(message: Message) -> tuple[Any, ...]:
    """What tells one message from another: ids change when a message is edited."""
    calls = tuple([(call.id, call.name) for call in message.tool_calls])
    return message.role, message.content.strip(), message.tool_call_id, calls, len(message.images)


def usage_of(usage: Any) -> Usage | None:
    """Recorded tokens of a reply.

    What was cached is not part of the input; until 2026 it was for OpenAI and Google, which the total shows.
    """
    if not isinstance(usage, dict):
        return None
    fresh, output = whole_number(usage.get("input_tokens")), whole_number(usage.get("output_tokens"))
    read, write = (
        whole_number(usage.get("input_tokens_cache_read")),
        whole_number(usage.get("input_tokens_cache_write")),
    )
    if not (fresh or output or read or write):
        return None
    if whole_number(usage.get("total_tokens")) == fresh + output and read + write <= fresh:
        fresh -= read + write
    return construct_unchecked(Usage, input_uncached=fresh, cache_read=read, cache_write=write, output=output)
