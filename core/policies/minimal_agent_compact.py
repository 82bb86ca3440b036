"""The minimal agent's /compact command: the rolling summary that keeps no turn, and acts only when it is asked to.

Known faults: nothing stays verbatim, not even an answer somebody waits for. Source: as `minimal_agent.rolling`, whose
prompt and placement it shares; checked 2026-11-20 and held to golden vectors.
"""

from core.policies import minimal_agent_rolling
from core.policy.vocabulary import Size, Trigger

POLICY = minimal_agent_rolling.POLICY.model_copy(
    update={
        "name": "minimal_agent.compact",
        "title": "minimal agent, /compact",
        "about": "Only on request: turns the whole conversation into one summary and a reply to it.",
        "rule": "When the user types /compact: everything except the system message becomes one user message and a reply.",
        "faults": (
            "Keeps nothing verbatim, not even an answer the user is waiting for.",
            "On a second request it summarizes its own summary.",
        ),
        "parameters": (),
        "trigger": Trigger(phase="manual"),
        "scope": minimal_agent_rolling.POLICY.scope.model_copy(update={"tail": Size(unit="messages", value=0)}),
    }
)
