"""What the sub-agents of a session did, each in a window of its own."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.analyse.sums import Sums, sums
from core.engine.replay import replay
from core.meters import meter
from core.model.cached import cached
from core.model.session import Session
from core.trace.trace import Trace


@dataclass(frozen=True)
class SubAgents:
    """How many sub-agents a session started, of how many of these the messages are at hand, and what those come to.

    The sums are over the sub-agents that they started themselves, too.
    """

    started: int
    known: int
    sums: Sums


def sub_agents(trace: Trace) -> SubAgents | None:
    """What a trace's sub-agents did, None without any; worked out once."""
    return cached(trace.measured, "sub-agents", lambda _: _sub_agents(trace.session))


def _sub_agents(session: Session) -> SubAgents | None:
    known = len(session.children)
    started = max(session.subagents, known)
    return SubAgents(started, known, sums(*_runs(session))) if started else None


def _runs(session: Session) -> Iterator[Trace]:
    """The runs of the sub-agents, by the cheapest meter: nothing asks for their tokens."""
    for child in session.children:
        yield replay(child.session, meter=meter("agentkit"))
        yield from _runs(child.session)
