"""The fate of a text in words where summaries say it in other words: the answer, and a line for every change of its state."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.origins.ahead import with_ahead
from core.origins.restated import restated
from core.origins.reworded import Reworded, parted
from core.origins.says import how_said, share, summary_of, what_it_has
from core.summaries.written_later import only_quotes
from core.trace.places import step_name
from core.trace.stand_in import KEPT_BY_QUOTE
from core.trace.trace import Trace
from core.why import words
from core.why.events import BY_USER, Event
from core.why.fate import Fate
from core.why.lane import Stretch
from core.window.ranges import ADDED

_NOT_USED = "The model did not use it in this stretch, judging by its words alone."


def title(trace: Trace, start: int, row: Reworded, says: bool) -> str:
    """The answer from a step on at which summaries say it in other words, or did until then, as one sentence."""
    name, since = summary_of(trace, row.places[-1]), step_name(trace, start)
    if says:
        return f"{how_said(row)} since {since}: {name} {what_it_has(row)}."
    until = (
        f"had {share(row.kept, row.words)}"
        if row.words
        else f"called it {row.name}"
        if row.name
        else "said it in other words"
    )
    return f"Gone since {since}: until then {name} {until}."


def text(found: Fate, stretch: Stretch, row: Reworded | None) -> str:
    """One more line to the answer at these steps, which are part of those at which it is gone word for word."""
    within = row is not None and row.start <= stretch.start <= row.end
    quoted = f" {KEPT_BY_QUOTE}" if within and row and only_quotes(found.trace, row.places) else ""
    return _used(found, stretch, row) + quoted


def _used(found: Fate, stretch: Stretch, row: Reworded | None) -> str:
    """Where it was used or needed, or that it was not."""
    if row is None or row.words or not row.start <= stretch.start <= row.end:
        return words.text(found, stretch)
    used = sorted(e.step for e in (*found.events, *found.uses) if e.kind == "needed" and e.match != "against")
    step = next((step for step in used if stretch.start < step <= stretch.end + 1), None)
    return _NOT_USED if step is None else f"Used at {step_name(found.trace, step)}, judging by the model's words alone."


def answer(found: Fate, step: int, again: Sequence[Reworded]) -> tuple[str, str]:
    """Where it is at a step, as one sentence, and one more line."""
    stretch = found.lane.at(step)
    parts = parted(stretch.start, stretch.end, again)
    start, end, row, says = next(part for part in parts if part[0] <= step <= part[1])
    said = title(found.trace, start, row, says) if row else words.title(found, stretch)
    said = with_ahead(found, said, step, list(found.lane.states()), again)
    return said, text(found, replace(stretch, start=start, end=end), row)


def story(found: Fate, again: Sequence[Reworded]) -> tuple[list[Event], list[Event]]:
    """What happened to it, and its uses: what the model used while a summary said it in other words was no need.

    Every change of its state is there: also where a summary that said it in other words gives way to one that does not.
    """

    def is_use(event: Event) -> bool:
        prompt = event.step - 1
        return (
            event.kind == "needed"
            and event.match not in ("text", *BY_USER)
            and any(row.start <= prompt <= row.end and not row.words for row in again)
        )

    events = [event for event in found.events if not is_use(event)]
    needed = {event.place for event in events if event.kind == "needed"}
    told = dict.fromkeys((place, step) for place, step, _ in restated(found) if place not in needed)
    events += [_said_again(found.trace, place, step) for place, step in told]
    known = {event.step for event in events if event.kind == "left_out"}
    events += [event for event in _changes(found, again) if event.step not in known]
    events.sort(key=lambda event: event.step)
    uses = [*found.uses, *(event for event in found.events if is_use(event))]
    return events, sorted(uses, key=lambda event: event.step)


def _changes(found: Fate, again: Sequence[Reworded]) -> Iterator[Event]:
    """Where a compaction changes what says it in other words, and where none does behind it."""
    trace, starts = found.trace, {row.start for row in again}
    steps = {trace.compaction_step(k): k for k in range(len(trace.compactions))}
    for row in again:
        if row.places[-1] >= ADDED and row.start in steps:
            yield _of_compaction(trace, steps[row.start], row.start, row.places[-1])
        behind = row.end + 1
        if behind in steps and behind not in starts and not found.lane.has(behind):
            yield _of_compaction(trace, steps[behind], behind, None)


def _of_compaction(trace: Trace, k: int, step: int, place: int | None) -> Event:
    """That compaction k put in the summary at a place, or its own, which does not have the text word for word."""
    own = [i for i, message in enumerate(trace.compactions[k].added) if message.injected == "summary"]
    first = ADDED + sum(len(event.added) for event in trace.compactions[:k])
    place = first + own[-1] if place is None and own else place
    if place is None:
        place = max(0, trace.compactions[k].at - 1)
    return Event(
        step, "left_out", trace.pool.message(place).id, place, k + 1, trace.pool.tokens((place, place + 1)), "words"
    )


def _said_again(trace: Trace, place: int, step: int) -> Event:
    return Event(step, "said", trace.messages[place].id, place, 0, trace.tokens[place], "words")


def line(found: Fate, event: Event, again: Sequence[Reworded]) -> str:
    """What happened, as a line of the story: a summary that says it in other words did not just leave it out."""
    if event.kind == "said" and event.match == "words":
        return "Said again by the user in other words"
    row = next((row for row in again if event.place in row.places), None) if event.kind == "left_out" else None
    if row:
        name = summary_of(found.trace, event.place)
        says = what_it_has(row) if row.words or row.quoted or row.name else "says it in other words"
        return f"{name[:1].upper()}{name[1:]} {says}"
    return words.line(found, event)
