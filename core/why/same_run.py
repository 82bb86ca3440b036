"""Which other limits give the very same run: between two sizes of the window that were looked at, a limit changes nothing."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from core.model.cached import cached
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Guards
from core.trace.compaction import Compaction
from core.window.measured import Measured


def only_triggers(policy: Policy, name: str) -> bool:
    """Whether a parameter does nothing but say above how many tokens of the window the policy acts before a call."""
    when = Condition(value=name)
    trigger = policy.trigger
    plain = trigger.any_of in (((when,),), ((when.model_copy(update={"at_least": True}),),)) and not trigger.also
    alone = not policy.tiers and policy.fallback is None and policy.passes == 1 and policy.guards == Guards()
    looks = trigger.phase == "before_call" and trigger.counts == "window" and policy.effect == "replace"
    rest = policy.model_dump_json(include={"scope", "transform", "placement"})
    return plain and alone and looks and not trigger.given and name not in rest


def same_run(policy: Policy, limit: int, compactions: Sequence[Compaction], upto: int, base: Measured) -> range:
    """The limits under which a run of such a policy compacts as with this one, as far as so many messages have arrived.

    A window within the limit was left alone, and is so by any limit that it is within; one that was compacted was over it.
    """
    bound = policy.clauses[0][0]
    at_least = bound.said.startswith("≥")
    calls, sizes = cached(base, "sizes at calls", _sizes)
    below, beyond, since = -1, 0, 0
    for found in (*(c for c in compactions if c.at <= upto), None):
        end = bisect_left(calls, found.at) if found else bisect_right(calls, upto)
        start = bisect_right(calls, since) if since else 0
        within = bisect_right(sizes, bound.above - beyond, start, max(start, end))
        if within > start:
            below = max(below, sizes[within - 1] + beyond)
        if found:
            since, beyond = found.at, found.window_after - base.running[found.at]
    above = min((c.window_before for c in compactions if c.at <= upto), default=None)
    first = max(0, below + at_least)
    last = limit if above is None else above - (not at_least)
    return range(min(first, limit), max(last, limit) + 1)


def _sizes(base: Measured) -> tuple[list[int], list[int]]:
    """How many messages had arrived at each look before a call, and the tokens of all of them."""
    return base.calls, [base.running[i] for i in base.calls]
