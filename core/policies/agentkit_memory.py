"""agentkit, lesson 3: when the buffer is over budget before a model call, summarize the old middle into one system message.

Source: the lesson "Memory & Context" of "Building Agentic Systems" (2026-06-14), which prints the whole class; checked
2026-11-20 and held to golden vectors.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Head
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Stage, Summarize, Trigger
from core.window.window import Window


@Head
def first_system(window: Window, policy: Policy, stage: Stage) -> int:
    """A system message at the very front, also where that is a summary."""
    return int(len(window) > 0 and window[0].role == "system")


POLICY = Policy(
    name="agentkit.memory",
    title="agentkit Memory",
    family="tutorials and small libraries",
    about="Pins the system message and the newest messages; summarizes the rest into one system message.",
    rule="Before a model call, if the window has more than `budget` tokens: summarizes everything between the "
    "leading system message and the newest keep_recent messages, including an earlier summary. One pass per "
    "call.",
    faults=(
        "May cut between a tool call and its result: the result can stay while its call is summarized.",
        "Only a system message at the very front is pinned; the first user message, the task itself, is summarized.",
        "Without a system prompt the first summary takes its place: it is pinned and never summarized again.",
        "One pass per call: if the newest keep_recent messages exceed the budget, the window stays over it.",
    ),
    source=Source(
        url="agentkit, Lesson 3 - Memory & Context", version="2026-06-14", licence="none stated", checked="2026-11-20"
    ),
    fidelity="exact",
    contrast="summarize the oldest, keep the newest",
    meter="agentkit",
    parameters=(
        amount("budget", 400, "tokens", "compact above this many tokens"),
        amount("keep_recent", 4, "messages", "newest messages that stay verbatim"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="budget"),),)),
    scope=Scope(head=first_system, tail=Size(unit="messages", value="keep_recent")),
    transform=Summarize(strip=True, empty="(no summary returned)", on_error="raise"),
    placement=Placement(role="system", template="[summary #{n} of {k} earlier messages]\n{text}"),
)
