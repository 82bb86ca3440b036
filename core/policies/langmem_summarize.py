"""LangMem's summarize_messages: before a model call, the oldest messages that have not been summarised extend the summary.

Modelled: the view that the model is sent. Not modelled: results that follow further on than right behind their call (the
library then sends them twice and loses a message), a summary that hides the system prompt whose text holds it, and system
messages elsewhere than in front, which the library counts; nor is the earlier summary taken off
what is read. It has no default for max_tokens; 4,000 is ours.
Source: langmem 0.0.30 (MIT), read, and run on random transcripts against this; checked 2026-11-20.
"""

from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import Condition, Placement, Scope, Size, Source, Summarise, Trigger

POLICY = Policy(
    name="langmem.summarize",
    title="LangMem summarize_messages",
    family="LangChain",
    about="Folds the oldest messages into a running summary behind the system prompt, until the rest leaves room for it.",
    rule="Before every model call, if the messages that are neither system nor summary count max_tokens_before_summary or "
    "more: from the oldest on so many go that they count that much and those left count max_tokens - max_summary_tokens or "
    "less, the system message included; results of the call that goes last go with it. The earlier summary is extended.",
    faults=(
        "The newest question is summarised too where it does not fit: the summary is all the model is sent.",
        "A cut between two results of one reply leaves the second without its call.",
        "With a system message larger than max_tokens - max_summary_tokens it never summarises, and does not say so.",
        "max_summary_tokens is room that is kept free, not a limit for the summarizer; an empty summary is accepted.",
    ),
    source=Source(
        url="https://github.com/langchain-ai/langmem/blob/main/src/langmem/short_term/summarization.py",
        version="langmem 0.0.30",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentkit",
    parameters=(
        Parameter(name="max_tokens", default=4000, unit="tokens", about="most that the model should be sent"),
        Parameter(
            name="max_tokens_before_summary",
            default=4000,
            unit="tokens",
            about="summarise at so many; in the library as many as max_tokens where it is not given",
        ),
        Parameter(name="max_summary_tokens", default=256, unit="tokens", about="room kept free for the summary"),
    ),
    trigger=Trigger(
        phase="before_call",
        any_of=((Condition(value="max_tokens_before_summary", at_least=True),),),
        counts="active",
    ),
    scope=Scope(
        head="leading",
        head_limit=1,
        fold_summary=False,
        tail=Size(unit="tokens", value="max_tokens - max_summary_tokens"),
        with_head=True,
        needs_room=True,
        reach="max_tokens_before_summary",
        snap="own_results",
    ),
    transform=Summarise(reads="max_tokens", reads_part=True, reads_or_all=True, on_error="raise"),
    placement=Placement(role="system", template="Summary of the conversation so far: {text}"),
)
