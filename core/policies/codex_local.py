"""Codex CLI's own compaction, for providers that offer none: all goes but the newest typed messages; the summary comes last.

Known faults are reproduced. Source: openai/codex, codex-rs/core/src/compact.rs at e06dd0e5 (Apache-2.0); checked
2026-11-20 by reading stored copies; the nine tenths are from notes on it. The summary's prefix, a paragraph, is
shortened. Real tokens are estimated as bytes / 4. Where only typed messages stand there, and all fit, nothing is done;
Codex puts a summary behind them.
"""

from core.policy.parameters import amount, of_window
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Placement, Protect, Scope, Size, Source, Summarize, Trigger

_LIMITS = (
    (Condition(value="model_auto_compact_token_limit", at_least=True),),
    (Condition(value="window * 9 // 10", at_least=True),),
)

POLICY = Policy(
    name="codex.local",
    title="Codex, local",
    family="coding agents",
    about="Keeps only what the user typed, the newest 20,000 tokens of it, and adds a summary of everything at the end.",
    rule="Before a typed message is added, and before the model is called with tool results, if the window has "
    "at least model_auto_compact_token_limit tokens, or nine tenths of the context window, whichever is "
    "less: removes everything except the newest typed messages within COMPACT_USER_MESSAGE_MAX_TOKENS; the "
    "middle is cut out of the one that no longer fits. A user message with the summary follows them.",
    faults=(
        "Every reply, call and result is removed: details that the summary omits are lost.",
        "Long pastes count as typed and crowd out earlier requests.",
        "A message whose middle was cut out is cut again later, and then says that only a few tokens are missing.",
        "An empty summary is accepted, and so is one that enlarges the window.",
        "A typed message that begins like a summary is mistaken for one and removed.",
    ),
    not_modelled=(
        "the last reply of each turn, which transcripts of April 2026 keep beside what was typed",
        "the initial context, which is added again",
        "the scope body_after_prefix",
        "retrying without the oldest message when the request overflows",
        "using the newest earlier reply as the summary if there is none",
        "images that a kept message loses",
    ),
    source=Source(
        url="https://github.com/openai/codex/blob/main/codex-rs/core/src/compact.rs",
        version="e06dd0e5",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("codex",),
    parameters=(
        amount(
            "model_auto_compact_token_limit",
            None,
            "tokens",
            "compact at this many tokens; None: at nine tenths of the context window, which it never exceeds",
            at_least=1,
            optional=True,
        ),
        amount("COMPACT_USER_MESSAGE_MAX_TOKENS", 20_000, "tokens", "newest typed messages that stay"),
        of_window("model_context_window", "the model's context window"),
    ),
    trigger=Trigger(phase="turn_start", also=("after_tools",), any_of=_LIMITS),
    scope=Scope(
        protect=Protect(size=Size(unit="tokens", value="COMPACT_USER_MESSAGE_MAX_TOKENS"), cut="middle", read=True)
    ),
    transform=Summarize(),
    placement=Placement(
        role="user", template="Another language model started to solve this problem\n{text}", where="end"
    ),
)
