"""Semantic Kernel's ChatHistorySummarizationReducer: all but the newest target_count messages become one assistant message.

Known faults are reproduced: calls and results that go are not in the summary either, and a range of nothing else never goes.
Source: semantic-kernel 1.45.0, Python (MIT), read and run 2026-11-20. It is taken to be asked for when a reply is written.
Not modelled: use_single_summary=False, include_function_content_in_summary=True, a system message elsewhere than in front,
and auto_reduce after each single message.
"""

from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import Condition, Placement, Scope, Source, Summarise, Trigger

POLICY = Policy(
    name="semantic_kernel.summary_reducer",
    title="Semantic Kernel, summarization reducer",
    family="Semantic Kernel",
    about="Above target_count + threshold_count messages, folds all but the newest into one assistant message.",
    rule="With more than target_count + threshold_count messages, system and summaries counted: all but the newest "
    "target_count go, the system message in front counts among those. The cut moves back to the first of a run of "
    "calls and results, then, within threshold_count messages, to a user message. The summarizer is shown neither "
    "calls nor results.",
    faults=(
        "Calls and results that go are not shown to the summarizer: what the tools said is lost.",
        "Where only calls and results could go nothing happens: the history grows for ever.",
        "A long run of tools drags the cut back: far more than target_count messages may stay, of whatever size.",
        "An empty summary is accepted, and system messages behind the first are dropped without one.",
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
        Parameter(
            name="target_count",
            default=10,
            unit="messages",
            at_least=1,
            about="newest messages that stay verbatim; the real one has no default",
        ),
        Parameter(name="threshold_count", default=0, unit="messages", about="messages over target_count it waits for"),
    ),
    trigger=Trigger(phase="on_write", any_of=((Condition(of="messages", value="target_count + threshold_count"),),)),
    scope=Scope(
        head="leading",
        head_limit=1,
        evict="n if target_count <= systems else n - target_count + systems "
        "if n > target_count - systems + threshold_count + (0 if systems else summaries) else 0",
        snap="run",
        look_back="threshold_count",
    ),
    transform=Summarise(hides="tools", on_error="raise"),
    placement=Placement(role="assistant", template="{text}"),
)
