"""A session under another policy: `simulate(session, policy) -> Trace`. The only loop over recorded time.

Between two compactions the window only grows, so its tokens are a base plus a difference of a running sum, and the next
place where the trigger fires is found by bisection. The loop turns once for each compaction, not for each message.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from core.collecting import no_collecting
from core.compact import compact_window, pool_over
from core.compact.due import NEVER, Past, arrival, places_of
from core.context_windows import limits_of
from core.measured import Measured
from core.meters import Meter, bound, measured, meter_name, notes_of
from core.meters import meter as meter_called
from core.model import Session
from core.policy import Bound, Policy
from core.summarizers import OFFLINE, Summarizer
from core.trace import Compaction, Trace
from core.vocabulary import Phase, Status
from core.window import Pool, Window


def simulate(
    session: Session,
    policy: Policy,
    meter: Meter | None = None,
    summarizer: Summarizer | None = None,
) -> Trace:
    """What would have happened to the session's window under this policy: a trace.

    The messages come as recorded, the session's own compactions left out. `meter` None is the policy's own meter,
    `summarizer` None the offline structural one. A context window that the policy leaves to the model is that of the
    session's. The same input gives the same trace.
    """
    meter, policy = bound(meter or meter_called(policy.meter), session), fitted(policy, session)
    base = measured(session, meter)
    pool, failures = pool_over(base, policy, meter), Failures()
    with no_collecting() if summarizer is None or isinstance(summarizer, OFFLINE) else nullcontext():
        compactions = tuple(compactions_of(pool, policy, meter, summarizer, failures))
    return Trace.model_construct(
        kind="simulate",
        session=session,
        meter=meter_name(meter),
        tokens=base.counts,
        policy=policy,
        summarizer=_summarizer_name(summarizer),
        compactions=compactions,
        failed=failures.runs(),
        lighter=tuple(shadow.known for shadow in pool.shadows),
        notes=(*notes_of(session, meter), *failures.notes()),
    ).over(pool)


def fitted(policy: Policy, session: Session) -> Policy:
    """The policy with the context window and the longest reply of the session's model, where it leaves them open."""
    known = limits_of(session.model) if session.model else None
    return policy.for_model(known.window, known.output) if known else policy


class Failures:
    """The passes that came to nothing because of the summary: how many, and the first of each run of them."""

    def __init__(self) -> None:
        self.running, self.refused, self.stopped = 0, False, ""
        self.first: list[Compaction] = []
        self.times: list[int] = []
        self.kinds: dict[Status, list[Compaction]] = {}

    def add(self, found: Compaction) -> None:
        """One more."""
        if not self.running:
            self.first.append(found)
            self.times.append(0)
        self.running += 1
        self.times[-1] += 1
        self.kinds.setdefault(found.status, []).append(found)
        self.refused = self.refused or found.status == "inflated"

    def over(self, found: Compaction) -> None:
        """Something was done: no failure is running, and none was refused before a new summary."""
        self.running, self.refused = 0, self.refused and found.summary is None

    def runs(self) -> tuple[Compaction, ...]:
        """The first of each run, with how many there were in a row."""
        pairs = zip(self.first, self.times, strict=True)
        return tuple(found.model_copy(update={"times": times}) for found, times in pairs)

    def notes(self) -> list[str]:
        """What a person should know: how many of each kind came to nothing, when and why the first did, why it stopped."""
        notes = [_note(status, found) for status, found in self.kinds.items()]
        return [*notes, self.stopped] if self.stopped else notes


def _note(status: Status, found: Sequence[Compaction]) -> str:
    once, more = ("pass", "passes") if status == "failed" else ("summary", "summaries")
    went = "failed" if status == "failed" else "refused"
    which = "the first " if len(found) > 1 else ""
    what = f"{len(found):,} {more if len(found) > 1 else once} {went}"
    return f"{what}, {which}after {found[0].at:,} messages: {found[0].reason}"


def _summarizer_name(summarizer: Summarizer | None) -> str:
    return "structural" if summarizer is None else getattr(summarizer, "name", summarizer.__class__.__name__)


@dataclass
class _Look:
    """A phase, the places where it comes round, the clauses of the stages that act in it, and how far it has come."""

    phase: Phase
    places: Sequence[int]
    clauses: Sequence[Sequence[Bound]]
    looked: int = 0

    def next(self, window: Window, at: int, policy: Policy, past: Past) -> int:
        """The first place from where it has come on at which one of the clauses holds; NEVER if none is left."""
        seen = self.places[self.looked] if self.looked < len(self.places) else NEVER
        arrived = arrival(window, policy, self.clauses, past, at, seen)
        self.looked = bisect_left(self.places, arrived, lo=self.looked) if arrived < NEVER else len(self.places)
        return self.places[self.looked] if self.looked < len(self.places) else NEVER


def compactions_of(
    pool: Pool, policy: Policy, meter: Meter, summarizer: Summarizer | None, failures: Failures | None = None
) -> Iterator[Compaction]:
    """Every compaction in order of time, as it is worked out; what came to nothing is added to `failures`."""
    looks, failures, number = looks_of(pool.base, policy), failures or Failures(), 1
    window, past = Window(pool, ()), Past()
    while (found := _next(looks, window, policy, past)) is not None:
        look, place = found
        look.looked += 1
        tried = compact_window(
            window.grown(past.at, place),
            policy,
            meter=meter,
            summarizer=summarizer,
            number=number,
            at=place,
            phase=look.phase,
            past=replace(past, failures=failures.running, refused=failures.refused),
        )
        if tried.acted:
            yield tried
            window = Window(pool, tried.layout_after).knowing(tried.window_after)
            past = past.after(place, pool.base, policy)
            number += tried.summary is not None
            failures.over(tried)
        elif tried.status in ("failed", "inflated"):
            failures.add(tried)
        if why := replace(past, failures=failures.running).stopped(policy):
            failures.stopped = f"after {place:,} messages {policy.name} stopped: {why}"
            return


def _next(looks: Sequence[_Look], window: Window, policy: Policy, past: Past) -> tuple[_Look, int] | None:
    """The look that comes first, and its place."""
    if len(looks) == 1:
        place = looks[0].next(window, past.at, policy, past)
        return (looks[0], place) if place < NEVER else None
    nexts = [(look.next(window, past.at, policy, past), k) for k, look in enumerate(looks)]
    place, k = min(nexts, default=(NEVER, 0))
    return (looks[k], place) if place < NEVER else None


def looks_of(base: Measured, policy: Policy) -> list[_Look]:
    """Each phase in which a stage of the policy acts, with the clauses of those stages."""
    clauses: dict[Phase, list[Sequence[Bound]]] = {}
    for stage in (*policy.tiers, policy.main):
        for phase in policy.phases_of(stage):
            clauses.setdefault(phase, []).extend(policy.clauses_of(stage))
    return [_Look(phase, places_of(base, phase), found) for phase, found in clauses.items()]
