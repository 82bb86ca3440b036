"""Microsoft Agent Framework's SummarizationStrategy: all but the newest target_count messages become an assistant message.

Known faults are reproduced: messages are counted, not tokens, and the summary reads as the model's own words. Source:
agent-framework-core 1.23.0 (MIT), read and run 2026-11-20.
"""

from collections.abc import Sequence
from functools import partial
from math import inf

from core.model.cached import cached
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import back, is_not_tool
from core.window.measured import Measured
from core.window.sizes import newest
from core.window.window import Window


def _too_large(context: CutContext) -> int:
    """How many messages behind the head are groups of which each alone is more than may go at once: they stay."""
    window, most, start = context.window, _most(context), context.body
    while start < len(window) - 1 and context.tokens(start, _group_end(window, start)) > most:
        start = _group_end(window, start)
    return min(start, len(window)) - context.body


@partial(Cut, skips=_too_large)
def whole_groups(context: CutContext) -> int:
    """Before the newest target_count messages, system messages not counted, back to the call of a result.

    No more than max_summary_input_tokens go at once: whole groups, from the first that is not too large.
    """
    window, body = context.window, context.body
    cut = newest(window, _counted_places(window.pool.base), context.value("target_count"), body)
    cut = _back_to_call(window, cut, body) if cut > body else cut
    left, place = _most(context), body + _too_large(context)
    while place < cut:
        end = _group_end(window, place)
        left -= 0 if window[place].role == "system" else context.tokens(place, end)
        if left < 0:
            return place
        place = end
    return cut


def _counted_places(base: Measured) -> Sequence[int]:
    """Where the messages begin that count: no system message, and of results that follow one another the first."""
    joined = base.results_joined
    return cached(
        base, "spoken, results as one", lambda base: [i for i in base.conversation if joined[i] < joined[i + 1]]
    )


def _most(context: CutContext) -> float:
    most: float | None = context.policy.settings["max_summary_input_tokens"]
    return inf if most is None else most


def _group_end(window: Window, start: int) -> int:
    """The index behind a message and the tool results that follow it."""
    end = start + 1
    while end < len(window) and window[end].role == "tool":
        end += 1
    return end


def _back_to_call(window: Window, cut: int, low: int) -> int:
    start = back(window, cut, low, is_not_tool) if cut < len(window) else cut
    return start if start == cut or window[start].tool_calls else start + 1


POLICY = Policy(
    name="agent_framework.summarization",
    title="Agent Framework, summarization",
    family="Microsoft Agent Framework",
    about="Above a number of messages, summarizes all but the newest into one assistant message.",
    rule="Before each model call, with more than `target_count + threshold` messages, system messages not "
    "counted: summarizes all but the newest target_count and puts the summary before what is kept. System "
    "messages stay in place. The results of one reply count as one message. A call and its results stay "
    "together, so more messages may be kept. At most max_summary_input_tokens are summarized at once. White "
    "space around the summary is removed; an empty summary is a failure.",
    faults=(
        "A message larger than max_summary_input_tokens is never summarized: it stays before the summary for good.",
        "Counts messages, whatever their size: one giant message among the newest is always kept.",
        "The summary is an assistant message without a marker: it reads like the model's own words.",
        "Three failures in a row are only logged; it keeps trying.",
    ),
    not_modelled=(
        "the tokens of the prompt and of names in the summarizer's input",
        "groups whose results arrive late",
        "replies that contain only reasoning",
    ),
    source=Source(
        url="https://github.com/microsoft/agent-framework/blob/main/python/packages/core/agent_framework/_compaction.py",
        version="agent-framework-core 1.23.0",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        amount("target_count", 4, "messages", "newest messages that stay verbatim", at_least=1),
        amount("threshold", 2, "messages", "messages above target_count before it compacts"),
        amount(
            "max_summary_input_tokens",
            8000,
            "tokens",
            "at most this many tokens are summarized at once",
            at_least=1,
            optional=True,
        ),
    ),
    trigger=Trigger(
        phase="before_call", any_of=((Condition(of="messages", value="target_count + threshold"),),), counts="spoken"
    ),
    scope=Scope(
        keep_systems=True,
        tail=Size(unit="messages", value="target_count"),
        cut=whole_groups,
    ),
    transform=Summarize(strip=True, on_empty="fail"),
    placement=Placement(role="assistant", template="{text}"),
    grouping="results",
)
