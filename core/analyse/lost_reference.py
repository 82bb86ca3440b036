"""Names that the recorded model wrote, and that nothing in a simulated window says any more: the ledger's, as it tells them."""

from collections.abc import Iterator, Sequence

from core.analyse.finding import Finding, listed
from core.analyse.window_change import WindowChange
from core.origins.ledger import missing
from core.origins.origin import LedgerRow
from core.trace.places import step_name
from core.trace.trace import Trace

KINDS = ("lost_reference",)

MOST = 200  # compactions: the ledger of each takes some milliseconds
_NAMED = 6  # names whose messages are the evidence


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The names that compaction `index` lost, and that a later reply wrote before anything said them again.

    Only under a policy: in a recorded run the model wrote what something had told it, though the transcript may not have it.
    """
    if trace.policy is None or trace.kind != "simulate" or len(trace.compactions) > MOST:
        return
    if not change.compaction.unreadable and (some := missing(trace, index)):
        yield _finding(change, trace, some)


def _finding(change: WindowChange, trace: Trace, some: Sequence[LedgerRow]) -> Finding:
    step, it = some[0].needed_at or 0, "it" if len(some) == 1 else "them"
    used = [(row.message, trace.messages[trace.step(row.needed_at or 0).messages - 1].id) for row in some]
    return Finding(
        kind="lost_reference",
        concern="lost",
        severity="info",
        title="Names that were needed later are gone",
        text=f"What named {listed([row.text for row in some])} was {change.where}, and nothing in the window names {it}. "
        f"The model used {it} at {step_name(trace, step)}{'' if len(some) == 1 else ' and later'}.",
        messages=tuple(dict.fromkeys(id for pair in used[:_NAMED] for id in pair)),
        numbers={"names": len(some), "step": step},
        subject=some[0].text,
    )
