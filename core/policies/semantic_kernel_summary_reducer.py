"""Semantic Kernel's ChatHistorySummarizationReducer: all but the newest target_count messages become one assistant message.

Known faults are reproduced: calls and results that go are not in the summary either, and a range of nothing else never
goes. Source: semantic-kernel 1.45.0, Python (MIT), read and run 2026-11-20. It is taken to be asked for when a reply is
written.
"""

from collections.abc import Sequence
from itertools import takewhile

from core.model.session import Message
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Cut, Reading
from core.policy.vocabulary import Condition, Placement, Scope, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import is_tool
from core.window.heads import is_summary, pinned_systems
from core.window.reading import Count
from core.window.window import Window


@Cut
def before_run(context: CutContext) -> int:
    """Back to the first of a run of calls and results, then, within threshold_count messages, to a user message."""
    window, body = context.window, context.body
    raw = body + _over_target(context)
    cut = _run_start(window, raw, body) if raw > body else raw
    if cut >= len(window):
        return cut
    places = range(cut, max(body, raw - context.value("threshold_count")) - 1, -1)
    return next((i for i in places if window[i].typed), cut)


def _over_target(context: CutContext) -> int:
    """How many messages go: all over target_count, the system message counted, once they exceed the threshold."""
    systems, n = pinned_systems(context.window, context.policy, context.stage), len(context.window) - context.body
    keep = context.value("target_count") - systems
    if keep <= 0:
        return n
    slack = context.value("threshold_count") + (0 if systems else _summaries(context))
    return n - keep if n > keep + slack else 0


def _summaries(context: CutContext) -> int:
    """How many messages behind the head are earlier summaries."""
    window, place = context.window, context.stage.placement
    assert place is not None
    return sum(1 for _ in takewhile(lambda i: is_summary(window[i], place), range(context.body, len(window))))


def _run_start(window: Window, cut: int, low: int) -> int:
    if cut >= len(window) or not _is_run(window[cut]):
        return cut
    while cut > low and _is_run(window[cut - 1]):
        cut -= 1
    return cut


def _is_run(message: Message) -> bool:
    return is_tool(message) or bool(message.tool_calls)


@Reading
def without_tools(context: CutContext, messages: Sequence[Message], count: Count) -> list[Message]:
    """What was said, but replies that call tools."""
    return [m for m in messages if m.role not in ("tool", "system") and not m.tool_calls]


POLICY = Policy(
    name="semantic_kernel.summary_reducer",
    title="Semantic Kernel, summarization reducer",
    family="Semantic Kernel",
    about="Above a number of messages, summarizes all but the newest into one assistant message.",
    rule="With more than target_count + threshold_count messages, including system messages and summaries: "
    "summarizes all but the newest target_count, which include the leading system message. The cut moves "
    "back to the first of a run of calls and results, then, within threshold_count messages, to a user "
    "message. The summarizer sees neither calls nor results.",
    faults=(
        "The summarizer does not see the removed calls and results: what the tools returned is lost.",
        "If only calls and results could be summarized, nothing happens: the history grows forever.",
        "A long run of tools moves the cut back: far more than target_count messages may be kept, of any size.",
        "An empty summary is accepted, and system messages after the first are dropped without one.",
    ),
    not_modelled=(
        "use_single_summary=False",
        "include_function_content_in_summary=True",
        "a system message that is not the first message",
        "auto_reduce after each single message",
    ),
    source=Source(
        url="https://github.com/microsoft/semantic-kernel/blob/main/python/semantic_kernel/contents/history_reducer/"
        "chat_history_summarization_reducer.py",
        version="semantic-kernel 1.45.0",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        amount(
            "target_count",
            10,
            "messages",
            "newest messages that stay verbatim; the real one has no default",
            at_least=1,
        ),
        amount("threshold_count", 0, "messages", "messages above target_count before it compacts"),
    ),
    trigger=Trigger(phase="on_write", any_of=((Condition(of="messages", value="target_count + threshold_count"),),)),
    scope=Scope(
        head_limit=1,
        cut=before_run,
    ),
    transform=Summarize(reads=without_tools, on_error="raise"),
    placement=Placement(role="assistant", template="{text}"),
)
