"""Gemini CLI's chat compression: the older 70 % of the history become a state snapshot and a fixed reply to it.

Known faults are reproduced. Source: npm @google/gemini-cli-core 0.61.0, chatCompressionService.js (Apache-2.0), 2026-11-20.
Not modelled: sizes are tokens of one meter here, there characters for the split, reported tokens before and estimated ones
after; the pending message, which there is not in the history yet; that a result over the budget only counts with what is left
of it, so that small ones behind it may stay whole; the check of the summary by a second call; the environment's message.
"""

from core.parameters import Parameter, of_window
from core.policy import Policy
from core.vocabulary import Clear, Condition, Guards, Placement, Scope, Size, Source, Stage, Summarise, Trigger

_SHARE = "(compressionThreshold if compressionThreshold > 0 else 0.5)"  # 0 is as if it were not set

_TRUNCATE = Stage(
    name="truncate",
    scope=Scope(
        tail=Size(unit="messages", value=0),
        beyond=Size(unit="result_tokens", value="COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET"),
    ),
    transform=Clear(
        text="\n... [{cut} characters omitted] ...\n",
        above="truncateToolOutputThreshold",
        head="truncateToolOutputThreshold // 5",
        tail="truncateToolOutputThreshold - truncateToolOutputThreshold // 5",
    ),
)

POLICY = Policy(
    name="gemini_cli.compression",
    title="Gemini CLI, chat compression",
    family="coding agents",
    about="At half the context window, folds the older 70 % into a user message and a fixed reply; keeps whole turns.",
    rule="Before each model call, if the window counts at least compressionThreshold of the context window: first old tool "
    "results beyond COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET are shortened to their two ends. Then the history is split at "
    "the first user message in front of which 70 % of it lie; if there is none, everything goes after a final answer, else "
    "what lies before the newest user message. A summary that is empty, or makes the window larger, changes nothing; once it "
    "was larger, only the shortening is tried any more.",
    faults=(
        "In one long tool turn there is no place to split: nothing is done at every call while the window fills.",
        "One summary that was too long ends summarising for the session: only results are shortened from then on.",
        "Less than 30 % stay as a rule, and everything may go after a final answer.",
    ),
    source=Source(
        url="https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/context/chatCompressionService.ts",
        version="@google/gemini-cli-core 0.61.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        Parameter(
            name="compressionThreshold",
            default=0.5,
            unit="of the context window",
            at_most=1,
            whole=False,
            about="compact at this share of the context window; 0 is not set: a half",
        ),
        Parameter(
            name="COMPRESSION_PRESERVE_THRESHOLD",
            default=0.3,
            unit="of the history",
            at_most=1,
            whole=False,
            about="share of the history that stays verbatim, at most as a rule",
        ),
        Parameter(
            name="COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET",
            default=50_000,
            unit="tokens",
            about="newest tool results that stay whole",
        ),
        Parameter(
            name="truncateToolOutputThreshold",
            default=40_000,
            unit="characters",
            at_least=5,
            about="characters that stay of an older result",
        ),
        of_window("window", "the model's context window"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value=f"{_SHARE} * window", at_least=True),),)),
    tiers=(_TRUNCATE,),
    scope=Scope(tail=Size(unit="share", value="COMPRESSION_PRESERVE_THRESHOLD"), snap="user_or_done", snap_always=True),
    transform=Summarise(strip=True, on_empty="fail", on_error="raise", no_inflation=True),
    placement=Placement(role="user", template="{text}", ack="Got it. Thanks for the additional context!"),
    guards=Guards(then_fallback=True, undo_tiers=True),
    fallback=_TRUNCATE,
)
