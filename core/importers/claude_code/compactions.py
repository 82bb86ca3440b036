"""The compactions of a Claude Code session, placed by the messages before them.

A boundary tells what was kept and the tokens after only from version 2.1.200 or so on. `preTokens` is the recorder's own
count, which is known to be unreliable (0: it had none); `postTokens` is its estimate of the conversation alone. Where one is
missing, what the model calls before and after used says as much, with the system prompt and the tools in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from core.importers._blocks import anthropic_usage, string, whole
from core.importers._claude_entries import Boundary, Draft
from core.importers._claude_tree import between
from core.importers._edits import edited
from core.model import RecordedCompaction, Usage

_PRE = "preTokens: the recorder's own count, known to be unreliable"
_POST = "postTokens: the recorder's estimate of the conversation, without the system prompt and the tools"
_CALL_BEFORE = "prompt and output of the reply before"
_CALL_AFTER = "prompt of the reply after, with the system prompt and the tools"


class Compactions:
    """Goes through the entries once. `ids` are those of the messages made of each uuid, `parents` each uuid's parent."""

    def __init__(
        self, entries: Sequence[Draft | Boundary], ids: Mapping[str, Sequence[str]], parents: Mapping[str, str]
    ) -> None:
        self.entries, self.ids, self.parents = entries, ids, parents
        drafts = [e for e in entries if isinstance(e, Draft)]
        self.live = {d.id for d in drafts}
        self.results = {d.tool_call_id: d.id for d in drafts if d.tool_call_id}
        self.summaries = {e.summary for e in entries if isinstance(e, Boundary)}
        self.steps = 4 * len(parents) + 10_000  # in all: chains that lead nowhere must not be walked again and again
        self.arrived: list[str] = []
        self.edited = 0
        self.at = 0
        self.replies: list[Draft] = []

    def __iter__(self) -> Iterator[RecordedCompaction]:
        """Each in its order."""
        for place, entry in enumerate(self.entries):
            if isinstance(entry, Draft):
                if entry.edits:
                    yield from self._left_out(entry)
                self._arrive(entry)
            elif entry.kind == "microcompaction":
                yield self._microcompaction(entry)
            else:
                yield self._compaction(entry, place)
                self.replies, self.arrived, self.edited = [], [], 0

    def _arrive(self, entry: Draft) -> None:
        self.at += entry.id not in self.summaries
        if entry.usage:
            self.replies.append(entry)
        elif entry.role == "tool":
            self.arrived.append(entry.id)

    def _compaction(self, entry: Boundary, place: int) -> RecordedCompaction:
        kept, known = self._kept(entry)
        before, after = _tokens(entry.data, "preTokens"), _tokens(entry.data, "postTokens")
        call = None if before else next((u.prompt + u.output for u in map(_used, reversed(self.replies)) if u), None)
        later = None if after else self._prompt_after(place)
        return RecordedCompaction(
            at=self.at,
            trigger=string(entry.data.get("trigger")),
            tokens_before=before or call,
            tokens_after=after or later,
            before_from=_PRE if before else _CALL_BEFORE if call else "",
            after_from=_POST if after else _CALL_AFTER if later else "",
            summary=entry.summary,
            unreadable="" if entry.summary else "not recorded",
            kept=kept,
            lead=len(kept) if _stand_before(entry) else 0,
            fidelity="exact" if known and entry.summary else "partial",
            line=entry.line,
            timestamp=entry.timestamp,
        )

    def _prompt_after(self, place: int) -> int | None:
        """Tokens of the first model call after an entry; None where the next compaction comes first."""
        for entry in islice(self.entries, place + 1, None):
            if isinstance(entry, Boundary):
                if entry.kind == "compaction":
                    return None
            elif used := _used(entry):
                return used.prompt
        return None

    def _kept(self, entry: Boundary) -> tuple[tuple[str, ...], bool]:
        """The messages that stayed verbatim, and whether the record tells: it may name what is not in the file."""
        preserved, segment = entry.data.get("preservedMessages"), entry.data.get("preservedSegment")
        uuids = _texts(preserved.get("uuids")) if isinstance(preserved, dict) else []
        known = bool(_tokens(entry.data, "postTokens")) and entry.direction != "from"
        if not uuids and isinstance(segment, dict):
            uuids = self._segment(string(segment.get("headUuid")), string(segment.get("tailUuid")))
            known = bool(uuids)
        elif uuids:
            known = all(uuid in self.parents for uuid in uuids)
        kept = dict.fromkeys(id for uuid in uuids for id in self.ids.get(uuid, ()))
        return tuple(id for id in kept if id in self.live and id not in self.summaries), known

    def _segment(self, head: str, tail: str) -> list[str]:
        path, steps = between(self.parents, head, tail, self.steps)
        self.steps -= steps
        return path[::-1]

    def _microcompaction(self, entry: Boundary) -> RecordedCompaction:
        """Old tool results and attachments emptied in place. Which ones is not always recorded."""
        before, saved = _tokens(entry.data, "preTokens"), _tokens(entry.data, "tokensSaved")
        named = [self.results.get(i) for i in _texts(entry.data.get("compactedToolIds"))]
        named += [id for uuid in _texts(entry.data.get("clearedAttachmentUUIDs")) for id in self.ids.get(uuid, ())]
        cleared = tuple(dict.fromkeys(id for id in named if id in self.live))
        after = None if before is None or saved is None else max(0, before - saved)
        return RecordedCompaction(
            at=self.at,
            kind="microcompaction",
            trigger=string(entry.data.get("trigger")),
            tokens_before=before,
            tokens_after=after,
            before_from=_PRE if before is not None else "",
            after_from="preTokens less tokensSaved: the recorder's own counts" if after is not None else "",
            cleared=tuple(id for id in cleared if id),
            fidelity="exact" if cleared else "partial",
            line=entry.line,
            timestamp=entry.timestamp,
        )

    def _left_out(self, reply: Draft) -> Iterator[RecordedCompaction]:
        """Context editing by the server: the oldest tool results were left out of this reply's prompt."""
        count, tokens = reply.edits or (0, 0)
        cleared, self.edited = tuple(self.arrived[self.edited : count]), max(self.edited, count)
        if cleared:
            used = _used(reply)
            yield edited(self.at, cleared, tokens, used.prompt if used else 0, reply.line, reply.timestamp)


def _stand_before(entry: Boundary) -> bool:
    """Whether what was kept stands before the summary: where all from a chosen message on was summarised."""
    found = (entry.data.get("preservedMessages"), entry.data.get("preservedSegment"))
    anchors = [string(p.get("anchorUuid")) for p in found if isinstance(p, dict)]
    return entry.direction == "from" or bool(entry.uuid and entry.uuid in anchors)


def _used(entry: Draft) -> Usage | None:
    usage = anthropic_usage(entry.usage) if entry.usage else None
    return usage if usage and usage.prompt else None


def _tokens(data: dict[str, Any], key: str) -> int | None:
    """A recorded count; 0 stands for none."""
    return whole(data.get(key)) or None


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
