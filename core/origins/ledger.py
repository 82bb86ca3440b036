"""The ledger of a compaction: what was folded that may be worth keeping, what became of it, and when it was needed."""

from bisect import bisect_left
from collections.abc import Sequence

from core.model.cached import cached
from core.model.give_way import give_way
from core.model.session import Message
from core.origins.named import Named, folded, kept
from core.origins.needs import Needs
from core.origins.origin import Kind, LedgerRow
from core.origins.remains import Kept, Remains
from core.origins.said import Item, items_of
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE

_MOST: dict[Kind, int] = {
    "constraint": 14, "decision": 8, "file": 14, "identifier": 10, "number": 8, "command": 6, "error": 4, "task": 4,
}  # fmt: skip
_ORDER = tuple(_MOST)
_CARRIED = 400  # items that an earlier summary is taken to carry on, at most


def ledger(trace: Trace, k: int) -> tuple[tuple[LedgerRow, ...], int]:
    """The rows of compaction k, those needed and gone first, and how many more there are than are listed.

    What stands in the window all the same, in a message that stayed, is left out.
    """
    return cached(trace, ("ledger", k), lambda trace: _ledger(trace, k))


def _ledger(trace: Trace, k: int) -> tuple[tuple[LedgerRow, ...], int]:
    named, stayed = Named(trace, k), kept(trace, k)
    items = [item for item in _items(trace, k, named) if not _stayed(named, stayed, item)]
    remains, needs = remains_of(trace, k), Needs(trace, k, named)
    ordered = sorted(items, key=lambda item: (-item.weight, item.place))
    rows = [(item.weight, _row(trace, item, remains, needs)) for item in ordered]
    listed, left = _most_important(rows)
    return tuple(listed), left


def _items(trace: Trace, k: int, named: Named) -> list[Item]:
    """What compaction k folded: what the messages said, and what the earlier summaries among them carried on."""
    return cached(trace, ("folded", k), lambda trace: _folded_items(trace, k, named))


def _folded_items(trace: Trace, k: int, named: Named) -> list[Item]:
    taken = folded(trace, k)
    carried: dict[object, Item] = {}
    for j in _summaries(trace, taken):
        remains = remains_of(trace, j)
        found = [item for item in _items(trace, j, named) if remains.of(item).verdict != "gone"]
        for item in sorted(found, key=lambda item: -item.weight)[:_CARRIED]:
            carried.setdefault(_key(item), item)
    for item in items_of(trace, taken, named):
        carried.setdefault(_key(item), item)
    return list(carried.values())


def _key(item: Item) -> object:
    return item.name or (item.kind, item.text.casefold())


def _summaries(trace: Trace, taken: Sequence[int]) -> list[int]:
    """The compactions whose summaries are among what was taken."""
    starts, found = [ADDED], list[int]()
    for event in trace.compactions:
        starts.append(starts[-1] + len(event.added))
    for place in taken:
        if ADDED <= place < SPACE:
            found.append(bisect_left(starts, place + 1) - 1)
    return sorted(set(found))


def remains_of(trace: Trace, k: int) -> Remains:
    """What compaction k put in for what it took, read once."""
    return cached(trace, ("put in", k), lambda trace: _remains(trace, k))


def _remains(trace: Trace, k: int) -> Remains:
    event = trace.compactions[k]
    put: list[Message] = [] if event.unreadable else [m for m in event.put_in if m.injected in ("summary", "ack", "")]
    return Remains(put)


def _stayed(named: Named, kept: Sequence[int], item: Item) -> bool:
    """Whether a message that stayed in the window says it as well."""
    if item.name is None or not kept:
        return False
    where = named.where(item.name)
    return any(_among(place, kept) for place in where[bisect_left(where, kept[0]) :])


def _among(place: int, kept: Sequence[int]) -> bool:
    found = bisect_left(kept, place)
    return found < len(kept) and kept[found] == place


def _row(trace: Trace, item: Item, remains: Remains, needs: Needs) -> LedgerRow:
    give_way()
    now = remains.of(item)
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


def _most_important(rows: Sequence[tuple[float, LedgerRow]]) -> tuple[list[LedgerRow], int]:
    """The heaviest rows of each kind, those needed and gone before all others, and how many are left out."""
    listed: list[LedgerRow] = []
    for kind, most in _MOST.items():
        own = sorted(((weight, row) for weight, row in rows if row.kind == kind), key=_importance)
        listed += [row for _, row in own[:most]]
    listed.sort(key=lambda row: (not _missed(row), row.in_summary != "gone", _ORDER.index(row.kind), row.said_at))
    return listed, len(rows) - len(listed)


def _importance(one: tuple[float, LedgerRow]) -> tuple[bool, float, int]:
    weight, row = one
    return (not _missed(row), -weight - 2 * (row.needed_at is not None), row.said_at)


def _missed(row: LedgerRow) -> bool:
    """Whether it was needed and is gone."""
    return row.needed_at is not None and row.in_summary == "gone"
