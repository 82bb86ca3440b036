"""The compactions of a Claude Code session, placed by the messages before them.

A boundary tells what was kept and the tokens after only from version 2.1.200 or so on. `preTokens` is the recorder's own
count, which is known to be unreliable (0: it had none); `postTokens` is its estimate of the conversation alone. Where one is
missing, the prompts of the model calls before and after stand in, with the system prompt and the tools in them; else beside it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.importers._shapes.context_editing import edited
from core.importers.claude_code.entries import Boundary, Draft
from core.importers.claude_code.instructions import instructions_of
from core.importers.claude_code.put_back import put_back
from core.importers.claude_code.tree import between
from core.model.session import RecordedCompaction

_PRE = "the agent's own count (`preTokens`), which can be wrong"
_POST = "the agent's estimate of the conversation (`postTokens`), without the system prompt and the tools"


class Compactions:
    """Reads the entries once. `ids_of` gives those of the messages made of uuids, `parents` is each uuid's parent."""

    def __init__(
        self,
        entries: Sequence[Draft | Boundary],
        ids_of: Callable[[Iterable[str]], list[str]],
        parents: Mapping[str, str],
    ) -> None:
        self.entries, self.ids_of, self.parents = entries, ids_of, parents
        drafts = [e for e in entries if isinstance(e, Draft)]
        self.live = {d.id for d in drafts}
        self.results = {d.tool_call_id: d.id for d in drafts if d.tool_call_id}
        self.summaries = {e.summary for e in entries if isinstance(e, Boundary)}
        self.instructions, self.put_back = instructions_of(entries), put_back(entries)
        self.put_in = self.summaries.union(*self.put_back.values())
        self.steps = 4 * len(parents) + 10_000  # in all: chains that lead nowhere must not be walked again and again
        self.arrived: list[str] = []
        self.edited = 0
        self.at = 0

    def __iter__(self) -> Iterator[RecordedCompaction]:
        """Each compaction, in order."""
        for entry in self.entries:
            if isinstance(entry, Draft):
                if entry.edits:
                    yield from self._left_out(entry)
                self._arrive(entry)
            elif entry.kind == "microcompaction":
                yield self._microcompaction(entry)
            else:
                yield self._compaction(entry)
                self.arrived, self.edited = [], 0

    def _arrive(self, entry: Draft) -> None:
        self.at += entry.id not in self.put_in
        if entry.role == "tool":
            self.arrived.append(entry.id)

    def _compaction(self, entry: Boundary) -> RecordedCompaction:
        kept, known = self._kept(entry)
        before, after = _positive(entry.data, "preTokens"), _positive(entry.data, "postTokens")
        return RecordedCompaction(
            at=self.at,
            trigger=string(entry.data.get("trigger")),
            tokens_before=before,
            tokens_after=after,
            before_from=_PRE if before else "",
            after_from=_POST if after else "",
            doubtful=bool(before or after),
            duration_ms=_positive(entry.data, "durationMs"),
            instructions=string(entry.data.get("userContext")) or self.instructions.get(entry.line, ""),
            summary=entry.summary,
            unreadable="" if entry.summary else "not recorded",
            kept=kept,
            added=self.put_back.get(entry.line, ()),
            lead=len(kept) if _stand_before(entry) else 0,
            fidelity="exact" if known and entry.summary else "partial",
            line=entry.line,
            timestamp=entry.timestamp,
        )

    def _kept(self, entry: Boundary) -> tuple[tuple[str, ...], bool]:
        """The messages that stayed verbatim, and whether the record tells: it may name what is not in the file."""
        preserved, segment = entry.data.get("preservedMessages"), entry.data.get("preservedSegment")
        uuids = _texts(preserved.get("uuids")) if isinstance(preserved, dict) else []
        known = bool(_positive(entry.data, "postTokens")) and entry.direction != "from"
        if not uuids and isinstance(segment, dict):
            uuids = self._segment(string(segment.get("headUuid")), string(segment.get("tailUuid")))
            known = bool(uuids)
        elif uuids:
            known = all(uuid in self.parents for uuid in uuids)
        kept = dict.fromkeys(self.ids_of(uuids))
        return tuple(id for id in kept if id in self.live and id not in self.summaries), known

    def _segment(self, head: str, tail: str) -> list[str]:
        path, steps = between(self.parents, head, tail, self.steps)
        self.steps -= steps
        return path[::-1]

    def _microcompaction(self, entry: Boundary) -> RecordedCompaction:
        """Old tool results and attachments emptied in place. Which ones is not always recorded."""
        before, saved = _positive(entry.data, "preTokens"), _positive(entry.data, "tokensSaved")
        named = [self.results.get(i) for i in _texts(entry.data.get("compactedToolIds"))]
        named += self.ids_of(_texts(entry.data.get("clearedAttachmentUUIDs")))
        cleared = tuple(dict.fromkeys(id for id in named if id in self.live))
        after = None if before is None or saved is None else max(0, before - saved)
        return RecordedCompaction(
            at=self.at,
            kind="microcompaction",
            trigger=string(entry.data.get("trigger")),
            tokens_before=before,
            tokens_after=after,
            before_from=_PRE if before is not None else "",
            after_from="the agent's own counts (`preTokens` less `tokensSaved`)" if after is not None else "",
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
            used = reply.message().usage
            yield edited(self.at, cleared, tokens, used.prompt if used else 0, reply.line, reply.timestamp)


def _stand_before(entry: Boundary) -> bool:
    """Whether what was kept stands before the summary: where all from a chosen message on was summarized."""
    found = (entry.data.get("preservedMessages"), entry.data.get("preservedSegment"))
    anchors = [string(p.get("anchorUuid")) for p in found if isinstance(p, dict)]
    return entry.direction == "from" or bool(entry.uuid and entry.uuid in anchors)


def _positive(data: dict[str, Any], key: str) -> int | None:
    """A recorded count of tokens or milliseconds; 0 stands for none."""
    return whole_number(data.get(key)) or None


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
