"""Where a policy would cut the window, at every step of a trace, in one sweep.

From one compaction to the next the window only grows; `core/window/tails.py` says where the cut is after each message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.policy.policy import Policy
from core.trace.hindsight import hindsight
from core.trace.trace import PolicyChange, Trace
from core.window.context import Growth
from core.window.heads import leading_systems
from core.window.protected import protected_each
from core.window.tails import tail_starts
from core.window.window import Window


@dataclass(frozen=True)
class PartitionTimeline:
    """The cuts of a whole trace, as indexes into the window.

    `heads[e]` and `bodies[e]` hold for the steps of epoch e, from compaction e - 1 (epoch 0: the start) up to the next;
    at a step they are no more than the window's size. `tails[i]` is where the verbatim tail begins at step i, `protected[i]`
    from which message of the session on typed ones are protected; it is empty where the policy protects none.
    """

    heads: tuple[int, ...]
    bodies: tuple[int, ...]
    tails: tuple[int, ...]
    protected: tuple[int, ...] = ()


class Cuts(NamedTuple):
    """Where a policy cuts a window while it grows: its head and body once it has, the tail after each arrival."""

    head: int
    body: int
    tails: list[int]
    protected: list[int]


def partition_timeline(trace: Trace) -> PartitionTimeline:
    """The cuts at every step of a trace. Without a policy they are where the next recorded compaction cut, with hindsight."""
    if not len(trace):
        return PartitionTimeline((0,), (0,), ())
    if trace.policy is None:
        return _of_replay(trace)
    changes = trace.policy_changes or (PolicyChange(since=0, policy=trace.policy),)
    heads, bodies, tails, spared = list[int](), list[int](), list[int](), list[int]()
    protects = any(change.policy.scope.protect for change in changes)
    for e, (window, at, upto) in enumerate(_epochs(trace)):
        for policy, start, stop in policies_between(changes, e, at, upto):
            cuts = cuts_between(window.grown(at, start), policy, start, stop)
            tails += cuts.tails
            spared += cuts.protected or ([len(trace.messages)] * len(cuts.tails) if protects else [])
        heads.append(cuts.head)
        bodies.append(cuts.body)
    # the first step is a message, not the empty window
    return PartitionTimeline(tuple(heads), tuple(bodies), tuple(tails[1:]), tuple(spared[1:]))


def policies_between(
    changes: Sequence[PolicyChange], e: int, begun: int, upto: int
) -> Iterator[tuple[Policy, int, int]]:
    """Which policy was in force within epoch e from how many messages on, up to how many: from `begun` to `upto`."""
    at = begun
    while at <= upto:
        step = at + e - 1
        later = [change.since - e + 1 for change in changes if change.since > step]
        end = min([upto, *(place - 1 for place in later)])
        in_force = [change.policy for change in changes if change.since <= max(0, step)]
        yield (in_force or [changes[-1].policy])[-1], at, max(at, end)
        at = max(at, end) + 1


def cuts_between(window: Window, policy: Policy, at: int, upto: int) -> Cuts:
    """The cuts of this window, to which `at` messages had come, and then after each further one up to `upto`."""
    growth = Growth(window, policy, at, upto)
    return Cuts(growth.whole.head, growth.whole.body, tail_starts(growth), protected_each(growth))


def _of_replay(trace: Trace) -> PartitionTimeline:
    heads, tails = list[int](), list[int]()
    for done, (window, at, upto) in enumerate(_epochs(trace)):
        whole, seen = window.grown(at, upto), hindsight(trace.compactions, done)
        end = seen.tail(whole) if seen else len(whole)
        heads.append(seen.head(whole) if seen else leading_systems(whole))
        tails += [min(size, end) for size in range(len(window), len(whole) + 1)]
    return PartitionTimeline(tuple(heads), tuple(heads), tuple(tails[1:]))


def _epochs(trace: Trace) -> Iterator[tuple[Window, int, int]]:
    """The window each epoch begins with, how many messages had arrived then, and how many when it ended."""
    pool = trace.window_of(0).pool
    arrivals = [c.at for c in trace.compactions]
    layouts = [(), *(c.layout_after for c in trace.compactions)]
    for layout, at, upto in zip(layouts, [0, *arrivals], [*arrivals, len(trace.messages)], strict=True):
        yield Window(pool, layout), at, upto
