"""How a run was made, so that it can be made again: of the session with its secrets masked, in another process."""

from collections.abc import Sequence
from typing import NamedTuple

from core.engine.replay import replay
from core.engine.simulate import simulate
from core.engine.unbounded import unbounded
from core.meters import bound, meter
from core.model.session import Session
from core.policy.policy import Policy
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace
from viewer.export.grid import Simulate


class Recipe(NamedTuple):
    """What a run was made with, but for its session."""

    kind: str
    meter: str
    policy: Policy | None
    summarizer: str
    pinned: Sequence[int]

    def run(self, session: Session) -> Trace:
        """The run of a session: replayed, simulated, or without any compaction."""
        counter = bound(meter(self.meter), session)
        if self.kind == "replay":
            return replay(session, meter=counter)
        if self.policy is None:
            return unbounded(replay(session, meter=counter))
        return self.simulator(session)(self.policy)

    def simulator(self, session: Session) -> Simulate:
        """What simulates any policy over a session, with the same meter, summaries and pins."""
        counter = bound(meter(self.meter), session)
        write = summarizer(self.summarizer or "structural", session=session)

        def simulated(rule: Policy) -> Trace:
            return simulate(session, rule, counter, write, self.pinned)

        return simulated


def recipe_of(trace: Trace) -> Recipe:
    """How this trace is made again."""
    return Recipe(trace.kind, trace.meter, trace.policy, trace.summarizer, tuple(trace.pinned))
