"""ATIF trajectories, versions 1.0 to 1.7: what Harbor's agents write, and others after them.

One object of an agent and its steps, a list of such objects, or JSONL: a header, then a step a line. A step is of the user,
the agent or the system; it holds the calls of the agent and what the environment answered, of which there is no role: an
answer to a call is a tool message here, any other is put into the conversation. A compaction is a system step that says that
the context is replaced; up to 1.6 only its words say so. What takes its place is its observation, or the message after it;
or the run continues in the next file, which begins with copies of what was in the window: it is joined where it lies beside
this one. `prompt_tokens` includes what was cached; copied steps are not counted again. Rules: section VII of the RFC.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import label, most_used, string, total
from core.importers._shapes.notes import pluralize, sub_agents, without_call
from core.importers.atif.related import Files, RelatedTrajectories, is_continued_from, is_trajectory
from core.importers.atif.run import Run, Started
from core.importers.atif.steps import usage_of
from core.model.session import Session, SubAgent

LABEL = "ATIF"
DOCS = "https://harborframework.com/docs/trajectory-format"
GROUP = "research agents"
COVERS = "Harbor and Terminal-Bench, 1.0 to 1.7"

_DEEP = 5
"""Sub-agents of sub-agents are read so far down."""

_FILES = 100
"""The most files that a run may go on through."""


def recognises(head: Head) -> bool:
    """Whether the file is a trajectory, a list with one in it, or lines that begin with a header of one."""
    if isinstance(head.value, list):
        return any(map(is_trajectory, head.value[:20]))
    return is_trajectory(head.value) or any(_is_header(r) or is_trajectory(r) for r in _first(head))


def _first(head: Head) -> list[dict[str, Any]]:
    return [head.value] if isinstance(head.value, dict) else head.records[:20]


def _is_header(record: dict[str, Any]) -> bool:
    return "__header__" in record and string(record.get("schema_version")).upper().startswith("ATIF")


def read(source: Source) -> Iterator[Session]:
    """The session of each trajectory in the file; none of a file that another one goes on in."""
    value, used_ids = source.value, set[str]()
    if value is None or (isinstance(value, dict) and not is_trajectory(value)):
        found = _lines(source)
    else:
        found = _values(source, value if isinstance(value, list) else [value])
    for session in with_damage_once(found, source):
        name = session.id
        while session.id and session.id in used_ids:
            session = session.model_copy(update={"id": f"{name}~{len(used_ids) + 1}"})
        used_ids.add(session.id)
        yield session


def _values(source: Source, values: list[Any]) -> Iterator[Session]:
    files = Files({source.name})
    left = [
        pluralize(n, "item") + " skipped: not a trajectory" for n in (sum(not is_trajectory(v) for v in values),) if n
    ]
    for trajectory in values:
        if is_trajectory(trajectory) and not is_continued_from(source, trajectory["steps"]):
            yield _with(_session(trajectory, source, files), left)
            left = []


def _lines(source: Source) -> Iterator[Session]:
    """Sessions of JSONL: a header and its steps, or a whole trajectory a line."""
    header: dict[str, Any] | None = None
    files = Files({source.name})
    run = Run({}, RelatedTrajectories(None, files), unit="line")
    for line, record in source.records():
        if _is_header(record) or is_trajectory(record):
            if run.records:
                yield _finished(header or {}, run, 0)
            header, run = record, Run(_agent(record), RelatedTrajectories(source, files), unit="line")
        run.place = line - 1
        if is_trajectory(record):
            yield _session(record, source, files)
            run = Run({}, RelatedTrajectories(None, files), unit="line")
        elif record is not header:
            run.step(record)
    if run.records or header is None:
        yield _finished(header or {}, run, 0)


def _with(session: Session, left: list[str]) -> Session:
    return session.model_copy(update={"notes": (*session.notes, *left)}) if left else session


def _session(trajectory: dict[str, Any], source: Source | None, files: Files, depth: int = 0) -> Session:
    """The session of one trajectory, with those it goes on in."""
    run = Run(_agent(trajectory), RelatedTrajectories.of(trajectory, source, files))
    part, lost = trajectory, ""
    for _ in range(_FILES):
        for step in part["steps"]:
            run.step(step)
        ref = part.get("continued_trajectory_ref")
        found = files.continuation(source, ref)
        lost = "" if found or not string(ref) else string(ref)
        if found is None:
            break
        part, source = found
        run.goes_on(RelatedTrajectories.of(part, source, files), PurePath(source.name).name)
    return _finished(trajectory, run, depth, lost)


def _agent(trajectory: dict[str, Any]) -> dict[str, Any]:
    agent = trajectory.get("agent")
    return agent if isinstance(agent, dict) else {"name": string(agent)}


def _finished(trajectory: dict[str, Any], run: Run, depth: int, lost: str = "") -> Session:
    run.end()
    children = tuple(_child(one, run.related.files, depth + 1) for one in run.started if depth < _DEEP)
    messages = tuple(run.messages)
    models = Counter(m.model for m in messages if m.model)
    return Session(
        id=string(trajectory.get("trajectory_id")) or string(trajectory.get("session_id")),
        format="atif",
        title=label(_title(trajectory, run)),
        model=most_used(models) or string(run.agent.get("model_name")),
        project=_folder(run.agent),
        messages=messages,
        compactions=tuple(run.compactions),
        children=children,
        usage=total(m.usage for m in messages) or usage_of(trajectory.get("final_metrics"), "total_"),
        records=run.records,
        malformed_lines=sum(map(len, run.invalid.values())),
        subagents=len(run.started) + run.missing,
        other=counted(run.other),
        notes=tuple(_notes(run, lost, len(run.started) - len(children))),
    )


def _child(started: Started, files: Files, depth: int) -> SubAgent:
    """A sub-agent, with the session it is."""
    session = _session(started.trajectory, started.source, files, depth)
    extra, agent = started.ref.get("extra"), _agent(started.trajectory)
    summary = string(extra.get("summary")) if isinstance(extra, dict) else ""
    id = session.id or string(started.ref.get("session_id"))
    return SubAgent(
        id=id, name=summary or string(agent.get("name")), message=started.message, call=started.call, session=session
    )


def _title(trajectory: dict[str, Any], run: Run) -> str:
    """The task's name where it is recorded, else what was typed first; in a later file that is a copy."""
    extra = trajectory.get("extra")
    titles = [string(extra.get(key)) for key in ("title", "task", "task_name")] if isinstance(extra, dict) else []
    users = [m for m in run.messages if m.role == "user" and m.content.strip()]
    typed = [m.content for m in users if m.typed] + [m.content for m in users if m.injected == "copied"]
    return next((text for text in (*titles, *typed[:1]) if text), "")


def _folder(agent: dict[str, Any]) -> str:
    """The folder the agent worked in, where the writer noted it."""
    extra = agent.get("extra")
    if not isinstance(extra, dict):
        return ""
    several = extra.get("cwds")
    return string(extra.get("cwd")) or (string(several[0]) if isinstance(several, list) and several else "")


def _placed(run: Run, what: str, found: Mapping[int, list[int]], why: str) -> Iterator[str]:
    """A note on steps, for each file."""
    for file, steps in found.items():
        of = f" of {run.files[file - 1]}" if file else ""
        yield f"{pluralize(len(steps), what)}{of} {why} ({places(steps, run.unit)})"


def _notes(run: Run, lost: str, deep: int) -> Iterator[str]:
    """Notes on what was skipped, and on what is in other files."""
    for name in run.files:
        yield f"continues in {name}, which is read with it"
    yield from _placed(run, "record", run.invalid, "skipped: not steps of the user, the agent or the system")
    yield from _placed(run, "step", run.copied, "copied from the previous file: in the window, not counted again")
    if run.orphans:
        yield without_call(run.orphans)
    if run.pruned:
        yield f"the context was cut {pluralize(run.pruned, 'time')}: what was removed is not recorded, so all is shown"
    if lost:
        yield f"the run continues in {label(lost)}, which is not beside this file"
    if run.missing + deep:
        yield sub_agents(run.missing + deep)
