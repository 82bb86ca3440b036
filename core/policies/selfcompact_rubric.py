"""SelfCompact: the model itself decides when to compact, by a tool and a rubric: when a part is done, not in the middle of one.

Source: "Self-Compacting Language Model Agents" (arXiv 2606.23525), abstract and reports read; checked 2026-11-23. On recorded
messages no model can be asked, so the rubric is read from what the messages show.
"""

from core.policy.parameters import Parameter, amount
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Condition, Placement, Scope, Source, Summarize, Trigger
from core.window.context import CutContext


@Cut
def when_a_part_is_done(context: CutContext) -> int:
    """Everything goes where the rubric lets it, else nothing."""
    return len(context.window) if _is_done(context) else context.body


def _is_done(context: CutContext) -> bool:
    """Whether the model just called the tool, or gave an answer after calls of which the last did not fail."""
    answered, tool = False, context.policy.settings["compact_tool"]
    for message in context.window.back():
        if message.role == "tool" and answered:
            return not message.is_error
        if message.role == "assistant" and message.tool_calls:
            return any(call.name == tool for call in message.tool_calls)
        if message.role == "user" or message.injected:
            break
        answered = answered or message.role == "assistant"
    return answered


POLICY = Policy(
    name="selfcompact.rubric",
    title="SelfCompact (stand-in for the model's choice)",
    family="research",
    about="Summarizes everything when a part of the work is done, and nothing in the middle of one or after a failure.",
    rule="At the end of a turn, if the window has at least min_tokens: everything behind the leading system messages and the "
    "first message becomes one user message. Nothing happens where the turn's last tool call failed. A call of "
    "compact_tool is the model's own choice: it then happens as soon as the call is answered, within a turn as well.",
    faults=(
        "Within one long turn it acts only where the model calls the tool, however large the window grows.",
        "Nothing stays word for word but the first message: what the summary leaves out is gone.",
    ),
    not_modelled=(
        "the model's choice: the rubric is read from the messages",
        "whether the run is converging, or goes round in circles without an error",
        "the rubric's own words in the prompt and its calls",
    ),
    source=Source(
        url="https://arxiv.org/abs/2606.23525", version="arXiv 2606.23525v1", licence="CC-BY-4.0", checked="2026-11-23"
    ),
    fidelity="approximate",
    parameters=(
        amount("min_tokens", 16_000, "tokens", "below this many tokens it is not asked; the paper names no number"),
        Parameter(name="compact_tool", kind="text", default="compact", about="the tool by which a model asks for it"),
    ),
    trigger=Trigger(phase="turn_end", also=("after_tools",), any_of=((Condition(value="min_tokens", at_least=True),),)),
    scope=Scope(first=1, cut=when_a_part_is_done),
    transform=Summarize(strip=True, on_empty="fail"),
    placement=Placement(role="user", template="[Summary #{n} of {k} earlier messages]\n{text}"),
)
