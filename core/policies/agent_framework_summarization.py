"""Microsoft Agent Framework's SummarizationStrategy: all but the newest target_count messages become an assistant message.

Known faults are reproduced: messages are counted, not tokens, and the summary reads as the model's own words. Source:
agent-framework-core 1.23.0 (MIT), read and run 2026-11-20. Not modelled: the tokens of the prompt and of names in what the
summarizer may be given, groups whose results came late, and replies that only reason.
"""

from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import Condition, Placement, Scope, Size, Source, Summarise, Trigger

POLICY = Policy(
    name="agent_framework.summarization",
    title="Agent Framework, summarization",
    family="Microsoft Agent Framework",
    about="Above target_count + threshold messages, folds all but the newest target_count into one assistant message.",
    rule="Before each model call, with more than target_count + threshold messages, system messages left out: all but the "
    "newest target_count go, system messages stay wherever they stand; a call and its results stay together, so more may "
    "stay, and no more than max_summary_input_tokens go at once. The summary, white space taken off, stands in front of "
    "what stays; an empty one is a failure.",
    faults=(
        "A message larger than max_summary_input_tokens is never folded: it stays in front of the summary for good.",
        "Counts messages, whatever their size: one giant message among the newest never goes.",
        "The summary is an assistant message without a mark: it reads as the model's own words.",
        "Three failures in a row are written to a log, and it goes on trying.",
    ),
    source=Source(
        url="https://github.com/microsoft/agent-framework/blob/main/python/packages/core/agent_framework/_compaction.py",
        version="agent-framework-core 1.23.0",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        Parameter(
            name="target_count", default=4, unit="messages", at_least=1, about="newest messages that stay verbatim"
        ),
        Parameter(name="threshold", default=2, unit="messages", about="messages over target_count it waits for"),
        Parameter(
            name="max_summary_input_tokens",
            default=8000,
            unit="tokens",
            at_least=1,
            optional=True,
            about="most tokens that are given to the summarizer, and go, at once",
        ),
    ),
    trigger=Trigger(
        phase="before_call", any_of=((Condition(of="messages", value="target_count + threshold"),),), counts="spoken"
    ),
    scope=Scope(
        head="leading",
        keep_systems=True,
        tail=Size(unit="conversation", value="target_count"),
        snap="group",
        most="max_summary_input_tokens",
    ),
    transform=Summarise(strip=True, on_empty="fail"),
    placement=Placement(role="assistant", template="{text}"),
)
