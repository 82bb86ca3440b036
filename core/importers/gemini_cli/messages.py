"""The messages and compactions that the log of a Gemini session comes to."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from core.importers._shapes.blocks import string
from core.importers.gemini_cli.log import Cut, Entry, Log
from core.importers.gemini_cli.parts import (
    SNAPSHOT,
    Response,
    calls_of,
    injected_kind,
    parts_of,
    recorded_calls,
    result_of,
    thoughts_of,
    usage_of,
)
from core.model.session import Message, RecordedCompaction, construct_unchecked


@dataclass(frozen=True, slots=True)
class Started:
    """A call that started a sub-agent."""

    id: str
    name: str
    message: str


@dataclass
class Messages:
    """Made entry by entry: `of` are the messages of each, `results` the message of each call of an entry."""

    log: Log
    other: Counter[str]
    of: dict[str, list[Message]] = field(default_factory=dict)
    results: dict[tuple[str, str], str] = field(default_factory=dict)
    calls: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    agents: dict[str, Started] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    first_typed: str = ""
    orphans: int = 0
    _summaries: set[str] = field(default_factory=set)
    _last: tuple[str, int] | None = None

    def messages(self) -> tuple[Message, ...]:
        """Every message in order of arrival."""
        self._summaries = {cut.summary for cut in self.log.cuts if cut.summary}
        for entry in self.log.entries.values():
            self.of[entry.id] = []
            self._entry(entry, string(entry.record.get("type")))
        return tuple(message for found in self.of.values() for message in found)

    def _entry(self, entry: Entry, kind: str) -> None:
        if kind == "user":
            self._user(entry)
        elif kind == "gemini":
            self._reply(entry)
        else:
            self.other[kind or "unknown"] += 1
            if kind == "error":
                self.errors.append(parts_of(entry.record.get("content")).text)

    def _put(self, entry: Entry, **fields: Any) -> Message:
        found = self.of[entry.id]
        id = f"{entry.id}-{len(found)}" if found else entry.id
        message = construct_unchecked(
            Message, id=id, timestamp=string(entry.record.get("timestamp")), line=entry.line, **fields
        )
        found.append(message)
        self._last = (entry.id, len(found) - 1)
        return message

    def _user(self, entry: Entry) -> None:
        """What a person typed, or was put in; the results that came back are here once more."""
        found = parts_of(entry.record.get("content"))
        for response in found.responses:
            if response.id in self.answered:
                self.other["copied result"] += 1
            else:
                self.orphans += response.id not in self.calls
                self._result(entry, response.id, response)
        if found.texts or found.images:
            kind = "summary" if entry.id in self._summaries else injected_kind(found.text)
            kind = kind or ("tool" if found.responses else "")
            self.first_typed = self.first_typed or ("" if kind else entry.id)
            self._put(entry, role="user", content=found.text, images=tuple(found.images), injected=kind)

    def _reply(self, entry: Entry) -> None:
        """A reply, and the results of its calls. Calls that a notice came before are a record of their own."""
        record, found = entry.record, parts_of(entry.record.get("content"))
        calls = tuple(calls_of(record, found))
        thinking = "\n".join(text for text in (*thoughts_of(record), *found.thinking) if text)
        usage, before = usage_of(record), self._open_reply()
        if before is not None and calls and usage is None and not (found.text or thinking):
            id = self._joined(before, calls)
        else:
            id = self._put(
                entry,
                role="assistant",
                content=found.text,
                tool_calls=calls,
                reply_id=entry.id,
                thinking=thinking,
                images=tuple(found.images),
                usage=usage,
                model=string(record.get("model")),
                injected="ack" if injected_kind(found.text) == "ack" else "",
            ).id
        self.calls |= {call.id for call in calls}
        for call in recorded_calls(record):
            self._recorded(entry, call, id)

    def _open_reply(self) -> tuple[str, int] | None:
        """Where the last message is, if it is a reply without calls: nothing was sent after it yet."""
        if self._last is None:
            return None
        last = self.of[self._last[0]][self._last[1]]
        return self._last if last.role == "assistant" and not last.tool_calls and not last.injected else None

    def _joined(self, place: tuple[str, int], calls: tuple[Any, ...]) -> str:
        found, spot = self.of[place[0]], place[1]
        found[spot] = found[spot].model_copy(update={"tool_calls": calls})
        return found[spot].id

    def _recorded(self, entry: Entry, call: dict[str, Any], message: str) -> None:
        id, agent = string(call.get("id")), string(call.get("agentId"))
        if agent:
            self.agents[agent] = Started(id, string(call.get("name")), message)
        response = result_of(call)
        if response is not None:
            self._result(entry, id, response, string(call.get("name")), string(call.get("timestamp")))

    def _result(self, entry: Entry, id: str, response: Response, name: str = "", time: str = "") -> None:
        self.answered.add(id)
        message = self._put(
            entry,
            role="tool",
            content=response.text,
            tool_call_id=id,
            name=name or response.name or None,
            images=tuple(response.images),
            is_error=response.failed,
        )
        if time:
            self.of[entry.id][-1] = message.model_copy(update={"timestamp": time})
        self.results[entry.id, id] = message.id

    def compactions(self) -> tuple[RecordedCompaction, ...]:
        """The lists that left something out, in order."""
        entries = list(self.log.entries.values())
        orders = [entry.order for entry in entries]
        sizes = (sum(m.injected != "summary" for m in self.of[entry.id]) for entry in entries)
        arrived = list(accumulate(sizes, initial=0))
        made = []
        for cut in self.log.cuts:
            at = arrived[bisect_right(orders, cut.order)]
            made.append(self._cleared(cut, at) if cut.cleared else self._compaction(cut, at))
        return tuple(made)

    def _compaction(self, cut: Cut, at: int) -> RecordedCompaction:
        """One that left messages out. That a list is a compression's is known by the snapshot in it."""
        text = self.of[cut.summary][0].content if cut.summary and self.of.get(cut.summary) else None
        lead = sum(len(self.of.get(id, ())) for id in cut.kept[: cut.lead])
        return RecordedCompaction(
            at=at,
            summary=cut.summary if text is not None else None,
            edit="summarised" if text is not None else "dropped",
            lead=lead if text is not None else 0,
            kept=tuple(self._ids(cut.kept)),
            fidelity="exact" if text is not None and SNAPSHOT in text else "partial",
            line=cut.line,
            timestamp=cut.time,
        )

    def _cleared(self, cut: Cut, at: int) -> RecordedCompaction:
        """Results that were shortened: what is left of them is not kept here."""
        return RecordedCompaction(
            at=at,
            kind="microcompaction",
            cleared=tuple(self.results[place] for place in cut.cleared if place in self.results),
            fidelity="partial",
            line=cut.line,
            timestamp=cut.time,
        )

    def _ids(self, kept: list[str]) -> Iterator[str]:
        return (message.id for id in kept for message in self.of.get(id, ()))
