"""opencode's second compaction: one checkpoint message replaces all, the newest exchanges as text within it.

Known faults are reproduced. Source: opencode, packages/core/src/session/compaction.ts at 031a4a9c (MIT); checked
2026-11-20 by reading stored copies. Every earlier checkpoint is taken to hold recent text. Sessions of opencode 1.x were
made by an older rule.
"""

from functools import partial

from core.policy.parameters import amount, of_output, of_window
from core.policy.policy import Policy
from core.policy.rules import Boundary
from core.policy.vocabulary import Condition, Guards, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.cut_boundary import Listed, back, is_user

_CEILINGS = (
    (Condition(value="limit_input - buffer", at_least=True),),
    (Condition(value="window - max(min(output, 32000), buffer)", at_least=True),),
)


@partial(Boundary, always=True)
def exchange(window: Listed, cut: int, low: int) -> int:
    """Back to a user message; where that is the first, forward to the newest one or past the end.

    With an earlier summary in front, forward to what follows that.
    """
    start = low + (low < len(window) and window[low].injected == "summary")
    if start >= len(window):
        return low
    found = back(window, max(cut, start), start, is_user)
    if found > start:
        return found
    newest = back(window, len(window) - 1, start, is_user)
    return newest if newest > start else start if start > low else len(window)


POLICY = Policy(
    name="opencode.v2",
    title="opencode, version 2",
    family="coding agents",
    about="Replaces everything with one user message: a summary, and the newest exchanges as text.",
    rule="Before each model call, if the window has at least the context window less the longest reply (32,000 "
    "at most, `buffer` at least), or the input limit less `buffer`: keeps as many of the newest messages as "
    "fit into `tokens`, at least one, back to a user message. If that is the first user message, keeps only "
    "the newest exchange; if there is no other, nothing. Summarizes the rest. Summary and kept messages, as "
    "text with results cut to 2,000 characters, become one message.",
    faults=(
        "Moving back to a user message may keep far more than `tokens`: one long turn is kept whole.",
        "Calls become text and results are cut, so the next pass has only their summary.",
        "If everything since the start is one turn, everything is summarized, including the open question.",
    ),
    not_modelled=(
        "a second request for a summary without the headings of the template: here only an empty summary fails",
        "compacting after the provider rejects a request as too long",
        "measuring the tail with its results already cut",
    ),
    source=Source(
        url="https://github.com/anomalyco/opencode/blob/dev/packages/core/src/session/compaction.ts",
        version="031a4a9c",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("opencode",),
    meter="agentkit",
    parameters=(
        amount("buffer", 20_000, "tokens", "keep at least this many tokens free"),
        amount("tokens", 15_000, "tokens", "newest messages that stay, as text"),
        amount(
            "limit_input",
            None,
            "tokens",
            "the longest prompt of the model, if that is less than its context window",
            at_least=1,
            optional=True,
        ),
        of_window("limit_context", "the model's context window"),
        of_output("limit_output", "the model's longest reply"),
    ),
    trigger=Trigger(phase="before_call", any_of=_CEILINGS),
    scope=Scope(tail=Size(unit="tokens", value="tokens"), cut_boundary=exchange),
    transform=Summarize(on_empty="fail"),
    placement=Placement(
        role="user",
        template="<conversation-checkpoint>\n<summary>\n{text}\n</summary>\n<recent-context>\n{tail}\n</recent-context>\n"
        "</conversation-checkpoint>",
        tail_as_text=True,
    ),
    guards=Guards(cooldown=1),
)
