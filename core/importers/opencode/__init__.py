"""opencode: what `opencode export <session>` writes, one object of `info` and `messages`; and what lies on disk.

On disk it keeps the same in pieces, under ~/.local/share/opencode: a folder `storage` with a file for every session, message
and part, since 2026 a database `opencode.db` instead. Both open, and so does the file of one session in a storage.

A message has `info` and `parts`. A call of a tool and its result are one part: here a call and a tool message, whose id is
the part's. A compaction is a user message with a `compaction` part, answered by a reply marked `summary`; the part may name
the message from which on everything stayed. An emptied tool result keeps its text in the file, with the time it was emptied.
Usage excludes what was cached; what was thought is told apart from the output, and added to it here.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import first_typed, label, most_used, string, total
from core.importers.opencode.disk import keeps, kept_in, kept_with
from core.importers.opencode.messages import Reading, time_of
from core.importers.opencode.stored import is_session
from core.importers.opencode.sub_agents import Family, SiblingExports
from core.model.advice import Advice
from core.model.session import Session, SubAgent

LABEL = AGENT = "opencode"
DOCS = "https://opencode.ai/docs/cli/#export"
GROUP = "coding agents"
COVERS = "exports, its storage folder, `opencode.db`"
RECORDS_COMPACTIONS = True
KEEPS = Advice(
    "Put it into `AGENTS.md`: opencode adds the file to what it sends to the model.",
    "https://opencode.ai/docs/rules/",
)

_DEEP = 20
"""Sub-agents of sub-agents are followed this far down."""


def recognises(head: Head) -> bool:
    """Whether the file is an object with the `info` of a session, and messages of `info` and `parts`; or is on disk so."""
    value = head.value
    if head.names or head.binary or is_session(value):
        return is_session(value) or keeps(head)
    if not isinstance(value, dict) or not isinstance(value.get("info"), dict):
        return False
    messages = value.get("messages")
    known = string(value["info"].get("id")).startswith("ses_")
    return isinstance(messages, list) and (known or any(map(_is_message, messages)))


def _is_message(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("info"), dict) and isinstance(item.get("parts"), list)


def is_part(head: Head) -> bool:
    """Whether it is the session of a sub-agent, which is read with its parent where that is at hand."""
    info = head.value if is_session(head.value) else head.value.get("info") if isinstance(head.value, dict) else None
    return isinstance(info, dict) and bool(string(info.get("parentID")))


def read(source: Source) -> Session | Iterator[Session]:
    """The session of an export, or of one file of a storage, with its sub-agents; of a storage or a database each."""
    if not isinstance(source.value, dict):
        return _each(source)
    session = _alone(source) if is_session(source.value) else _session(source.value, SiblingExports(source), 0)
    return session.model_copy(update={"notes": (*session.notes, *source.damage.notes())})


def _each(source: Source) -> Iterator[Session]:
    with kept_in(source) as kept:
        for value in kept.exports():
            yield _session(value, kept, 0)


def _alone(source: Source) -> Session:
    kept = kept_with(source)
    value = kept.export(source.value["id"])
    if not value["messages"]:
        hint = "open the folder `storage`, a zip of it, or what `opencode export` writes"
        raise source.fail("contains no messages: a session on disk keeps them in files of their own", hint)
    return _session(value, kept, 0)


def _session(value: dict[str, Any], family: Family, depth: int) -> Session:
    info, items = value["info"], value["messages"]
    id = string(info.get("id"))
    reading = Reading()
    for place, item in _ordered(items):
        reading.item(place, item)
    messages = tuple(reading.messages)
    left = [place for place in range(1, len(items) + 1) if place not in reading.read]
    models = Counter(m.model for m in messages if m.model and m.injected != "summary")
    title = string(info.get("title")) or first_typed(messages)
    children = tuple(_children(id, reading, family, depth))
    agents, lost = {*reading.agents, *(child.id for child in children)}, family.lost(id)
    return Session(
        id=id,
        format="opencode",
        title=label(title),
        model=most_used(models),
        project=string(info.get("directory")),
        messages=messages,
        compactions=tuple(reading.recorded()),
        children=children,
        usage=total(m.usage for m in messages),
        records=len(items),
        malformed_lines=len(left) + len(lost),
        subagents=len(agents),
        other=counted(reading.other),
        notes=(*reading.notes(left, len(agents) - len(children)), *family.notes(id)),
    )


def _children(id: str, reading: Reading, family: Family, depth: int) -> Iterator[SubAgent]:
    """The sub-agents whose exports are at hand, in the order they were started."""
    found = [value for value in family.take(id) if recognises(Head("", value=value))] if depth < _DEEP else []
    order = {agent: place for place, agent in enumerate(reading.agents)}
    for value in sorted(found, key=lambda v: order.get(string(v["info"].get("id")), len(order))):
        session = _session(value, family, depth + 1)
        if session.messages:
            message, call, name = reading.agents.get(session.id, ("", "", ""))
            yield SubAgent(id=session.id, name=name, message=message, call=call, session=session)


def _ordered(items: list[Any]) -> list[tuple[int, dict[str, Any]]]:
    """The messages with their places from 1, in order of time where each has one."""
    found = [(place, item) for place, item in enumerate(items, 1) if _is_message(item)]
    times = [_created(item) for _, item in found]
    if any(later < earlier for earlier, later in pairwise(times)) and all(times):
        found.sort(key=lambda pair: _created(pair[1]))
    return found


def _created(item: dict[str, Any]) -> int:
    return time_of(item["info"].get("time"), "created")
