"""SWE-agent's LastNObservations: every query is sent with only the newest observations; the others say how long they were.

Modelled: tool results are the observations, and the task, the first of them in SWE-agent, is the typed message here, so
that it stays. Source: SWE-agent at 318f909 and 669b8f9 (MIT), read; its index arithmetic run on its own; checked
2026-11-20.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Scope, Source, Trigger

POLICY = Policy(
    name="swe_agent.last_n",
    title="SWE-agent LastNObservations",
    family="coding agents",
    about="Sends only the newest tool results; the others become a line that says how long they were. Nothing is "
    "summarized.",
    rule="Before every model call, at any size of the window: the text of all but the newest `n` tool results "
    "becomes a line that says how many lines are omitted. With `polling` this happens to several results at "
    "once, so that between `n` and `n + polling - 1` are sent whole.",
    faults=(
        "With `polling` 1 the prompt changes in the middle at every call, so the prompt cache is lost each time.",
        "Counts results, not tokens: one huge recent result is kept.",
        "A short result can become longer than it was.",
    ),
    not_modelled=(
        "tags that keep or remove an output",
        "the number of omitted images",
        "demonstrations",
    ),
    source=Source(
        url="https://github.com/SWE-agent/SWE-agent/blob/main/sweagent/agent/history_processors.py",
        version="318f909",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("swe-agent",),
    parameters=(
        amount("n", 5, "results", "newest tool results that are sent whole", at_least=1),
        amount("polling", 1, "results", "how many are replaced at once", at_least=1),
    ),
    trigger=Trigger(phase="before_call", any_of=((),), counts="history"),
    scope=Scope(head="none", evict="max(0, (count + 1) // polling * polling - n - 1)"),
    transform=Clear(text="Old environment output: ({lines} lines omitted)"),
    effect="view",
)
