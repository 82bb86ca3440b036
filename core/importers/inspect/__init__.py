"""Inspect AI logs: `.eval` archives, and `.json` logs, of the UK AI Security Institute's evaluations.

An archive holds `header.json`, and every sample in a file of its own; a log that is still being written has no header, only
what it began with in `_journal/`. A `.json` log is the same in one object. Each sample is a session. Its messages are those
of its end; where model calls were sent something else, or a compaction is written down, the run is put together from the
calls. Long texts are kept apart (`attachment://…`), and the messages of prompts in a pool. What a person typed is marked
`source: input`. Input does not include what was cached; until early 2026 it did for OpenAI and Google, which the recorded
total shows. https://github.com/UKGovernmentBEIS/inspect_ai: src/inspect_ai/log, event, model/_compaction.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import first_typed, label, most_used, object_of, string, total
from core.importers._shapes.notes import failed, pluralize
from core.importers.inspect.events import Call, Events
from core.importers.inspect.log import HEADER, STARTED, Sample, header_in, is_log, is_sample, places
from core.importers.inspect.messages import Reader, usage_of
from core.importers.inspect.run import RebuiltRun, belonging, rebuilt_run
from core.model.errors import TranscriptError
from core.model.session import Message, Session, SubAgent

LABEL = "Inspect AI"
DOCS = "https://inspect.aisi.org.uk/eval-logs.html"
GROUP = "evaluation and traces"
COVERS = "`.eval`, `.json`"
RECORDS_COMPACTIONS = True

_LIVE = "the log has no header: the evaluation was still running, or was interrupted"


def recognises(head: Head) -> bool:
    """Whether the file is a log or a sample of one, or the folder is what an archive holds."""
    if head.names and head.source is not None:
        found = HEADER in head.names or STARTED in head.names
        return found and header_in(head.source, head.names) is not None
    return is_log(head.value) or is_sample(head.value)


def read(source: Source) -> Iterator[Session]:
    """The session of each sample. Raises TranscriptError where no sample can be read."""
    if source.is_folder:
        yield from _archived(source)
        return
    value = source.value
    lone = is_sample(value)
    samples = [value] if lone else value.get("samples")
    given = [sample for sample in (samples if isinstance(samples, list) else ()) if isinstance(sample, dict)]
    yield from with_damage_once((_session({} if lone else value, sample, ()) for sample in given), source)


def _archived(source: Source) -> Iterator[Session]:
    """The sessions of an archive. A sample that cannot be read is said with the next one that can, or the last."""
    assert source.folder is not None
    names = source.folder.names
    header = header_in(source, names) or {}
    live = () if HEADER in names else (_LIVE,)
    held: Session | None = None
    broken: list[TranscriptError] = []
    for place in places(names):
        try:
            sample, damage = place.read(source)
            found = _session(header, sample if isinstance(sample, dict) else {}, (*live, *damage))
        except TranscriptError as error:
            broken.append(error)
            continue
        if held is not None:
            yield held
        held, broken = _with(found, broken), []
    if held is not None:
        yield _with(held, broken)
    elif broken:
        raise broken[0]
    else:
        raise source.fail("contains no finished sample", "samples are written when they end")


def _with(session: Session, broken: list[TranscriptError]) -> Session:
    """The session with the samples that are missing next to it."""
    if not broken:
        return session
    note = f"{pluralize(len(broken), 'sample')} could not be read: {label(str(broken[0]))}"
    return session.model_copy(update={"notes": (*session.notes, note)})


def _session(log: Sample, sample: Sample, damage: tuple[str, ...]) -> Session:
    reader = Reader(_attachments(sample), _marks_typed(sample))
    end = reader.all(sample.get("messages"))
    recorded = len(end) and len(sample["messages"])
    end = [m.model_copy(update={"line": place}) for place, m in enumerate(end, 1)]
    events = Events(reader, [reader.sent(raw) for raw in _pool(sample)]).take(_events(sample))
    run, groups, apart = _runs(events, end)
    children = tuple(_child(events, calls, run.messages) for calls in groups)
    models = Counter(m.model for m in run.messages if m.model)
    other = events.other + apart
    other["event/model"] -= len(events.calls)
    return Session(
        id=_id(sample),
        format="inspect",
        title=label(_title(log, sample, run.messages)),
        model=most_used(models) or string(object_of(log.get("eval")).get("model")),
        messages=tuple(run.messages),
        compactions=tuple(run.compactions),
        children=children,
        usage=total(m.usage for m in run.messages) or _recorded(sample),
        records=recorded + events.count,
        malformed_lines=reader.invalid,
        subagents=len(children),
        other=counted(+other),
        notes=(*_notes(log, sample, reader, events, run), *damage),
        ended_with=_ended_with(sample),
    )


def _runs(events: Events, end: list[Message]) -> tuple[RebuiltRun, list[list[Call]], Counter[str]]:
    """The run of the sample, the model calls of each sub-agent, and how many others there were."""
    calls = [call for call in events.calls if not call.scope.scores]
    if not end and calls:
        end = [*events.sent(calls[-1]), *calls[-1].reply]
    used = belonging(events, calls, end)
    owners, places = {"", *(call.scope.owner for call in used)}, {call.place for call in used}
    written = [one for one in events.compactions if one.scope.owner in owners]
    groups, apart = defaultdict[str, list[Call]](list), Counter[str]()
    for call in (c for c in calls if c.place not in places):
        if call.scope.owner in owners:
            apart["model call/apart"] += 1
        else:
            groups[call.scope.owner].append(call)
    apart["model call/scorer"] += len(events.calls) - len(calls)
    return rebuilt_run(events, used, end, written), [g for g in groups.values() if any(c.reply for c in g)], apart


def _child(events: Events, calls: list[Call], parent: list[Message]) -> SubAgent:
    """A sub-agent: what its last call was sent, and answered, is how it ended."""
    scope, last = calls[0].scope, next(c for c in reversed(calls) if c.reply)
    end = [*events.sent(last), *last.reply]
    used = belonging(events, calls, end)
    written = [one for one in events.compactions if one.scope.owner == scope.owner]
    run, call = rebuilt_run(events, used, end, written), events.started_by(scope)
    messages = tuple(run.messages)
    session = Session(
        id=scope.owner,
        format="inspect",
        title=label(next((m.content for m in messages if m.role == "user"), "")),
        model=next((m.model for m in messages if m.model), ""),
        messages=messages,
        compactions=tuple(run.compactions),
        usage=total(m.usage for m in messages),
        records=len(calls),
    )
    starter = next((m.id for m in parent if call and any(c.id == call for c in m.tool_calls)), "")
    return SubAgent(id=scope.owner, name=scope.name, message=starter, call=call, session=session)


def _attachments(sample: Sample) -> dict[str, Any]:
    return {**object_of(object_of(sample.get("transcript")).get("content")), **object_of(sample.get("attachments"))}


def _events(sample: Sample) -> Any:
    found = sample.get("events")
    return found if isinstance(found, list) else object_of(sample.get("transcript")).get("events")


def _pool(sample: Sample) -> list[Any]:
    """The messages that prompts name by their places."""
    found = [sample.get("message_pool"), object_of(sample.get("events_data")).get("messages")]
    return next((pool for pool in found if isinstance(pool, list)), [])


def _marks_typed(sample: Sample) -> bool:
    """Whether the messages that a person typed are marked: not in what other agents left in a log."""
    messages = sample.get("messages")
    listed = messages if isinstance(messages, list) else ()
    return any(isinstance(m, dict) and m.get("source") == "input" for m in listed)


def _id(sample: Sample) -> str:
    return string(sample.get("uuid")) or f"{_as_text(sample.get('id'))}_epoch_{_as_text(sample.get('epoch'))}"


def _title(log: Sample, sample: Sample, messages: list[Message]) -> str:
    """Task, sample and epoch; of a sample that was cut out of its log what was typed first."""
    task = string(object_of(log.get("eval")).get("task"))
    if task:
        return f"{task} · sample {_as_text(sample.get('id'))} · epoch {_as_text(sample.get('epoch'))}"
    return first_typed(messages)


def _as_text(value: Any) -> str:
    return label(str(value)) if isinstance(value, (str, int)) else "?"


def _recorded(sample: Sample) -> Any:
    """The tokens of the whole sample, where no reply has its own."""
    return total(usage_of(usage) for usage in object_of(sample.get("model_usage")).values())


def _ended_with(sample: Sample) -> str:
    """What ended the sample, where the agent did not end it."""
    limit = object_of(sample.get("limit"))
    reached = f"its {_as_text(limit.get('type'))} limit: {limit.get('limit')}" if limit else ""
    return _reason(sample["error"]) if sample.get("error") else reached


def _notes(log: Sample, sample: Sample, reader: Reader, events: Events, run: RebuiltRun) -> Iterator[str]:
    """Notes on what failed, and on what could not be read."""
    if (again := sample.get("error_retries")) and isinstance(again, list):
        yield f"{pluralize(len(again), 'try')} before this one failed: {_reason(again[0])}"
    if log.get("status") in ("error", "cancelled"):
        yield f"the evaluation ended as {log['status']}: {_reason(log.get('error'))}"
    if errors := [call.error for call in events.calls if call.error]:
        yield failed(errors)
    if reader.invalid:
        yield f"{pluralize(reader.invalid, 'message')} skipped: unknown role"
    if reader.missing:
        yield f"{pluralize(len(reader.missing), 'attachment')} not in the file: the name is shown"
    if events.cut:
        yield f"{pluralize(events.cut, 'prompt')} skipped: there are too many"
    if run.unlike:
        yield "the model calls sent other messages than the sample records; the sample's are shown"
    if run.idle:
        yield f"{pluralize(run.idle, 'compaction')} changed nothing that the next prompt shows"
    if run.open:
        yield f"{pluralize(run.open, 'compaction')} at the end, with no later model call: what stayed is not recorded"


def _reason(error: Any) -> str:
    return label(string(object_of(error).get("message")) or string(error)) or "no reason recorded"
