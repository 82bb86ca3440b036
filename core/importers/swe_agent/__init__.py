"""SWE-agent trajectories: trajectories/<user>/<run>/<instance>/<instance>.traj, one JSON object, of versions 0.x and 1.x.

`history` is what the agent has; it is read here. `trajectory` holds the same steps again, each with the `query` that the model
was sent: history processors empty old observations in it, and only there. What was emptied so is worked out by comparing both.
In 0.x, and in 1.x without function calling, commands stand in the replies and observations come as user messages that no person
typed. Demonstrations are no part of the run. A run of several attempts is several sessions. Only the sum of the tokens that
were sent and received is recorded; how many of those sent were cached is not.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import parse
from core.importers._shapes.blocks import label, object_of, objects_in, string, whole_number
from core.importers._shapes.swe_task import task_title
from core.importers.swe_agent.history import History
from core.importers.swe_agent.queries import compactions, reworded
from core.model.session import Message, Session, SubAgent, Usage

LABEL = "SWE-agent trajectory"
AGENT = "SWE-agent"
DOCS = "https://swe-agent.com/latest/usage/trajectories/"
GROUP = "research agents"


def recognises(head: Head) -> bool:
    """Whether the file is a run with its trajectory, or several attempts at one."""
    value = head.value
    return isinstance(value, dict) and (_is_run(value) or bool(_attempts(value)))


def _is_run(value: Any) -> bool:
    """A trajectory of steps beside a history; where there is no history, beside what came of the run."""
    if not isinstance(value, dict) or not isinstance(value.get("trajectory"), list):
        return False
    if isinstance(value.get("history"), list):
        return True
    return isinstance(value.get("info"), dict) and any(
        "action" in step for step in objects_in(value["trajectory"][:20])
    )


def _attempts(value: dict[str, Any]) -> list[dict[str, Any]]:
    found = value.get("attempts")
    return [attempt for attempt in found if _is_run(attempt)] if isinstance(found, list) else []


def read(source: Source) -> Iterator[Session]:
    """The session of a run, or of each attempt at it: the file then holds the chosen one twice."""
    return with_damage_once(_runs(source.value), source)


def _runs(value: dict[str, Any]) -> Iterator[Session]:
    attempts = _attempts(value)
    chosen = object_of(value.get("info")).get("best_attempt_idx")
    for number, attempt in enumerate(attempts):
        notes = ["this attempt was chosen"] if number == chosen and not isinstance(chosen, bool) else []
        config = attempt.get("replay_config") or value.get("replay_config")
        yield _session(attempt | {"replay_config": config}, f"attempt-{number}", notes)
    if not attempts:
        yield _session(value, "", ())


def _session(run: dict[str, Any], attempt: str, chosen: Sequence[str]) -> Session:
    """One run. Messages of other agents than the first one are sessions of their own."""
    history, info, config = History.of(run), object_of(run.get("info")), _config(run.get("replay_config"))
    main, *others = history.agents or [""]
    messages = tuple(history.messages_of(main))
    instance = string(object_of(config.get("problem_statement")).get("id"))
    title = label(instance) or task_title(next((m.content for m in messages if m.typed), ""))
    return Session(
        id="-".join(part for part in (instance, attempt) if part),
        format="swe-agent",
        title=f"{title} ({attempt.replace('-', ' ')})" if attempt else title,
        model=string(object_of(object_of(config.get("agent")).get("model")).get("name")),
        project=_project(run.get("trajectory")),
        messages=messages,
        compactions=tuple(compactions(run.get("trajectory"), messages)),
        children=tuple(_child(name, history.messages_of(name), messages) for name in others),
        usage=_usage(info.get("model_stats")),
        records=history.records,
        malformed_lines=len(history.left),
        subagents=len(others),
        other=history.counts(),
        notes=(*history.notes(), *reworded(run.get("trajectory"), messages), *chosen),
        ended_with=_ended_with(info),
        submission="" if _ended_with(info) else string(info.get("submission")).strip(),
    )


def _child(name: str, messages: list[Message], parent: tuple[Message, ...]) -> SubAgent:
    """Another agent, which the main one called: by the last reply before its first message."""
    first = messages[0].line or 0
    earlier = [m.id for m in parent if m.role == "assistant" and (m.line or 0) < first]
    session = Session(id=name, format="swe-agent", title=name, messages=tuple(messages), records=len(messages))
    return SubAgent(id=name, name=name, message=earlier[-1] if earlier else "", session=session)


def _config(given: Any) -> dict[str, Any]:
    """What the run was started with: an object, or the JSON of one."""
    if isinstance(given, str):
        try:
            given = parse(given)
        except ValueError:
            given = None
    return object_of(given)


def _project(steps: Any) -> str:
    """The folder that the first step says it was in."""
    for step in objects_in(steps)[:1]:
        return string(_config(step.get("state")).get("working_dir"))
    return ""


def _usage(stats: Any) -> Usage | None:
    """The tokens of the whole run; None where they were not counted."""
    sent, received = (whole_number(object_of(stats).get(key)) for key in ("tokens_sent", "tokens_received"))
    return Usage(input_uncached=sent, output=received) if sent or received else None


def _ended_with(info: dict[str, Any]) -> str:
    """What ended the run, where the agent did not end it."""
    status = label(string(info.get("exit_status")))
    return "" if status == "submitted" else status
