"""How many misses a policy has beyond a clairvoyant with the same room: an estimate.

The clairvoyant is greedy and knows which names will be used. At each event it may hold as many tokens as the policy left, in
whole messages and without a summary; what it drops is gone. Greedy is not the best there is, and a real summary may beat it,
so that regret may be below 0.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from core.entities.entity import Entity
from core.measure.misses import misses
from core.measure.prompts import Event, Prompts
from core.measure.uses import Use, uses_of


def regret(prompts: Prompts) -> int:
    """Misses of the policy less those of the clairvoyant."""
    return len(misses(prompts).missed) - clairvoyant_misses(prompts)


def clairvoyant_misses(prompts: Prompts) -> int:
    """How many uses the clairvoyant would have missed."""
    uses, missed, held, since = uses_of(prompts.trace.measured), 0, list[int](), 0
    bounds = [*((e, e.call) for e in prompts.events if e.call is not None), (None, len(prompts.calls))]
    first = 0
    starts = [use.call for use in uses]
    for event, call in bounds:
        behind = bisect_left(starts, call)
        missed += sum(not _has(held, since, use) for use in uses[first:behind])
        first = behind
        if event is not None:
            at = prompts.trace.compactions[event.last].at
            held, since = sorted(_chosen(prompts, event, [*held, *range(since, at)], uses[behind:])), at
    return missed


def _has(held: Sequence[int], since: int, use: Use) -> bool:
    """Whether a message that is held, or arrived since, shows the name."""
    if use.last >= since:
        return True
    return any(held[k : k + 1] == [place] for place in use.shown for k in (bisect_left(held, place),))


def _chosen(prompts: Prompts, event: Event, candidates: Sequence[int], later: Iterable[Use]) -> set[int]:
    """The messages that the clairvoyant keeps at an event, of those it has."""
    base = prompts.trace.measured
    there, kept = set(candidates), set[int]()
    kept.update(i for i in range(base.leading_systems) if i in there)
    kept.update(candidates[-1:])
    room = event.after - sum(base.tokens[i] for i in kept)
    for shown in _wanted(later):
        places = [i for i in shown if i in there]
        if not places or not kept.isdisjoint(places):
            continue
        cheapest = min(places, key=lambda i: (base.tokens[i], -i))
        if base.tokens[cheapest] <= room:
            kept.add(cheapest)
            room -= base.tokens[cheapest]
    for place in reversed(candidates):
        if place not in kept and base.tokens[place] <= room:
            kept.add(place)
            room -= base.tokens[place]
    return kept


def _wanted(later: Iterable[Use]) -> Iterator[Sequence[int]]:
    """Of the names that will be used, in order of their next use, the places that show each before it."""
    seen = set[Entity]()
    for use in sorted(later, key=lambda use: (use.call, use.name)):
        if use.name not in seen:
            seen.add(use.name)
            yield use.shown
