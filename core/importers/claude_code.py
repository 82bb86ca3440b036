"""Claude Code sessions: ~/.claude/projects/<project>/<session>.jsonl, and the files of sub-agents beside it.

One record a line. One API reply is written on as many lines as it has content blocks, each with the usage so far: lines
that share message.id are joined here, and the last line's usage counts. Tool results are user records. The file is only
ever added to, so a compaction removes nothing from it: it is a boundary record, followed by the summary.
The format is not documented; what is said here was read off files of versions 2.0 to 2.1.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._blocks import Parts, label, result_text, string, total
from core.importers._claude_entries import Boundary, Draft, compactions
from core.importers._claude_text import as_title, attached, injected_kind
from core.importers._claude_tree import abandoned
from core.importers._source import Head, Source
from core.importers._text import counted
from core.importers._words import many, sub_agents
from core.model import Message, Role, Session, ToolCall

LABEL = "Claude Code"
DOCS = "https://docs.claude.com/en/docs/claude-code/overview"

_SYNTHETIC = "<synthetic>"
_KINDS = {"user", "assistant", "system", "progress", "attachment", "queue-operation", "mode", "last-prompt"}
_KINDS |= {"permission-mode", "custom-title", "ai-title", "agent-name", "pr-link", "bridge-session", "frame-link"}


def recognises(head: Head) -> bool:
    """Whether a record has the marks of this format; the first ones are often no messages."""
    return any(map(_is_record, head.records))


def _is_record(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or "payload" in record:
        return False
    envelope = "parentUuid" in record or "isSidechain" in record or ("sessionId" in record and kind in _KINDS)
    summary = kind == "summary" and "leafUuid" in record
    return envelope or summary or (kind == "file-history-snapshot" and "snapshot" in record)


def read(source: Source) -> Session:
    """The session; a file that holds a sub-agent's records only is a session of its own."""
    main = _Reading(source, sidechain=False).run()
    if main.entries or not main.sidechains:
        return main.session()
    return _Reading(source, sidechain=True).run().session()


@dataclass
class _Reading:
    """One pass over the file. `entries` are messages and compactions in the order of the file."""

    source: Source
    sidechain: bool
    entries: list[Draft | Boundary] = field(default_factory=list)
    replies: dict[str, Draft] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    ids: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    tools: dict[str, ToolCall] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    agents: set[str] = field(default_factory=set)
    other: Counter[str] = field(default_factory=Counter)
    id: str = ""
    records: int = 0
    sidechains: int = 0
    progress: int = 0
    repeated: int = 0
    boundary: Boundary | None = None

    def run(self) -> "_Reading":
        for line, record in self.source.records():
            self.records += 1
            self._record(line, record)
        return self

    def _record(self, line: int, record: dict[str, Any]) -> None:
        kind, uuid = string(record.get("type")) or "unknown", string(record.get("uuid"))
        if bool(record.get("isSidechain")) != self.sidechain and kind in ("user", "assistant", "system", "attachment"):
            self._other_chain(record)
        elif uuid and uuid in self.parents:
            self.repeated += 1
        else:
            if uuid:
                self.parents[uuid] = string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))
            self.id = self.id or string(record.get("agentId" if self.sidechain else "sessionId"))
            self._kind(kind, line, uuid, record)

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
            self._no_message(kind, record)

    def _other_chain(self, record: dict[str, Any]) -> None:
        """A record of a sub-agent's own window: known by its agent, in older files by where its chain begins."""
        self.sidechains += 1
        agent = string(record.get("agentId")) or (not record.get("parentUuid") and string(record.get("uuid")))
        if agent:
            self.agents.add(agent)

    def _no_message(self, kind: str, record: dict[str, Any]) -> None:
        data = record.get("data")
        sub = string(record.get("subtype")) or (string(data.get("type")) if isinstance(data, dict) else "")
        self.other[f"{kind}/{sub}" if sub else kind] += 1
        if sub == "agent_progress" and isinstance(data, dict):
            self.progress += 1
            self.agents.add(string(data.get("agentId")) or string(record.get("parentToolUseID")))
        title = string(record.get({"custom-title": "customTitle", "ai-title": "aiTitle"}.get(kind, "summary")))
        if title and (kind != "summary" or string(record.get("leafUuid")) in self.parents):
            self.titles[kind] = title

    def _draft(self, line: int, uuid: str, record: dict[str, Any], role: Role, parts: Parts, number: int = 0) -> Draft:
        """A new message of this record; `number` tells several out of one record apart."""
        id = uuid or f"line-{line}"
        if number:
            id = f"{id}-{number}"
        draft = Draft(id, uuid, role, line, string(record.get("timestamp")), parts)
        self.ids[uuid].append(id)
        self.entries.append(draft)
        return draft

    def _assistant(self, line: int, uuid: str, record: dict[str, Any], message: dict[str, Any]) -> None:
        reply, model = string(message.get("id")) or uuid, string(message.get("model"))
        draft = self.replies.get(reply)
        if draft is None:
            draft = self._draft(line, uuid, record, "assistant", Parts())
            self.replies[reply] = draft
            draft.reply_id, draft.model = reply or None, model
        else:
            self.ids[uuid].append(draft.id)
        calls = len(draft.parts.calls)
        draft.parts.add(message.get("content"))
        draft.usage = (message.get("usage") or draft.usage) if model != _SYNTHETIC else None
        for call in draft.parts.calls[calls:]:
            self.tools[call.id] = call

    def _user(self, line: int, uuid: str, record: dict[str, Any], message: dict[str, Any]) -> None:
        """Its tool results, one message each, then what else it says."""
        parts = Parts().add(message.get("content"))
        for number, block in enumerate(parts.results):
            self._result(line, uuid, record, block, number)
        result = record.get("toolUseResult")
        if isinstance(result, dict) and isinstance(result.get("agentId"), str):
            self.agents.add(result["agentId"])
        if parts.texts or parts.images or not parts.results:
            draft = self._draft(line, uuid, record, "user", parts, len(parts.results))
            draft.injected = injected_kind(record, parts.texts)
            if draft.injected == "summary":
                self._summary(line, draft)

    def _result(self, line: int, uuid: str, record: dict[str, Any], block: dict[str, Any], number: int) -> None:
        draft = self._draft(line, uuid, record, "tool", result_text(block.get("content")), number)
        draft.tool_call_id = string(block.get("tool_use_id")) or None
        call = self.tools.get(draft.tool_call_id or "")
        draft.name = call.name if call else None
        draft.is_error = block.get("is_error") is True

    def _attachment(self, line: int, uuid: str, record: dict[str, Any], attachment: dict[str, Any]) -> None:
        parts, injected = attached(attachment)
        if parts.texts or parts.images:
            self._draft(line, uuid, record, "user", parts).injected = injected
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
        )
        self.entries.append(entry)
        self.boundary = self.boundary if micro else entry

    def _summary(self, line: int, draft: Draft) -> None:
        """The summary belongs to the boundary before it; without one it is a compaction by itself."""
        if self.boundary is None:
            self.boundary = Boundary(draft.uuid, line, draft.timestamp, "compaction", {})
            self.entries.insert(-1, self.boundary)
        self.boundary.summary, self.boundary = draft.id, None

    def session(self) -> Session:
        """What was read, without the branches that were left behind."""
        left = abandoned(self.parents, (e.uuid for e in self.entries if isinstance(e, Draft) and e.typed))
        live = [e for e in self.entries if not e.uuid or e.uuid not in left]
        messages = tuple(e.message() for e in live if isinstance(e, Draft))
        models = Counter(m.model for m in messages if m.model and m.model != _SYNTHETIC)
        damage = self.source.damage
        return Session(
            id=self.id,
            format="claude-code",
            title=self._title(messages),
            model=models.most_common(1)[0][0] if models else "",
            messages=messages,
            compactions=tuple(compactions(live, self.ids, self.parents)),
            usage=total(m.usage for m in messages),
            records=self.records,
            malformed_lines=damage.malformed_lines,
            recovered_records=damage.recovered,
            subagents=len(self.agents),
            other=counted(self.other),
            notes=(*self._notes(len(self.entries) - len(live)), *damage.notes()),
        )

    def _title(self, messages: tuple[Message, ...]) -> str:
        recorded = next((self.titles[k] for k in ("custom-title", "ai-title", "summary") if k in self.titles), "")
        said = (*(m.content for m in messages if m.typed), *(m.content for m in messages if m.role == "user"))
        return label(recorded or next((text for text in map(as_title, said) if text), ""))

    def _notes(self, left: int) -> Iterator[str]:
        inside = self.sidechains + self.progress
        if self.agents:
            yield sub_agents(len(self.agents), inside)
        elif self.sidechains:
            yield f"{many(self.sidechains, 'record')} of another chain left out"
        if left:
            yield f"{many(left, 'message')} left out: on branches that were gone back from (rewound)"
        if self.repeated:
            yield f"{many(self.repeated, 'record')} left out: same uuid as an earlier one"
