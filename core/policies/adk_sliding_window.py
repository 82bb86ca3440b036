"""Google ADK's sliding window: every few invocations what is new becomes a summary, and the summaries stack.

Known faults are reproduced: nothing stays verbatim, summaries are never merged, an overlap is in two of them for good.
Source: google-adk 2.13.0 (Apache-2.0), read and run 2026-11-20. An invocation is a turn here.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from core.model.session import Message
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Boundary, Reading
from core.policy.vocabulary import Condition, Guards, Placement, Scope, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import Listed
from core.window.reading import Count


@partial(Boundary, looks_ahead=True)
def answered(window: Listed, cut: int, low: int) -> int:
    """Back to where no call waits for its result; one that is never answered waits only in the newest turn."""
    newest = next((i for i in range(len(window) - 1, low - 1, -1) if window[i].typed), low)
    while cut > low and window.parts(cut, newest):
        cut -= 1
    return cut


@Reading
def with_overlap(context: CutContext, messages: Sequence[Message], count: Count) -> list[Message]:
    """What goes, and in front of it the newest overlap_size turns that went before."""
    turns, base = context.value("overlap_size"), context.window.pool.base
    if not turns or not messages:
        return list(messages)
    own = next((part for _, part in context.window.origins() if base.messages[part[0]] is messages[0]), None)
    stop = bisect_left(base.turn_starts, own[0]) if own else 0
    again = base.messages[base.turn_starts[max(0, stop - turns)] : own[0]] if own and stop else ()
    return [*again, *messages]


POLICY = Policy(
    name="adk.sliding_window",
    title="Google ADK, sliding window",
    family="Google ADK",
    about="After every few turns, summarizes all messages since the last time into one more assistant message.",
    rule="At the end of a turn, once compaction_interval turns have passed since the last compaction: summarizes "
    "all messages since then, except calls that still wait for a result and what follows them (a call that "
    "is never answered counts as waiting only in the newest turn). The summarizer also reads the "
    "overlap_size turns before, but not the earlier summaries. Messages that are no larger than the newest "
    "summary are left alone.",
    faults=(
        "Nothing is kept verbatim: right after a compaction the model sees only summaries, not even the last exchange.",
        "Summaries accumulate without limit and are never merged; a turn in the overlap is in two of them.",
        "One long summary prevents everything shorter than itself from being summarized.",
        "An empty summary is accepted.",
    ),
    not_modelled=(
        "events of other agents",
        "the separate token policy (token_threshold, event_retention_size)",
        "a call that is restored before a result that arrived after the call was summarized",
        "a summary that is removed once a later one covers the same messages",
        "a turn split by an open call, which counts as new and is read again from its start",
        "sizes in characters of JSON: here they are compared in tokens",
    ),
    source=Source(
        url="https://github.com/google/adk-python/blob/main/src/google/adk/apps/compaction.py",
        version="google-adk 2.13.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        amount(
            "compaction_interval",
            3,
            "turns",
            "compact after this many turns; the real one has no default",
            at_least=1,
        ),
        amount(
            "overlap_size",
            1,
            "turns",
            "already summarized turns that the summarizer reads again; the real one has no default",
        ),
    ),
    trigger=Trigger(
        phase="turn_end", any_of=((Condition(of="new_turns", value="compaction_interval", at_least=True),),)
    ),
    scope=Scope(stacked=True, cut_boundary=answered),
    transform=Summarize(reads=with_overlap),
    placement=Placement(role="assistant", template="{text}"),
    guards=Guards(larger_than_last=True),
)
