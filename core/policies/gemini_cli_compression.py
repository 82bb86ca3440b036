"""Gemini CLI's chat compression: the older 70 % of the history become a state snapshot and a fixed reply to it.

Known faults are reproduced. Source: npm @google/gemini-cli-core 0.61.0, chatCompressionService.js (Apache-2.0),
2026-11-20.
"""

from core.policy.parameters import amount, of_window, share
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Clear, Condition, Guards, Placement, Scope, Size, Source, Stage, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import back, forward, is_user
from core.window.sizes import prefix_end

_SHARE = "(compressionThreshold if compressionThreshold > 0 else 0.5)"  # 0 is as if it were not set

_TRUNCATE = Stage(
    name="truncate",
    scope=Scope(
        tail=Size(unit="messages", value=0),
        beyond="COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET",
    ),
    transform=Clear(
        text="\n... [{cut} characters omitted] ...\n",
        above="truncateToolOutputThreshold",
        head="truncateToolOutputThreshold // 5",
        tail="truncateToolOutputThreshold - truncateToolOutputThreshold // 5",
    ),
)


@Cut
def split_point(context: CutContext) -> int:
    """The first user message behind the older share of the history.

    If there is none, everything goes after a final answer, else what stands before the newest user message.
    """
    window, pinned = context.window, context.tokens(0, context.head)
    gone = (window.tokens - pinned) * (1 - float(context.policy.number("COMPRESSION_PRESERVE_THRESHOLD")))
    found = forward(window, prefix_end(window, pinned + gone, context.body), is_user)
    if found < len(window) or not len(window):
        return found
    last = window[len(window) - 1]
    done = last.role == "assistant" and not last.tool_calls
    return found if done else back(window, len(window) - 1, context.body, is_user)


POLICY = Policy(
    name="gemini_cli.compression",
    title="Gemini CLI, chat compression",
    family="coding agents",
    about="At half the context window, summarizes the older 70 % into a user message and a fixed reply; keeps whole turns.",
    rule="Before each model call, if the window has at least compressionThreshold of the context window: first "
    "shortens old tool results beyond COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET to their two ends. Then "
    "summarizes everything before the first user message that has 70 % of the history before it. If there "
    "is no such message, summarizes everything after a final answer, else what precedes the newest user "
    "message. A summary that is empty or enlarges the window changes nothing; after one that was too large, "
    "only results are shortened.",
    faults=(
        "One long tool turn has no place to split: every call does nothing while the window fills.",
        "One summary that was too large ends summarizing for the session: from then on only results are shortened.",
        "Usually less than 30 % is kept, and after a final answer possibly nothing.",
    ),
    not_modelled=(
        "three different meters: characters for the split, reported tokens before, estimated tokens after",
        "the pending message, which is not in the history yet",
        "a result over the budget, which counts only with what is left of it",
        "the check of the summary by a second call",
        "the environment's message",
    ),
    source=Source(
        url="https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/context/chatCompressionService.ts",
        version="@google/gemini-cli-core 0.61.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("gemini-cli",),
    parameters=(
        share(
            "compressionThreshold",
            0.5,
            "of the context window",
            "compact at this share of the context window; 0, not set: one half",
        ),
        share(
            "COMPRESSION_PRESERVE_THRESHOLD",
            0.3,
            "of the history",
            "share of the history that is kept verbatim, usually the maximum",
        ),
        amount("COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET", 50_000, "tokens", "newest tool results that stay whole"),
        amount(
            "truncateToolOutputThreshold",
            40_000,
            "characters",
            "characters that are kept of an older result",
            at_least=5,
        ),
        of_window("window", "the model's context window"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value=f"{_SHARE} * window", at_least=True),),)),
    tiers=(_TRUNCATE,),
    scope=Scope(cut=split_point),
    transform=Summarize(strip=True, on_empty="fail", on_error="raise", no_inflation=True),
    placement=Placement(role="user", template="{text}", ack="Got it. Thanks for the additional context!"),
    guards=Guards(then_fallback=True, undo_tiers=True),
    fallback=_TRUNCATE,
)
