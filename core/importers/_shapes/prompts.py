"""A run rebuilt from the prompts of its model calls: each repeats the history, so what one omits was compacted.

For traces, logs of requests and evaluation logs. What is worked out so is `inferred`: nobody wrote down that it happened,
unless a message is marked as a summary, which then stands for what is before it.

    window   u1 a1 t1 a2 t2 a3      what the last call was sent, and what came of it
    prompt   u1 S t2 a3 u2          S took the place of a1, t1 and a2; u2 is new
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any

from core.importers._shapes.loose_blocks import NOT_RECORDED
from core.importers._shapes.prompts_match import (
    Key,
    Pair,
    before_news,
    is_variant_of,
    joined,
    key,
    lighter,
    matched,
    summary_in,
)
from core.model.session import Message, RecordedCompaction


@dataclass(slots=True)
class _Spot:
    """A message of the window: as it was last sent, what tells it from others, and where it stands in `messages`."""

    sent: Message
    key: Key
    place: int


@dataclass
class Prompts:
    """Reads prompts and replies in order of time; `messages` and `compactions` are those of a session.

    Messages are told apart by what they say, so their ids may be anything. System messages at the front stay as they were
    first: one that says the time changes with every call. `retried` are replies that were asked for once more, and are in
    no prompt; `rewritten` counts messages that came back a little otherwise, and are kept as they were.
    """

    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    retried: list[Message] = field(default_factory=list)
    rewritten: int = 0
    arrived: int = 0
    _head: int | None = None
    _window: list[_Spot] = field(default_factory=list)
    _fresh: _Spot | None = None
    _ids: set[str] = field(default_factory=set)
    _line: int | None = None
    _time: str = ""

    def prompt(self, given: Sequence[Message], line: int | None = None, time: str = "") -> None:
        """One model call's input: what is new arrives, what is gone was compacted.

        What arrives and says nothing itself of its line and its time has those of the call. An input of no messages says
        nothing of the window, and changes nothing.
        """
        self._line, self._time = line, time
        given = from_summary(given)
        if given and self._head is None:
            self._head = len(_systems(given))
            for system in given[: self._head]:
                self._arrive(system)
        body = given[len(_systems(given[: self._head])) :]
        same = self._same(body)
        if given and same < len(self._window):
            self._changed(body, same)
        else:
            self.more(body[same:], line, time)

    def more(self, given: Sequence[Message], line: int | None = None, time: str = "") -> None:
        """What a call was sent besides what it had been sent before, where a prompt holds no more than that."""
        self._line, self._time = line, time
        for message in given:
            if message.injected == "summary":
                self._summarized(message)
            else:
                self._window.append(self._arrive(message))
        self._fresh = None

    def reply(self, message: Message) -> None:
        """What the model answered; with a summary first where the provider compacted what it was sent."""
        self._line, self._time = message.line, message.timestamp
        if message.injected == "summary":
            self._summarized(message, in_reply=True)
            return
        spot = self._arrive(message)
        self._window.append(spot)
        self._fresh = spot if message.role == "assistant" else None

    def _summarized(self, message: Message, in_reply: bool = False) -> None:
        """A summary that is marked as one arrives: it stands for all before it, but for what only a person said."""
        kept = self._window if all(spot.sent.role == "user" for spot in self._window) and not in_reply else []
        kept = [spot for spot in kept if spot.sent.injected != "summary"]
        put = self._arrive(message)
        self._record(
            kind="compaction",
            summary=self._id(put),
            unreadable=_unreadable(message),
            kept=tuple(map(self._id, kept)),
            lead=len(kept),
            in_reply=in_reply,
            fidelity="partial",
        )
        self._window = [*kept, put]

    @property
    def size(self) -> int:
        """How many messages the window has, system messages aside."""
        return len(self._window)

    def shared(self, given: Sequence[Message]) -> int:
        """How many messages of a prompt stand in the window, system messages aside."""
        same = self._same(given[len(_systems(given[: self._head])) :])
        if same and same >= len(self._window) - 1:
            return same
        known = {spot.key for spot in self._window}
        return sum(1 for message in given if message.role != "system" and key(message) in known)

    def _same(self, body: Sequence[Message]) -> int:
        """How many messages at the front are those of the window; most are known at sight, as the same object."""
        same = 0
        for spot, message in zip(self._window, body, strict=False):
            if spot.sent is not message:
                if spot.key != key(message):
                    break
                spot.sent = message
            same += 1
        return same

    def _arrive(self, message: Message) -> _Spot:
        id = message.id or f"message-{len(self.messages) + 1}"
        while id in self._ids:
            id = f"{message.id}-{len(self._ids)}"
        self._ids.add(id)
        line, time = message.line or self._line, message.timestamp or self._time
        self.messages.append(message.model_copy(update={"id": id, "line": line, "timestamp": time}))
        self.arrived += message.injected != "summary"
        return _Spot(message, key(message), len(self.messages) - 1)

    def _changed(self, body: Sequence[Message], same: int) -> None:
        """A prompt that does not begin with the whole window: what was emptied, said otherwise, asked again, compacted."""
        was, now = self._window[same:], body[same:]
        emptied = _emptied(was, now)
        pairs = matched([spot.key for spot in was], [key(message) for message in now])
        again = self._rewritten(was, now, pairs)
        old = before_news({j: was[i] for i, j in (*pairs, *again)}, now)
        stayed = {spot.place for spot in old.values()}
        lost = [spot for spot in was if spot.place not in stayed]
        if self._asked_again(lost, now, len(old)):
            self._take_back(lost[0])
            lost = []
        if emptied:
            cleared = tuple(self._id(spot) for spot in emptied)
            self._record(kind="microcompaction", cleared=cleared)
        if lost:
            self._compact(self._window[:same], now, old, _ended(was))
        else:
            self._window[same:] = [old[j] if j in old else self._arrive(m) for j, m in enumerate(now)]
        self._fresh = None

    def _rewritten(self, was: Sequence[_Spot], now: Sequence[Message], pairs: Sequence[Pair]) -> list[Pair]:
        """What is like the message in its place, among as many as before; a reply gets what only the prompt has of it."""
        found = [pair for gap in _gaps(len(was), len(now), pairs) for pair in self._alike(was, now, gap)]
        for i, j in found:
            spot, message = was[i], now[j]
            if spot is self._fresh:
                self.messages[spot.place] = _richer(self.messages[spot.place], message)
            else:
                self.rewritten += 1
            spot.sent, spot.key = message, key(message)
        return found

    def _alike(self, was: Sequence[_Spot], now: Sequence[Message], gap: Sequence[Pair]) -> Sequence[Pair]:
        alike = all(
            _answers(was[i], now[j])
            if was[i] is self._fresh
            else now[j].injected != "summary" and is_variant_of(was[i].sent, now[j])
            for i, j in gap
        )
        return gap if alike else ()

    def _asked_again(self, lost: Sequence[_Spot], now: Sequence[Message], kept: int) -> bool:
        """Whether the last reply alone is gone, and nothing came behind it, or another reply stands there."""
        alone = len(lost) == 1 and lost[0] is self._fresh
        return alone and (len(now) == kept or (len(now) > kept and now[kept].role == "assistant"))

    def _take_back(self, spot: _Spot) -> None:
        self.retried.append(self.messages.pop(spot.place))
        self.arrived -= 1

    def _compact(self, front: Sequence[_Spot], now: Sequence[Message], old: dict[int, _Spot], ended: bool) -> None:
        """What stands in both windows was kept; what is new in front of the last of those took the others' place."""
        marked = [j for j, message in enumerate(now) if message.injected == "summary" and j not in old]
        summary = marked or summary_in(now, old, ended)
        kept = [*front, *(old[j] for j in sorted(old))]
        lead = [*front, *(old[j] for j in old if summary and j < summary[0])]
        put = self._arrive(joined([now[j] for j in summary])) if summary else None
        self._record(
            kind="compaction",
            summary=self._id(put) if put else None,
            edit="summarised" if put else "dropped",
            kept=tuple(dict.fromkeys(map(self._id, kept))),
            lead=len({spot.place for spot in lead}) if put else 0,
            **({"fidelity": "partial", "unreadable": _unreadable(put.sent)} if put and marked else {}),
        )
        if put is not None:
            old |= {j: _Spot(now[j], key(now[j]), put.place) for j in summary}
        self._window = [*front, *(old[j] if j in old else self._arrive(m) for j, m in enumerate(now))]

    def _id(self, spot: _Spot) -> str:
        return self.messages[spot.place].id

    def _record(self, **known: Any) -> None:
        where = {"at": self.arrived, "line": self._line, "timestamp": self._time}
        self.compactions.append(RecordedCompaction(**{"fidelity": "inferred", **where, **known}))


def from_summary(given: Sequence[Message]) -> Sequence[Message]:
    """A prompt as the provider takes it: what stands before a summary that is marked as one is gone.

    Where only a person's messages do, they are what was kept of more.
    https://platform.claude.com/docs/en/build-with-claude/compaction#working-with-compaction-blocks
    """
    place = max((n for n, message in enumerate(given) if message.injected == "summary"), default=0)
    head = len(_systems(given))
    gone = [message for message in given[head:place] if message.injected != "summary"]
    kept = gone if all(message.role == "user" for message in gone) else []
    return [*given[:head], *kept, *given[place:]] if place > head else given


def _unreadable(summary: Message) -> str:
    return "not recorded" if summary.content.startswith(NOT_RECORDED) else ""


def _systems(given: Sequence[Message]) -> list[Message]:
    return list(takewhile(lambda message: message.role == "system", given))


def _emptied(was: Sequence[_Spot], now: Sequence[Message]) -> list[_Spot]:
    """Tool results that say less than before, known by their call, or by their place where none is named."""
    known = {spot.key for spot in was}
    by_call = {spot.sent.tool_call_id: spot for spot in was if spot.sent.tool_call_id}
    found = []
    for place, message in enumerate(now):
        if message.role != "tool" or key(message) in known:
            continue
        spot = by_call.get(message.tool_call_id) if message.tool_call_id else next(iter(was[place : place + 1]), None)
        if spot is not None and lighter(spot.sent, message):
            spot.sent, spot.key = message, key(message)
            found.append(spot)
    return found


def _gaps(size: int, length: int, pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Between two that stayed: the places of what went and of as much that came. Behind the last more may have come."""
    for (i, j), (end, stop) in pairwise([(-1, -1), *pairs, (size, length)]):
        gone, came = end - i - 1, stop - j - 1
        if gone and (came >= gone if end == size else came == gone):
            yield [(i + k, j + k) for k in range(1, gone + 1)]


def _answers(reply: _Spot, message: Message) -> bool:
    """Whether a message may be the reply that was just given: whatever it says, as long as it calls for the same."""
    ours, theirs = ({call.id for call in m.tool_calls if call.id} for m in (reply.sent, message))
    return message.role == "assistant" and (not ours or not theirs or ours == theirs)


def _richer(reply: Message, sent: Message) -> Message:
    """A reply with the calls and the text that it had when it was sent back."""
    more: dict[str, Any] = {"tool_calls": sent.tool_calls} if sent.tool_calls else {}
    return reply.model_copy(update=more if reply.content else {**more, "content": sent.content})


def _ended(was: Sequence[_Spot]) -> bool:
    """Whether the last thing there was is a reply that called for nothing: a person's message comes next."""
    return was[-1].sent.role == "assistant" and not was[-1].sent.tool_calls
