"""The user's requests at a compaction, as the overview shows them: counts, and of the newest one a list of those that went."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.analyse.request_order import by_consequence
from core.analyse.requests import Requests, newest_told, others
from core.model.own_text import own_text
from core.model.text import ELLIPSIS
from core.origins.follow import ends_open, followed, whole_sentences
from core.origins.named import is_read_whole
from core.trace.trace import Trace
from core.why.fate import fate
from viewer.wire.preview import one_line

GONE = ("open", "gone", "answered", "stopped")
LISTED = 40  # requests in the list: the rest is a count
BEGUN = 160  # characters of a request in it
LINE = 400  # of one that a compaction quotes, as many as Why follows


def requests_at(trace: Trace, k: int, found: Requests) -> dict[str, Any]:
    """How many requests there were, and how many nothing says any more, or only in other words.

    Of the gone ones how many were open when they went, how many others a reply had answered, and at how many the user had
    stopped the agent. `here` counts these four of what this compaction took, and the one of it that matters most is quoted.
    `took` lists what it took. Of the newest compaction all are listed: those that are gone or
    changed, and as `kept` those that are there word for word. All are in the order in which they were made. `uncounted` are the
    user's other messages by the reason why they are no requests; of the newest compaction `others` lists them.
    """
    none, newest = others(trace, k), k == newest_told(trace)
    here = set(found.lost)
    first = [place for place in found.open if place in here] or found.lost
    at = next(iter(by_consequence(trace, k, first)), -1)
    return {
        "of": len(found.asked),
        "uncounted": dict(Counter(none.values())),
        "gone": len(found.gone),
        "open": len(found.open),
        "answered": len(found.answered),
        "stopped": len(found.stopped),
        "here": [len(here), *(len(here.intersection(some)) for some in (found.open, found.answered, found.stopped))],
        "reworded": len(found.reworded) + len(found.partly),
        "at": at,
        "text": "" if at < 0 else one_line(own_text(trace.messages[at]), LINE),
        "took": _rows(trace, k, _by_kind(found, found.lost)),
        "listed": _listed(trace, k, found) if newest else [],
        "kept": _kept(trace, k, found) if newest else [],
        "others": _others(trace, none) if newest else [],
    }


def _listed(trace: Trace, k: int, found: Requests) -> list[dict[str, Any]]:
    """Those that are gone or changed."""
    return _rows(trace, k, (*_by_kind(found, found.gone), ("partly", found.partly), ("reworded", found.reworded)))


def _kept(trace: Trace, k: int, found: Requests) -> list[dict[str, Any]]:
    """Those that are there word for word, as far as the list of the others leaves room for them."""
    changed = {*found.gone, *found.partly, *found.reworded}
    room = max(0, LISTED - len(changed))
    return _rows(trace, k, [("kept", [place for place in found.asked if place not in changed])])[:room]


def _others(trace: Trace, why: Mapping[int, str]) -> list[dict[str, Any]]:
    """The first messages that are no requests, in the order in which they were typed, each with the reason."""
    return [
        {"at": place, "kind": why[place], "text": _begun(trace, place)["text"], "followed": False}
        for place in sorted(why)[:LISTED]
    ]


def _by_kind(found: Requests, gone: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    """These of the gone requests by what had become of the work on them."""
    some = {"open": found.open, "answered": found.answered, "stopped": found.stopped}
    kinds = {place: kind for kind, places in some.items() for place in places}
    for kind in GONE:
        yield kind, [place for place in gone if kinds.get(place, "gone") == kind]


def _rows(trace: Trace, k: int, kinds: Iterable[tuple[str, Sequence[int]]]) -> list[dict[str, Any]]:
    """Requests of these kinds, by place; of too many the first kinds, of each those that matter most."""
    rows = [(place, kind) for kind, places in kinds for place in by_consequence(trace, k, places)]
    sought = is_read_whole(trace)
    return [_row(trace, place, kind, sought and kind in GONE) for place, kind in sorted(rows[:LISTED])]


def _row(trace: Trace, place: int, kind: str, sought: bool) -> dict[str, Any]:
    """One of them; where that is `sought`, also where the model first needed it while nothing said it, as Why has it."""
    begun = _begun(trace, place)
    events = fate(trace, begun["text"].rstrip(ELLIPSIS)).events if sought and begun["followed"] else ()
    first = min((event.step for event in events if event.kind == "needed"), default=None)
    return {"at": place, "kind": kind, **begun} | ({} if first is None else {"needed_at": first})


def _begun(trace: Trace, place: int) -> dict[str, Any]:
    """How a request begins, up to the end of a sentence, with "…" where within one; and whether Why can follow that."""
    message = trace.messages[place]
    line = one_line(own_text(message), LINE)
    said = followed(line, message)
    text = whole_sentences(said or line.rstrip(ELLIPSIS), BEGUN)
    whole = text == line or not ends_open(text)
    return {"text": text if whole else f"{text}{ELLIPSIS}", "followed": bool(said)}
