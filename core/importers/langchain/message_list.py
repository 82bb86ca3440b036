"""A list of LangChain messages, read one after the other, with what was taken out of it and put in instead.

The summary of a middleware replaces what stood before it: `RemoveMessage`s go first where the list holds an update of the
state, and what is kept comes again behind the summary, under the same ids. A state itself begins with the summary: of what
it replaced nothing is known. The newer middleware of deepagents leaves the messages alone and keeps the summary beside them,
with the place up to which it stands for them: when it was written is then not recorded.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.importers.langchain.messages import fields, messages_of
from core.model.session import Message, RecordedCompaction

_ALL = "__remove_all__"

_ROOM = 2_000_000
"""The most messages that are listed as kept, over all compactions: beyond, no more of them are recorded."""


@dataclass
class _Cut:
    """A compaction that is under way: the window before it, and what becomes of that."""

    line: int
    before: dict[str, None]
    gone: set[str] = field(default_factory=set)
    everything: bool = False
    explicit: bool = True
    summary: Message | None = None
    kept: dict[str, None] = field(default_factory=dict)
    lead: int = 0

    def left(self) -> list[str]:
        """The ids that stay."""
        return list(self.kept) if self.everything else [id for id in self.before if id not in self.gone]


@dataclass
class Reading:
    """What was read: messages, compactions, and what there is to say of the rest. `window` are ids."""

    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    window: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    tools: dict[str, str] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    records: int = 0
    malformed: int = 0
    again: int = 0
    unknown: int = 0
    orphans: int = 0
    agents: int = 0
    arrived: int = 0
    room: int = field(default_factory=lambda: _ROOM)
    cut: _Cut | None = None

    def take(self, items: list[Any]) -> "Reading":
        """Read the items of a list, to its end."""
        for item in items:
            self.records += 1
            kind, found = fields(item)
            if not kind:
                self.malformed += 1
            elif kind == "remove":
                self._remove(string(found.get("id")))
            else:
                for message in messages_of(kind, found, self.records, f"line-{self.records}"):
                    self._message(message)
        self._close()
        return self

    def _message(self, message: Message) -> None:
        if message.id in self.places:
            self._repeated(message)
        elif message.injected == "summary":
            self._summary(message)
        else:
            self._close()
            self._arrive(message)

    def _arrive(self, message: Message) -> None:
        """Add a message; a summary does not count as one that arrived."""
        if message.role == "tool":
            message = self._named(message)
        self.tools.update((call.id, call.name) for call in message.tool_calls)
        self.agents += sum(call.name == "task" and "subagent_type" in call.arguments for call in message.tool_calls)
        self.places[message.id] = len(self.messages)
        self.messages.append(message)
        if message.injected == "summary":
            return
        self.arrived += 1
        if message.role != "system":
            self.window.append(message.id)

    def _named(self, message: Message) -> Message:
        known = message.tool_call_id in self.tools
        self.orphans += not known
        name = message.name or self.tools.get(message.tool_call_id or "")
        return message.model_copy(update={"name": name}) if name != message.name else message

    def _repeated(self, message: Message) -> None:
        """A message that was there: it stayed, where a compaction is under way, else it takes its own place."""
        cut = self.cut
        if cut is not None and cut.everything and message.id in cut.before and message.id not in cut.kept:
            cut.kept[message.id] = None
            return
        self.again += 1
        spot = self.places[message.id]
        old = self.messages[spot]
        if (old.role, old.injected) == (message.role, message.injected):
            self.messages[spot] = message.model_copy(update={"line": old.line, "name": message.name or old.name})

    def _remove(self, id: str) -> None:
        self.other["RemoveMessage"] += 1
        cut = self._opened(everything=False, explicit=True)
        self.unknown += id != _ALL and id not in self.places
        cut.everything |= id == _ALL
        cut.gone.add(id)

    def _summary(self, message: Message) -> None:
        cut = self._opened(everything=True, explicit=False)
        cut.summary, cut.line, cut.lead = message, self.records, len(cut.left())
        self._arrive(message)

    def _opened(self, everything: bool, explicit: bool) -> _Cut:
        """The compaction under way: a new one, if there is none that still waits for its summary."""
        if self.cut is None or self.cut.summary is not None:
            self._close()
            self.room -= len(self.window)
            self.cut = _Cut(self.records, dict.fromkeys(self.window), everything=everything, explicit=explicit)
        return self.cut

    def _close(self) -> None:
        """Record the compaction under way, if there is one."""
        cut, self.cut = self.cut, None
        if cut is None or not (cut.before or cut.summary):
            return
        self.window = cut.left()
        if (cut.summary is None and len(self.window) == len(cut.before)) or self.room < 0:
            return
        self.compactions.append(
            RecordedCompaction(
                at=self.arrived,
                summary=cut.summary.id if cut.summary else None,
                edit="summarised" if cut.summary else "dropped",
                kept=tuple(self.window),
                lead=cut.lead,
                fidelity="exact" if cut.explicit and cut.before else "partial",
                line=cut.line,
            )
        )

    def beside(self, event: Any) -> "Reading":
        """Take in a summary that is kept beside the messages: it stands for those up to a place, from some call on."""
        kind, found = fields(event.get("summary_message")) if isinstance(event, dict) else ("", {})
        if not kind or kind == "remove" or self.compactions:
            return self
        summary = messages_of(kind, found, self.records)[0]
        cutoff = min(whole_number(event.get("cutoff_index")), len(self.messages))
        at = self._first_call_after(cutoff)
        summary = summary.model_copy(update={"injected": "summary", "id": summary.id or "summary-1", "line": None})
        if summary.id in self.places:
            summary = summary.model_copy(update={"id": f"{summary.id}~summary"})
        kept = tuple(m.id for m in self.messages[cutoff:at] if m.role != "system")
        self.compactions.append(RecordedCompaction(at=at, summary=summary.id, kept=kept, fidelity="partial"))
        self.messages.insert(at, summary)
        return self

    def _first_call_after(self, cutoff: int) -> int:
        """Before which reply: the first whose prompt is shorter than that of the reply before it, else the last one."""
        replies = [i for i, m in enumerate(self.messages) if m.role == "assistant"]
        sizes = [(i, usage.prompt) for i in replies if (usage := self.messages[i].usage)]
        shrunk = (i for (_, a), (i, b) in pairwise(sizes) if b < a and i >= cutoff)
        return next(shrunk, max((i for i in replies if i >= cutoff), default=len(self.messages)))
