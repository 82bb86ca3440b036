"""OpenHands: the events of a run, as V0 exports them, as V1 (the agent SDK) keeps them, or as an evaluation writes them.

V0: a list of events (the trajectory that the app downloads; `events/<n>.json` on disk). V1: a folder with one file for each
event, `event-00000-<id>.json`, mostly in `events/`, and `base_state.json` beside that; any one of the files opens the whole.
An evaluation writes `output.jsonl`: one run on each line, its events in `history`; each is a session. So does the resolver of
GitHub issues, whose events are the bare fields of their classes: without ids, times, and who they are from.

A condensation is an event: it names the events that are forgotten, and where in the window the summary goes. What was kept
is the window without them, so it is exact; the events themselves stay in the file. Tools are told of in the event of the
system prompt, but go to the model beside it: they are counted in `other`. Usage is LiteLLM's: the prompt includes what was
cached. V0 keeps it with each call; V1 in the statistics of the conversation, as a total, in some files for each response.

https://docs.openhands.dev/sdk/guides/convo-persistence · https://docs.openhands.dev/sdk/arch/events
https://github.com/OpenHands/software-agent-sdk (openhands-sdk/openhands/sdk/event) · https://github.com/All-Hands-AI/OpenHands
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.damage import with_damage
from core.importers._files.source import Head, Source
from core.importers._files.text import places
from core.importers._shapes.blocks import object_of, string, whole_number
from core.importers._shapes.notes import pluralize, reason
from core.importers.openhands.events import is_event, is_run, issue_of, listed, whole
from core.importers.openhands.files import conversation, lone, of_folder
from core.importers.openhands.session import session
from core.model.advice import Advice
from core.model.session import Session

LABEL = AGENT = "OpenHands"
DOCS = "https://docs.openhands.dev/sdk/arch/events"
GROUP = "research agents"
COVERS = "V0, V1, evaluation and resolver output"
RECORDS_COMPACTIONS = True
TOGETHER = r".*/(?:event-\d+-[^/]*|events/\d+)\.json"
KEEPS = Advice(
    "Put it into `.openhands/microagents/repo.md`: OpenHands always loads that file into the context.",
    "https://docs.openhands.dev/openhands/usage/microagents/microagents-repo",
)


def recognises(head: Head) -> bool:
    """Whether the file is an event, a list of events, or has runs of them; a folder, whether it is one conversation."""
    if head.names:
        return head.source is not None and conversation(head.source) is not None
    if head.value is not None:
        return _is_ours(head.value)
    return any(is_run(record) or is_event(record) for record in head.records)


def _is_ours(value: Any) -> bool:
    if is_event(value) or is_run(value) or listed(value) is not None:
        return True
    return isinstance(value, list) and any(map(is_run, value[:20]))


def read(source: Source) -> Iterator[Session]:
    """The session of a list or a folder, or each run of an evaluation or of the resolver."""
    value = source.value
    if source.is_folder:
        yield of_folder(source)
    elif value is None or is_run(value):
        yield from _runs(source, source.records() if value is None else iter([(1, value)]))
    elif is_event(value):
        yield lone(source)
    elif (events := listed(value)) is not None:
        notes = tuple(source.damage.notes())
        yield session(enumerate(events, 1), state=_state(value), notes=notes)
    else:
        yield from _runs(source, enumerate(value, 1))


def _state(value: Any) -> dict[str, Any]:
    """What an envelope tells of the run."""
    return {"metrics": object_of(value).get("metrics"), "id": string(object_of(value).get("id"))}


def _runs(source: Source, records: Iterator[tuple[int, Any]]) -> Iterator[Session]:
    """Each run; events that stand on lines of their own are one more. What is none is said with the last."""
    held, events, empty, unknown, count = None, [], 0, list[int](), 0
    unit = "line" if source.value is None else "record"
    for line, record in records:
        if is_event(record):
            events.append((line, record))
        elif not is_run(record):
            empty += isinstance(record, dict) and "instance_id" in record
            unknown += [line] * (not (isinstance(record, dict) and "instance_id" in record))
        else:
            found = _run(line, record, unit)
            empty += not found.messages
            if found.messages:
                if held is not None:
                    yield held
                held, count = with_damage(found, source.damage), count + 1
    if events:
        if held is not None:
            yield held
        held = session(events, unit=unit)
    if held is not None:
        yield _noted(held, source, empty, unknown)


def _noted(last: Session, source: Source, empty: int, unknown: list[int]) -> Session:
    last = with_damage(last, source.damage)
    notes = [*last.notes]
    notes += [f"{pluralize(empty, 'run')} skipped: without events"] if empty else []
    where = places(unknown, "line" if source.value is None else "record")
    notes += [f"{pluralize(len(unknown), 'record')} skipped: neither a run nor an event ({where})"] if unknown else []
    return last.model_copy(update={"notes": tuple(notes), "malformed_lines": last.malformed_lines + len(unknown)})


def _run(line: int, record: dict[str, Any], unit: str) -> Session:
    """One run of an evaluation or of the resolver. What it ended with is no event."""
    issue, error = issue_of(record), string(record.get("error"))
    name = string(record.get("instance_id")) or _named(issue)
    config = object_of(
        object_of(record.get("metadata")).get("llm_config") or object_of(record.get("metadata")).get("llm")
    )
    state = {"metrics": record.get("metrics"), "agent": {"llm": config}, "id": name}
    return session(
        ((line, item) for item in whole(record["history"])),
        unit=unit,
        state=state,
        id=name,
        title=string(issue.get("title")) or name,
        ended_with=reason(error),
    )


def _named(issue: dict[str, Any]) -> str:
    """An issue as people refer to it; empty where it is none."""
    parts = [string(issue.get("owner")), string(issue.get("repo"))]
    number = whole_number(issue.get("number")) or whole_number(issue.get("pr_number"))
    return f"{'/'.join(filter(None, parts))}#{number}" if number else ""
