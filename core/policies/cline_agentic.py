"""Cline's agentic compaction: before a model request, summarize all turns but the newest into one cumulative summary.

Known faults: a single long turn is never compacted, and no window whose trigger lies below what is preserved. Source:
sdk/packages/core/src/extensions/context of cline/cline, agentic-compaction at 031d6dc and compaction-shared at 03297ec
(Apache-2.0); read and worked by hand, checked 2026-11-20. Off in Cline unless compaction.enabled is set.
"""

from core.policy.parameters import amount, of_output, of_window
from core.policy.policy import Policy
from core.policy.rules import Boundary
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.cut_boundary import Listed, back

USABLE = "(window - output if window > output else window)"
INPUT = f"({USABLE} if maxInputTokens == window else maxInputTokens) if maxInputTokens else {USABLE}"


@Boundary
def turn_start(window: Listed, cut: int, low: int) -> int:
    """Back to where a turn begins."""
    return back(window, cut, low, lambda m: m.typed)


POLICY = Policy(
    name="cline.agentic",
    title="Cline, agentic compaction",
    family="coding agents",
    about="Keeps the newest turns, of at least so many tokens, and summarizes the rest into one running summary.",
    rule="Before a model call, if the messages have 90 % of the usable input or more: keeps the newest "
    "preserveRecentTokens, from the beginning of a turn on, and at least the newest turn; everything older "
    "becomes one user message at the front. The summarizer reads the earlier summary separately. If nothing "
    "new is left to summarize, nothing happens.",
    faults=(
        "One long turn, a single typed message followed by tools, is never compacted: the request grows until it is rejected.",
        "If the trigger is below preserveRecentTokens (context windows of about 22,000), nothing is ever compacted.",
        "System prompt and tool schemas are not counted, so it acts too late.",
        "The summary and the typed message after it are two user messages in a row.",
    ),
    not_modelled=(
        "the lists of files read and edited in the summary",
        "shortening the summarizer's input to fit",
        "the summarizer's output cap of 1,024 tokens",
        "the reserve when the longest reply is unknown: 10 %, or all but 128,000",
        "what precedes the only typed message: here it may be summarized",
    ),
    source=Source(
        url="https://github.com/cline/cline",
        version="agentic-compaction @031d6dc, compaction-shared @03297ec",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("cline",),
    parameters=(
        amount("preserveRecentTokens", 20_000, "tokens", "keep at least this many of the newest tokens"),
        amount(
            "maxInputTokens",
            0,
            "tokens",
            "the largest prompt; 0, not set: the context window less the longest reply",
        ),
        of_window("contextWindow", "the model's context window"),
        of_output("maxOutputTokens", "the longest reply of the model"),
    ),
    trigger=Trigger(
        phase="before_call",
        any_of=((Condition(value=f"0.9 * ({INPUT})", at_least=True),),),
        counts="spoken",
    ),
    scope=Scope(
        tail=(Size(unit="tokens", value="preserveRecentTokens"), Size(unit="turns", value=1)),
        fit="reach",
        cut_boundary=turn_start,
        fold_summary=False,
    ),
    transform=Summarize(strip=True, on_empty="fail", on_error="raise"),
    placement=Placement(role="user", template="Context summary:\n\n{text}"),
)
