"""How much it matters that a statement of the user's is gone: rules and decisions before what was only background."""

from core.analyse.answered import ended_by
from core.analyse.consequence import Consequence, consequence_of_decision
from core.analyse.no_request import why_none
from core.origins.origin import LedgerRow
from core.summaries.facts import facts_of
from core.summaries.statements import kind_of
from core.trace.trace import Trace


def rank_of(trace: Trace, k: int, row: LedgerRow) -> Consequence:
    """Of a statement: a rule, but for a decision that only asks, or says to go on, and for what is only background."""
    if row.kind == "decision":
        said = consequence_of_decision(row.text)
        only = why_none(trace.pool.message(row.place)) == "stated"
        return min(said, Consequence.ASKED) if only else said
    return Consequence.ASKED if _is_background(trace, k, row) else Consequence.RULE


def _is_background(trace: Trace, k: int, row: LedgerRow) -> bool:
    """Whether a fact was told beside a request that a reply had come to before the compaction."""
    answered = ended_by(trace, row.place, trace.compactions[k].at) == "answered"
    return answered and kind_of(row.text) == "told" and not facts_of(trace.pool.message(row.place)).states.only
