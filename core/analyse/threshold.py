"""Whether the automatic compactions of one recorded session fired at different thresholds."""

from bisect import bisect_left
from collections.abc import Iterator

from core.analyse.finding import Finding
from core.analyse.occasion import AUTOMATIC, Occasion, occasion
from core.analyse.window_change import WindowChange
from core.trace.compaction import Compaction
from core.trace.model_calls import model_calls
from core.trace.trace import Trace

KINDS = ("threshold_differs",)
CLEARLY = 20  # one part in so many: recorded sizes of one window differ by a little from source to source


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """A threshold that is not the one at which the automatic compaction before fired, of the same model: at the later one.

    That a window was larger proves nothing, as one long result may carry it far over the threshold. A prompt that was sent
    whole does: the threshold lay above it. So one compaction must have fired clearly below a prompt sent before the other.
    """
    if not _automatic(change.compaction):
        return
    before = next((k for k in range(index - 1, -1, -1) if _automatic(trace.compactions[k])), None)
    if before is None:
        return
    first, second = occasion(trace, before), occasion(trace, index)
    if first is None or second is None or first.model != second.model:
        return
    for fired, sent in ((first.tokens, _sent(trace, index)), (second.tokens, _sent(trace, before))):
        if sent - fired > fired // CLEARLY:
            yield _finding(trace, (before, index), (first, second), sent)
            return


def _automatic(event: Compaction) -> bool:
    return event.recorded and event.kind == "compaction" and event.trigger in AUTOMATIC


def _sent(trace: Trace, k: int) -> int:
    """The largest recorded prompt that was sent between the compaction before k and k; 0 without any."""
    calls, ends = model_calls(trace), (trace.compactions[k - 1].at if k else 0, trace.compactions[k].at)
    start, stop = (bisect_left(calls, end, key=lambda call: call.at) for end in ends)
    return max((call.prompt for call in calls[start:stop]), default=0)


def _finding(trace: Trace, found: tuple[int, int], at: tuple[Occasion, Occasion], sent: int) -> Finding:
    summaries = (trace.compactions[k].summary for k in found)
    return Finding(
        kind="threshold_differs",
        concern="cost",
        severity="info",
        title="Automatic compactions at different thresholds",
        text=f"This one came at {_size(at[1])}, the automatic one before it at {_size(at[0])}. A prompt of {sent:,} tokens was "
        f"sent without compacting, above the lower of the two: the threshold was changed in between, or is not a fixed size.",
        messages=tuple(message.id for message in summaries if message),
        numbers={"first": found[0], "second": found[1], "before": at[0].tokens, "after": at[1].tokens, "prompt": sent},
    )


def _size(seen: Occasion) -> str:
    """Such as "155,829 tokens (78 % of 200,000)"."""
    return f"{seen.tokens:,} tokens" + ("" if seen.window is None else f" ({seen.percent} % of {seen.window:,})")
