"""LangChain's SummarizationMiddleware: before a model call, everything but the newest messages becomes a user message.

Not modelled: the token counts a provider reported, which the library takes too where they reach the threshold or lift its
own count, and its second try with the middle of the text cut out where the summarizer's own context overflows.
Source: langchain 1.4.7 and langchain-core 1.7.2 (MIT), read and run; checked 2026-11-20 and held to 133 golden vectors.
"""

from core.parameters import Parameter, of_window
from core.policy import Policy
from core.vocabulary import Placement, Scope, Source, Summarise, Trigger

UNITS = ("messages", "tokens", "fraction")

POLICY = Policy(
    name="langchain.summarization",
    title="LangChain SummarizationMiddleware",
    family="LangChain",
    about="Folds all but the newest messages, the system prompt included, into one user message.",
    rule="Before every model call, if the window reaches trigger (messages, tokens, a fraction of the context window, all of "
    "a clause or any of several): everything in front of the tail that keep allows becomes one summary; a cut at a tool "
    "result moves back to its call, or past the results if there is none. Where not even the last message fits, it stays.",
    faults=(
        "By default only the last 4,000 tokens of what goes are read by the summarizer, from a user message on; the rest is "
        "lost without a trace, and where there is no user message the model is not even asked.",
        "A system message in the window is folded like any other.",
        "Where what stays is larger than the trigger, it summarises again before every model call.",
        "An empty summary is accepted, and its length is not limited.",
    ),
    source=Source(
        url="https://github.com/langchain-ai/langchain/blob/master/libs/langchain_v1/langchain/agents/middleware/summarization.py",
        version="langchain 1.4.7",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    meter="agentkit",
    parameters=(
        Parameter(
            name="trigger",
            kind="thresholds",
            default=None,
            optional=True,
            units=UNITS,
            at_least=1,
            about="compact at these amounts; never by default, as in the library",
        ),
        Parameter(
            name="keep",
            kind="size",
            default={"messages": 20},
            units=UNITS,
            at_least=1,
            about="newest messages that stay verbatim",
        ),
        Parameter(
            name="trim_tokens_to_summarize",
            default=4000,
            unit="tokens",
            optional=True,
            about="most the summarizer reads, the newest of what goes; none: all of it",
        ),
        of_window("window", "context window of the model, for fractions"),
    ),
    trigger=Trigger(phase="before_call", given="trigger"),
    scope=Scope(head="none", tail="keep", least=1, snap="call"),
    transform=Summarise(
        strip=True,
        reads="trim_tokens_to_summarize",
        reads_system=True,
        reads_part=True,
        unread="Previous conversation was too long to summarize.",
        on_error="raise",
    ),
    placement=Placement(role="user", template="Here is a summary of the conversation to date:\n\n{text}"),
)
