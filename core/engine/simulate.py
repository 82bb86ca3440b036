"""A session under another policy: `simulate(session, policy) -> Trace`. The loop over recorded time.

Between two compactions the window only grows, so its tokens are a base plus a difference of a running sum, and the next
place where the trigger fires is found by bisection. The loop turns once for each compaction, not for each message.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from core.engine.compaction import pool_over
from core.engine.due import NEVER, arrival, places_of
from core.engine.policies_used import for_session_model
from core.engine.policy_run import PolicyRun
from core.engine.removal import with_pairs
from core.meters import Meter, bound, measured, meter_name, notes_of
from core.meters import meter as meter_called
from core.model.gc_pause import gc_paused
from core.model.session import Session
from core.policy.policy import Bound, Policy
from core.policy.vocabulary import Phase
from core.summaries.summarizers import OFFLINE, Summarizer
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.measured import Measured


def simulate(
    session: Session,
    policy: Policy,
    meter: Meter | None = None,
    summarizer: Summarizer | None = None,
    pinned: Iterable[int] = (),
) -> Trace:
    """What would have happened to the session's window under this policy: a trace.

    The messages come as recorded, the session's own compactions left out. `meter` None is the policy's own meter,
    `summarizer` None the offline structural one. A context window that the policy leaves to the model is that of the
    session's. The messages at the `pinned` places, tool pairs as a whole, stay in the window whatever the policy takes. The
    same input gives the same trace. Raises RunError for a place where no message stands.
    """
    meter, policy = bound(meter or meter_called(policy.meter), session), for_session_model(policy, session)
    base = measured(session, meter)
    run = PolicyRun(pool_over(base, policy, meter), policy, meter, summarizer)
    run.pool.pinned = with_pairs(base, pinned)
    with gc_paused() if summarizer is None or isinstance(summarizer, OFFLINE) else nullcontext():
        compactions = tuple(compactions_of(run))
    return Trace.model_construct(
        kind="simulate",
        session=session,
        meter=meter_name(meter),
        tokens=base.counts,
        policy=policy,
        summarizer=summarizer_name(summarizer),
        compactions=compactions,
        failed=run.failures.runs(),
        lighter=tuple(copy.known for copy in run.pool.cleared_copies),
        notes=(*notes_of(session, meter), *run.failures.notes()),
        pinned=tuple(sorted(run.pool.pinned)),
    ).over(run.pool)


def summarizer_name(summarizer: Summarizer | None) -> str:
    """What a trace calls a summarizer."""
    return "structural" if summarizer is None else getattr(summarizer, "name", summarizer.__class__.__name__)


@dataclass
class _Look:
    """A phase, the places where it comes round, the clauses of the stages that act in it, and how far it has come."""

    phase: Phase
    places: Sequence[int]
    clauses: Sequence[Sequence[Bound]]
    looked: int = 0

    def next(self, run: PolicyRun) -> int:
        """The first place from where it has come on at which one of the clauses holds; NEVER if none is left."""
        seen = self.places[self.looked] if self.looked < len(self.places) else NEVER
        arrived = arrival(run.left, run.policy, self.clauses, run.state, run.since, seen)
        self.looked = bisect_left(self.places, arrived, lo=self.looked) if arrived < NEVER else len(self.places)
        return self.places[self.looked] if self.looked < len(self.places) else NEVER


def compactions_of(run: PolicyRun) -> Iterator[Compaction]:
    """Every compaction in order of time, as it is worked out."""
    looks = looks_of(run.pool.base, run.policy)
    while not run.failures.stopped and (found := _next(looks, run)) is not None:
        look, place = found
        look.looked += 1
        tried = run.attempt(place, look.phase)
        if tried.acted:
            yield tried


def _next(looks: Sequence[_Look], run: PolicyRun) -> tuple[_Look, int] | None:
    """The look that comes first, and its place."""
    if len(looks) == 1:
        place = looks[0].next(run)
        return (looks[0], place) if place < NEVER else None
    nexts = [(look.next(run), k) for k, look in enumerate(looks)]
    place, k = min(nexts, default=(NEVER, 0))
    return (looks[k], place) if place < NEVER else None


def looks_of(base: Measured, policy: Policy) -> list[_Look]:
    """Each phase in which a stage of the policy acts, with the clauses of those stages."""
    clauses: dict[Phase, list[Sequence[Bound]]] = {}
    for stage in (*policy.tiers, policy.main):
        for phase in policy.phases_of(stage):
            clauses.setdefault(phase, []).extend(policy.clauses_of(stage))
    return [_Look(phase, places_of(base, phase), found) for phase, found in clauses.items()]
