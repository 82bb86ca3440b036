"""What prompts held beyond our count, in two parts: what is not in the transcript, and what the meter undercounts.

At each model call the window by o200k_base, multiplied by the scale learned by then, is what its messages came to; the rest of
the prompt is not in the transcript: system prompt, tool definitions, what the harness put in. By how much the meter's own
window is smaller is what it undercounts. Where the scale is not to be trusted (`default_meter`), nobody can tell them apart.
"""

from dataclasses import dataclass
from statistics import median

from core.engine.default_meter import CALIBRATED, PLAIN, default_meter
from core.engine.replay import replay
from core.meters import meter
from core.meters.learned_scale import learned_scales
from core.trace.prompt_overhead import unseen
from core.trace.trace import Trace


@dataclass(frozen=True)
class UnseenParts:
    """The two parts of what is typically unseen, in tokens; they add up to it. Below 0, `undercounted` is too high a count.
    What is not in the transcript is never below 0, though the messages may come to more than the prompt by the scale.

    `scaled` is for each model call what the messages of its window came to.
    """

    not_in_transcript: int
    undercounted: int
    scaled: tuple[int, ...]


def unseen_parts(trace: Trace) -> UnseenParts | None:
    """What is unseen of a replayed run in its parts; None where they cannot be told apart."""
    if trace.kind != "replay" or default_meter(trace.session) != CALIBRATED:
        return None
    plain = trace if trace.meter == PLAIN else replay(trace.session, meter=meter(PLAIN))
    found, scales = unseen(plain), learned_scales(trace.session, plain.measured).at
    missing = max(0, int(median(call.prompt - round(scales[call.at] * call.seen) for call in found.certain)))
    scaled = tuple(round(scales[call.at] * call.seen) for call in found.calls)
    return UnseenParts(missing, unseen(trace).typical - missing, scaled)
