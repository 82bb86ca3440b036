"""The messages that a task of Cline or Roo Code omitted from its requests, as recorded compactions.

Both keep every message in the file. Cline says in another file which ones it no longer sends. Roo Code marks them: each names
the summary that stands for them (`condenseParent`), or the marker of the truncation that hid them (`truncationParent`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.importers._shapes.compaction_tokens import own_count
from core.importers._shapes.times import iso
from core.importers.cline.ui import Removed, RooCompaction, Screen
from core.model.session import Message, RecordedCompaction

MOST = 500
"""As many compactions of one task are shown."""

MOST_KEPT = 1_000_000
"""As many messages they may name that stayed, all of them together."""

KEPT_BEHIND = 3
"""As many messages Roo Code kept behind a summary, as long as it kept any."""


@dataclass(slots=True)
class Item:
    """One message of the file: what it became, how many messages had arrived before it, and how it is marked."""

    messages: list[Message]
    arrived: int
    time: int
    parents: tuple[str, ...] = ()
    summary: str = ""
    marker: str = ""

    @property
    def is_cut(self) -> bool:
        """Whether a compaction stands here."""
        return bool(self.summary or self.marker)


def cline_cuts(items: Sequence[Item], screen: Screen, arrived: int) -> Iterator[RecordedCompaction]:
    """One for each time Cline sent less: all between the first and the last message removed is gone without a trace."""
    after = 0
    for removed in screen.removed:
        after = min(max(after, removed.last + 1, _after(removed, items)), len(items))
        kept = [
            m.id
            for n, item in enumerate(items[:after])
            if not removed.first <= n <= removed.last
            for m in item.messages
        ]
        yield RecordedCompaction(
            at=items[after].arrived if after < len(items) else arrived,
            trigger="auto",
            edit="summarised" if removed.summarized else "dropped",
            kept=tuple(kept),
            fidelity="exact" if removed.last < len(items) and removed.after is not None else "partial",
            line=removed.place,
            timestamp=iso(removed.time),
        )


def within(cuts: Iterable[RecordedCompaction]) -> Iterator[RecordedCompaction]:
    """The first of them: as many as are shown."""
    named = 0
    for cut in islice(cuts, MOST):
        named += len(cut.kept)
        if named > MOST_KEPT:
            return
        yield cut


def _after(removed: Removed, items: Sequence[Item]) -> int:
    """How many messages of the file had come when a range was removed; all, where nothing tells."""
    if removed.after is not None:
        return removed.after + 1
    later = (n for n, item in enumerate(items) if removed.time and item.time > removed.time)
    return next(later, len(items))


def roo_cuts(items: Sequence[Item], screen: Screen, arrived: int) -> Iterator[RecordedCompaction]:
    """One for each summary and each marker, with what stayed of what had come by then."""
    hidden: set[int] = set()
    children = _children(items)
    for place in [n for n, item in enumerate(items) if item.is_cut]:
        name = items[place].summary or items[place].marker
        shown = screen.compactions.get(name)
        after = _moved(items, place, shown)
        hidden.update(children.get(name, ()))
        stayed = [n for n in range(after) if n not in hidden and not (n == place and items[n].summary)]
        kept = [m.id for n in stayed for m in items[n].messages]
        yield RecordedCompaction(
            at=items[after].arrived if after < len(items) else arrived,
            tokens_before=shown.before if shown else None,
            tokens_after=shown.after if shown else None,
            before_from=own_count(f"{shown.key}.prevContextTokens") if shown and shown.before else "",
            after_from=own_count(f"{shown.key}.newContextTokens") if shown and shown.after else "",
            summary=items[place].messages[0].id if items[place].summary and items[place].messages else None,
            edit="summarised" if items[place].summary else "dropped",
            lead=sum(len(items[n].messages) for n in stayed if n < place),
            kept=tuple(kept),
            fidelity="exact" if name in children else "partial",
            line=place + 1,
            timestamp=iso((shown.time if shown else 0) or items[place].time),
        )


def _children(items: Sequence[Item]) -> dict[str, list[int]]:
    """The places of the messages that each summary or marker stands for."""
    found: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        for parent in item.parents:
            found.setdefault(parent, []).append(place)
    return found


def _moved(items: Sequence[Item], place: int, shown: RooCompaction | None) -> int:
    """How many messages of the file had come when a compaction happened: it stands before those that were kept behind it."""
    after, time = place + 1, shown.time if shown else 0
    if time:
        while after < len(items) and not items[after].is_cut and 0 < items[after].time <= time:
            after += 1
    elif items[place].summary and after < len(items) and items[after].time == items[place].time + 1 > 1:
        while after < len(items) and after <= place + KEPT_BEHIND and not items[after].is_cut:
            after += 1
    return after
