"""One run of OpenHands while its events are read: messages, what is in the window, what was condensed."""

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, object_of, string
from core.importers.openhands.events import Event
from core.importers.openhands.view import View
from core.model.session import RecordedCompaction, SubAgent

_ROOM = 5_000_000
"""The most events that are gone through for condensations: those beyond are counted only."""


@dataclass
class Run:
    """Takes what the events say. `said` are the fields of messages; `calls` the reply that made each call.

    `acted` are the calls of events that tell of none, `open` the reply to which more calls may still come, `first` the
    first message of the user, `recalled` the pieces of knowledge that were put in, `asked` why a condensation was asked
    for, `task` whether this is a delegate's run, `ended_with` the error behind the newest message.
    """

    task: bool = False
    messages: list[dict[str, Any]] = field(default_factory=list)
    ids: Counter[str] = field(default_factory=Counter)
    view: View = field(default_factory=View)
    calls: dict[str, int] = field(default_factory=dict)
    acted: dict[str, str] = field(default_factory=dict)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    state: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    recalled: set[str] = field(default_factory=set)
    children: list[SubAgent] = field(default_factory=list)
    agents: int = 0
    arrived: int = 0
    orphans: int = 0
    skipped: int = 0
    room: int = _ROOM
    open: int = -1
    first: int = -1
    trigger: str = ""
    project: str = ""
    ended_with: str = ""

    def say(self, event: Event, role: str, parts: MessageParts, suffix: str = "", **known: Any) -> int:
        """Add a message of an event, or, with a suffix to its id, one more of it; gives its place."""
        self.ended_with = ""
        spot, id = len(self.messages), self._id(event.id + suffix)
        known = {"content": parts.text, "images": tuple(parts.images), "injected": "", **known}
        self.messages.append({"id": id, "role": role, "line": event.place, "timestamp": event.time, **known})
        self.open = self.open if role == "tool" else -1
        if known["injected"] != "summary":
            self.arrived += 1
            if suffix:
                self.view.also(spot)
            else:
                self.view.add(event.id, spot)
        return spot

    def _id(self, id: str) -> str:
        """An id that no message has yet."""
        new = id
        while new in self.ids:
            self.ids[id] += 1
            new = f"{id}~{self.ids[id]}"
        self.ids[new] = 1
        return new

    def ask(self, event: Event, parts: MessageParts, injected: str = "") -> None:
        """A message of the user; in a delegate the first one is its task, which no person typed."""
        first = self.first < 0 and not injected
        spot = self.say(event, "user", parts, injected="task" if first and self.task else injected)
        self.first = spot if first else self.first

    def reply(self, event: Event, response: str, parts: MessageParts, **known: Any) -> None:
        """A reply, or one more event of the last one: parallel calls share the id of their response."""
        if self.open >= 0 and response and self.messages[self.open]["reply_id"] == response:
            self.view.add(event.id, self.open)
        else:
            thinking = "\n".join(text for text in parts.thinking if text)
            known = {**known, "thinking": thinking, "tool_calls": [], "reply_id": response or event.id}
            self.open = self.say(event, "assistant", parts, **known)
        for call in parts.calls:
            if self.calls.get(call.id) != self.open:
                self.messages[self.open]["tool_calls"].append(call)
                self.calls[call.id] = self.open

    def result(self, event: Event, call: str, parts: MessageParts, **known: Any) -> None:
        """A result; one without a call in the file is counted."""
        spot = self.say(event, "tool", parts, **known, tool_call_id=call)
        if call in self.calls:
            self.view.answer(self.calls[call], spot)
        else:
            self.orphans += 1

    def condense(
        self, event: Event, gone: Container[str], summary: str | None, offset: int | None, *, new: bool, replaced: bool
    ) -> None:
        """Take events out of the window, and earlier summaries if `replaced`, and put in the summary, if there is one."""
        self.room -= len(self.view.entries)
        if self.room < 0:
            self.skipped += 1
            return
        went, at, spot = self.view.forget(gone, replaced), self.arrived, -1
        if summary is not None:
            spot = self.say(
                event, "user", MessageParts([summary]), "-summary", injected="summary", reply_id=_response(event)
            )
            self.view.put(len(self.view.entries) if offset is None else offset, f"{event.id}-summary", spot)
        if went or summary is not None:
            self._cut(event, at, spot, new)
        else:
            self.other["condensation of nothing"] += 1

    def _cut(self, event: Event, at: int, spot: int, new: bool) -> None:
        sent, back, system = self.view.sent(all_of_it=new), self.first, self._systems()
        before = set(self.view.before(f"{event.id}-summary")) if spot >= 0 else set()
        if not new and back >= 0 and back not in sent:  # V0 puts the first message of the user back
            sent, before = {back: None} | sent, before | {back}
        kept = [s for s in sent if s != spot and s >= system]
        self.compactions.append(
            RecordedCompaction(
                at=at,
                trigger=self.trigger or "auto",
                summary=self.messages[spot]["id"] if spot >= 0 else None,
                edit="summarised" if spot >= 0 else "dropped",
                kept=tuple(self.messages[s]["id"] for s in kept),
                lead=sum(s in before for s in kept),
                fidelity="exact",
                line=event.place,
                timestamp=event.time,
            )
        )
        self.trigger = ""

    def _systems(self) -> int:
        """How many system messages the run begins with."""
        return next((n for n, m in enumerate(self.messages) if m["role"] != "system"), len(self.messages))

    def update_state(self, state: Any) -> None:
        """Take in what is told of the state of the conversation: the newer wins."""
        self.state |= object_of(state)


def _response(event: Event) -> str | None:
    return string(event.data.get("llm_response_id")) or None
