"""The ledger that a page shows has each statement that the overview calls lost."""

from core import provenance
from core.analyse.lost_statements import lost_statements, whole_ledger
from core.trace.trace import Trace
from tests.analyse.events import event, run, summary
from tests.support import assistant, user, with_ids
from viewer.wire.provenance import provenance_body

TALK = [
    user("Draw a plan of the harbour."),
    assistant("Drawn."),
    user("the squash in GitHub keeps trailers"),
    assistant("I see."),
    user("Make it shorter."),
    assistant("Done."),
]


def cut(text: str, **known: str) -> Trace:
    """A trace whose compaction put this summary in for the first four messages."""
    told = event(6, [(0, 6)], [(6, 7), (4, 6)], ("summarised", (0, 4)), put=[summary(text)], **known)
    return run(with_ids(TALK), told)


def test_a_statement_without_a_row_of_its_own_is_one_behind_the_others() -> None:
    """It is gone, and stands where a ledger has what is gone."""
    trace = cut("A plan of the harbour was drawn.")
    assert [row.text for row in lost_statements(trace, 0)] == [TALK[2].content]
    found = provenance(trace, 0)
    assert TALK[2].content not in {row.text for row in found.ledger}
    whole = whole_ledger(trace, 0, found)
    assert (len(whole), whole.count(lost_statements(trace, 0)[0])) == (len(found.ledger) + 1, 1)
    assert TALK[2].content in {row["text"] for row in provenance_body(trace, 0)["ledger"]}


def test_what_the_summary_says_adds_nothing() -> None:
    """A ledger that has all there is stays as it is."""
    trace = cut("A plan of the harbour was drawn. The squash in GitHub keeps trailers.")
    found = provenance(trace, 0)
    assert whole_ledger(trace, 0, found) == found.ledger
