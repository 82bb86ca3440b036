"""Anthropic's server-side compaction, compact_20260112: within a request, summarize everything into one compaction block.

Known faults: its cost is hidden from clients that read only the top-level usage, and the current question is summarized
too. The server is closed: rules from https://platform.claude.com/docs/en/build-with-claude/compaction and the types of
anthropics/anthropic-sdk-python (MIT) at 887ee67 and 0aa2a0d; checked 2026-11-20, not run. The block is really the first
part of the reply itself; here it is an assistant message of its own in front of it.
"""

from core.policy.parameters import Parameter, amount
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Placement, Source, Summarize, Trigger

POLICY = Policy(
    name="anthropic.compact",
    title="Anthropic, server-side compaction",
    family="provider APIs",
    about="Summarizes the whole prompt except the system message into one block, within the request that reaches "
    "the threshold.",
    rule="Before a model call, if the window has `trigger` tokens or more: all messages, including an earlier "
    "block, become one assistant message. An empty block changes nothing; the next request tries again.",
    faults=(
        "The user's current question is summarized with the rest: nothing is kept verbatim.",
        "The tokens of the compaction are not in the top-level usage, so clients that read it count too little.",
        "Custom instructions replace the default ones, though the SDK calls them additional.",
    ),
    not_modelled=(
        "pause_after_compaction, where the client adds messages after the block",
        "compaction on demand",
    ),
    source=Source(
        url="https://platform.claude.com/docs/en/build-with-claude/compaction",
        version="compact_20260112, SDK types @887ee67",
        licence="MIT (types)",
        checked="2026-11-20",
    ),
    fidelity="approximate",
    formats=("anthropic-messages",),
    parameters=(
        amount(
            "trigger",
            150_000,
            "tokens",
            "compact at this many prompt tokens; the API rejects smaller values",
            at_least=50_000,
        ),
        Parameter(name="instructions", kind="text", default=None, about="instructions that replace the default ones"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="trigger", at_least=True),),)),
    transform=Summarize(on_empty="fail"),
    placement=Placement(role="assistant", template="{text}"),
)
