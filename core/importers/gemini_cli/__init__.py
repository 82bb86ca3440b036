"""Gemini CLI sessions: ~/.gemini/tmp/<project>/chats/session-<time>-<id>.json, since 2026 .jsonl.

The older form is one object with its `messages`. The newer is a log: metadata, messages (the same id again is a newer
version), `$set` updates and `$rewindTo`; a sub-agent has a file of its own in chats/<id of the parent>/. Results lie in the
calls of a reply: here each is a tool message. `$set.messages` replaces the conversation, which is how compression shows;
it names every message that stayed. The older form does not record compression. Input includes what was cached; thoughts
stand beside the output, and what tools put in beside the input: both are added to them here.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import label, most_used, string, total
from core.importers._shapes.notes import pluralize, sub_agents, without_call
from core.importers.gemini_cli.log import Log
from core.importers.gemini_cli.messages import Messages
from core.importers.gemini_cli.parts import parts_of
from core.model.advice import Advice
from core.model.errors import TranscriptError
from core.model.session import Session, SubAgent

LABEL = AGENT = "Gemini CLI"
DOCS = "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts"
GROUP = "coding agents"
KEEPS = Advice(
    "Put it into `GEMINI.md`: Gemini CLI sends the file with every prompt.",
    "https://geminicli.com/docs/cli/gemini-md",
)

_SAFE = re.compile(r"[\w-][\w.-]*")


def recognises(head: Head) -> bool:
    """Whether there is the metadata of a session, or, where its line is damaged, updates as only this log has them."""
    if isinstance(head.value, dict):
        return _is_metadata(head.value)
    updated = any(isinstance(r.get("$set"), dict) or isinstance(r.get("$rewindTo"), str) for r in head.records)
    return any(map(_is_metadata, head.records)) or (updated and any(r.get("type") == "gemini" for r in head.records))


def _is_metadata(record: dict[str, Any]) -> bool:
    return isinstance(record.get("sessionId"), str) and isinstance(record.get("projectHash"), str)


def read(source: Source) -> Session:
    """The session, with those of its sub-agents that lie in the folder of its name."""
    reading = _Reading(source).run()
    id = string(reading.about.get("sessionId"))
    near = source.near(f"{id}/*.jsonl") if _SAFE.fullmatch(id) else []
    children, notes = list[Session](), list[str]()
    for place in near:
        try:
            children.append(_Reading(place).run().session())
        except TranscriptError as error:
            notes.append(f"a file of a sub-agent was skipped: {error}")
    found = reading.session([child for child in children if child.messages])
    return found.model_copy(update={"notes": (*found.notes, *notes)}) if notes else found


@dataclass
class _Reading:
    """One pass over the file. `about` is what is said of the session itself."""

    source: Source
    log: Log = field(default_factory=Log)
    about: dict[str, Any] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    records: int = 0
    invalid: int = 0

    def run(self) -> "_Reading":
        if isinstance(self.source.value, dict):
            self._object(self.source.value)
            return self
        for line, record in self.source.records():
            self.records += 1
            self._record(line, record)
        return self

    def _object(self, value: dict[str, Any]) -> None:
        """The older form, whose messages are counted as its records."""
        self.about = {key: update for key, update in value.items() if key != "messages"}
        found = value.get("messages")
        items = found if isinstance(found, list) else []
        self.records = len(items)
        for place, item in enumerate(items, 1):
            if isinstance(item, dict):
                self.log.message(place, item)
            else:
                self.invalid += 1

    def _record(self, line: int, record: dict[str, Any]) -> None:
        if isinstance(record.get("$rewindTo"), str):
            self.other["$rewindTo"] += 1
            self.log.rewind(line, record["$rewindTo"])
        elif isinstance(record.get("id"), str):
            self.log.message(line, record)
        elif isinstance(record.get("$set"), dict):
            self.other["$set"] += 1
            self._update(line, record["$set"])
        elif isinstance(record.get("sessionId"), str):
            self.other["metadata"] += 1
            self._update(line, record)
        else:
            self.other["unknown"] += 1

    def _update(self, line: int, update: dict[str, Any]) -> None:
        self.about |= {key: value for key, value in update.items() if key != "messages"}
        if isinstance(update.get("messages"), list) and (update["messages"] or self.log.live):
            self.log.replace(line, update["messages"], string(update.get("lastUpdated")))

    def session(self, children: list[Session] | None = None) -> Session:
        """What the log comes to."""
        found = Messages(self.log, self.other)
        messages, compactions = found.messages(), found.compactions()
        models = Counter(m.model for m in messages if m.model)
        agents = tuple(_sub_agent(child, found) for child in children or ())
        damage = self.source.damage
        return Session(
            id=string(self.about.get("sessionId")),
            format="gemini-cli",
            title=label(string(self.about.get("summary")) or _first_typed(self.log, found)),
            model=most_used(models),
            project=_project(self.about.get("directories")),
            messages=messages,
            compactions=compactions,
            children=agents,
            usage=total(m.usage for m in messages),
            records=self.records,
            malformed_lines=damage.malformed_lines + self.invalid,
            recovered_records=damage.recovered,
            subagents=max(len(agents), len(found.agents)),
            other=counted(self.other),
            notes=(*self._notes(found, len(agents)), *damage.notes()),
        )

    def _notes(self, found: Messages, children: int) -> Iterator[str]:
        """Notes on what was skipped and what failed."""
        if found.errors:
            yield _errors(found.errors)
        if back := self.log.taken_back:
            yield f"{pluralize(len(back), 'message')} skipped: the session was rewound to before them ({places(back)})"
        if lost := self.log.lost:
            update = f"{pluralize(len(lost), 'time')} the session was rewound to a message that is not in the file"
            yield f"{update}: nothing skipped ({places(lost)})"
        if (again := self.log.repeated) and isinstance(self.source.value, dict):
            where = places(again, "message")
            yield f"{pluralize(len(again), 'message')} skipped: a later one has the same id ({where})"
        if found.orphans:
            yield without_call(found.orphans)
        if self.invalid:
            yield f"{pluralize(self.invalid, 'message')} skipped: not an object"
        if len(found.agents) > children:
            yield sub_agents(len(found.agents) - children)


def _sub_agent(child: Session, found: Messages) -> SubAgent:
    """A sub-agent with the call that started it, where a call names it."""
    call = next((call for agent, call in found.agents.items() if child.id.endswith(agent)), None)
    if call is None:
        return SubAgent(id=child.id, session=child)
    return SubAgent(id=child.id, name=call.name, message=call.message, call=call.id, session=child)


def _first_typed(log: Log, found: Messages) -> str:
    """The first message a person typed, as they saw it: without the files that it named."""
    entry = log.entries.get(found.first_typed)
    if entry is None:
        return ""
    shown = parts_of(entry.record.get("displayContent")).text
    return shown if shown.strip() else parts_of(entry.record.get("content")).text


def _project(directories: Any) -> str:
    return string(directories[0]) if isinstance(directories, list) and directories else ""


def _errors(errors: list[str]) -> str:
    first = label(errors[0]) or "no reason recorded"
    return (
        f"1 error was shown: {first}"
        if len(errors) == 1
        else f"{len(errors):,} errors were shown, the first one: {first}"
    )
