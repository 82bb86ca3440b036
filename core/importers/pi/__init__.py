"""pi sessions: ~/.pi/agent/sessions/--<path>--/<time>_<session>.jsonl.

One entry a line, after a header. From version 2 on an entry names its parent, so that the file is a tree: the session is
the path to its last entry, and what was gone back from is left out. Version 1 is a list without ids: here an entry is
called `entry-<n>` by its place from 0, as the file itself counts. A compaction cuts nothing from the file: its entry holds
the summary and names the first entry that was kept; everything from there up to it stayed. Usage excludes what was cached.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import MessageParts, first_typed, label, most_used, string, total
from core.importers._shapes.notes import failed, pluralize
from core.importers._shapes.session_lines import is_bare, is_message_line
from core.importers.pi.entries import (
    Cut,
    Entry,
    Known,
    command_text,
    compactions,
    cut_of,
    message_of,
    parts_of,
    usage_of,
)
from core.model.advice import Advice
from core.model.session import Message, Session

LABEL = AGENT = "pi"
DOCS = "https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/session-format.md"
GROUP = "coding agents"
RECORDS_COMPACTIONS = True
KEEPS = Advice(
    "Put it into `AGENTS.md`: pi loads the file into its system prompt, which no compaction takes.",
    "https://github.com/earendil-works/pi/blob/main/packages/coding-agent/README.md#context-files",
)
KEEPS_ONCE = Advice(
    "Compact by hand before the window is full, `/compact Keep word for word {words}`, or say it again after the compaction.",
    "https://github.com/earendil-works/pi/blob/main/packages/coding-agent/README.md#commands",
)


def recognises(head: Head) -> bool:
    """Whether there is a header, or, where its line is damaged, an entry with a message as pi writes it."""
    return any(_is_header(r) or _is_message(r) for r in head.records) and not any(map(is_bare, head.records))


def _is_header(record: dict[str, Any]) -> bool:
    return record.get("type") == "session" and "cwd" in record and bool(record.keys() & {"version", "provider"})


def _is_message(record: dict[str, Any]) -> bool:
    return is_message_line(record) and isinstance(record["message"].get("timestamp"), int)


def read(source: Source) -> Session:
    """The session: the path from the first entry to the last."""
    return _Reading(source).run().session()


@dataclass
class _Reading:
    """One pass over the file. `entries` are those of the tree, in the order of the file."""

    source: Source
    entries: list[Entry] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    header: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    model: str = ""
    first_parent: str = ""
    last: int = -1
    records: int = 0
    repeated: list[int] = field(default_factory=list)

    def run(self) -> "_Reading":
        for line, record in self.source.records():
            self.records += 1
            kind = string(record.get("type")) or "unknown"
            if kind in ("session", "leaf"):
                self._apart(kind, record)
            else:
                self._entry(kind, line, record)
        return self

    def _apart(self, kind: str, record: dict[str, Any]) -> None:
        """Records outside the tree: the header, and, in newer files, where the tree is gone on from."""
        self.other[kind] += 1
        if kind == "session":
            self.header = self.header or record
        else:
            self.last = self.places.get(string(record.get("targetId")), self.last)
            self.places[string(record.get("id"))] = self.last

    @property
    def starts_midway(self) -> bool:
        """Whether the first entry names one before it that the file does not hold."""
        return self.first_parent != "" and self.first_parent not in self.places

    def _entry(self, kind: str, line: int, record: dict[str, Any]) -> None:
        id = string(record.get("id")) or f"entry-{self._place()}"
        if id in self.places:
            self.repeated.append(line)
            return
        if not self.entries:
            self.first_parent = string(record.get("parentId"))
        entry = Entry(id, self._parent(record), self._what(kind, id, line, record))
        self.last = self.places[id] = len(self.entries)
        self.entries.append(entry)

    def _place(self) -> int:
        """The place of this record as pi counts: from 0, the header included; lines that are damaged now were not then."""
        damage = self.source.damage
        return self.records - 1 + len(damage.malformed) + len(damage.too_long)

    def _parent(self, record: dict[str, Any]) -> int:
        """The parent's place; the entry before where none is named, or the named one was lost with its line."""
        if "parentId" in record and record["parentId"] is None:
            return -1
        return self.places.get(string(record.get("parentId")), len(self.entries) - 1)

    def _what(self, kind: str, id: str, line: int, record: dict[str, Any]) -> Message | Cut | None:
        message, known = record.get("message"), Known(id, line, string(record.get("timestamp")))
        if kind == "message" and isinstance(message, dict):
            return self._message(known, message)
        if kind == "custom_message":
            return known.message("user", parts_of(record.get("content")), injected="custom")
        if kind == "branch_summary" and string(record.get("summary")):
            summary, usage = MessageParts([record["summary"]]), usage_of(record.get("usage"))
            return known.message("user", summary, injected="branch-summary", usage=usage)
        if kind == "compaction":
            return cut_of(known, record)
        self._no_message(kind, record)
        return None

    def _no_message(self, kind: str, record: dict[str, Any]) -> None:
        custom = string(record.get("customType"))
        self.other[f"{kind}/{custom}" if custom else kind] += 1
        if kind == "session_info":
            self.title = string(record.get("name"))
        if kind == "model_change":
            self.model = string(record.get("modelId"))

    def _message(self, known: Known, message: dict[str, Any]) -> Message | None:
        role, parts = string(message.get("role")), parts_of(message.get("content"))
        if role == "user":
            return known.message("user", parts)
        if role == "assistant":
            return self._reply(known, message, parts)
        if role == "toolResult":
            call, name = string(message.get("toolCallId")) or None, string(message.get("toolName")) or None
            failure = message.get("isError") is True
            return known.message("tool", parts, tool_call_id=call, name=name, is_error=failure)
        if role in ("custom", "hookMessage"):
            return known.message("user", parts, injected="custom")
        if role == "bashExecution" and message.get("excludeFromContext") is not True:
            return known.message("user", MessageParts([command_text(message)]), injected="command")
        self.other[f"message/{role or 'unknown'}"] += 1
        return None

    def _reply(self, known: Known, message: dict[str, Any], parts: MessageParts) -> Message:
        failure = message.get("stopReason") == "error"
        if failure:
            self.errors[known.id] = string(message.get("errorMessage"))
        return known.message(
            "assistant",
            parts,
            reply_id=string(message.get("responseId")) or None,
            usage=usage_of(message.get("usage")),
            model=string(message.get("model")),
            is_error=failure,
        )

    def session(self) -> Session:
        """What is on the path to the last entry."""
        path = self._path()
        messages = tuple(m for e in path if (m := message_of(e)))
        models = Counter(m.model for m in messages if m.model)
        damage = self.source.damage
        typed = first_typed(messages)
        return Session(
            id=string(self.header.get("id")),
            format="pi",
            title=label(self.title or typed),
            model=most_used(models) or self.model or string(self.header.get("modelId")),
            project=string(self.header.get("cwd")),
            messages=messages,
            compactions=tuple(compactions(path)),
            usage=total(m.usage for m in messages),
            records=self.records,
            malformed_lines=damage.malformed_lines,
            recovered_records=damage.recovered,
            other=counted(self.other),
            notes=(*self._notes(path), *damage.notes()),
            starts_midway=self.starts_midway and not damage.malformed_lines,
        )

    def _path(self) -> list[Entry]:
        """The entries from the first to the last, by parents: a parent always stands before its child."""
        path, at = [], self.last
        while at >= 0:
            path.append(self.entries[at])
            at = self.entries[at].parent
        return path[::-1]

    def _notes(self, path: list[Entry]) -> Iterator[str]:
        stayed = {e.id for e in path}
        left = [m.line for e in self.entries if e.id not in stayed and (m := message_of(e))]
        if left:
            yield f"{pluralize(len(left), 'message')} skipped: on abandoned branches ({places(left)})"
        if again := self.repeated:
            yield f"{pluralize(len(again), 'record')} skipped: same id as an earlier one ({places(again)})"
        if errors := [self.errors[e.id] for e in path if e.id in self.errors]:
            yield failed(errors)
