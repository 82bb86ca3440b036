"""What a Claude Code file holds, in its order: messages while their lines come in, and compactions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.importers._blocks import Parts, anthropic_usage, string, whole
from core.importers._claude_tree import between
from core.model import Message, RecordedCompaction, Role, built


@dataclass(slots=True)
class Draft:
    """A message while its lines are still coming in."""

    id: str
    uuid: str
    role: Role
    line: int
    timestamp: str
    parts: Parts
    injected: str = ""
    reply_id: str | None = None
    usage: Any = None
    model: str = ""
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool = False

    @property
    def typed(self) -> bool:
        """Whether a person typed it."""
        return self.role == "user" and not self.injected

    def message(self) -> Message:
        """The message, once all of its lines are in. Its parts were checked one by one: not again, which takes as long."""
        return built(
            Message,
            id=self.id,
            role=self.role,
            content=self.parts.text,
            tool_calls=tuple(self.parts.calls),
            tool_call_id=self.tool_call_id,
            name=self.name,
            reply_id=self.reply_id,
            thinking="\n".join(self.parts.thinking),
            images=tuple(self.parts.images),
            usage=anthropic_usage(self.usage),
            model=self.model,
            timestamp=self.timestamp,
            line=self.line,
            injected=self.injected,
            is_error=self.is_error,
        )


@dataclass(slots=True)
class Boundary:
    """A compaction while its summary is still to come."""

    uuid: str
    line: int
    timestamp: str
    kind: str
    data: dict[str, Any]
    summary: str | None = None


def compactions(
    entries: Sequence[Draft | Boundary], ids: Mapping[str, Sequence[str]], parents: Mapping[str, str]
) -> Iterator[RecordedCompaction]:
    """The compactions, placed by the messages before them; `ids` are those of the messages made of each uuid."""
    at = 0
    named = {e.summary for e in entries if isinstance(e, Boundary)}
    results = {e.tool_call_id: e.id for e in entries if isinstance(e, Draft) and e.tool_call_id}
    for entry in entries:
        if isinstance(entry, Draft):
            at += entry.id not in named
        elif entry.kind == "microcompaction":
            yield _emptied(entry, at, results)
        else:
            yield _summarised(entry, at, ids, parents)


def _summarised(
    entry: Boundary, at: int, ids: Mapping[str, Sequence[str]], parents: Mapping[str, str]
) -> RecordedCompaction:
    """What was kept, and the tokens after, are recorded by versions from about 2.1.200 on."""
    kept = dict.fromkeys(id for uuid in _preserved(entry.data, parents) for id in ids.get(uuid, ()))
    after = _tokens(entry.data, "postTokens")
    return RecordedCompaction(
        at=at,
        trigger=string(entry.data.get("trigger")),
        tokens_before=_tokens(entry.data, "preTokens"),
        tokens_after=after,
        summary=entry.summary,
        kept=tuple(kept),
        fidelity="exact" if kept or after is not None else "partial",
        line=entry.line,
        timestamp=entry.timestamp,
    )


def _emptied(entry: Boundary, at: int, results: Mapping[str, str]) -> RecordedCompaction:
    """A microcompaction: old tool results emptied in place. Which ones is not always recorded."""
    before, saved = _tokens(entry.data, "preTokens"), _tokens(entry.data, "tokensSaved")
    cleared = tuple(results[i] for i in _texts(entry.data.get("compactedToolIds")) if i in results)
    return RecordedCompaction(
        at=at,
        kind="microcompaction",
        trigger=string(entry.data.get("trigger")),
        tokens_before=before,
        tokens_after=None if before is None or saved is None else max(0, before - saved),
        cleared=cleared,
        fidelity="exact" if cleared else "partial",
        line=entry.line,
        timestamp=entry.timestamp,
    )


def _preserved(data: dict[str, Any], parents: Mapping[str, str]) -> list[str]:
    """The uuids of the records that stayed verbatim: a list of them, or the ends of a chain."""
    preserved, segment = data.get("preservedMessages"), data.get("preservedSegment")
    uuids = _texts(preserved.get("uuids")) if isinstance(preserved, dict) else []
    if not uuids and isinstance(segment, dict):
        uuids = between(parents, string(segment.get("headUuid")), string(segment.get("tailUuid")))[::-1]
    return uuids


def _tokens(data: dict[str, Any], key: str) -> int | None:
    return whole(data[key]) if isinstance(data.get(key), int) else None


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
