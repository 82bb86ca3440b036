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
    about="Sends only the newest messages that fit a number of tokens; nothing is summarized, the stored history is unchanged.",
    rule="Before every model call: sends the longest tail of the whole history that has at most max_tokens "
    "tokens, from its first message of the kind start_on. With include_system a leading system message is "
    "sent too, and its tokens count.",
    faults=(
        "If no message of the kind start_on fits, everything is dropped silently.",
        "Without start_on a tool result can come first, without its call.",
        "A last message larger than max_tokens leaves an empty prompt.",
        "include_system keeps a system message even if it alone exceeds max_tokens.",
    ),
    not_modelled=(
        'strategy "first"',
        "end_on",
        "sending part of the message that no longer fits (allow_partial)",
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
        amount("max_tokens", 4000, "tokens", "send at most this many tokens"),
        Parameter(
            name="start_on",
            kind="choice",
            default=None,
            optional=True,
            choices=("human", "ai"),
            about="what the sent messages must begin with; none: anything",
        ),
        switch("include_system", False, "always send a leading system message"),
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
