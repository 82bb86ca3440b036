"""A list of pydantic-ai's messages, read one after the other: requests to the model, and its responses.

Every part of a request is a message here; a response is one reply, followed by what the provider's own tools gave back.
Instructions stand on every request, and only those of the newest are sent: they are told where they begin or change.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, string
from core.importers._shapes.notes import pluralize, without_call
from core.importers.pydantic_ai.parts import call_of, content_of, result_of, usage_of
from core.model.session import Message, RecordedCompaction, construct_unchecked

_CALLS = ("tool-call", "builtin-tool-call", "native-tool-call")
_RETURNS = ("tool-return", "builtin-tool-return", "native-tool-return")
_RETRIES = ("retry-prompt", "retry-feedback")

_ROOM = 5_000_000
"""The most messages that are listed as kept, over all compactions: those beyond are counted only."""


@dataclass
class Reading:
    """What was read. `waiting` are the calls of each tool that no result answered yet, for results that name none."""

    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    tools: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, deque[str]] = field(default_factory=dict)
    instructions: str = ""
    conversation: str = ""
    arrived: int = 0
    changed: int = 0
    orphans: int = 0
    unknown: int = 0
    records: int = 0
    room: int = _ROOM

    def take(self, place: int, item: Any) -> None:
        """Read one message of the list."""
        self.records += 1
        if not is_message(item):
            self.unknown += 1
            return
        self.conversation = string(item.get("conversation_id")) or string(item.get("run_id")) or self.conversation
        parts = [part for part in item["parts"] if isinstance(part, dict)]
        self.unknown += len(item["parts"]) - len(parts)
        if item["kind"] == "request":
            self._request(_Place(place, string(item.get("timestamp"))), item, parts)
        else:
            self._response(_Place(place, string(item.get("timestamp"))), item, parts)

    def _put(self, at: "_Place", role: str, parts: MessageParts, **known: Any) -> Message:
        """Add a message; a summary does not count as one that arrived."""
        content, images = parts.text, tuple(parts.images)
        known = {"id": at.next(), "timestamp": at.time, "line": at.number, **known}
        message = construct_unchecked(Message, role=role, content=content, images=images, **known)
        self.messages.append(message)
        self.arrived += message.injected != "summary"
        return message

    def _request(self, at: "_Place", item: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        instructions = string(item.get("instructions"))
        fresh = instructions if instructions != self.instructions else ""
        answered = False
        for part in parts:
            kind = string(part.get("part_kind"))
            if fresh and kind != "system-prompt":
                fresh = self._instructed(at, fresh)
            at.time = string(part.get("timestamp")) or at.time
            self._request_part(at, kind, part, answered)
            answered = answered or kind in _RETURNS
        if fresh:
            self._instructed(at, fresh)

    def _instructed(self, at: "_Place", instructions: str) -> str:
        self.changed += bool(self.instructions)
        self.instructions = instructions
        self._put(at, "system", MessageParts([instructions]), injected="instructions")
        return ""

    def _request_part(self, at: "_Place", kind: str, part: dict[str, Any], answered: bool) -> None:
        """One part of a request. A prompt behind a result is what the tool gave besides: nobody typed it."""
        if kind == "system-prompt":
            self._put(at, "system", content_of(part.get("content")))
        elif kind == "user-prompt":
            self._put(at, "user", content_of(part.get("content")), injected="attachment" if answered else "")
        elif kind == "speech":
            self._put(at, "user", _speech(part))
        elif kind in _RETURNS:
            self._result(at, part, self._call(part))
        elif kind in _RETRIES:
            self._retry(at, part)
        elif kind == "instruction-delta":
            self._put(at, "system", MessageParts([string(part.get("content"))]), injected="instructions")
        elif kind == "compaction":
            self._kept_all(at, part)
        else:
            self.other[f"part/{kind or 'unknown'}"] += 1

    def _call(self, part: dict[str, Any]) -> str:
        """The id of the call that a result answers; where it names none, the first of that tool still waiting."""
        id, waiting = string(part.get("tool_call_id")), self.waiting.get(string(part.get("tool_name")))
        return id or (waiting.popleft() if waiting else "")

    def _result(self, at: "_Place", part: dict[str, Any], call: str) -> None:
        found, bad = result_of(part)
        self.orphans += call not in self.tools
        name = string(part.get("tool_name")) or self.tools.get(call)
        self._put(at, "tool", found, tool_call_id=call, name=name, is_error=bad)

    def _retry(self, at: "_Place", part: dict[str, Any]) -> None:
        """The model is asked again: as the result of a call, or where there was none, by the harness."""
        call = self._call(part) if part.get("tool_name") else ""
        if call in self.tools:
            self._result(at, part, call)
        else:
            self._put(at, "user", result_of(part)[0], injected="retry")

    def _response(self, at: "_Place", item: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        reply, returns, cuts = MessageParts(), [], len(self.compactions)
        for number, part in enumerate(parts):
            kind = string(part.get("part_kind"))
            if kind in _CALLS:
                id = string(part.get("tool_call_id")) or f"call-{at.number}-{number}"
                reply.calls.append(call_of(part, id))
                self._waits(part, id, kind)
            elif kind in _RETURNS:
                returns.append(part)
            elif kind == "compaction":
                self._dropped_all(at, part)
            else:
                self._shown(reply, kind, part)
        if (
            reply.texts
            or reply.calls
            or reply.thinking
            or reply.images
            or not (returns or len(self.compactions) > cuts)
        ):
            self._reply(at, item, reply)
        for part in returns:
            self._result(at, part, string(part.get("tool_call_id")) or self._call(part))

    def _waits(self, part: dict[str, Any], id: str, kind: str) -> None:
        name = string(part.get("tool_name"))
        self.tools[id] = name
        if not string(part.get("tool_call_id")):
            self.waiting.setdefault(name, deque()).append(id)

    def _shown(self, reply: MessageParts, kind: str, part: dict[str, Any]) -> None:
        if kind == "text":
            reply.add(part.get("content"))
        elif kind == "thinking":
            reply.thinking.append(string(part.get("content")))
        elif kind == "file":
            reply.images += content_of(part.get("content")).images
        elif kind == "speech":
            found = _speech(part)
            reply.texts, reply.images = reply.texts + found.texts, reply.images + found.images
        else:
            self.other[f"part/{kind or 'unknown'}"] += 1

    def _reply(self, at: "_Place", item: dict[str, Any], reply: MessageParts) -> None:
        self._put(
            at,
            "assistant",
            reply,
            tool_calls=tuple(reply.calls),
            thinking="\n".join(text for text in reply.thinking if text),
            reply_id=string(item.get("provider_response_id")) or f"message-{at.number}",
            usage=usage_of(item.get("usage")),
            model=string(item.get("model_name")),
            is_error=item.get("finish_reason") == "error",
        )

    def _kept_all(self, at: "_Place", part: dict[str, Any]) -> None:
        """A summary in a request: what it stands for is gone from the list, and what is in front of it stayed."""
        self.room -= len(self.messages)
        if self.room < 0:
            self.other["compaction not followed"] += 1
            return
        system = next((n for n, m in enumerate(self.messages) if m.role != "system"), len(self.messages))
        kept = tuple(m.id for m in self.messages[system:])
        self._cut(at, "user", part, kept=kept, lead=len(kept))

    def _dropped_all(self, at: "_Place", part: dict[str, Any]) -> None:
        """A summary of the provider, in its response: the model sees nothing of what came before."""
        if part.get("content") is None and part.get("provider_name") == "anthropic":
            self.other["compaction that failed"] += 1
        else:
            self._cut(at, "assistant", part, in_reply=True)

    def _cut(self, at: "_Place", role: str, part: dict[str, Any], **more: Any) -> None:
        text, why = _summary(part)
        summary = self._put(at, role, MessageParts([text]), injected="summary")
        known = {"at": self.arrived, "summary": summary.id, "line": at.number, "timestamp": at.time}
        self.compactions.append(RecordedCompaction(unreadable=why, **known, **more))

    def notes(self) -> Iterator[str]:
        """Notes on what was skipped, and what cannot be shown as it was sent."""
        if self.unknown:
            yield f"{pluralize(self.unknown, 'record')} skipped: not messages of pydantic-ai, or not their parts"
        if self.orphans:
            yield without_call(self.orphans)
        if self.changed:
            yield f"the instructions changed {pluralize(self.changed, 'time')}: the model saw only the newest; all are shown"


@dataclass
class _Place:
    """A message of the list by its number, from 1; gives the ids of the messages it makes."""

    number: int
    time: str
    made: int = 0

    def next(self) -> str:
        """The id of the next message."""
        self.made += 1
        return f"message-{self.number}" if self.made == 1 else f"message-{self.number}-{self.made}"


def is_message(item: Any) -> bool:
    """Whether a value is a request or a response."""
    return (
        isinstance(item, dict) and item.get("kind") in ("request", "response") and isinstance(item.get("parts"), list)
    )


def _speech(part: dict[str, Any]) -> MessageParts:
    """What was said aloud: its transcript, and the sound where that was kept."""
    found = content_of(part["audio"]) if isinstance(part.get("audio"), dict) else MessageParts()
    return MessageParts([t for t in [string(part.get("transcript"))] if t], images=found.images)


def _summary(part: dict[str, Any]) -> tuple[str, str]:
    """The text of a summary, and why it cannot be read, if so."""
    details = part.get("provider_details")
    secret = string(details.get("encrypted_content")) if isinstance(details, dict) else ""
    if isinstance(part.get("content"), str):
        return part["content"], ""
    if secret:
        return f"[encrypted summary, {len(secret):,} characters: only the provider can read it]", "encrypted"
    return "[summary not recorded]", "not recorded"
