"""pi's compaction as it was in December 2025: like today's, but the cut is made of reported usage and never splits a turn.

Source: an early packages/coding-agent/src/compaction.ts of pi-mono (MIT), read from a stored copy 2026-11-20, and held to
a recorded session: with the meter `reported` its growth between two replies is counted as it was there.
"""

from core.policies import pi_compaction
from core.policy.rules import Boundary
from core.policy.vocabulary import Scope, Size, Summarize
from core.window.cut_boundary import Listed, back, forward, is_assistant, is_user


@Boundary
def asked(window: Listed, cut: int, low: int) -> int:
    """Forward to an assistant message, then back to a user message; `low` where no assistant message stands before."""
    if not any(is_assistant(window[i]) for i in range(min(cut, len(window)) - 1, low - 1, -1)):
        return low
    reply = forward(window, cut, is_assistant)
    return back(window, min(reply, len(window) - 1), low, is_user)


POLICY = pi_compaction.POLICY.model_copy(
    update={
        "name": "pi.compaction_2025",
        "title": "pi, compaction of December 2025",
        "about": "Keeps whole turns, from the turn where the newest 20,000 tokens begin, and summarizes the rest into a "
        "user message.",
        "rule": "When a turn ends, if the window has more than the context window less reserveTokens: goes back from "
        "the newest message until keepRecentTokens are reached. The tail begins with the reply there, or the "
        "next one, and the user message that it answers. Summarizes what precedes, together with the earlier "
        "summary. If there is no reply before that place, everything is kept.",
        "faults": (
            "It never splits a turn: a long last turn is kept whole, however large.",
            "Without a second user message nothing can be summarized.",
            "An empty summary is accepted.",
        ),
        "not_modelled": ("losing what the previous compaction kept verbatim, without a summary",),
        "source": pi_compaction.POLICY.source.model_copy(
            update={
                "url": "https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/compaction.ts",
                "version": "December 2025",
            }
        ),
        "fidelity": "approximate",
        "formats": (),
        "meter": "o200k_base",
        "scope": Scope(
            tail=Size(unit="tokens", value="keepRecentTokens"),
            fit="reach",
            cut_boundary=asked,
            fold_summary=False,
            keep_systems=True,
        ),
        "transform": Summarize(),
    }
)
