"""Google ADK's sliding window: every few invocations what is new becomes a summary, and the summaries stack.

Known faults are reproduced: nothing stays verbatim, summaries are never merged, an overlap is in two of them for good.
Source: google-adk 2.13.0 (Apache-2.0), read and run 2026-11-20. An invocation is a turn here. Not modelled: other
agents' events; the token policy (token_threshold, event_retention_size), which is another; that a call whose result
comes after it was folded is put back in front of that result; that a summary goes once a later one covers all it stands
for, as where the overlap reaches back to the first turn again; that a turn cut in two by an open call counts as new and
is read again from its start. Sizes are compared in tokens where ADK counts characters of JSON.
"""

from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import Condition, Guards, Placement, Scope, Source, Summarise, Trigger

POLICY = Policy(
    name="adk.sliding_window",
    title="Google ADK, sliding window",
    family="Google ADK",
    about="Every compaction_interval turns folds everything since into one more assistant message behind the others.",
    rule="At the end of a turn, with compaction_interval turns or more since the last compaction: everything since goes, "
    "back to where no call waits for its result (one that is never answered waits only in the newest turn). The "
    "summarizer reads overlap_size earlier turns again, not the earlier summaries. What is not larger than the newest"
    " summary is left.",
    faults=(
        "Nothing stays verbatim: right after a compaction the model sees summaries alone, not even the last exchange.",
        "Summaries stack without end and are not merged; a turn in the overlap is in two of them.",
        "One long summary keeps everything shorter than itself from being folded.",
        "An empty summary is accepted.",
    ),
    source=Source(
        url="https://github.com/google/adk-python/blob/main/src/google/adk/apps/compaction.py",
        version="google-adk 2.13.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        Parameter(
            name="compaction_interval",
            default=3,
            unit="turns",
            at_least=1,
            about="turns after which it folds; the real one has no default",
        ),
        Parameter(
            name="overlap_size",
            default=1,
            unit="turns",
            about="folded turns the summarizer reads again; the real one has no default",
        ),
    ),
    trigger=Trigger(
        phase="turn_end", any_of=((Condition(of="new_turns", value="compaction_interval", at_least=True),),)
    ),
    scope=Scope(head="leading", stacked=True, overlap="overlap_size", snap="answered"),
    transform=Summarise(),
    placement=Placement(role="assistant", template="{text}"),
    guards=Guards(larger_than_last=True),
)
