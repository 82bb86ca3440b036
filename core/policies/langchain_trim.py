"""LangChain's trim_messages: each request is sent with the newest messages that fit max_tokens; the rest is left out.

Modelled: strategy "last" with whole messages. Not modelled: strategy "first", end_on, parts of the message that no longer
fits (allow_partial). The library has no default for max_tokens; 4,000 is ours.
Source: langchain-core 1.7.2 (MIT), read, and run on random transcripts against this; checked 2026-11-20.
"""

from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import Condition, Drop, Scope, Size, Source, Trigger

POLICY = Policy(
    name="langchain.trim",
    title="LangChain trim_messages",
    family="LangChain",
    about="Sends only the newest messages that fit max_tokens; nothing is summarised, the history itself stays.",
    rule="Before every model call: the longest tail of the whole history that counts max_tokens or less, less what stands "
    "in it before the first message of the kind start_on; with include_system a system message that stands first is sent too, "
    "its tokens taken off.",
    faults=(
        "Where no message of the kind start_on fits, everything is dropped without a word.",
        "Without start_on a tool result can come first, its call gone.",
        "One last message larger than max_tokens leaves an empty prompt.",
        "A system message kept by include_system is kept also where it alone is larger than max_tokens.",
    ),
    source=Source(
        url="https://github.com/langchain-ai/langchain/blob/master/libs/core/langchain_core/messages/utils.py",
        version="langchain-core 1.7.2",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentkit",
    parameters=(
        Parameter(name="max_tokens", default=4000, unit="tokens", about="most that is sent"),
        Parameter(
            name="start_on",
            kind="choice",
            default=None,
            optional=True,
            choices=("human", "ai"),
            about="what the messages sent must begin with; none: anything",
        ),
        Parameter(
            name="include_system", kind="switch", default=False, about="send a leading system message in any case"
        ),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="max_tokens"),), ()), counts="history"),
    scope=Scope(
        head="leading",
        head_limit="include_system",
        tail=Size(unit="tokens", value="max_tokens"),
        with_head=True,
        snap="start_on",
        snap_always=True,
    ),
    transform=Drop(),
    effect="view",
)
