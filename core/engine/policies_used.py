"""Which policies a session ran under: of a driven run those that it had, of a recorded one that of its agent."""

from functools import cache
from typing import NamedTuple

from core.meters.context_windows import limits_of
from core.model.errors import FoldlineError
from core.model.session import Session
from core.policies import policies
from core.policies import policy as policy_called
from core.policy.policy import Policy
from core.trace.trace import PolicyChange


class SessionModel(NamedTuple):
    """The model of a session: its name, and the context window that the transcript says the agent gave it, where it does."""

    name: str = ""
    given_window: int | None = None

    @property
    def window(self) -> int | None:
        """Its context window: the one that the agent gave it, else the maker's; None where neither is known."""
        known = limits_of(self.name) if self.name else None
        return self.given_window or (known.window if known else None)


def model_of(session: Session) -> SessionModel:
    """The model of a session."""
    return SessionModel(session.model, given_window(session))


def for_model(policy: Policy, model: SessionModel) -> Policy:
    """The policy with the context window and the longest reply of a model, where it leaves them open."""
    known = limits_of(model.name) if model.name else None
    return policy.for_model(model.window, known.output if known else None)


def for_session_model(policy: Policy, session: Session) -> Policy:
    """The policy with the limits of the session's model, where it leaves them open."""
    return for_model(policy, model_of(session))


def given_window(session: Session) -> int | None:
    """The context window that the transcript says the agent gave the model, where it does; the last one."""
    return next((found.context_window for found in reversed(session.compactions) if found.context_window), None)


def agent_policy(session: Session) -> Policy | None:
    """The policy that reproduces the agent whose transcript this is, at its defaults; None where none is known."""
    return _of_format(session.format)


@cache
def _of_format(name: str) -> Policy | None:
    return next((rule for rule in policies() if name in rule.formats), None)


def policies_used(session: Session) -> tuple[PolicyChange, ...]:
    """The policies that governed a run that foldline drove, in order.

    None for another run, where one is not known here, or where messages were emptied in place: what a policy makes of those is
    worked out from its own copies, which a file does not hold.
    """
    emptied = any(found.left for found in session.compactions)
    used = session.driven.policies if session.driven and not emptied else ()
    try:
        found = ((one.since, policy_called(one.name, **one.parameters)) for one in used)
        return tuple(PolicyChange(since=since, policy=for_session_model(rule, session)) for since, rule in found)
    except FoldlineError:
        return ()
