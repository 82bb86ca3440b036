"""The story of a text that was lost: who said it, what took it and by which rule, and what would have kept it."""

from collections.abc import Iterator

from core.trace.places import step_name
from core.why.events import Event
from core.why.fate import Fate
from core.why.fixes import Fix, Fixes
from core.why.reasons import reasons
from core.why.words import line

_MOST_FIXES = 4


def story(found: Fate, k: int) -> tuple[str, ...]:
    """The story of a text that compaction k (from 0) left nothing of, line by line."""
    return (*_happened(found, k), *_rule(found, k), *remedies(found, k))


def _happened(found: Fate, k: int) -> Iterator[str]:
    """Who said it first, and what the compaction did."""
    first = next((event for event in found.events if event.kind in ("said", "in_summary")), None)
    if first:
        yield _at(found, first)
    step = found.trace.compaction_step(k)
    lost = (event for event in found.between(step, step) if event.kind in ("taken", "left_out"))
    yield from (_at(found, event) for event in lost)


def _at(found: Fate, event: Event) -> str:
    """What happened, with the step in front of it, unless the sentence begins with that."""
    place, told = step_name(found.trace, event.step), line(found, event)
    return told if told.casefold().startswith(place) else f"{place}: {told}"


def _rule(found: Fate, k: int) -> Iterator[str]:
    """Why the policy took what said it, at that compaction or at the last one before it that did."""
    told = [reason for reason in reasons(found) if reason.k <= k]
    if told:
        yield f"why: {told[-1].text}"


def remedies(found: Fate, k: int) -> Iterator[str]:
    """What would have kept it to where it was first needed, else to the end: changes of today's policy before others."""
    trace, needed = found.trace, next((event.lacked_at for event in found.events if event.kind == "needed"), None)
    last = len(trace) - 1
    gone = last if found.lane.state(last) == "gone" else trace.compaction_step(k)
    asked = Fixes(trace, found.text, gone if needed is None else needed)
    kept = [fix for fix in asked if isinstance(fix, Fix) and fix.cure]
    kept.sort(key=lambda fix: (fix.other, not fix.main, fix.price.tokens_sent))
    where = step_name(trace, asked.inquiry.step) + ("" if needed is None else ", where it was needed")
    for fix in kept[:_MOST_FIXES]:
        yield f"would have kept it up to {where}: {fix.full_text}; it then sends {fix.price.tokens_sent:,} tokens"
    if kept and asked.note:
        yield f"note: {asked.note}"
