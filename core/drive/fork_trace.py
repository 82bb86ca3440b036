"""Forks of transcripts: a live run that begins with the window that a trace, recorded or simulated, has at one of its steps.

The run holds what the trace had come to as its own events: the messages that had arrived, and the compactions between them.
"""

from collections.abc import Iterator

from core.drive.fork import fork_title
from core.drive.restore import context_for
from core.engine.compaction import pool_over
from core.meters import Meter, measured
from core.model.session import Message
from core.model.text import cut
from core.trace.compaction import Compaction
from core.trace.events import AnyEvent, Arrived, Began, Compacted, Ended, Fork, Pinned, RunSettings
from core.trace.places import step_name
from core.trace.trace import Trace
from core.window.window import Pool, Window


def forked_trace(trace: Trace, step: int, settings: RunSettings) -> list[AnyEvent]:
    """The events that a run with these settings begins with, so that its window is that of the trace at this step.

    The messages are counted by the meter of the settings. Raises StepError outside the trace.
    """
    arrived, window = trace.step(step).messages, trace.window(step)
    system = window[0].content if window and window[0].role == "system" else ""
    events = list(_events(trace, step, arrived, context_for(settings).meter))
    title = _title(trace)
    fork = Fork(run=trace.session.id, title=title, step=step, events=len(events), at=step_name(trace, step))
    made = settings.model_copy(update={"system": system})
    return [Began(id="", title=fork_title(title), settings=made, fork=fork), *events]


def _title(trace: Trace) -> str:
    typed = next((message.content for message in trace.messages if message.typed), "")
    return trace.session.title or cut(" ".join(typed.split()), 80)


def _events(trace: Trace, step: int, arrived: int, meter: Meter) -> Iterator[AnyEvent]:
    """What happened until the step, in order."""
    base, at = measured(trace.session, meter), 0
    pool = pool_over(base, trace.policy, meter) if trace.policy else Pool(base)
    done = [found for k, found in enumerate(trace.compactions) if trace.compaction_step(k) <= step]
    for found in done:
        yield from _arrivals(pool, at, found.at)
        yield Compacted(compaction=_counted(found, pool, meter), left=found.left)
        at = found.at
    yield from _arrivals(pool, at, arrived)
    if held := tuple(base.messages[place].id for place in trace.pinned if place < arrived):
        yield Pinned(ids=held)
    if arrived and _answers(base.messages[arrived - 1]):
        yield Ended(why="answered")


def _arrivals(pool: Pool, start: int, stop: int) -> Iterator[AnyEvent]:
    for place in range(start, stop):
        yield Arrived(message=pool.base.messages[place], tokens=pool.base.tokens[place])


def _counted(found: Compaction, pool: Pool, meter: Meter) -> Compaction:
    """The compaction with its tokens by this meter; what it added is put into the pool."""
    tokens = tuple(meter.count(message) for message in found.added)
    before = Window(pool, found.layout_before).tokens
    for message, count in zip(found.added, tokens, strict=True):
        pool.add(message, count)
    after = Window(pool, found.layout_after).tokens
    return found.model_copy(update={"added_tokens": tokens, "window_before": before, "window_after": after})


def _answers(message: Message) -> bool:
    """Whether a turn is over with it."""
    return message.role == "assistant" and not message.tool_calls
