"""Kimi CLI's compaction: all but the last two messages that are not tool results become one user message.

Known faults are reproduced: calls are hidden from the summarizer and the request itself is lost in a run of tools.
Source: kimi-cli 1.52.0 (Apache-2.0), read 2026-11-20, the cut checked by hand. Its count of tokens is the provider's
where it has one. A reply of white space is refused here, there only an empty one.
"""

from collections.abc import Sequence

from core.model.session import Message
from core.policy.parameters import amount, of_window, share
from core.policy.policy import Policy
from core.policy.rules import Cut, Reading
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.reading import Count, without_calls
from core.window.sizes import newest

_KEEP = "max_preserved_messages if max_preserved_messages > 0 else 1000000000"  # none at all: nothing is done


@Cut
def last_dialogue(context: CutContext) -> int:
    """Before the newest user and assistant messages; tool results between them stay."""
    window = context.window
    return newest(window, window.pool.base.dialogue, context.value(_KEEP), context.body)


@Reading
def results_alone(context: CutContext, messages: Sequence[Message], count: Count) -> list[Message]:
    """Everything but the calls."""
    return without_calls(context.window.pool.base, messages)


POLICY = Policy(
    name="kimi_cli",
    title="Kimi CLI",
    family="coding agents",
    about="Near the end of the window, summarizes all but the last two messages and their results into a user message.",
    rule="Before each model call, at compaction_trigger_ratio of the window or reserved_context_size tokens "
    "before its end, whichever comes first: summarizes everything before the last max_preserved_messages "
    "user and assistant messages; tool results between these are kept. The summarizer reads the results but "
    "not the calls. An empty summary ends the run.",
    faults=(
        "The summarizer does not see calls and their arguments, only results.",
        "In a run of tools the last two messages are replies: the request itself is only in the summary.",
        "One giant result after the last two replies is kept, so it compacts at every step in vain.",
    ),
    not_modelled=(
        "three attempts",
        "the message about background tasks",
        "omitting thinking and images from the summarizer's input",
        "resetting the count after a compaction that does nothing",
    ),
    source=Source(
        url="https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/compaction.py",
        version="kimi-cli 1.52.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        share(
            "compaction_trigger_ratio",
            0.85,
            "of the window",
            "compact at this share of the context window",
            at_least=0.5,
            at_most=0.99,
        ),
        amount(
            "reserved_context_size", 50_000, "tokens", "compact where fewer tokens than this are free", at_least=1000
        ),
        amount(
            "max_preserved_messages",
            2,
            "messages",
            "newest user and assistant messages that stay; fixed in the real one, and 0 does nothing",
        ),
        of_window("window", "the context window of the model"),
    ),
    trigger=Trigger(
        phase="before_call",
        any_of=(
            (Condition(value="window * compaction_trigger_ratio", at_least=True),),
            (Condition(value="window - reserved_context_size", at_least=True),),
        ),
    ),
    scope=Scope(tail=Size(unit="messages", value=_KEEP), cut=last_dialogue),
    transform=Summarize(reads=results_alone, on_empty="fail", on_error="raise"),
    placement=Placement(
        role="user",
        template="<system>Previous context has been compacted. Here is the compaction output:</system>\n{text}",
    ),
)
