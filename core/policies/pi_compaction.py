"""pi's compaction: the newest 20,000 tokens stay, the rest becomes a summary in front; a turn may be split.

Known faults are reproduced. Source: npm @earendil-works/pi-coding-agent 1.5.2, dist/core/compaction (MIT); read
2026-11-20, and held to a recorded session. The trigger's tokens are reported ones there, the tail's characters / 4.
"""

from collections.abc import Callable, Sequence

from core.model.session import Message
from core.policy.parameters import amount, of_window
from core.policy.policy import Policy
from core.policy.rules import Writing
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.cut_boundary import is_user
from core.window.window import Window

Ask = Callable[[Sequence[Message], str | None], str]


@Writing
def split_turn(window: Window, tail: int, given: Sequence[Message], prior: str | None, ask: Ask) -> str:
    """The history's summary and, where the cut parts a turn, one of the turn's beginning under a heading of its own."""
    start = len(given)
    if tail < len(window) and not is_user(window[tail]):
        start = next((i for i in range(len(given) - 1, -1, -1) if is_user(given[i])), start)
    if start == len(given):
        return ask(given, prior)
    history = ask(given[:start], prior) if start else (prior or "No prior history.")
    return f"{history}\n\n---\n\n**Turn Context (split turn):**\n\n{ask(given[start:], None)}"


POLICY = Policy(
    name="pi.compaction",
    title="pi, compaction",
    family="coding agents",
    about="Keeps the newest 20,000 tokens and summarizes the rest into a user message; a split turn is summarized "
    "separately.",
    rule="When a turn ends, if the window has more than the context window less reserveTokens: goes back from "
    "the newest message until keepRecentTokens are reached, then forward past tool results, or back to "
    "their call if nothing else follows. Summarizes what precedes, together with the earlier summary. If "
    "this splits a turn, the beginning of that turn is summarized separately, under its own heading.",
    faults=(
        "Moving forward past results keeps less than configured, down to the last call and its results.",
        "An empty summary is accepted.",
        "One pass: a huge last message is kept whole, and the window may stay over the limit.",
    ),
    not_modelled=(
        "compacting once and retrying after the provider rejects a request as too long",
        "the lists of read and modified files after the summary",
        "cutting results to 2,000 characters for the summarizer",
        "treating a summary that was cut off or calls a tool as a failure",
    ),
    source=Source(
        url="https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/core/compaction/compaction.ts",
        version="@earendil-works/pi-coding-agent 1.5.2",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("pi",),
    meter="agentkit",
    parameters=(
        amount("reserveTokens", 16_384, "tokens", "tokens kept free for the reply"),
        amount("keepRecentTokens", 20_000, "tokens", "newest tokens that stay verbatim"),
        of_window("contextWindow", "the model's context window"),
    ),
    trigger=Trigger(phase="turn_end", any_of=((Condition(value="window - reserveTokens"),),)),
    scope=Scope(
        tail=Size(unit="tokens", value="keepRecentTokens"),
        fit="reach",
        cut_boundary="off_results",
        fold_summary=False,
        keep_systems=True,
    ),
    transform=Summarize(writes=split_turn),
    placement=Placement(
        role="user",
        template="The conversation history before this point was compacted into the following summary:\n\n"
        "<summary>\n{text}\n</summary>",
    ),
)
