"""Codex CLI with OpenAI's models: the server compacts, and sends back an item that nobody else can read.

Source: openai/codex, codex-rs/core/src/compact_remote_v2.rs at 009bd870 (Apache-2.0); checked 2026-11-20 by reading a
stored copy. The trigger is that of codex.local. How large the item is the transcript of a real run says and nobody can
know before: `compaction_item_tokens` is a parameter of ours, its default a guess.
"""

from core.policies import codex_local
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.vocabulary import Opaque, Placement, Protect, Scope, Size, Source

POLICY = Policy(
    name="codex.remote",
    title="Codex, remote",
    family="coding agents",
    about="Keeps what the user typed, the newest 64,000 tokens of it, and adds an item that only the server can read.",
    rule="Under the conditions of codex.local: removes everything except the newest typed messages within "
    "RETAINED_MESSAGE_TOKEN_BUDGET; the middle is cut out of the one that no longer fits. One opaque item "
    "that the server makes of everything follows them and replaces an earlier one.",
    faults=(
        "Only the server can read what was kept.",
        "Every reply, call and result is removed from the visible history.",
        "If the server does not reply with exactly one item, the turn ends although the history was fine.",
    ),
    not_modelled=(
        "shortening the newest results first if even this request would overflow",
        "the last reply of each turn, which transcripts of April 2026 keep beside what was typed",
        "the initial context, which is added again",
        "hooks",
        "images of a message that no longer fits, which are kept",
    ),
    source=Source(
        url="https://github.com/openai/codex/blob/main/codex-rs/core/src/compact_remote_v2.rs",
        version="009bd870",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="opaque",
    parameters=(
        codex_local.POLICY.parameters[0],
        amount("RETAINED_MESSAGE_TOKEN_BUDGET", 64_000, "tokens", "newest typed messages that stay"),
        amount(
            "compaction_item_tokens",
            2_000,
            "tokens",
            "assumed size of the opaque item: a parameter of foldline, not of Codex",
        ),
        codex_local.POLICY.parameters[2],
    ),
    trigger=codex_local.POLICY.trigger,
    scope=Scope(
        protect=Protect(size=Size(unit="tokens", value="RETAINED_MESSAGE_TOKEN_BUDGET"), cut="middle", read=True)
    ),
    transform=Opaque(tokens="compaction_item_tokens", text="[compaction item: only the server can read it]"),
    placement=Placement(role="assistant", template="{text}", where="end"),
)
