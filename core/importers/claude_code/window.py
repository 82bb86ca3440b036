"""One window of a Claude Code session, main or sub-agent, as its records are read."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from core.importers._shapes.blocks import MessageParts, result_text, string
from core.importers._shapes.context_editing import left_out
from core.importers.claude_code.entries import Boundary, Draft
from core.importers.claude_code.queue import Queue, QueuedText, with_queued
from core.importers.claude_code.text import apart, attached, injected_kind
from core.importers.claude_code.tree import abandoned
from core.model.session import Message, Role, ToolCall

SYNTHETIC = "<synthetic>"
"""The model of messages that Claude Code wrote itself in place of a reply: no model answered, so they are injected."""


@dataclass(frozen=True, slots=True)
class Start:
    """The call that started a sub-agent, and of what kind the result says that was."""

    call: str
    kind: str = ""


@dataclass
class Reading:
    """What has been read. `entries` are messages and compactions in the order of the file.

    `starts` are the sub-agents that a result names, by their ids, `flows` the workflows, `makers` the message of each call.
    `reply` is the one that began last, `continued` the reply of each record that adds to one.
    `repeated` and `copied` are the lines that say again what an earlier one did. Up to line `forked` they were copied from
    the session `origin`.
    """

    entries: list[Draft | Boundary] = field(default_factory=list)
    replies: dict[str, Draft] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    newest: str = ""
    reply: Draft | None = None
    continued: dict[str, str] = field(default_factory=dict)
    tools: dict[str, ToolCall] = field(default_factory=dict)
    makers: dict[str, str] = field(default_factory=dict)
    starts: dict[str, Start] = field(default_factory=dict)
    flows: dict[str, Start] = field(default_factory=dict)
    sessions: dict[str, None] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    latest: Any = None
    agent: str = ""
    kind: str = ""
    project: str = ""
    records: int = 0
    repeated: list[int] = field(default_factory=list)
    rewritten: int = 0
    copied: list[int] = field(default_factory=list)
    origin: str = ""
    forked: int = 0
    retried: int = 0
    cuts: int = 0
    queue: Queue = field(default_factory=Queue)
    boundary: Boundary | None = None
    result: tuple[int, dict[str, Any]] | None = None

    def take(self, line: int, record: dict[str, Any]) -> None:
        """The next record."""
        self.records += 1
        uuid = string(record.get("uuid"))
        if uuid:
            if uuid in self.parents:
                self.repeated.append(line)
                self.rewritten += self.cuts > 0
                return
            parent = string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))
            self.parents[uuid] = self.newest if parent == self.newest else parent  # one text, not two that are equal
            self.newest = uuid
        if isinstance(origin := record.get("forkedFrom"), dict):
            self.origin, self.forked = string(origin.get("sessionId")), line
        if record.get("sessionId") != self.latest or self.records < 20:
            self._about(record)
        self._kind(string(record.get("type")) or "unknown", line, uuid, record)

    def _about(self, record: dict[str, Any]) -> None:
        """What every record says: the first ones are asked, and those where the session's id changes."""
        self.latest = record.get("sessionId")
        if isinstance(self.latest, str):
            self.sessions.setdefault(self.latest)
        self.project = self.project or string(record.get("cwd"))
        self.agent = self.agent or string(record.get("agentId"))
        self.kind = self.kind or string(record.get("attributionAgent"))

    def _kind(self, kind: str, line: int, uuid: str, record: dict[str, Any]) -> None:
        message = record.get("message")
        if kind == "assistant" and isinstance(message, dict):
            self._assistant(line, uuid, record, message)
        elif kind == "user" and isinstance(message, dict):
            self._user(line, uuid, record, message)
        elif kind == "attachment" and isinstance(record.get("attachment"), dict):
            self._attachment(line, uuid, record, record["attachment"])
        elif kind == "system" and string(record.get("subtype")).endswith("compact_boundary"):
            self._compaction(line, uuid, record)
        else:
            self.result = (line, record) if kind == "result" else self.result
            self._no_message(kind, record)
            if kind == "queue-operation":
                self.queue.take(line, record)

    @property
    def starts_midway(self) -> bool:
        """Whether the first record names one before it that the file does not hold."""
        parent = next(iter(self.parents.values()), "")
        return parent != "" and parent not in self.parents

    def answer(self) -> None:
        """Of a run that printed its result alone: take that for the reply it repeats."""
        line, record = self.result or (0, {})
        if not self.replies and (message_ids := string(record.get("result"))):
            message = {"content": message_ids, "usage": record.get("usage")}
            self._assistant(line, string(record.get("uuid")), record, message)

    def _no_message(self, kind: str, record: dict[str, Any]) -> None:
        data = record.get("data")
        sub = string(record.get("subtype")) or (string(data.get("type")) if isinstance(data, dict) else "")
        self.other[f"{kind}/{sub}" if sub else kind] += 1
        self.retried += sub in ("api_error", "api_retry")
        title = string(record.get({"custom-title": "customTitle", "ai-title": "aiTitle"}.get(kind, "summary")))
        if title and (kind != "summary" or string(record.get("leafUuid")) in self.parents):
            self.titles[kind] = title

    def _draft(
        self, line: int, uuid: str, record: dict[str, Any], role: Role, parts: MessageParts, name: str = ""
    ) -> Draft:
        """A new message of this record; `name` tells several out of one record apart."""
        id = (uuid or f"line-{line}") + name
        draft = Draft(id, uuid, role, line, string(record.get("timestamp")), parts)
        self.entries.append(draft)
        return draft

    def _assistant(self, line: int, uuid: str, record: dict[str, Any], message: dict[str, Any]) -> None:
        reply, model = string(message.get("id")) or uuid, string(message.get("model"))
        draft = self.replies.get(reply) if reply else None
        if draft is None:
            draft = self._draft(line, uuid, record, "assistant", MessageParts())
            self.replies[reply] = draft
            draft.reply_id, draft.model = reply or None, model
            if self.reply:
                self.reply.message()
            self.reply = draft
            if model == SYNTHETIC:
                draft.injected = "note"
            else:
                self.queue.replied(draft)
        else:
            self.continued[uuid] = draft.id
        parts = draft.open()
        calls = len(parts.calls)
        parts.add(message.get("content"))
        draft.usage = (message.get("usage") or draft.usage) if model != SYNTHETIC else None
        if len(parts.calls) > calls:
            self._called(draft.id, parts.calls, calls, line)
        if message.get("context_management"):
            draft.edits = left_out(message) or draft.edits
        if record.get("isApiErrorMessage") or record.get("error"):
            draft.is_error, self.errors[draft.id] = True, parts.text
            draft.injected = "failure" if draft.injected else ""

    def _called(self, id: str, calls: list[ToolCall], first: int, line: int) -> None:
        """Take in the calls of a reply from a place on; a line that was copied makes none a second time."""
        for call in calls[first:]:
            if call.id and self.makers.get(call.id) == id:
                self.copied.append(line)
                calls.pop(next(i for i in range(first, len(calls)) if calls[i] is call))
            else:
                self.tools[call.id], self.makers[call.id] = call, id

    def _user(self, line: int, uuid: str, record: dict[str, Any], message: dict[str, Any]) -> None:
        """Its tool results, one message each, then what else it says: what the harness added to that is told apart."""
        made = added = 0
        for by_harness, content in apart(message.get("content")):
            parts = MessageParts().add(content)
            for block in parts.results:
                self._result(line, uuid, record, block, f"-{made}" if made else "")
                made += 1
            if parts.texts or parts.images or not parts.results:
                number = added if by_harness else made
                name = ("-added" if by_harness else "") + (f"-{number}" if number else "")
                self._texts_of(line, uuid, record, parts, name)
                made, added = made + (not by_harness), added + by_harness

    def _texts_of(self, line: int, uuid: str, record: dict[str, Any], parts: MessageParts, name: str) -> None:
        draft = self._draft(line, uuid, record, "user", parts, name)
        draft.injected = injected_kind(record, parts.texts)
        draft.message()
        self.queue.note_message(line, parts)
        if draft.injected == "summary":
            self._summary(line, draft, record.get("summarizeMetadata"))
        elif draft.typed:
            self.queue.passed()

    def _result(self, line: int, uuid: str, record: dict[str, Any], block: dict[str, Any], name: str) -> None:
        draft = self._draft(line, uuid, record, "tool", result_text(block.get("content")), name)
        answered = string(block.get("tool_use_id"))
        if call := self.tools.get(answered):
            answered, draft.name = call.id, call.name  # the call's own strings: a large session has thousands
        draft.tool_call_id = answered or None
        draft.is_error = block.get("is_error") is True
        draft.message()
        if isinstance(result := record.get("toolUseResult"), dict) and ("agentId" in result or "runId" in result):
            self._started(answered, result)

    def _started(self, call: str, result: dict[str, Any]) -> None:
        """What a result says of the sub-agent, or the workflow of many, that the call started."""
        start = Start(call, string(result.get("agentType")))
        if agent := string(result.get("agentId")):
            self.starts.setdefault(agent, start)
        if flow := string(result.get("runId")):
            self.flows.setdefault(flow, start)

    def _attachment(self, line: int, uuid: str, record: dict[str, Any], attachment: dict[str, Any]) -> None:
        parts, injected = attached(attachment)
        if parts.texts or parts.images:
            draft = self._draft(line, uuid, record, "user", parts)
            draft.injected = injected
            draft.attached = bool(injected) and attachment.get("type") != "queued_command"
            draft.message()
            self.queue.note_message(line, parts)
        else:
            self.other[f"attachment/{string(attachment.get('type')) or 'unknown'}"] += 1

    def _compaction(self, line: int, uuid: str, record: dict[str, Any]) -> None:
        micro = record.get("subtype") == "microcompact_boundary"
        data = record.get("microcompactMetadata" if micro else "compactMetadata")
        entry = Boundary(
            uuid=uuid,
            line=line,
            timestamp=string(record.get("timestamp")),
            kind="microcompaction" if micro else "compaction",
            data=data if isinstance(data, dict) else {},
            parent=self.parents.get(uuid, ""),
        )
        self.entries.append(entry)
        self.boundary = self.boundary if micro else entry
        self.cuts += not micro
        if not micro:
            self.queue.passed()

    def _summary(self, line: int, draft: Draft, about: Any) -> None:
        """The summary belongs to the boundary before it; without one it is a compaction by itself."""
        if self.boundary is None:
            self.boundary = Boundary(draft.uuid, line, draft.timestamp, "compaction", {})
            self.entries.insert(-1, self.boundary)
            self.cuts += 1
        self.boundary.direction = string(about.get("direction")) if isinstance(about, dict) else ""
        self.boundary.summary, self.boundary = draft.id, None

    def ids_of(self, uuids: Iterable[str]) -> list[str]:
        """The ids of the messages that hold something of these records."""
        return [id for uuid in uuids for id in self._ids.get(uuid, ())]

    @cached_property
    def _ids(self) -> dict[str, list[str]]:
        found = defaultdict[str, list[str]](list)
        for uuid, id in (*((e.uuid, e.id) for e in self.entries if isinstance(e, Draft)), *self.continued.items()):
            found[uuid].append(id)
        return found

    @cached_property
    def live(self) -> list[Draft | Boundary]:
        """The entries without those on branches that were left behind, with what only the queue holds."""
        left = self._left
        return [e for e in with_queued(self.entries, self.unmatched) if not e.uuid or e.uuid not in left]

    @cached_property
    def unmatched(self) -> list[QueuedText]:
        """What was typed, was taken out of the queue, and stands in no record of a message."""
        return list(self.queue.unmatched())

    @property
    def dead(self) -> list[int]:
        """The lines of the entries that were left behind."""
        left = self._left
        return [e.line for e in self.entries if e.uuid and e.uuid in left]

    @cached_property
    def _left(self) -> set[str]:
        return abandoned(self.parents, (e.uuid for e in self.entries if isinstance(e, Draft) and e.typed))

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the session."""
        return tuple(e.message() for e in self.live if isinstance(e, Draft))

    @cached_property
    def message_ids(self) -> frozenset[str]:
        """The ids of the messages."""
        return frozenset(m.id for m in self.messages)
