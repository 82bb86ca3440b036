"""The rolling summary of the minimal agent, chapter 5: before a turn, summarize all turns but the newest.

Source: minimal_agent.py at eff7b76 (codereindeer-dev/minimal-agent; no license is stated), and chapter 5 of its course;
checked 2026-11-20 and held to golden vectors.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger

POLICY = Policy(
    name="minimal_agent.rolling",
    title="minimal agent, rolling summary",
    family="tutorials and small libraries",
    about="Before a turn, turns all but the newest turns into a summary and a reply to it.",
    rule="Before a user message is added, if the window has more than max_input_tokens tokens: everything before "
    "the newest keep_recent_turns turns, including the earlier summary and its reply, becomes one user "
    "message and a fixed reply.",
    faults=(
        "It loops until the budget is met, but can never summarize twice: after one pass no turn is left to summarize.",
        "Acts only between turns: a single long turn grows without limit.",
        "An empty summary is accepted.",
    ),
    source=Source(
        url="https://codereindeer.pages.dev",
        version="minimal_agent.py @eff7b76",
        licence="none stated",
        checked="2026-11-20",
    ),
    fidelity="exact",
    parameters=(
        amount("max_input_tokens", 100_000, "tokens", "compact above this many tokens"),
        amount("keep_recent_turns", 5, "turns", "newest turns that stay verbatim"),
    ),
    trigger=Trigger(phase="turn_start", any_of=((Condition(value="max_input_tokens"),),)),
    scope=Scope(tail=Size(unit="turns", value="keep_recent_turns")),
    transform=Summarize(on_error="raise"),
    placement=Placement(
        role="user",
        template="[Earlier conversation summary]\n{text}",
        ack="Understood. Continuing from the summary.",
    ),
    by_command="minimal_agent.compact",
)
