"""What the user stated or decided, and the window no longer has: as the overview tells it."""

from collections.abc import Iterator, Sequence

from core.analyse.consequence import Consequence, consequence_of_decision
from core.analyse.finding import Finding, Severity, quoted
from core.analyse.instruction import rules_of
from core.analyse.lost_reference import MOST
from core.analyse.lost_statements import lost_statements
from core.analyse.needed_again import at_need, came_of_it, more_of, titled
from core.analyse.no_request import why_none
from core.analyse.statement_rank import rank_of
from core.analyse.window_change import WindowChange
from core.model.text import clean
from core.origins.named import is_read_whole
from core.origins.origin import LedgerRow
from core.trace.trace import Trace

KINDS = ("statement_gone",)


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The statements that go with compaction `index`, if nothing after says them; rules have a finding of their own."""
    if change.compaction.unreadable or not change.compaction.acted or len(trace.compactions) > MOST:
        return
    if some := [row for row in lost_statements(trace, index) if _is_told(trace, row)]:
        ranks = {row: rank_of(trace, index, row) for row in some}
        yield _finding(
            change, trace, sorted(some, key=lambda row: (row.needed_at is None, row.needed_at or 0, ranks[row]))
        )


def _is_told(trace: Trace, row: LedgerRow) -> bool:
    """Whether a row is a statement of the user's that is neither a rule nor a mere question."""
    message = trace.pool.message(row.place)
    if not message.typed:
        return False
    text = clean(row.text).casefold()
    rules = (clean(one).casefold() for place, one in rules_of(trace) if place == row.place)
    rule = any(one in text or text in one for one in rules)
    if rule or row.kind == "constraint":
        return not rule
    return why_none(message) == "stated" or consequence_of_decision(row.text) < Consequence.QUESTION


def _finding(change: WindowChange, trace: Trace, some: Sequence[LedgerRow]) -> Finding:
    first, rest = some[0], len(some) - 1
    sought = is_read_whole(trace) or first.needed_at is not None  # of a longer session nobody looks
    came = f" {came_of_it(trace, first.needed_at)}" if sought else ""
    held = any(start <= first.place < end for start, end in change.compaction.layout_before)
    went = change.where if held else f"only in a summary, which was {change.where}"
    said = f"{quoted(first.text)}, which the user said, was {went}, and nothing in the window says it any more."
    severity, why = _level(first)
    return Finding(
        kind="statement_gone",
        concern="lost",
        severity=severity,
        title=titled("A statement of the user is gone", first.needed_at),
        text=f"{said}{more_of(rest, 'statement')}{came}{why}",
        messages=tuple(dict.fromkeys(row.message for row in some)),
        numbers={"statements": len(some), **at_need(first.needed_at)},
        subject=first.text,
    )


def _level(row: LedgerRow) -> tuple[Severity, str]:
    """How much it matters, and why, as a sentence with a space in front; "" where the text says that it was needed."""
    if row.needed_at is not None:
        return "warning", ""
    if row.kind == "decision":
        return "info", " Its words may be about that moment alone, so this is info."
    return "warning", " Its words say it for good, so this is a warning."
