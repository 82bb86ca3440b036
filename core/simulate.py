"""A session under another policy: `simulate(session, policy) -> Trace`. The only loop over recorded time.

Between two compactions the window only grows, so its tokens are a base plus a difference of a running sum, and the next
place where the trigger fires is found by bisection. The loop turns once for each compaction, not for each message.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import nullcontext

from core.collecting import no_collecting
from core.compact import compact_window
from core.meters import Meter, bound, measured, meter_name, notes_of
from core.meters import meter as meter_called
from core.model import Session
from core.policy import Policy
from core.summarizers import OFFLINE, Summarizer
from core.trace import Compaction, Trace
from core.window import Measured, Pool, Window


def simulate(
    session: Session,
    policy: Policy,
    meter: Meter | None = None,
    summarizer: Summarizer | None = None,
) -> Trace:
    """What would have happened to the session's window under this policy: a trace.

    The messages come as recorded, the session's own compactions left out. `meter` None is the policy's own meter,
    `summarizer` None the offline structural one. The same input gives the same trace.
    """
    meter = bound(meter or meter_called(policy.meter), session)
    base = measured(session, meter)
    pool, failures = Pool(base), list[str]()
    with no_collecting() if summarizer is None or isinstance(summarizer, OFFLINE) else nullcontext():
        compactions = tuple(compactions_of(pool, policy, meter, summarizer, failures))
    failed = (f"{len(failures)} passes failed, the first because {failures[0]}",) if failures else ()
    return Trace.model_construct(
        kind="simulate",
        session=session,
        meter=meter_name(meter),
        tokens=base.counts,
        policy=policy,
        summarizer=_summarizer_name(summarizer),
        compactions=compactions,
        notes=(*notes_of(session, meter), *failed),
    ).over(pool)


def _summarizer_name(summarizer: Summarizer | None) -> str:
    return "structural" if summarizer is None else getattr(summarizer, "name", summarizer.__class__.__name__)


def compactions_of(
    pool: Pool, policy: Policy, meter: Meter, summarizer: Summarizer | None, failures: list[str]
) -> Iterator[Compaction]:
    """Every compaction in order of time, as it is worked out; what the summarizer could not do is added to `failures`."""
    places, looked, number = places_of(pool.base, policy), 0, 1
    window, at = Window(pool, ()), 0
    while (looked := _next_place(window, at, policy, places, looked)) < len(places):
        place = places[looked]
        looked += 1
        found = compact_window(
            window.grown(at, place), policy, meter=meter, summarizer=summarizer, number=number, at=place
        )
        if found.status == "failed":
            failures.append(found.reason)
        if found.acted:
            yield found
            window, at, number = Window(pool, found.layout_after).knowing(found.window_after), place, number + 1


def places_of(base: Measured, policy: Policy) -> Sequence[int]:
    """Where the policy looks: how many messages have arrived each time its phase comes round."""
    if policy.trigger.phase == "before_call":
        return base.calls
    if policy.trigger.phase == "turn_start":
        return base.turn_starts
    if policy.trigger.phase == "turn_end":
        return [*base.turn_starts[1:], *([len(base.messages)] if _turn_is_over(base) else [])]
    return []


def _turn_is_over(base: Measured) -> bool:
    last = base.messages[-1] if base.messages else None
    return last is not None and last.role == "assistant" and not last.tool_calls


def _next_place(window: Window, at: int, policy: Policy, places: Sequence[int], looked: int) -> int:
    """The index of the first place, from `looked` on, where more is counted than the limit."""
    limit = policy.limit
    if limit is None:
        return len(places)
    active = policy.trigger.counts == "active"
    running = window.pool.base.active if active else window.pool.base.running
    arrived = bisect_right(running, limit - window.counted(policy) + running[at])
    return bisect_left(places, arrived, lo=looked)
