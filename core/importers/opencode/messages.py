"""The messages of an opencode export as they are read, with the compactions among them."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate, groupby
from typing import Any

from core.importers._files.text import places
from core.importers._shapes.blocks import MessageParts, string
from core.importers._shapes.notes import failed, pluralize, sub_agents
from core.importers.opencode.parts import Result, failure, read_parts, steps, usage_of
from core.model.session import Message, RecordedCompaction, construct_unchecked

_ASKED = "What did we do so far?"
"""What opencode says to the model in the place of a compaction part."""


def time_of(time: Any, *keys: str) -> int:
    """Milliseconds since 1970 under the first key there is; 0 where there is none."""
    found = (time.get(key) for key in keys) if isinstance(time, dict) else ()
    return next((int(t) for t in found if isinstance(t, (int, float)) and 0 < t < 2**53), 0)


def _moment(milliseconds: int) -> str:
    """A time as text, in UTC; empty where there is none, or none that a calendar has."""
    try:
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return ""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z") if milliseconds else ""


@dataclass(slots=True)
class _Mark:
    """A compaction that was asked for: after how many messages, by which part, when; `id` is the message that asked."""

    at: int
    part: dict[str, Any]
    place: int
    time: int
    id: str = ""


@dataclass
class Reading:
    """Reads message after message. `times` are those of the messages that are no summaries, in their order.

    `agents` are the sessions of sub-agents, each with the message and the call that started it, and what people call it.
    """

    messages: list[Message] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    firsts: dict[str, int] = field(default_factory=dict)
    marks: dict[str, _Mark] = field(default_factory=dict)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    emptied: list[tuple[int, int]] = field(default_factory=list)
    agents: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    read: set[int] = field(default_factory=set)
    bearers: Counter[str] = field(default_factory=Counter)

    def item(self, place: int, item: dict[str, Any]) -> None:
        """One message of the export: a user's, a summary, or a reply with its tool results."""
        info, parts = item["info"], [p for p in item["parts"] if isinstance(p, dict)]
        id, role = string(info.get("id")) or f"message-{place}", info.get("role")
        if role not in ("user", "assistant"):
            return
        self.bearers[id] += 1
        if (number := self.bearers[id]) > 1:
            id = f"{id}~{number}"  # as the session would call it, so that a compaction names the right one
        self.read.add(place)
        self.firsts.setdefault(id, len(self.ids))
        if role == "user":
            self._user(id, place, info, parts)
        elif info.get("summary") is True and not info.get("error") and _ended(info):
            self._summary(id, place, info, parts)
        else:
            self._replies(id, place, info, parts)

    def _put(self, time: int, **fields: Any) -> Message:
        """Add a message; a summary does not count as one that arrived."""
        message = construct_unchecked(Message, timestamp=_moment(time), **fields)
        self.messages.append(message)
        if message.injected != "summary":
            self.ids.append(message.id)
            self.times.append(time)
        return message

    def _user(self, id: str, place: int, info: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        time, found = time_of(info.get("time"), "created"), read_parts(parts, self.other)
        mark = next((p for p in parts if p.get("type") == "compaction"), None)
        if mark is not None:
            self.marks[id] = _Mark(len(self.ids), mark, place, time, id)
            found.parts.add(_ASKED)
        self._put(
            time,
            id=id,
            role="user",
            content=found.parts.text,
            images=tuple(found.parts.images),
            line=place,
            injected="compaction" if mark is not None else found.injected,
        )

    def _summary(self, id: str, place: int, info: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        """The summary, and its compaction: at the mark it answers, or, in old files without marks, where it stands."""
        found, time = read_parts(parts, self.other).parts, time_of(info.get("time"), "created")
        mark = self.marks.pop(string(info.get("parentID")), None)
        self._put(time, **self._reply(id, place, info, found), injected="summary", usage=usage_of(info))
        mark = mark or _Mark(len(self.ids), {}, place, time)
        self.compactions.append(self._compaction(mark, id))

    def _compaction(self, mark: _Mark, summary: str) -> RecordedCompaction:
        """What asked for it stands before the summary; what stayed behind it begins with the message that the part names."""
        tail, auto = string(mark.part.get("tail_start_id")), mark.part.get("auto")
        first = min(self.firsts.get(tail, mark.at), mark.at)
        request = (mark.id,) if mark.id else ()
        return RecordedCompaction(
            at=mark.at + len(request),
            trigger="" if not isinstance(auto, bool) else "auto" if auto else "manual",
            summary=summary,
            kept=(*request, *self.ids[first : mark.at]),
            lead=len(request),
            fidelity="exact" if mark.part and (not tail or first < mark.at) else "partial",
            line=mark.place,
            timestamp=_moment(mark.time),
        )

    def _replies(self, id: str, place: int, info: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        """One reply, in old files several: each with the results of its calls."""
        error = failure(info.get("error"))
        if error is not None:
            self.errors.append(error)
        groups = steps(parts)
        for number, (group, end) in enumerate(groups):
            usage = usage_of(info if len(groups) == 1 else end)
            known = self._reply(f"{id}-{number}" if number else id, place, info, read_parts(group, self.other).parts)
            self._put(time_of(info.get("time"), "created"), **known, usage=usage, is_error=error is not None)
            for count, part in enumerate(p for p in group if p.get("type") == "tool"):
                result = Result.of(part)
                self._result(result, f"{known['id']}-result-{count}", place, info)
                if result.agent:
                    self.agents.setdefault(result.agent, (known["id"], result.call_id, result.kind))

    def _reply(self, id: str, place: int, info: dict[str, Any], parts: MessageParts) -> dict[str, Any]:
        """The fields that a reply and a summary share."""
        return {
            "id": id,
            "role": "assistant",
            "content": parts.text,
            "tool_calls": tuple(parts.calls),
            "reply_id": id,
            "thinking": "\n".join(parts.thinking),
            "images": tuple(parts.images),
            "model": string(info.get("modelID")),
            "line": place,
        }

    def _result(self, result: Result, id: str, place: int, info: dict[str, Any]) -> None:
        time = time_of(result.time, "end", "start") or time_of(info.get("time"), "created")
        if emptied := time_of(result.time, "compacted"):
            self.emptied.append((len(self.ids), emptied))
        self._put(
            time,
            id=result.id or id,
            role="tool",
            content=result.text,
            tool_call_id=result.call_id,
            name=result.name or None,
            images=result.images,
            line=place,
            is_error=result.failed,
        )

    def recorded(self) -> list[RecordedCompaction]:
        """Every compaction in the order they happened."""
        return sorted((*self.compactions, *self._microcompactions()), key=lambda c: (c.at, c.timestamp))

    def _microcompactions(self) -> Iterator[RecordedCompaction]:
        """Tool results emptied at the same time, after the messages that had come by then."""
        latest = list(accumulate(self.times, max))
        placed = sorted((max(spot + 1, bisect_right(latest, time)), spot, time) for spot, time in self.emptied)
        for at, group in groupby(placed, key=lambda found: found[0]):
            found = list(group)
            yield RecordedCompaction(
                at=at,
                kind="microcompaction",
                cleared=tuple(self.ids[spot] for _, spot, _ in found),
                fidelity="exact",
                timestamp=_moment(min(time for _, _, time in found)),
            )

    def notes(self, left: Collection[int], elsewhere: int) -> Iterator[str]:
        """Notes on what was skipped and what failed: `left` are places, `elsewhere` counts the sub-agents in other files."""
        if elsewhere:
            yield sub_agents(elsewhere)
        if left:
            yield f"{pluralize(len(left), 'message')} skipped: without a role, or without parts ({places(left, 'message')})"
        if self.errors:
            yield failed(self.errors)


def _ended(info: dict[str, Any]) -> bool:
    """Whether a summary was written to its end: opencode goes on from no other."""
    return bool(info.get("finish")) or time_of(info.get("time"), "completed") > 0
