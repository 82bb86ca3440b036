"""The fate of a text as the browser gets it; docs/wire.md."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from core.origins.ahead import with_ahead
from core.origins.mechanism import mechanism
from core.origins.reworded import Reworded, parted, reworded
from core.origins.says import says_whole
from core.origins.story import line, story, text, title
from core.summaries.standing import is_standing
from core.trace.trace import Trace
from core.why import words
from core.why.events import BY_USER, Event
from core.why.fate import Fate, fate
from core.why.lane import Stretch
from core.why.quotes import quote
from core.why.reasons import reasons

MOST_PLACES = MOST_REASONS = 500
_MOST_STRETCHES, _MOST_EVENTS = 2_000, 1_000
_RANK = ("needed", "left_out", "taken", "in_summary", "read_again", "said")  # what is shown first where not all is


def fate_body(trace: Trace, wanted: str) -> dict[str, Any]:
    """Where a text was at every step, what happened to it, and both in words. Raises FoldlineError for a blank text."""
    found = fate(trace, wanted)
    again = reworded(found)
    lane, (events, uses) = _lane(found, again), story(found, again)
    events = [] if found.common else _first(events)
    return {
        "text": found.text,
        "steps": found.steps,
        "match": found.match,
        "places": list(found.places[:MOST_PLACES]),
        "total": len(found.places),
        "common": found.common,
        "standing": is_standing(found.text),
        "lane": lane,
        "events": [_event(found, event) | _words_and_kind(found, event, again) for event in events],
        "uses": [_event(found, event) | {"words": words.use_line(found, event)} for event in _first(uses)],
        "reasons": [] if found.common else [reason._asdict() for reason in islice(reasons(found), MOST_REASONS)],
    }


def _lane(found: Fate, again: Sequence[Reworded]) -> list[dict[str, Any]]:
    """The stretches; those that follow one another in one state as one, where there are too many to draw."""
    if found.common:
        return [_stretch(found, found.lane[0]) | {"to": found.steps - 1, "at": []}] if found.steps else []
    runs = list(found.lane.states())
    if len(found.lane) <= _MOST_STRETCHES:
        rows = [row for stretch in found.lane for row in _parted(found, stretch, again)]
    else:
        rows = [_stretch(found, found.lane.at(start)) | {"to": end} for start, end, _ in runs[:_MOST_STRETCHES]]
    return [row | {"title": with_ahead(found, row["title"], row["from"], runs, again)} for row in rows]


def _parted(found: Fate, stretch: Stretch, again: Sequence[Reworded]) -> Iterator[dict[str, Any]]:
    """A stretch; one at which the text is gone in parts, where summaries say it in other words for some of its steps."""
    whole, gone = _stretch(found, stretch), stretch.state == "gone"
    for start, end, row, says in parted(stretch.start, stretch.end, again if gone else ()):
        part = whole | {"from": start, "to": end, "how": mechanism(found, start, row, says) if gone else ""}
        if row:
            own = replace(stretch, start=start, end=end)
            part |= {"title": title(found.trace, start, row, says), "text": text(found, own, row)}
            part |= _how_kept(row) if says else {}
        yield part


def _how_kept(row: Reworded) -> dict[str, Any]:
    """What summaries have of it; where that is all of it word for word, sentence by sentence, it is in them as any text is."""
    if says_whole(row):
        return {"state": "summary", "at": list(row.places)}
    return {"reworded": list(row.places), "kept": [row.kept, row.words], "named": row.name}


def _stretch(found: Fate, stretch: Stretch) -> dict[str, Any]:
    return {
        "from": stretch.start,
        "to": stretch.end,
        "state": stretch.state,
        "at": list(stretch.places[:MOST_PLACES]),
        "title": words.title(found, stretch),
        "text": words.text(found, stretch),
        "how": "",
    }


def _first(events: Any) -> list[Event]:
    """The events, in order; where there are too many, those that tell most."""
    if len(events) <= _MOST_EVENTS:
        return list(events)
    chosen = sorted(events, key=lambda event: _RANK.index(event.kind))[:_MOST_EVENTS]
    return sorted(chosen, key=lambda event: event.step)


def _words_and_kind(found: Fate, event: Event, again: Sequence[Reworded]) -> dict[str, Any]:
    """The words of an event, and its kind where a summary that has the text sentence by sentence did not leave it out."""
    whole = event.kind == "left_out" and any(event.place in row.places and says_whole(row) for row in again)
    return {"words": line(found, event, again)} | ({"kind": "in_summary"} if whole else {})


def _event(found: Fate, event: Event) -> dict[str, Any]:
    message = found.trace.pool.message(event.place)
    summary = found.trace.compactions[event.compaction - 1].number if event.compaction else None
    return {
        "step": event.step,
        "kind": event.kind,
        "at": event.place,
        "k": event.compaction - 1,
        "number": "" if summary is None else f"#{summary}",
        "role": message.role,
        "tokens": event.tokens,
        "quote": _quoted(found, event),
        "match": event.match,
        "lacked_at": event.lacked_at,
    }


def _quoted(found: Fate, event: Event) -> str:
    """What its message says around the text, of a user who sends the agent back how; nothing of a summary that left it out."""
    if event.kind == "left_out":
        return ""
    if event.match in BY_USER:
        return event.evidence
    return quote(found.trace.pool.message(event.place), event.evidence or found.text, found.match == "exact")
