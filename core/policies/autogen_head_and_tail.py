"""AutoGen's HeadAndTailChatCompletionContext: the first and the last messages are sent, a user message stands for the rest.

Known faults are reproduced: the number it tells is not that of the messages left out, and the tail may begin with a reply.
Source: autogen-core at 41ded2f (MIT), read 2026-11-22. System messages are outside the context there, and
the results of one reply are one message, as an AssistantAgent puts them in.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Cut, Head, Marker
from core.policy.vocabulary import Drop, Placement, Scope, Source, Stage, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import forward, is_not_tool
from core.window.grouped import behind, size
from core.window.heads import pinned_systems
from core.window.window import Window


@Head
def first_messages(window: Window, policy: Policy, stage: Stage) -> int:
    """The system messages and head_size messages more, less a last one that calls tools.

    In a window that was sent before, the number of skipped messages stands where that one was.
    """
    systems, wanted = pinned_systems(window, policy, stage), policy.value("head_size")
    if wanted > size(window, policy.grouping, systems):
        return len(window)
    end = behind(window, policy.grouping, systems, wanted)
    last = window[end - 1]
    return end - bool(last.tool_calls or last.injected == "marker")


@Cut
def last_messages(context: CutContext) -> int:
    """The last tail_size messages, less tool results in front of them; everything where head and tail hold all."""
    if skipped(context) <= 0:
        return context.body
    return forward(context.window, context.behind(0, context.messages() - context.value("tail_size")), is_not_tool)


def skipped(context: CutContext) -> int:
    """How many messages there are beside head_size and tail_size."""
    systems = pinned_systems(context.window, context.policy, context.stage)
    return context.messages(systems) - context.value("head_size + tail_size")


@Marker
def how_many(context: CutContext) -> str:
    """The number as AutoGen has it: calls and results taken off head and tail are not in it."""
    return f"Skipped {skipped(context)} messages."


POLICY = Policy(
    name="autogen.head_and_tail",
    title="AutoGen, head and tail",
    family="AutoGen",
    about="Sends the first and the last messages; a user message says how many were skipped.",
    rule="Before every model call, with more than head_size + tail_size messages besides the system prompt: "
    "sends the first head_size messages, without a last one that calls tools, then a user message that says "
    "how many were skipped, then the last tail_size messages, without leading tool results. The results of "
    "one reply count as one message. The stored history is unchanged.",
    faults=(
        "The number of skipped messages omits the call dropped from the head and the results dropped from the tail.",
        "Counts messages, whatever their size: one giant message in head or tail is always kept.",
        "Skipped messages are neither summarized nor named, and the tail may begin with a reply.",
    ),
    source=Source(
        url="https://github.com/microsoft/autogen/blob/main/python/packages/autogen-core/src/autogen_core/model_context/"
        "_head_and_tail_chat_completion_context.py",
        version="41ded2f",
        licence="MIT",
        checked="2026-11-22",
    ),
    fidelity="modelled",
    parameters=(
        amount("head_size", 2, "messages", "first messages that are sent; the real one has no default", at_least=1),
        amount("tail_size", 20, "messages", "last messages that are sent; the real one has no default", at_least=1),
    ),
    trigger=Trigger(phase="before_call", any_of=((),), counts="history"),
    scope=Scope(head=first_messages, cut=last_messages),
    transform=Drop(),
    placement=Placement(role="user", template="Skipped {k} messages.", marker=how_many),
    effect="view",
    grouping="results",
)
