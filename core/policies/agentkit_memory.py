"""agentkit, lesson 3: when the buffer is over budget before a model call, fold the old middle into one system message.

Source: the lesson "Memory & Context" of "Building Agentic Systems" (2026-06-14), which prints the whole class; checked
2026-11-20 and held to golden vectors.
"""

from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import Condition, Placement, Scope, Size, Source, Summarise, Trigger

POLICY = Policy(
    name="agentkit.memory",
    title="agentkit Memory",
    family="seed systems",
    about="Pins the system message and the newest keep_recent; folds the rest into one system message.",
    rule="Before a model call, if the window counts more than budget: everything between the leading system message and "
    "the newest keep_recent messages, an earlier summary included, becomes one summary. One pass per call.",
    faults=(
        "Cuts between a tool call and its result: the result can stay while its call is folded.",
        "Only a system message at the very front is pinned; the first user message, the task itself, is folded.",
        "Without a system prompt the first summary stands in its place: it is pinned and never folded again.",
        "One pass per call: with keep_recent larger than the budget holds, it stays over budget.",
    ),
    source=Source(
        url="agentkit, Lesson 3 - Memory & Context", version="2026-06-14", licence="none stated", checked="2026-11-20"
    ),
    fidelity="exact",
    meter="agentkit",
    parameters=(
        Parameter(name="budget", default=400, unit="tokens", about="compact above this many tokens"),
        Parameter(name="keep_recent", default=4, unit="messages", about="newest messages that stay verbatim"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="budget"),),)),
    scope=Scope(head="leading", head_limit=1, pin_summary=True, tail=Size(unit="messages", value="keep_recent")),
    transform=Summarise(strip=True, empty="(no summary returned)", on_error="raise"),
    placement=Placement(role="system", template="[summary #{n} of {k} earlier messages]\n{text}"),
)
