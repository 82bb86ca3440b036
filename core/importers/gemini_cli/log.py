"""The log of a Gemini session: records that repeat, lists that replace everything, and rewinds.

The same id once more is a newer version. `$rewindTo` takes back a message and all behind it. `$set.messages` is the
conversation as it stands from then on: what is missing in it is no longer sent to the model.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string
from core.importers.gemini_cli.parts import SNAPSHOT, injected_kind, parts_of, recorded_calls, result_of


@dataclass(slots=True)
class Entry:
    """A record by its id: `order` is when it arrived, `cleared` the calls whose result was shortened later on.

    `line` is where it stood first, `newest` where its version of now does.
    """

    id: str
    line: int
    order: int
    record: dict[str, Any]
    cleared: set[str] = field(default_factory=set)
    newest: int = 0

    @property
    def counts(self) -> bool:
        """Whether the model is sent it, as something of its own: no notice, no command, no copy of a result."""
        if self.record.get("type") != "user":
            return self.record.get("type") == "gemini"
        found = parts_of(self.record.get("content"))
        return bool(found.texts or found.images) and injected_kind(found.text) != "command"


@dataclass(slots=True)
class Cut:
    """A list that left something out: what stayed, how many of it stand before the summary, and when it was."""

    order: int
    line: int
    time: str
    kept: list[str]
    lead: int = 0
    summary: str | None = None
    cleared: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Log:
    """The entries in order of arrival; `live` are the ids of those that the conversation has now.

    `repeated` are the lines with older versions, `taken_back` those of messages that were gone back from, `lost` those that
    go back to what is not there.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    live: dict[str, None] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)
    clock: int = 0
    repeated: list[int] = field(default_factory=list)
    taken_back: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)

    def message(self, line: int, record: dict[str, Any]) -> None:
        """A record, or a newer version of one."""
        id = string(record.get("id")) or f"message-{line}"
        known = self.entries.get(id)
        if known is not None and id in self.live:
            self.repeated.append(known.newest or known.line)
            known.record, known.newest = record, line
        elif known is not None:
            self.live[id] = None
        else:
            self._arrive(id, line, record)

    def _arrive(self, id: str, line: int, record: dict[str, Any]) -> Entry:
        self.clock += 1
        self.live[id] = None
        self.entries[id] = Entry(id, line, self.clock, record)
        return self.entries[id]

    def rewind(self, line: int, id: str) -> None:
        """Back to before a message. One that is not there may have been lost with its line: nothing is taken back then."""
        if id not in self.live:
            self.lost.append(line)
            return
        last = ""
        while last != id:
            last = self.live.popitem()[0]
            self._forget([last])

    def _forget(self, ids: Iterable[str]) -> None:
        """Drop entries. A summary among them stands for nothing any more; its id may come again with another one."""
        for id in ids:
            entry = self.entries.pop(id)
            self.taken_back += [entry.line] * entry.counts
            for cut in self.cuts:
                if cut.summary == id:
                    cut.summary = None

    def replace(self, line: int, records: list[Any], time: str = "") -> None:
        """The conversation is this list from now on."""
        named = {string(r.get("id")) or f"message-{line}-{n}": r for n, r in enumerate(records) if isinstance(r, dict)}
        gone = [id for id in self.live if id not in named and self.entries[id].counts]
        kept = [id for id in named if id in self.live]
        fresh = [id for id in named if id not in self.entries]
        cut = Cut(self.clock, line, time, kept)
        cut.cleared = [(id, call) for id in kept for call in self._renew(self.entries[id], named[id])]
        arrived = [self._arrive(id, line, named[id]) for id in fresh]
        if gone and not fresh and list(self.live)[: len(kept)] == kept:
            self._forget([id for id in self.live if id not in named])
        elif gone:
            self._compacted(cut, arrived, list(named))
        if cut.cleared:
            self.cuts.append(Cut(cut.order, line, time, [], cleared=cut.cleared))
        self.live = dict.fromkeys(id for id in named if id in self.entries)

    def _compacted(self, cut: Cut, arrived: list[Entry], order: list[str]) -> None:
        summary = _summary(arrived)
        if summary is not None:
            cut.summary, stayed = summary.id, set(cut.kept)
            cut.lead = sum(id in stayed for id in order[: order.index(summary.id)])
        self.cuts.append(Cut(cut.order, cut.line, cut.time, cut.kept, cut.lead, cut.summary))

    def _renew(self, entry: Entry, record: dict[str, Any]) -> list[str]:
        """Take the newer version, but the results as they were where they are shorter now: the calls of those."""
        olds = {string(call.get("id")): call for call in recorded_calls(entry.record)}
        calls = recorded_calls(record)
        shorter = [call for call in calls if self._shorter(entry, olds.get(string(call.get("id"))), call)]
        entry.record = {**record, "toolCalls": [_kept(entry, olds, call) for call in calls]} if calls else record
        return [string(call.get("id")) for call in shorter]

    def _shorter(self, entry: Entry, old: dict[str, Any] | None, new: dict[str, Any]) -> bool:
        id = string(new.get("id"))
        if old is None or id in entry.cleared or old.get("result") == new.get("result"):
            return False
        was, now = result_of(old), result_of(new)
        if was is None or now is None or len(now.text) >= len(was.text):
            return False
        entry.cleared.add(id)
        return True


def _kept(entry: Entry, olds: dict[str, dict[str, Any]], call: dict[str, Any]) -> dict[str, Any]:
    id = string(call.get("id"))
    return {**call, "result": olds[id].get("result")} if id in entry.cleared and id in olds else call


def _summary(arrived: list[Entry]) -> Entry | None:
    """The new message that took the place of what is gone: one with a snapshot, or else the first that is no other thing."""
    typed = [
        (e, parts_of(e.record.get("content")).text) for e in arrived if e.record.get("type") == "user" and e.counts
    ]
    with_snapshot = next((entry for entry, text in typed if SNAPSHOT in text), None)
    return with_snapshot or next((entry for entry, text in typed if not injected_kind(text)), None)
