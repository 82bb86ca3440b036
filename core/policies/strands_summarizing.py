"""Strands' SummarizingConversationManager: when a call overflows, the oldest share of the messages becomes a user message.

Known faults are reproduced: its move forward eats into what it means to preserve, and a share of messages may free next
to nothing. Source: strands-agents 1.62.0 (Apache-2.0), read and run 2026-11-20, held to golden vectors. Asked by hand it
makes one pass where nothing overflows. An overflow is taken to be a window larger than the model's; the real one hears of
it from the provider, and tries on without end where we stop at ten.
"""

from core.policy.parameters import amount, of_window, share
from core.policy.policy import Policy
from core.policy.rules import Boundary
from core.policy.vocabulary import Condition, Placement, Scope, Source, Stage, Summarize, Trigger
from core.window.cut_boundary import Listed, forward, is_not_tool, is_tool


@Boundary
def off_pairs(window: Listed, cut: int, low: int) -> int:
    """Forward past tool results, and past calls whose result does not follow; nothing goes if that ends nowhere."""
    if cut >= len(window):
        return cut
    found = forward(window, cut, is_not_tool)
    while found + 1 < len(window) and window[found].tool_calls and not is_tool(window[found + 1]):
        found = forward(window, found + 1, is_not_tool)
    return found if found < len(window) else low


_SHARE = Scope(
    evict="min(max(1, int(n * max(0.1, min(0.8, summary_ratio)))), n - preserve_recent_messages)",
    cut_boundary=off_pairs,
)
_SUMMARY = Placement(role="user", template="{text}")

POLICY = Policy(
    name="strands.summarizing",
    title="Strands, summarizing conversation manager",
    family="Strands",
    about="On overflow, summarizes a share of the oldest messages into one user message at the front.",
    rule="When a model call overflows the window, and before a call at compression_threshold of it if that is "
    "set: of n messages, summarizes the oldest `summary_ratio x n`, at least one, but leaves "
    "preserve_recent_messages. The results of one reply count as one message. The cut moves forward past "
    "tool results and past calls whose result does not follow. After an overflow it repeats until the call "
    "fits.",
    faults=(
        "The cut moves forward past tool results, into the messages that preserve_recent_messages should keep.",
        (
            "Summarizes a share of the messages, whatever their size: it may free almost nothing, and then only rewords "
            "its summary."
        ),
        "With no more than preserve_recent_messages messages nothing can be summarized: one giant message ends the run.",
        "An empty summary is accepted; the summary and the message after it may both be user messages.",
    ),
    not_modelled=(
        "pin_first",
        "the count of removed messages",
        "repeating without end after an overflow: here it stops after ten passes",
    ),
    source=Source(
        url="https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/"
        "summarizing_conversation_manager.py",
        version="strands-agents 1.62.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="exact",
    parameters=(
        share(
            "summary_ratio",
            0.3,
            "of all messages",
            "share of the messages to summarize, limited to 0.1 to 0.8",
        ),
        amount("preserve_recent_messages", 10, "messages", "newest messages that stay verbatim"),
        share(
            "compression_threshold",
            None,
            "of the window",
            "compact before an overflow, from this share of the window on; None: only after one",
            optional=True,
        ),
        of_window("window", "the context window of the model"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="window"),),)),
    tiers=(
        Stage(
            name="proactive",
            when=((Condition(value="compression_threshold * window", at_least=True),),),
            scope=_SHARE,
            placement=_SUMMARY,
        ),
    ),
    scope=_SHARE,
    transform=Summarize(on_error="raise"),
    placement=_SUMMARY,
    passes=10,
    grouping="results",
)
