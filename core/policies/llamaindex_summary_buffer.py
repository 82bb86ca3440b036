"""LlamaIndex's ChatSummaryMemoryBuffer: on every read, what no longer fits token_limit becomes one system message.

Source: llama-index-core 0.14.25 (MIT), read and run; checked 2026-11-20 and held to 100 golden vectors of three steps.
"""

from functools import partial

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Boundary
from core.policy.vocabulary import Condition, Guards, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.cut_boundary import Listed, forward


@partial(Boundary, always=True)
def off_replies(window: Listed, cut: int, low: int) -> int:
    """Forward past assistant and tool messages."""
    return forward(window, cut, lambda m: m.role not in ("assistant", "tool"))


POLICY = Policy(
    name="llamaindex.summary_buffer",
    title="LlamaIndex ChatSummaryMemoryBuffer",
    family="LlamaIndex",
    about="Keeps the newest messages that fit a number of tokens, from a user or system message on, and summarizes the rest.",
    rule="When the memory is read, if it has more than token_limit tokens or begins with an assistant or tool "
    "message: keeps the longest tail of token_limit tokens, without leading assistant and tool messages; "
    "the rest becomes one system message. A lone system message, a summary or not, is put back unchanged. A "
    "reply that only calls tools counts one token more.",
    faults=(
        "The question just asked is summarized if it does not fit, and only the summary is left.",
        "The system prompt is summarized like any other message.",
        "Neither the summary nor tool calls count: the window can exceed token_limit, and a long summary alone never shrinks.",
        "Reading changes what is stored, and a read that fails loses the newest messages.",
    ),
    not_modelled=(
        "losing the messages that fit after an error of the summarizer",
        "a buffer without a model, which only truncates",
        "the count of initial tokens",
    ),
    source=Source(
        url="https://github.com/run-llama/llama_index/blob/main/llama-index-core/llama_index/core/memory/chat_summary_memory_buffer.py",
        version="llama-index-core 0.14.25",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    parameters=(amount("token_limit", 2000, "tokens", "most that stays verbatim", at_least=1),),
    trigger=Trigger(
        phase="on_read",
        any_of=((Condition(value="token_limit"),), (Condition(of="leading_reply", value=1, at_least=True),)),
        # str(m.content) of a reply that only calls tools is "None", and that is counted:
        # https://github.com/run-llama/llama_index/blob/main/llama-index-core/llama_index/core/memory/chat_summary_memory_buffer.py
        counts="wordless",
    ),
    scope=Scope(head="none", tail=Size(unit="tokens", value="token_limit"), cut_boundary=off_replies),
    transform=Summarize(on_error="raise"),
    placement=Placement(role="system", template="{text}"),
    guards=Guards(not_alone=True),
)
