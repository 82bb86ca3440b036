"""The ledger of a compaction: what was folded that may be worth keeping, what became of it, and when it was needed."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, islice

from core.entities.kinds import whole_name
from core.model.cached import cached
from core.model.give_way import give_way
from core.model.session import Message
from core.origins.named import Named, folded, kept, named_of
from core.origins.needs import Needs
from core.origins.origin import Kind, LedgerRow
from core.origins.remains import Kept, Remains
from core.origins.said import Item, items_of
from core.origins.shown import is_of_this_session
from core.origins.stayed import window_of
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE

_MOST: dict[Kind, int] = {
    "constraint": 14, "decision": 8, "file": 14, "identifier": 10, "number": 8, "command": 6, "error": 4, "task": 4,
}  # fmt: skip
_ORDER = tuple(_MOST)
NAMED: tuple[Kind, ...] = ("file", "identifier", "number")
OTHERS: tuple[Kind, ...] = ("command", "error", "task")
_CARRIED = 400  # items that an earlier summary is taken to carry on, at most


def ledger(trace: Trace, k: int) -> tuple[tuple[LedgerRow, ...], int]:
    """The rows of compaction k, those needed and gone first, and how many more there are than are listed.

    What stands in the window all the same, in a message that stayed, is left out.
    """
    return cached(trace, ("ledger", k), lambda trace: _ledger(trace, k))


def missing(trace: Trace, k: int) -> tuple[LedgerRow, ...]:
    """The names that compaction k folded, that nothing says any more and that the model used later, in order of use.

    Names that everybody knows are none.
    """
    rows = (row for kind in NAMED for row in _listed(trace, k, kind) if _missed(row) and not _is_known(row))
    return tuple(sorted(rows, key=lambda row: (row.needed_at or 0, row.text)))


def missing_others(trace: Trace, k: int) -> tuple[LedgerRow, ...]:
    """The same of commands, errors and open tasks."""
    rows = (row for kind in OTHERS for row in _listed(trace, k, kind) if _missed(row))
    return tuple(sorted(rows, key=lambda row: (row.needed_at or 0, row.text)))


def rows_of(trace: Trace, k: int, *kinds: Kind) -> tuple[LedgerRow, ...]:
    """The rows of these kinds in the order of the ledger: of few kinds sooner than the whole."""
    rows = [row for kind in kinds for row in _listed(trace, k, kind)]
    return in_order(rows)


def in_order(rows: Iterable[LedgerRow]) -> tuple[LedgerRow, ...]:
    """Rows as a ledger has them: those needed and gone first, then the others that are gone."""
    return tuple(
        sorted(rows, key=lambda row: (not _missed(row), row.in_summary != "gone", _ORDER.index(row.kind), row.said_at))
    )


def _ledger(trace: Trace, k: int) -> tuple[tuple[LedgerRow, ...], int]:
    rows = rows_of(trace, k, *_ORDER)
    return rows, len(_left(trace, k)) - len(rows)


def _listed(trace: Trace, k: int, kind: Kind) -> Sequence[LedgerRow]:
    """The heaviest rows of a kind: of names those needed and gone before all others."""
    return cached(trace, ("listed", k, kind), lambda trace: tuple(_rows(trace, k, kind)))


def _rows(trace: Trace, k: int, kind: Kind) -> Iterator[LedgerRow]:
    items, window = [item for item in _left(trace, k) if item.kind == kind], window_of(trace, k)
    remains, needs = remains_of(trace, k), Needs(trace, k, named_of(trace, k))
    row = cache(lambda item: _row(trace, item, remains, needs))
    if kind in NAMED:
        items.sort(key=lambda item: _importance(item, row(item)))
    return islice((row(item) for item in items if not window.says(item.text, item.kind)), _MOST[kind])


def _left(trace: Trace, k: int) -> Sequence[Item]:
    """What compaction k folded but for names that a message which stayed shows, the heaviest first."""
    return cached(trace, ("left", k), lambda trace: _ordered(trace, k))


def _ordered(trace: Trace, k: int) -> Sequence[Item]:
    named, stayed = named_of(trace, k), kept(trace, k)
    items = [item for item in _items(trace, k, named) if not _shown(named, stayed, item)]
    return sorted(items, key=lambda item: (-item.weight, item.place))


def _items(trace: Trace, k: int, named: Named) -> list[Item]:
    """What compaction k folded: what the messages said, and what the earlier summaries among them carried on."""
    known = cached(trace, "folded", lambda _: dict[int, list[Item]]())
    waiting = [k]
    while k not in known:  # each asks those whose summaries it took: maybe thousands, one behind the other
        unread = [j for j in _summaries(trace, folded(trace, waiting[-1])) if j not in known]
        waiting += unread
        if not unread:
            j = waiting.pop()
            known[j] = _folded_items(trace, j, named, known)
    return known[k]


def _folded_items(trace: Trace, k: int, named: Named, known: Mapping[int, list[Item]]) -> list[Item]:
    taken = folded(trace, k)
    carried: dict[object, Item] = {}
    for j in _summaries(trace, taken):
        remains = remains_of(trace, j)
        found = [item for item in known[j] if remains.of(item.text).verdict != "gone"]
        for item in sorted(found, key=lambda item: -item.weight)[:_CARRIED]:
            carried.setdefault(_key(item), item)
    for item in items_of(trace, taken, named):
        carried.setdefault(_key(item), item)
    return list(carried.values())


def _key(item: Item) -> object:
    return item.name or (item.kind, item.text.casefold())


def _summaries(trace: Trace, taken: Sequence[int]) -> list[int]:
    """The compactions whose summaries are among what was taken."""
    starts, found = cached(trace, "added from", _starts), list[int]()
    for place in taken:
        if ADDED <= place < SPACE:
            found.append(bisect_left(starts, place + 1) - 1)
    return sorted(set(found))


def _starts(trace: Trace) -> list[int]:
    """The place at which what each compaction added begins, and the one behind the last."""
    return list(accumulate((len(event.added) for event in trace.compactions), initial=ADDED))


def remains_of(trace: Trace, k: int) -> Remains:
    """What compaction k put in for what it took, read once."""
    return cached(trace, ("put in", k), lambda trace: _remains(trace, k))


def _remains(trace: Trace, k: int) -> Remains:
    event = trace.compactions[k]
    put: list[Message] = [] if event.unreadable else [m for m in event.put_in if m.injected in ("summary", "ack", "")]
    return Remains(put)


def _shown(named: Named, kept: Sequence[int], item: Item) -> bool:
    """Whether a message that stayed in the window shows it as well, a name."""
    if item.name is None or not kept:
        return False
    where = named.where(item.name)
    return any(_among(place, kept) for place in where[bisect_left(where, kept[0]) :])


def _among(place: int, kept: Sequence[int]) -> bool:
    found = bisect_left(kept, place)
    return found < len(kept) and kept[found] == place


def _row(trace: Trace, item: Item, remains: Remains, needs: Needs) -> LedgerRow:
    give_way()
    now = remains.of(item.text)
    some = now if now.verdict == "partly" else Kept("gone")
    return LedgerRow(
        kind=item.kind,
        text=item.text,
        message=trace.pool.message(item.place).id,
        place=item.place,
        said_at=trace.message_step(item.place),
        in_summary=now.in_summary,
        needed_at=needs.of(item, gone=now.verdict == "gone"),
        kept=some.kept,
        words=some.words,
    )


def _importance(item: Item, row: LedgerRow) -> tuple[bool, float, int]:
    return (not _missed(row), -item.weight - 2 * (row.needed_at is not None), row.said_at)


def _is_known(row: LedgerRow) -> bool:
    """Whether a name is one that everybody knows, or only seems to be one."""
    name = whole_name(row.text)
    return name is None or not is_of_this_session(name)


def _missed(row: LedgerRow) -> bool:
    """Whether it was needed and is gone."""
    return row.needed_at is not None and row.in_summary == "gone"
