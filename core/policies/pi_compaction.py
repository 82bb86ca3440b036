"""pi's compaction: the newest 20,000 tokens stay, the rest becomes a summary in front; a turn may be split.

Known faults are reproduced. Source: npm @earendil-works/pi-coding-agent 1.5.2, dist/core/compaction (MIT); read 2026-11-20, and
held to a recorded session. Not modelled: compacting once and trying again after the provider refused a request as too long,
the lists of read and modified files behind the summary, results cut to 2,000 characters for the summarizer, and that a reply
which was cut off or calls a tool counts as a failure. The trigger's tokens are reported ones there, the tail's characters / 4.
"""

from core.parameters import Parameter, of_window
from core.policy import Policy
from core.vocabulary import Condition, Placement, Scope, Size, Source, Summarise, Trigger

POLICY = Policy(
    name="pi.compaction",
    title="pi, compaction",
    family="coding agents",
    about="Keeps the newest 20,000 tokens, folds the rest into a user message in front; the turn it cuts has its own part.",
    rule="When a turn is over, if the window counts more than the context window less reserveTokens: from the newest message "
    "back until keepRecentTokens are reached; from there forward past tool results, or back to their call where nothing "
    "else follows. What lies before, in front of the turn that this parts, is summarised with the earlier summary; the "
    "beginning of that turn is summarised apart, under a heading of its own.",
    faults=(
        "Moving forward past results keeps less than was asked, down to the last call and its results.",
        "An empty summary is accepted.",
        "One pass: a huge last message stays whole, and the window may still be over.",
    ),
    source=Source(
        url="https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/core/compaction/compaction.ts",
        version="@earendil-works/pi-coding-agent 1.5.2",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentkit",
    parameters=(
        Parameter(name="reserveTokens", default=16_384, unit="tokens", about="tokens left free for the reply"),
        Parameter(name="keepRecentTokens", default=20_000, unit="tokens", about="newest tokens that stay verbatim"),
        of_window("contextWindow", "the model's context window"),
    ),
    trigger=Trigger(phase="turn_end", any_of=((Condition(value="window - reserveTokens"),),)),
    scope=Scope(
        tail=Size(unit="tokens", value="keepRecentTokens"),
        fit="reach",
        snap="off_results",
        fold_summary=False,
        keep_systems=True,
    ),
    transform=Summarise(
        split_turn="\n\n---\n\n**Turn Context (split turn):**\n\n{text}", nothing_before="No prior history."
    ),
    placement=Placement(
        role="user",
        template="The conversation history before this point was compacted into the following summary:\n\n"
        "<summary>\n{text}\n</summary>",
    ),
)
