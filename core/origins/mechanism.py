"""How a compaction took a text from the window, in a sentence or two, from what the record or the run says."""

from collections.abc import Sequence

from core.model.text import counted
from core.origins.reworded import Reworded, parted
from core.trace.compaction import Action, Compaction, Edit
from core.trace.places import compaction_name
from core.why.fate import Fate
from core.why.readable import unreadable
from core.why.words import summary_name
from core.window.ranges import ADDED, SPACE

_IN_PLACE = {"cleared": "emptied", "truncated": "cut short"}


def mechanism(found: Fate, start: int, row: Reworded | None = None, says: bool = False) -> str:
    """What the compaction at the first step of a stretch did to what said the text; "" where none took it, or a person did.

    `row` are the summaries that say it in other words: from that step on where one `says` it, else until then.
    """
    k = found.trace.compaction_at(start)
    if k is None or found.common or found.trace.compactions[k].by_hand:
        return ""
    places = [place for a, b in found.lane.before(k) for place in found.hits.places[a:b]]
    carriers = places or ([row.places[-1]] if row and not says else [])
    return _sentence(found, k, carriers, bool(row and says)) if carriers else ""


def mechanism_at(found: Fate, step: int, again: Sequence[Reworded]) -> str:
    """The same of the stretch that a step lies in, of a text that is gone there word for word; else ""."""
    stretch = found.lane.at(step)
    parts = parted(stretch.start, stretch.end, again) if stretch.state == "gone" else ()
    return next((mechanism(found, a, row, says) for a, b, row, says in parts if a <= step <= b), "")


def _sentence(found: Fate, k: int, carriers: list[int], says: bool) -> str:
    trace, taking = found.trace, found.trace.compactions[k]
    said = [place for place in carriers if place < ADDED]
    place = max(said) if said else carriers[-1]
    edit = next((e for e in taking.edits if any(a <= place < b for a, b in e.ranges)), None)
    if taking.fidelity == "inferred":
        return "A later prompt is smaller, so it seems to have left the window here. The transcript does not say why."
    name = compaction_name(trace, k)
    if not said and ADDED <= place < SPACE:
        return _of_summary(found, k, place, says)
    where = f"It was {'last ' if len(carriers) > 1 else ''}in message {place % SPACE + 1:,}"
    if edit and edit.action in _IN_PLACE:
        return f"{where}, whose text {name} {_IN_PLACE[edit.action]}."
    return f"{where}, {_among(taking, edit)} {name} {_deed(found, k, edit, says)}."


def _of_summary(found: Fate, k: int, place: int, says: bool) -> str:
    """Of what only a summary still said."""
    trace, taking = found.trace, found.trace.compactions[k]
    adder = next(j for j in range(k, -1, -1) if place >= ADDED + sum(len(c.added) for c in trace.compactions[:j]))
    old, name = summary_name(trace, adder + 1), compaction_name(trace, k)
    only = f"Until then only {old} said it."
    if taking.summary is None:
        return f"{only} {name[:1].upper()}{name[1:]} removed that summary."
    new, others = summary_name(trace, k + 1), _messages(taking, "summarised")
    of = f"from {old} and {counted(others, 'message')}" if others else f"from {old}"
    kept = ", and kept a part of it" if says else ", and left it out"
    return f"{only} {name[:1].upper()}{name[1:]} wrote {new} {of}{'' if unreadable(trace, k) else kept}."


def _among(taking: Compaction, edit: Edit | None) -> str:
    """ "one of the 142 messages that", or "which" for a message alone."""
    count = _messages(taking, edit.action) if edit else 0
    return f"one of the {count:,} messages that" if count > 1 else "which"


def _deed(found: Fate, k: int, edit: Edit | None, says: bool) -> str:
    taking = found.trace.compactions[k]
    if taking.summary is None or (edit and edit.action == "dropped"):
        return "removed without a summary"
    if unreadable(found.trace, k):
        return "replaced by a summary that nobody can read"
    return "replaced by its summary" + ("" if says else ", which does not say it")


def _messages(taking: Compaction, action: Action) -> int:
    """How many messages of the session such edits name."""
    return sum(b - a for a, b in taking.ranges_of(action) if not ADDED <= a < SPACE)
