"""The steps of a trajectory, in order, as the messages of a session: with what went on in the next file, and sub-agents.

A boundary waits for the step after it: where it does not say itself what took the place of all that came before, the steps
that are copied into the next file do, or the message after it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.source import Source
from core.importers._shapes.blocks import string
from core.importers.atif.related import RelatedTrajectories
from core.importers.atif.steps import (
    answer,
    boundary_of,
    call_of,
    is_copied,
    is_step,
    message_of,
    parts_of,
    refs_of,
    results_of,
)
from core.model.session import Message, RecordedCompaction, injected_message


@dataclass
class Boundary:
    """Where the context was replaced. `text` is what by, or None where the step does not say."""

    at: int
    place: int
    id: str
    text: str | None = None
    timestamp: str = ""
    recorded: bool = True
    copied: list[Message] = field(default_factory=list)

    def message(self, text: str) -> Message:
        """A summary that stands here."""
        where = {"line": self.place, "timestamp": self.timestamp}
        return injected_message("user", text, "summary", self.id).model_copy(update=where)


@dataclass(frozen=True)
class Started:
    """A sub-agent that was started, with its trajectory, by which message and call."""

    ref: dict[str, Any]
    trajectory: dict[str, Any]
    source: Source | None
    message: str = ""
    call: str = ""


@dataclass
class Run:
    """Takes in steps; `messages`, `compactions` and `started` are those of the session.

    `files` are the names of those that the run goes on in. `copied` are the steps that were, `odd` those that are none,
    both by the number of their file, as their places, which are steps or lines (`unit`).
    """

    agent: dict[str, Any]
    related: RelatedTrajectories
    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    started: list[Started] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    named: dict[str, str] = field(default_factory=dict)
    by_text: defaultdict[tuple[Any, ...], list[str]] = field(default_factory=lambda: defaultdict(list))
    boundary: Boundary | None = None
    file: int = 0
    files: list[str] = field(default_factory=list)
    place: int = 0
    records: int = 0
    summaries: int = 0
    copied: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    invalid: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    unit: str = "step"
    orphans: int = 0
    pruned: int = 0
    missing: int = 0
    summary_next: bool = False

    def step(self, step: Any) -> None:
        """One step, in order."""
        self.records, self.place = self.records + 1, self.place + 1
        if not is_step(step):
            self.invalid[self.file].append(self.place)
            return
        copied = is_copied(step)
        if copied:
            self.copied[self.file].append(self.place)
        if self.boundary is not None and not copied:
            self._settle(self.boundary, step)
        kind = boundary_of(step)
        if kind:
            self._managed(kind, step)
        elif self.boundary is not None:
            self.boundary.copied.extend(self._messages(step))
        else:
            for message in self._messages(step):
                self._put(message)

    def goes_on(self, related: RelatedTrajectories, name: str = "") -> None:
        """From here on the steps are those of the next file: what is copied into it is what stayed."""
        self._rest()
        self.file, self.place, self.related = self.file + 1, 0, related
        self.files.append(name)
        if self.boundary is None:
            self.boundary = Boundary(self._arrived(), 0, f"file-{self.file}", recorded=False)

    def end(self) -> None:
        """After the last step."""
        if self.boundary is not None:
            self._settle(self.boundary, None)
        self._rest()

    def _rest(self) -> None:
        """The sub-agents that lie in the file and no result names."""
        self.started += [Started({}, inside, self.related.source) for inside in self.related.rest()]

    def _arrived(self) -> int:
        return len(self.messages) - self.summaries

    def _put(self, message: Message) -> None:
        if self.summary_next and message.role == "user":
            message = message.model_copy(update={"injected": "summary"})
        self.summary_next = False
        self.summaries += message.injected == "summary"
        self.messages.append(message)
        self.by_text[_key(message)].append(message.id)

    def _id(self) -> str:
        return f"step-{self.place}" if not self.file else f"file-{self.file}-step-{self.place}"

    def _messages(self, step: dict[str, Any]) -> Iterator[Message]:
        """The step's own message, then what the environment answered."""
        message = message_of(step, self._id(), self.place, self.agent)
        self.named.update((call.id, call.name) for call in message.tool_calls)
        yield message
        for number, result in enumerate(results_of(step)):
            self._sub_agents(result, message.id, call_of(result, message))
            if result.get("content") is None and refs_of(result):
                continue
            found = answer(result, message, number, self.named)
            self.orphans += found.role == "tool" and found.tool_call_id not in self.named
            yield found

    def _managed(self, kind: str, step: dict[str, Any]) -> None:
        """A step that changes the context: all before it gives way, some of it does, or something is put in."""
        self.other[f"step/{kind}"] += 1
        results = results_of(step)
        if step["source"] == "agent":
            self._put(message_of(step, self._id(), self.place, self.agent))
        for result in results:
            self._sub_agents(
                result, self.messages[-1].id if self.messages else "", string(result.get("source_call_id"))
            )
        contents = [parts_of(r["content"]).text for r in results if r.get("content") is not None]
        text = "\n".join(contents) if contents else None
        if kind == "append":
            self._put(injected_message("user", text or string(step.get("message")), "context", self._id()))
        elif kind == "truncate":
            self._pruned(string(step.get("timestamp")))
        else:
            self.boundary = Boundary(self._arrived(), self.place, self._id(), text, string(step.get("timestamp")))

    def _pruned(self, timestamp: str) -> None:
        """Some of the context went, and nobody wrote down what: the window is left as it is."""
        self.pruned += 1
        self.compactions.append(
            RecordedCompaction(
                at=self._arrived(), kind="microcompaction", edit="dropped", line=self.place, timestamp=timestamp
            )
        )

    def _settle(self, boundary: Boundary, after: dict[str, Any] | None) -> None:
        """Record the compaction, as what came after it is known now."""
        self.boundary = None
        stayed, new = self._known(boundary.copied)
        kept = tuple(i for _, i in stayed)
        if not boundary.recorded and not new and len(kept) == len(self.messages):
            return  # all of it was copied: the next file goes on with the same context
        summary, unreadable = self._summary(boundary, new, after)
        if summary is not None:
            self._put(summary)
        lead = sum(1 for spot, _ in stayed if not new or spot < new[0][0]) if boundary.text is None else 0
        self._record(boundary, summary.id if summary else self._next_id(), kept, lead, unreadable)
        for _, message in new[1:] if boundary.text is None else new:
            self._put(_handed_over(message))

    def _next_id(self) -> str | None:
        """The id of the step being read, where it is the summary."""
        return self._id() if self.summary_next else None

    def _summary(
        self, boundary: Boundary, new: list[tuple[int, Message]], after: dict[str, Any] | None
    ) -> tuple[Message | None, str]:
        """The summary message, and why it cannot be read; none where it is the message after the boundary, or empty."""
        if boundary.text is not None:
            return (
                injected_message("user", boundary.text, "summary", boundary.id) if boundary.text.strip() else None
            ), ""
        if boundary.copied:
            return (new[0][1].model_copy(update={"injected": "summary"}) if new else None), ""
        if after is not None and after["source"] == "user" and not boundary_of(after):
            self.summary_next = True
            return None, ""
        return boundary.message("[the summary is not recorded in this file]"), "not recorded"

    def _record(
        self, boundary: Boundary, summary: str | None, kept: tuple[str, ...], lead: int, unreadable: str
    ) -> None:
        first = self._first_prompt() if self.summary_next and not kept else ()
        self.compactions.append(
            RecordedCompaction(
                at=boundary.at,
                summary=summary,
                edit="summarised" if summary else "dropped",
                unreadable=unreadable,
                kept=kept or first,
                lead=lead or len(first),
                fidelity="partial",
                line=boundary.place or None,
                timestamp=boundary.timestamp,
            )
        )

    def _first_prompt(self) -> tuple[str, ...]:
        """terminus keeps the prompt with the task in front of what the next agent is handed over."""
        if not string(self.agent.get("name")).lower().startswith("terminus"):
            return ()
        return tuple(m.id for m in self.messages[:1] if m.role == "user")

    def _known(self, copied: list[Message]) -> tuple[list[tuple[int, str]], list[tuple[int, Message]]]:
        """(place, id of the message it is a copy of) of what stayed, and (place, message) of what is new."""
        stayed, new, used = [], [], Counter[tuple[Any, ...]]()
        for spot, message in enumerate(copied):
            key = _key(message)
            before = self.by_text.get(key, [])
            if used[key] < len(before):
                stayed.append((spot, before[used[key]]))
                used[key] += 1
            else:
                new.append((spot, message))
        return stayed, new

    def _sub_agents(self, result: dict[str, Any], message: str, call: str) -> None:
        for ref in refs_of(result):
            found = self.related.child(ref)
            if found is None:
                self.missing += 1
            else:
                self.started.append(Started(ref, *found, message, call))


def _handed_over(message: Message) -> Message:
    """A message that only the next file has, as a copy: a reply in it is no reply to this run, but another agent's."""
    return message.model_copy(update={"injected": "copied"}) if message.role == "assistant" else message


def _key(message: Message) -> tuple[Any, ...]:
    """What a message and its copy have in common."""
    return message.role, message.content.strip(), tuple((call.id, call.name) for call in message.tool_calls)
