"""Where the sentences of a summary come from: `provenance(trace, compaction)`. No model is asked; words are compared."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from core.origins.ledger import ledger
from core.origins.origin import Provenance
from core.origins.sentences import Sentence, claims_of
from core.origins.terms import terms
from core.trace.compaction import Compaction
from core.trace.trace import Trace

if TYPE_CHECKING:
    from core.origins.looked import Looked


def provenance(trace: Trace, compaction: int | Compaction, sentences: Sequence[str] = ()) -> Provenance:
    """Each sentence of a compaction's summary with the messages it may come from; with `sentences`, these instead.

    `compaction` is one of the trace's or its index from 0. Raises IndexError or ValueError where it is none of the trace's.
    """
    k = compaction if isinstance(compaction, int) else trace.compactions.index(compaction)
    given = [Sentence(0, len(one), one) for one in sentences] or _sentences(trace.compactions[k])
    looked = _looked(trace, given)
    return _traced(looked, k, given) if sentences else _of_summary(looked, k, given)


def provenances(trace: Trace, count: int) -> Iterator[Provenance]:
    """The provenance of each of the first so many compactions: their messages are read once for all."""
    given = [_sentences(event) for event in trace.compactions[:count]]
    looked = _looked(trace, [one for sentences in given for one in sentences])
    for k, sentences in enumerate(given):
        yield _of_summary(looked, k, sentences)


def _looked(trace: Trace, sentences: Sequence[Sentence]) -> "Looked":
    from core.origins.looked import Looked  # loads NumPy, which the commands that list something go without

    return Looked(trace, frozenset[str]().union(*(terms(one.text) for one in sentences)))


def _of_summary(looked: "Looked", k: int, sentences: Sequence[Sentence]) -> Provenance:
    """What is traced of a summary, with its ledger."""
    event = looked.trace.compactions[k]
    rows, left = ((), 0) if event.unreadable else ledger(looked.trace, k)
    why = "" if _text(event) else _no_summary(event)
    return _traced(looked, k, sentences).model_copy(update={"unreadable": why, "ledger": rows, "left_out": left})


def _traced(looked: "Looked", k: int, sentences: Sequence[Sentence]) -> Provenance:
    summary = looked.trace.compactions[k].summary
    found = tuple(looked.traced(one, k) for one in sentences)
    return Provenance(compaction=k, summary=summary.id if summary else "", sentences=found)


def _text(event: Compaction) -> str:
    return "" if event.unreadable or event.summary is None else event.summary.content


def _sentences(event: Compaction) -> list[Sentence]:
    """What its summary claims, as far as it can be read."""
    return claims_of(_text(event))


def _no_summary(event: Compaction) -> str:
    if event.unreadable:
        return f"the summary cannot be read: {event.unreadable}"
    return "it cleared messages in place and wrote no summary" if event.cleared else "it wrote no summary"
