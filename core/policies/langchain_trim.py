"""LangChain's trim_messages: each request is sent with the newest messages that fit max_tokens; the rest is left out.

Modelled: strategy "last" with whole messages. The library has no default for max_tokens; 4,000 is ours. Source:
langchain-core 1.7.2 (MIT), read, and run on random transcripts against this; checked 2026-11-20.
"""

from core.policy.parameters import Parameter, amount, switch
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Condition, Drop, Scope, Size, Source, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import forward, is_assistant, is_user
from core.window.sizes import token_tail


@Cut
def from_start_on(context: CutContext) -> int:
    """The longest tail that fits beside the head, less what stands before the first message of the kind start_on."""
    window, wanted = context.window, {"human": is_user, "ai": is_assistant}
    kept = token_tail(window, context.value("max_tokens") - context.tokens(0, context.head), context.body)
    kind = wanted.get(context.policy.settings["start_on"])
    return forward(window, kept, kind) if kind else kept


POLICY = Policy(
    name="langchain.trim",
    title="LangChain trim_messages",
    family="LangChain",
    about="Sends only the newest messages that fit max_tokens; nothing is summarized, the history itself stays.",
    rule="Before every model call: the longest tail of the whole history that counts max_tokens or less, less what stands "
    "in it before the first message of the kind start_on; with include_system a system message that stands first is sent too, "
    "its tokens taken off.",
    faults=(
        "Where no message of the kind start_on fits, everything is dropped without a word.",
        "Without start_on a tool result can come first, its call gone.",
        "One last message larger than max_tokens leaves an empty prompt.",
        "A system message kept by include_system is kept also where it alone is larger than max_tokens.",
    ),
    not_modelled=(
        'strategy "first"',
        "end_on",
        "parts of the message that no longer fits (allow_partial)",
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
        amount("max_tokens", 4000, "tokens", "most that is sent"),
        Parameter(
            name="start_on",
            kind="choice",
            default=None,
            optional=True,
            choices=("human", "ai"),
            about="what the messages sent must begin with; none: anything",
        ),
        switch("include_system", False, "send a leading system message in any case"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="max_tokens"),), ()), counts="history"),
    scope=Scope(
        head_limit="include_system",
        tail=Size(unit="tokens", value="max_tokens"),
        cut=from_start_on,
    ),
    transform=Drop(),
    effect="view",
)
