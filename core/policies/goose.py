"""goose's automatic compaction: everything becomes a summary and a fixed reply; the newest typed message is repeated.

Known faults are reproduced. Source: block/goose, crates/goose/src/context_mgmt/mod.rs at 0036b819 (Apache-2.0); checked
2026-11-20 by reading a stored copy. The fixed reply is shortened; goose has three, for what the newest message was.
/compact there repeats nothing. Where the typed message stands all alone, nothing is done; goose summarizes it and repeats
it.
"""

from core.policy.parameters import of_window, share
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Placement, Protect, Scope, Size, Source, Summarize, Trigger

POLICY = Policy(
    name="goose",
    title="goose, auto-compact",
    family="coding agents",
    about="Above 80 % of the context window, summarizes everything and repeats the newest typed message after the summary.",
    rule="When a typed message has been added, if the window has more than GOOSE_AUTO_COMPACT_THRESHOLD of the "
    "context window: everything becomes a user message with the summary and a fixed reply; the newest typed "
    "message, which was summarized too, follows them. At a threshold of 0 or 1 it never acts.",
    faults=(
        "Keeps one message: all recent replies and results are only in the summary.",
        "In a tool loop the question moves after the reply, as if nothing had been done about it yet.",
        "An empty summary is accepted, and nothing checks whether the window became smaller.",
    ),
    not_modelled=(
        "omitting tool results from the middle when the summarizer's request is too long",
        "recovery after the provider rejects a request",
        "reported tokens that do not include the new message yet",
    ),
    source=Source(
        url="https://github.com/block/goose/blob/main/crates/goose/src/context_mgmt/mod.rs",
        version="0036b819",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("goose",),
    parameters=(
        share(
            "GOOSE_AUTO_COMPACT_THRESHOLD",
            0.8,
            "of the context window",
            "compact above this share of the context window; 0 or 1: never",
        ),
        of_window("context_limit", "the model's context window"),
    ),
    trigger=Trigger(
        phase="turn_begun",
        any_of=(
            (
                Condition(
                    value="GOOSE_AUTO_COMPACT_THRESHOLD * window if 0 < GOOSE_AUTO_COMPACT_THRESHOLD < 1 else 10 * window"
                ),
            ),
        ),
    ),
    scope=Scope(protect=Protect(size=Size(unit="messages", value=1), read=True)),
    transform=Summarize(on_error="raise"),
    placement=Placement(role="user", template="{text}", ack="Your context was compacted. Go on from the summary."),
)
