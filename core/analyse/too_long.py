"""What is not looked for in a very long session, in sentences: what nobody looked for must not be taken for absent."""

from collections.abc import Iterator

from core.analyse.lost_reference import MOST
from core.origins.named import BEFORE, BEHIND, WHOLE, is_read_whole
from core.origins.reworded import MOST as MOST_REWORDED
from core.trace.trace import Trace


def not_looked_for(trace: Trace) -> tuple[str, ...]:
    """What is not looked for in this trace because it is too long, a sentence each; () of almost every trace."""
    return tuple(_beyond(trace)) if trace.compactions else ()


def _beyond(trace: Trace) -> Iterator[str]:
    many = len(trace.compactions)
    if many > MOST:
        what = "statements of the user" + (" and names that were needed later" if trace.kind == "simulate" else "")
        yield f"In a session of more than {MOST} compactions lost {what} are not looked for."
    if many > MOST_REWORDED:
        yield f"In a session of more than {MOST_REWORDED} compactions no summary is searched for texts in other words."
    if not is_read_whole(trace):
        yield (
            f"In a session of more than {WHOLE // 1_000_000} million tokens names are looked for only in the newest "
            f"{BEFORE:,} messages that a compaction took, in what the user typed, and in the next {BEHIND:,} messages. "
            "Whether a sentence was needed later is not looked for."
        )
