"""Where a text that is gone stands on in other words, or in part: in a summary of the window that has words of it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.origins.looked import adding
from core.origins.remains import Kept, remains_in
from core.origins.restated import restated
from core.origins.terms import terms
from core.trace.trace import Trace
from core.why import words
from core.why.events import Event
from core.why.fate import Fate
from core.why.lane import Stretch
from core.window.ranges import ADDED, SPACE

_LEAST = 3  # words of a text that can be said in others: fewer are a name
_NOT_USED = "The model did not use it at these steps, as far as its words tell."
_MOST = 500  # compactions: of a trace with more no summary is looked at


class Reworded(NamedTuple):
    """Steps from `start` to `end`, both included, at which these summaries, by their places, say it in other words.

    Or a part of it: then the last of them has `kept` of its distinct `words`, which are both 0 otherwise.
    """

    start: int
    end: int
    places: tuple[int, ...]
    kept: int = 0
    words: int = 0


def reworded(found: Fate) -> list[Reworded]:
    """The steps at which nothing in the window has the text word for word, but a summary has a good share of its words."""
    if found.common or len(found.trace.compactions) > _MOST:
        return []
    gone = [(start, end) for start, end, state in found.lane.states() if state == "gone"]
    rows = _in_summaries(found, gone) if len(terms(found.text)) >= _LEAST else []
    for place, first, last in restated(found) if gone else ():
        end = next((end for start, end in gone if start <= first <= end), -1)
        if end >= 0 and not any(row.start <= last and first <= row.end for row in rows):
            rows.append(Reworded(first, min(last, end), (place,)))
    return sorted(rows)


def _in_summaries(found: Fate, gone: Sequence[tuple[int, int]]) -> list[Reworded]:
    known: dict[int, Kept] = {}
    return _merged(one for start, end in gone for one in _within(found.trace, found.text, start, end, known))


def parted(start: int, end: int, again: Sequence[Reworded]) -> Iterator[tuple[int, int, Reworded | None, bool]]:
    """The steps at which a text is gone, in parts: those at which summaries say it in other words, and those behind these.

    Of each part the first step, the last, the summaries of it or of the part before, and whether they say it still.
    """
    last: Reworded | None = None
    for row in again:
        if not start <= row.start <= end:
            continue
        if start < row.start:
            yield start, row.start - 1, last, False
        yield row.start, row.end, row, True
        start, last = row.end + 1, row
    if start <= end:
        yield start, end, last, False


def title(trace: Trace, start: int, row: Reworded, says: bool) -> str:
    """The answer from a step on at which summaries say it in other words, or did until then, as one sentence."""
    name, some = _summary(trace, row.places[-1]), f"{row.kept:,} of its {row.words:,} words"
    if says and row.words:
        return f"Only in part since step {start:,}: {name} has {some}."
    if says:
        has = "says it again" if row.places[-1] < ADDED else "has most of its words"
        return f"Only in other words since step {start:,}: {name} {has}."
    until = f"had {some}" if row.words else "said it in other words"
    return f"Gone since step {start:,}: until then {name} {until}."


def text(found: Fate, stretch: Stretch, row: Reworded | None) -> str:
    """One more line to the answer at these steps, which are part of those at which it is gone word for word."""
    if row is None or row.words or not row.start <= stretch.start <= row.end:
        return words.text(found, stretch)
    used = sorted(e.step for e in (*found.events, *found.uses) if e.kind == "needed")
    step = next((step for step in used if stretch.start < step <= stretch.end), None)
    return _NOT_USED if step is None else f"Used at step {step:,}, as far as the model's words tell."


def story(found: Fate, again: Sequence[Reworded]) -> tuple[list[Event], list[Event]]:
    """What happened to it, and its uses: what the model used while a summary said it in other words was no need."""

    def is_use(event: Event) -> bool:
        prompt = event.step - 1
        return (
            event.kind == "needed"
            and event.match != "text"
            and any(row.start <= prompt <= row.end and not row.words for row in again)
        )

    events = [event for event in found.events if not is_use(event)]
    events += [_said_again(found.trace, row) for row in again if row.places[-1] < ADDED]
    events.sort(key=lambda event: event.step)
    uses = [*found.uses, *(event for event in found.events if is_use(event))]
    return events, sorted(uses, key=lambda event: event.step)


def _said_again(trace: Trace, row: Reworded) -> Event:
    place = row.places[-1]
    return Event(row.start, "said", trace.messages[place].id, place, 0, trace.tokens[place], "words")


def line(found: Fate, event: Event, again: Sequence[Reworded]) -> str:
    """What happened, as a line of the story: a summary that says it in other words did not just leave it out."""
    if event.kind == "said" and event.match == "words":
        return f"Said again by the user in other words, message {event.place + 1:,}"
    row = next((row for row in again if event.place in row.places), None) if event.kind == "left_out" else None
    if row:
        name = _summary(found.trace, event.place)
        says = f"has {row.kept:,} of its {row.words:,} words" if row.words else "says it in other words"
        return f"{name[:1].upper()}{name[1:]} {says}"
    return words.line(found, event)


def _summary(trace: Trace, place: int) -> str:
    """The words "summary #2", or those for one without a number; "message 171" for one that a user typed."""
    if place < ADDED:
        return f"message {place + 1:,}"
    k = adding(trace, place)
    return "a summary" if k is None else words.summary_name(trace, k + 1)


def _within(trace: Trace, text: str, start: int, end: int, known: dict[int, Kept]) -> Iterator[Reworded]:
    """The same behind each compaction from one step to another."""
    for k in range(len(trace.compactions)):
        first = trace.compaction_step(k)
        if start <= first <= end:
            behind = trace.compaction_step(k + 1) if k + 1 < len(trace.compactions) else len(trace)
            if row := _row(trace, k, text, known):
                yield row._replace(start=first, end=min(end, behind - 1))


def _row(trace: Trace, k: int, text: str, known: dict[int, Kept]) -> Reworded | None:
    """The summaries behind compaction k that say it in other words; where none does, the one that has most words of it."""
    kept = {place: _kept(trace, place, text, known) for place in _summaries(trace, k)}
    if whole := tuple(place for place, one in kept.items() if one.verdict in ("verbatim", "reworded")):
        return Reworded(0, 0, whole)
    some = [place for place, one in kept.items() if one.verdict == "partly"]
    best = max(some, key=lambda place: kept[place].kept, default=None)
    return None if best is None else Reworded(0, 0, (best,), kept[best].kept, kept[best].words)


def _summaries(trace: Trace, k: int) -> Iterator[int]:
    """The summaries in the window that compaction k left, by their places."""
    for a, b in trace.compactions[k].layout_after:
        if ADDED <= a < SPACE:
            yield from (place for place in range(a, b) if trace.pool.message(place).injected == "summary")


def _kept(trace: Trace, place: int, text: str, known: dict[int, Kept]) -> Kept:
    if place not in known:
        known[place] = remains_in(trace.pool.message(place)).of_text(text)
    return known[place]


def _merged(rows: Iterator[Reworded]) -> list[Reworded]:
    """Those that follow one another by the same summaries as one."""
    found: list[Reworded] = []
    for row in rows:
        if found and found[-1].places == row.places and found[-1].end + 1 == row.start:
            found[-1] = found[-1]._replace(end=row.end)
        else:
            found.append(row)
    return found
