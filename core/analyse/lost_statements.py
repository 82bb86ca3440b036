"""What a compaction lost of what the user stated or decided: the one list of overview and findings."""

from collections.abc import Iterator, Sequence

from core.analyse.requests import requests
from core.model.cached import cached
from core.model.own_text import own_text
from core.origins.follow import beginning
from core.origins.ledger import in_order, rows_of
from core.origins.named import is_read_whole
from core.origins.needs import needed_after
from core.origins.origin import LedgerRow, Provenance
from core.trace.trace import Trace


def lost_statements(trace: Trace, k: int) -> Sequence[LedgerRow]:
    """The rows of the ledger of compaction k; then messages that only state, and of which the ledger has no sentence."""
    return cached(trace, ("lost statements", k), lambda trace: _lost(trace, k))


def whole_ledger(trace: Trace, k: int, found: Provenance) -> tuple[LedgerRow, ...]:
    """The ledger of compaction k, with each statement that it lost: also those of which no sentence is a row of it."""
    if trace.compactions[k].unreadable:
        return found.ledger
    known = {(row.place, row.text) for row in found.ledger}
    return in_order([*found.ledger, *(row for row in lost_statements(trace, k) if (row.place, row.text) not in known)])


def is_statement(trace: Trace, row: LedgerRow) -> bool:
    """Whether a row of a ledger is what a user set or decided."""
    return row.kind == "constraint" or (row.kind == "decision" and trace.pool.message(row.place).typed)


def _lost(trace: Trace, k: int) -> list[LedgerRow]:
    rows = [row for row in rows_of(trace, k, "constraint", "decision") if row.in_summary == "gone"]
    rows = [row for row in rows if is_statement(trace, row)]
    return [*rows, *_messages(trace, k, {row.place for row in rows})]


def _messages(trace: Trace, k: int, told: set[int]) -> Iterator[LedgerRow]:
    step = trace.compaction_step(k)
    for place in requests(trace, k).stated:
        message = trace.messages[place]
        if place in told or not (text := beginning(own_text(message), message)):
            continue
        needed = needed_after(trace, text, step, gone=True) if is_read_whole(trace) else None
        said_at = trace.message_step(place)
        yield LedgerRow(
            kind="decision",
            text=text,
            message=message.id,
            place=place,
            said_at=said_at,
            in_summary="gone",
            needed_at=needed,
        )
