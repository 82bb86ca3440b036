"""The trace of a session by the names of a policy, a meter and a summarizer."""

from os import PathLike

from core.engine.default_meter import session_meter
from core.engine.pins import pins
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.importers import load
from core.model.session import Session
from core.policies import policy as policy_called
from core.policy.policy import Policy
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace


def run(
    session: Session | str | PathLike[str],
    policy: Policy | str | None = None,
    counter: str | None = None,
    summaries: str = "structural",
    summary_tokens: int = 300,
    pin: str = "",
) -> Trace:
    """A session, or the one in a file, under a policy or its name; as recorded without one.

    Without a meter, the heuristic that the policy comes with, else the session's default. Raises FoldlineError for a file that
    cannot be read, and for a name that does not exist.
    """
    found = session if isinstance(session, Session) else load(session)
    rule = policy_called(policy) if isinstance(policy, str) else policy
    count = session_meter(counter, found, rule)
    if rule is None:
        return replay(found, meter=count)
    return simulate(found, rule, count, summarizer(summaries, tokens=summary_tokens, session=found), pins(found, pin))
