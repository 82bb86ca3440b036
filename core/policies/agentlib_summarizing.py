"""@agentlib/memory's SummarizingMemory: on write, when the active window is over its limit, summarize the older half.

Source: packages/memory/src/summarizing.ts of @agentlib/memory at f44595f (MIT); checked 2026-11-20 and held to golden
vectors.
"""

from core.policy.parameters import Parameter, amount
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Placement, Scope, Source, Summarize, Trigger

POLICY = Policy(
    name="agentlib.summarizing",
    title="agentlib SummarizingMemory",
    family="tutorials and small libraries",
    about="When a turn is written and the history is over the limit, summarizes the older half into one running summary.",
    rule="After a turn, if the non-system messages have more than active_window_tokens tokens: the older half of "
    "them and the earlier summary become the new summary, cut to summary_max_tokens x 4 characters.",
    faults=(
        "Splits in half regardless of tool pairs: results are orphaned.",
        "Counts only content: arguments of tool calls, the summary and system messages are not counted.",
        "Does not check whether it is still over the limit; an empty reply erases the earlier summary.",
    ),
    not_modelled=("a session that is lost when its very first write fails",),
    source=Source(
        url="https://www.npmjs.com/package/@agentlib/memory",
        version="f44595f",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    meter="agentlib",
    parameters=(
        amount("active_window_tokens", 3000, "tokens", "compact above this many tokens of non-system messages"),
        amount("summary_max_tokens", 600, "tokens", "the summary is cut to 4 times this many characters"),
        Parameter(name="summary_prompt", kind="text", default=None, about="instructions for the summarizing model"),
    ),
    trigger=Trigger(phase="turn_end", any_of=((Condition(value="active_window_tokens"),),), counts="active"),
    scope=Scope(evict="n // 2", fold_summary=False),
    transform=Summarize(
        max_chars="4 * summary_max_tokens",
        utf16=True,
        call_on_nothing=True,
        keep_empty=False,
        on_error="raise",
    ),
    placement=Placement(role="system", template="[Conversation summary so far]\n{text}"),
)
