"""Where the sentences of a summary come from: `provenance(trace, compaction)`. No model is asked; words are compared."""

from collections.abc import Sequence

from core.origins.ledger import ledger
from core.origins.origin import Provenance
from core.origins.sentences import Sentence, sentences_of
from core.origins.terms import terms
from core.trace.compaction import Compaction
from core.trace.trace import Trace


def provenance(trace: Trace, compaction: int | Compaction, sentences: Sequence[str] = ()) -> Provenance:
    """Each sentence of a compaction's summary with the messages it may come from; with `sentences`, these instead.

    `compaction` is one of the trace's or its index from 0. Raises IndexError or ValueError where it is none of the trace's.
    """
    from core.origins.looked import Looked  # loads NumPy, which the commands that list something go without

    k = compaction if isinstance(compaction, int) else trace.compactions.index(compaction)
    event = trace.compactions[k]
    text = "" if event.unreadable or event.summary is None else event.summary.content
    given = [Sentence(0, len(one), one) for one in sentences] or sentences_of(text)
    why = "" if text or sentences else _no_summary(event)
    wanted = frozenset[str]().union(*(terms(one.text) for one in given))
    looked = Looked(trace, wanted)
    found = tuple(looked.traced(one, k) for one in given)
    rows, left = ((), 0) if sentences or event.unreadable else ledger(trace, k)
    return Provenance(
        compaction=k,
        summary=event.summary.id if event.summary else "",
        unreadable=why,
        sentences=found,
        ledger=rows,
        left_out=left,
    )


def _no_summary(event: Compaction) -> str:
    if event.unreadable:
        return f"the summary cannot be read: {event.unreadable}"
    return "it cleared messages in place and wrote no summary" if event.cleared else "it wrote no summary"
