"""Vercel AI SDK: a list of UI messages, as `useChat` holds it and apps keep it in their databases (versions 4 to 6).

The list may stand in an object (a chat, a request body); a file of several such objects holds several sessions. One message
of the assistant is a whole run of the model: `step-start` parts split it into the replies it was, each a message here,
followed by the results of its calls. Data and source parts are not sent to the model, they are counted in `other`.

What was used is recorded only where the app put it into `metadata` (`usage`, `totalUsage`), for the whole message: it goes
into the session's total, and onto the reply where there was but one. Input includes what was cached, save in version 5 with
providers that count it apart, where it is smaller than what was cached. Compactions are not recorded.

https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message · https://github.com/vercel/ai (packages/ai/src/ui/ui-messages.ts,
convert-to-model-messages.ts)
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import MessageParts, string, total
from core.importers._shapes.chats import Chats, Items, chat_session
from core.importers._shapes.notes import pluralize
from core.importers._shapes.times import iso
from core.importers.vercel_ui.parts import attached, shown_parts, steps, usage_of
from core.model.session import Message, Session, Usage, construct_unchecked

LABEL = "Vercel AI SDK UI messages"
DOCS = "https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message"
GROUP = "frameworks"

_ROLES = ("system", "user", "assistant", "data")
_KINDS = ("step-start", "source", "source-url", "source-document", "dynamic-tool", "tool-invocation", "reasoning-file")


def recognises(head: Head) -> bool:
    """Whether the file is a UI message, a list of them, or has objects with such a list."""
    return _CHATS.recognises(head)


def read(source: Source) -> Iterator[Session]:
    """The session of a list, or of each chat."""
    return _CHATS.read(source)


def _is_message(item: Any) -> bool:
    """Whether a value is a message with parts as the AI SDK writes them, or with what version 4 has beside its text."""
    if not isinstance(item, dict) or item.get("role") not in _ROLES or "info" in item:
        return False
    if isinstance(item.get("parts"), list):
        return any(map(_is_part, item["parts"])) or (not item["parts"] and isinstance(item.get("id"), str))
    beside = [item.get(key) for key in ("toolInvocations", "experimental_attachments")]
    found = [one for items in beside if isinstance(items, list) for one in items if isinstance(one, dict)]
    return any("toolCallId" in one or "url" in one for one in found)


def _is_part(part: Any) -> bool:
    if not isinstance(part, dict):
        return False
    kind = string(part.get("type"))
    if kind in ("text", "reasoning"):
        return isinstance(part.get("text"), str) or isinstance(part.get("reasoning"), str)
    if kind == "file":
        return "url" in part or "mimeType" in part
    return kind in _KINDS or kind.startswith("data-") or (kind.startswith("tool-") and "toolCallId" in part)


@dataclass
class _Reading:
    """Reads message after message."""

    messages: list[Message] = field(default_factory=list)
    used: list[Usage | None] = field(default_factory=list)
    seen: dict[str, Any] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    records: int = 0
    copies: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)

    def take(self, place: int, item: Any) -> None:
        """Read one message of the list; a copy of an earlier one is left out."""
        self.records += 1
        if not isinstance(item, dict) or item.get("role") not in _ROLES:
            self.unknown.append(place)
            return
        id = string(item.get("id")) or f"message-{place}"
        if self.seen.setdefault(id, item) is not item and self.seen[id] == item:
            self.copies.append(place)
        elif item["role"] == "data":
            self.other["data message"] += 1
        elif item["role"] == "assistant":
            self._assistant(id, place, item)
        else:
            self._user_or_system(id, place, item)

    def _put(self, place: int, item: dict[str, Any], parts: MessageParts, **known: Any) -> None:
        content, images, time = parts.text, tuple(parts.images), _time(item)
        self.messages.append(
            construct_unchecked(Message, content=content, images=images, line=place, timestamp=time, **known)
        )

    def _user_or_system(self, id: str, place: int, item: dict[str, Any]) -> None:
        """What the user typed, or a system prompt."""
        listed = isinstance(item.get("parts"), list)
        parts = shown_parts(item["parts"], self.other) if listed else MessageParts().add(item.get("content"))
        if item["role"] == "system":
            parts.texts = ["".join(parts.texts)]
        parts.images += attached(item)
        self._put(place, item, parts, id=id, role=item["role"])

    def _assistant(self, id: str, place: int, item: dict[str, Any]) -> None:
        """The replies of a run, each with its results."""
        found, usage = steps(item, id, self.other), usage_of(item.get("metadata"))
        self.used.append(usage)
        for number, step in enumerate(found, 1):
            own = id if number == 1 else f"{id}-{number}"
            calls, thinking = tuple(step.parts.calls), "\n".join(text for text in step.parts.thinking if text)
            known = {"id": own, "role": "assistant", "reply_id": own, "tool_calls": calls, "thinking": thinking}
            used = usage if len(found) == 1 else None
            self._put(place, item, step.parts, **known, usage=used, model=_model(item))
            for result in step.results:
                fields = {"tool_call_id": result.call, "name": result.name or None, "is_error": result.failed}
                self._put(place, item, result.parts, id=f"{result.call}-result", role="tool", **fields)

    def notes(self) -> Iterator[str]:
        """What was left out."""
        if copies := self.copies:
            yield f"{pluralize(len(copies), 'message')} skipped: copies of earlier ones ({places(copies, 'record')})"
        if odd := self.unknown:
            yield f"{pluralize(len(odd), 'record')} skipped: not UI messages ({places(odd, 'record')})"


def _time(item: dict[str, Any]) -> str:
    """When a message was made, where version 4 or the app says so: as text, or in milliseconds since 1970."""
    metadata = item.get("metadata")
    beside = metadata.get("createdAt") if isinstance(metadata, dict) else None
    found = next((t for t in (item.get("createdAt"), beside) if t), "")
    if isinstance(found, (int, float)) and not isinstance(found, bool) and 0 < found < 2**43:
        return iso(int(found))
    return string(found)


def _model(item: dict[str, Any]) -> str:
    metadata = item.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    return string(known.get("model")) or string(known.get("modelId"))


def _session(items: Items, known: dict[str, Any]) -> Session:
    """The session of messages, each with its place; `known` is the object they lay in."""
    reading = _Reading()
    for place, item in items:
        reading.take(place, item)
    return chat_session(
        "vercel-ui",
        reading.messages,
        known,
        id=string(known.get("id")) or string(known.get("chatId")),
        usage=total(iter(reading.used)),
        records=reading.records,
        malformed_lines=len(reading.unknown),
        other=counted(reading.other),
        notes=tuple(reading.notes()),
    )


_CHATS = Chats(_is_message, keys=("messages", "initialMessages", "uiMessages"), session=_session)
