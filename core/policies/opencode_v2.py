"""opencode's second compaction: one checkpoint message replaces all, the newest exchanges as text within it.

Known faults are reproduced. Source: opencode, packages/core/src/session/compaction.ts at 031a4a9c (MIT); checked 2026-11-20 by
reading stored copies. Not modelled: that a summary without a heading of the template is asked for again once and then fails
(here an empty one does), compacting after the provider refused a request as too long, and that the tail is measured with its
results already cut. Every earlier checkpoint is taken to hold recent text. Sessions of opencode 1.x were made by an older rule.
"""

from core.parameters import Parameter, of_output, of_window
from core.policy import Policy
from core.vocabulary import Condition, Guards, Placement, Scope, Size, Source, Summarise, Trigger

_CEILINGS = (
    (Condition(value="limit_input - buffer", at_least=True),),
    (Condition(value="window - max(min(output, 32000), buffer)", at_least=True),),
)

POLICY = Policy(
    name="opencode.v2",
    title="opencode, version 2",
    family="coding agents",
    about="Replaces everything by one user message: a summary, and the newest exchanges as text.",
    rule="Before each model call, if the window counts at least the context window less the longest reply (32,000 at most, "
    "buffer at least), or the input limit less buffer: of the newest messages as many as fit into tokens, one at least, are "
    "kept, back to a user message; where that is the first, only the newest exchange, and where there is no other, nothing. "
    "The rest is summarised; summary and kept messages, as text with results cut to 2,000 characters, become one message.",
    faults=(
        "Going back to a user message may keep far more than tokens: one long turn is kept whole.",
        "Calls become prose and results are cut, so that the next pass has nothing but the summary of them.",
        "If everything since the start is one turn, all is summarised, the question still open too.",
    ),
    source=Source(
        url="https://github.com/anomalyco/opencode/blob/dev/packages/core/src/session/compaction.ts",
        version="031a4a9c",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentkit",
    parameters=(
        Parameter(name="buffer", default=20_000, unit="tokens", about="tokens left free at least"),
        Parameter(name="tokens", default=15_000, unit="tokens", about="newest messages that stay, as text"),
        Parameter(
            name="limit_input",
            default=None,
            unit="tokens",
            at_least=1,
            optional=True,
            about="the longest prompt the model takes, where that is less than its context window",
        ),
        of_window("limit_context", "the model's context window"),
        of_output("limit_output", "the model's longest reply"),
    ),
    trigger=Trigger(phase="before_call", any_of=_CEILINGS),
    scope=Scope(tail=Size(unit="tokens", value="tokens"), snap="exchange", snap_always=True),
    transform=Summarise(on_empty="fail"),
    placement=Placement(
        role="user",
        template="<conversation-checkpoint>\n<summary>\n{text}\n</summary>\n<recent-context>\n{tail}\n</recent-context>\n"
        "</conversation-checkpoint>",
        tail_as_text=True,
    ),
    guards=Guards(cooldown=1),
)
