"""Forks: a run that begins with the window that another run had at one of its steps.

A fork holds the events of its parent up to the step. So it has the same messages and compactions, the same policy and what
that remembers, and its file gives it back exactly. What the parent's calls cost, its pauses and its errors are not its own.
"""

from collections.abc import Sequence

from core.drive.restore import context_for
from core.meters import Meter
from core.model.errors import RunError
from core.model.session import Message
from core.model.text import cut
from core.trace.compaction import Compaction
from core.trace.events import (
    RUN_VERSION,
    AnyEvent,
    Arrived,
    Began,
    BreakpointsChanged,
    Changed,
    Compacted,
    Ended,
    Fork,
    Pinned,
    Renamed,
    ToolAnswered,
    ToolBegan,
)
from core.trace.places import names_of
from core.trace.taken_back import without_undone

_KEPT = (Arrived, Changed, Compacted, Ended, Pinned, ToolAnswered, ToolBegan)


def forked(events: Sequence[AnyEvent], step: int, edit: str | None = None) -> list[AnyEvent]:
    """The events that a fork at this step begins with, of which the first is `Began`.

    `edit` is what the message of the step says in the fork: the message that arrived, or the summary of the compaction.
    Raises RunError where there is no such step, or nothing to edit in it.
    """
    began = events[0] if events else None
    if not isinstance(began, Began):
        raise RunError("the file does not start with the beginning of a run", "fork another run")
    shared = _until(without_undone(events[1:]), step)
    edited = ""
    if edit is not None:
        place = max(i for i, event in enumerate(shared) if _is_step(event))
        shared[place], edited = _edited(shared[place], edit, context_for(began.settings).meter)
    shared = [*_without_open_tools(shared), *_breakpoints(events)]
    title = _title(events)
    fork = Fork(run=began.id, title=title, step=step, events=len(shared), edited=edited, at=_place(shared))
    begins = {"fork": fork, "title": fork_title(title), "time": "", "version": RUN_VERSION}
    return [began.model_copy(update=begins), *shared]


def fork_title(title: str) -> str:
    """What a fork is called, so that it is told from what it was forked from; a fork of a fork is called the same."""
    return title if title.startswith("Fork of ") else f"Fork of {title}" if title else ""


def _until(events: Sequence[AnyEvent], step: int) -> list[AnyEvent]:
    """What made up the run until just before its next step."""
    steps, found = -1, list[AnyEvent]()
    for event in events:
        steps += _is_step(event)
        if steps > step >= 0:
            return found
        if isinstance(event, _KEPT):
            found.append(event)
    if step < 0 or steps < step:
        most = f"the run has steps 0 to {steps:,}" if steps >= 0 else "the run has none yet: send a message first"
        raise RunError(f"there is no step {step:,} to fork from", most)
    return found


def _place(events: Sequence[AnyEvent]) -> str:
    """What the last step of these is called."""
    last = [event for event in events if _is_step(event)][-1]
    done = [event.compaction for event in events if isinstance(event, Compacted) and event.compaction.acted]
    if isinstance(last, Compacted):
        return names_of(done)[-1]
    return f"message {sum(isinstance(event, Arrived) for event in events):,}"


def _is_step(event: AnyEvent) -> bool:
    return isinstance(event, Arrived) or (isinstance(event, Compacted) and event.compaction.acted)


def _without_open_tools(events: list[AnyEvent]) -> list[AnyEvent]:
    """Without the tools whose results had not arrived: the fork runs them itself."""
    open_calls = set[str]()
    kept = list[AnyEvent]()
    for event in reversed(events):
        if isinstance(event, Arrived) and event.message.role == "tool":
            open_calls.add(event.message.tool_call_id or "")
        if isinstance(event, ToolBegan | ToolAnswered):
            if event.call.id not in open_calls:
                continue
            open_calls.discard(event.call.id)
        kept.append(event)
    return kept[::-1]


def _breakpoints(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The breakpoints that the run has now, as an event; without their hits."""
    newest = next((event for event in reversed(events) if isinstance(event, BreakpointsChanged)), None)
    points = [point.model_copy(update={"hits": 0}) for point in newest.points] if newest else []
    return [BreakpointsChanged(points=tuple(points))] if points else []


def _title(events: Sequence[AnyEvent]) -> str:
    """The run's title: the newest it was given, else what was typed first."""
    given = [event.title for event in events if isinstance(event, Began | Renamed) and event.title]
    typed = [event.message.content for event in events if isinstance(event, Arrived) and event.message.typed]
    return given[-1] if given else cut(" ".join(typed[0].split()), 80) if typed else ""


def _edited(event: AnyEvent, text: str, meter: Meter) -> tuple[AnyEvent, str]:
    """The event of a step with this text in its message, and the id of the message."""
    if isinstance(event, Arrived):
        message = _with_text(event.message, text)
        return event.model_copy(update={"message": message, "tokens": meter.count(message)}), message.id
    assert isinstance(event, Compacted)
    compaction, id = _with_summary(event.compaction, text, meter)
    return event.model_copy(update={"compaction": compaction}), id


def _with_text(message: Message, text: str) -> Message:
    return message.model_copy(update={"content": text, "usage": None})


def _with_summary(found: Compaction, text: str, meter: Meter) -> tuple[Compaction, str]:
    summary = found.summary
    if summary is None:
        raise RunError("this compaction wrote no summary to edit", "fork without an edit")
    place = found.added.index(summary)
    added, tokens = list(found.added), list(found.added_tokens)
    added[place] = _with_text(summary, text)
    more = meter.count(added[place]) - tokens[place]
    tokens[place] += more
    after = {"window_after": found.window_after + more}
    if found.tokens_after is not None:
        after["tokens_after"] = found.tokens_after + more
    return found.model_copy(update={"added": tuple(added), "added_tokens": tuple(tokens), **after}), summary.id
