"""Whether a policy acts on a window, and where in time it next will."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

from core.policy.policy import Bound, Policy
from core.policy.vocabulary import Phase
from core.window.grouped import size
from core.window.measured import Measured
from core.window.window import Window

SOON = 3  # model calls: a compaction within so many of the one before is a refill


@dataclass(frozen=True)
class PolicyState:
    """What a policy remembers: how many messages had arrived when it last acted, and its failures in a row since.

    `refused` is whether a summary was refused because it made the window larger, and none was made since; `refills` how many
    compactions in a row came soon after the one before, as the policy's guards have it.
    """

    at: int = 0
    failures: int = 0
    refused: bool = False
    refills: int = 0

    def after(self, place: int, base: Measured, refused: bool) -> "PolicyState":
        """What it remembers once it has acted there; `refused` is whether a summary is still refused."""
        calls = bisect_left(base.calls, place) - bisect_left(base.calls, self.at)
        soon = self.at > 0 and calls <= SOON
        return PolicyState(place, refused=refused, refills=self.refills + 1 if soon else 0)

    def stopped(self, policy: Policy) -> str:
        """Why the policy tries nothing any more, or ""."""
        guards = policy.guards
        if guards.strikes is not None and self.failures >= guards.strikes:
            return f"{self.failures} failures in a row"
        if guards.refills is not None and self.refills >= guards.refills:
            return f"{self.refills} times in a row the window was full again within {SOON} model calls"
        return ""

    def rests(self, base: Measured, policy: Policy, at: int) -> bool:
        """Whether it is too soon after the last compaction."""
        replies = bisect_left(base.calls, at) - bisect_left(base.calls, self.at)
        return self.at > 0 and replies < policy.guards.cooldown


NEVER = 1 << 60
WORDS = {
    "tokens": "tokens",
    "messages": "messages",
    "turns": "turns",
    "new_turns": "turns since the last compaction",
    "results": "tool results",
    "pause": "minutes since the last reply",
    "leading_reply": "reply at the front",
}


def reason(
    window: Window, policy: Policy, clauses: Sequence[Sequence[Bound]], past: PolicyState, at: int
) -> str | None:
    """The first clause that holds for this window, in words; None where none does."""
    for clause in clauses:
        found = [(bound, measured(window, policy, bound, past, at)) for bound in clause]
        if all(value > bound.above for bound, value in found):
            return " and ".join(f"{_amount(value)} {WORDS[b.of]} {b.said}" for b, value in found) or "looked at"
    return None


def _amount(value: float) -> str:
    """A number in words; minutes to a tenth, rounded up as they have passed a limit."""
    return f"{ceil(10 * value) / 10:,.10g}"


def trigger_text(clauses: Sequence[Sequence[Bound]]) -> str:
    """When one of the clauses holds, in words: "messages > 40 or tokens ≥ 160,000"; "" where there is none."""
    return " or ".join(" and ".join(f"{WORDS[b.of]} {b.said}" for b in clause) or "always" for clause in clauses)


def measured(window: Window, policy: Policy, bound: Bound, past: PolicyState, at: int) -> float:
    """How much there is of what a condition is about."""
    base = window.pool.base
    if bound.of == "tokens":
        return base.running[at] if policy.trigger.counts == "history" else window.counted(policy)
    if bound.of == "messages":
        systems = _count(window, base.systems) if policy.trigger.counts == "spoken" else 0
        return size(window, policy.grouping) - systems
    if bound.of == "pause":
        return base.pauses[at]
    if bound.of == "leading_reply":
        return float(bool(len(window)) and window[0].role in ("assistant", "tool"))
    if bound.of == "new_turns":
        return bisect_left(base.turn_starts, at) - bisect_left(base.turn_starts, past.at)
    places = base.turn_starts if bound.of == "turns" else base.results
    return _count(window, places)


def _count(window: Window, places: Sequence[int]) -> int:
    """How many of these places of the session stand in the window."""
    return sum(bisect_left(places, b) - bisect_left(places, a) for _, (a, b) in window.origins())


def arrival(
    window: Window, policy: Policy, clauses: Sequence[Sequence[Bound]], past: PolicyState, at: int, seen: int = 0
) -> int:
    """How many messages must have arrived for one of the clauses to hold, the window only growing; NEVER if none will.

    `seen` is the place that comes next: pauses before it are over.
    """
    return min((_arrival(window, policy, clause, past, at, seen) for clause in clauses), default=NEVER)


def _arrival(window: Window, policy: Policy, clause: Sequence[Bound], past: PolicyState, at: int, seen: int) -> int:
    found = at
    for bound in clause:
        found = max(found, _until(window, policy, bound, past, at)) if bound.of != "pause" else found
    for bound in clause:
        found = _next_pause(window.pool.base, bound.above, max(found, seen)) if bound.of == "pause" else found
    return found


def _until(window: Window, policy: Policy, bound: Bound, past: PolicyState, at: int) -> int:
    base, above = window.pool.base, bound.above
    if above == inf:
        return NEVER
    if bound.of == "tokens":
        if policy.trigger.counts == "history":
            return _or_never(bisect_right(base.running, above), base)
        running = base.counted(policy.trigger.counts)
        return _or_never(bisect_right(running, above - window.counted(policy) + running[at]), base)
    if bound.of == "messages" and policy.grouping != "none":
        return _until_grouped(window, policy, bound, past, at)
    if bound.of == "messages" and policy.trigger.counts != "spoken":
        return at + max(0, int(above) + 1 - len(window))
    if bound.of == "leading_reply":
        first = window[0] if len(window) else base.messages[at] if at < len(base.messages) else None
        replied = first is not None and first.role in ("assistant", "tool")
        return at + (not len(window)) if replied > above else NEVER
    counted = {"results": base.results, "messages": base.conversation}
    places = counted.get(bound.of, base.turn_starts)
    wanted = bisect_left(places, at) + int(above - measured(window, policy, bound, past, at))
    return at if wanted < bisect_left(places, at) else places[wanted] + 1 if wanted < len(places) else NEVER


def _until_grouped(window: Window, policy: Policy, bound: Bound, past: PolicyState, at: int) -> int:
    """The same of messages that the policy counts otherwise than we do.

    The sum over the session says how many must arrive at least: more where system messages do not count, and the first
    to arrive may count one more than there.
    """
    running, arrived = window.pool.base.counted_messages(policy.grouping), at
    while arrived < len(running):
        missing = bound.above - measured(window.grown(at, arrived), policy, bound, past, arrived)
        if missing < 0:
            return arrived
        reached = running[arrived] + missing - (arrived == at)
        arrived = bisect_right(running, reached, min(arrived + 1, len(running)))
    return NEVER


def _or_never(arrived: int, base: Measured) -> int:
    return arrived if arrived < len(base.running) else NEVER


def _next_pause(base: Measured, above: float, start: int) -> int:
    """The first place from `start` on at which the pause is longer than these minutes."""
    places = base.pauses_over(above)
    found = bisect_left(places, start)
    return places[found] if found < len(places) else NEVER


def places_of(base: Measured, phase: Phase) -> Sequence[int]:
    """Where a policy of this phase looks: how many messages have arrived each time it comes round."""
    if phase in ("before_call", "on_read"):
        return base.calls
    if phase == "turn_start":
        return base.turn_starts
    if phase == "turn_begun":
        return _first_calls(base)
    if phase == "after_tools":
        return [i for i in base.calls if i and base.messages[i - 1].role == "tool"]
    if phase in ("turn_end", "on_write"):
        return [*base.turn_starts[1:], *([len(base.messages)] if _turn_is_over(base) else [])]
    return []


def _first_calls(base: Measured) -> list[int]:
    """The first call of each turn, once the typed message is there."""
    nexts = (bisect_left(base.calls, start) for start in base.turn_starts)
    return sorted({base.calls[k] for k in nexts if k < len(base.calls)})


def _turn_is_over(base: Measured) -> bool:
    last = base.messages[-1] if base.messages else None
    return last is not None and last.role == "assistant" and not last.tool_calls
