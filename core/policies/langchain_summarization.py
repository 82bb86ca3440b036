"""LangChain's SummarizationMiddleware: before a model call, everything but the newest messages becomes a user message.

Source: langchain 1.4.7 and langchain-core 1.7.2 (MIT), read and run; checked 2026-11-20 and held to 133 golden vectors.
"""

from collections.abc import Sequence
from functools import partial

from core.model.session import Message
from core.policy.parameters import Parameter, amount, of_window
from core.policy.policy import Policy
from core.policy.rules import Boundary, Reading
from core.policy.vocabulary import Placement, Scope, Size, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import Listed, forward, is_not_tool
from core.window.reading import Count, newest_within

UNITS = ("messages", "tokens", "fraction")


@Boundary
def at_call(window: Listed, cut: int, low: int) -> int:
    """Back to the newest message that made one of the calls answered from the cut on, else forward past the results."""
    end = forward(window, cut, is_not_tool)
    if end == cut:
        return cut
    wanted = {window[i].tool_call_id for i in range(cut, end)}
    made = (i for i in range(cut - 1, -1, -1) if any(c.id in wanted for c in window[i].tool_calls))
    return next(made, end)


@partial(Reading, limited=True)
def newest_part(context: CutContext, messages: Sequence[Message], count: Count) -> list[Message]:
    """The newest so many tokens, from a user message on; a system message that stands first is read all the same."""
    most = context.policy.settings["trim_tokens_to_summarize"]
    if most is None:
        return list(messages)
    first = list(messages[:1]) if messages and messages[0].role == "system" else []
    return [*first, *newest_within(messages[len(first) :], most - sum(map(count, first)), count)]


POLICY = Policy(
    name="langchain.summarization",
    title="LangChain SummarizationMiddleware",
    family="LangChain",
    about="Summarizes all but the newest messages, the system prompt included, into one user message.",
    rule="Before every model call, if the window reaches `trigger` (messages, tokens, a fraction of the context "
    "window, all of a clause or any of several): summarizes everything before the tail that `keep` allows. "
    "A cut at a tool result moves back to its call, or past the results if there is none. The last message "
    "is always kept.",
    faults=(
        (
            "By default the summarizer reads only the last 4,000 tokens of the removed messages, from a user message on; "
            "the rest is lost silently. Without a user message the model is not even called."
        ),
        "A system message in the window is summarized like any other.",
        "If the kept messages are larger than `trigger`, it summarizes again before every model call.",
        "An empty summary is accepted, and its length is not limited.",
    ),
    not_modelled=(
        "token counts reported by a provider, where they reach the threshold or raise the library's own count",
        "a second attempt with the middle of the text cut out when the summarizer's context overflows",
    ),
    source=Source(
        url="https://github.com/langchain-ai/langchain/blob/master/libs/langchain_v1/langchain/agents/middleware/summarization.py",
        version="langchain 1.4.7",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    formats=("langchain",),
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
        amount(
            "trim_tokens_to_summarize",
            4000,
            "tokens",
            "the summarizer reads at most this many of the newest removed tokens; none: all of them",
            optional=True,
        ),
        of_window("window", "context window of the model, for fractions"),
    ),
    trigger=Trigger(phase="before_call", given="trigger"),
    scope=Scope(head="none", tail=("keep", Size(unit="messages", value=1)), cut_boundary=at_call),
    transform=Summarize(
        strip=True,
        reads=newest_part,
        unread="Previous conversation was too long to summarize.",
        on_error="raise",
    ),
    placement=Placement(role="user", template="Here is a summary of the conversation to date:\n\n{text}"),
)
