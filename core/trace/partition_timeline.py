"""Where a policy would cut the window, at every step of a trace, in one sweep.

From one compaction to the next the window only grows; `core/window/tails.py` says where the cut is after each message.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from core.policy.policy import Policy
from core.trace.trace import Trace
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
    """The cuts at every step of a trace. A replay has no policy: nothing but its system messages is pinned."""
    if not len(trace):
        return PartitionTimeline((0,), (0,), ())
    if trace.policy is None:
        return _of_replay(trace)
    cuts = [cuts_between(window, trace.policy, at, upto) for window, at, upto in _epochs(trace)]
    return PartitionTimeline(
        tuple(cut.head for cut in cuts),
        tuple(cut.body for cut in cuts),
        tuple(chain.from_iterable(cut.tails for cut in cuts))[1:],  # the first step is a message, not the empty window
        tuple(chain.from_iterable(cut.protected for cut in cuts))[1:],
    )


def cuts_between(window: Window, policy: Policy, at: int, upto: int) -> Cuts:
    """The cuts of this window, to which `at` messages had come, and then after each further one up to `upto`."""
    growth = Growth(window, policy, at, upto)
    return Cuts(growth.whole.head, growth.whole.body, tail_starts(growth), protected_each(growth))


def _of_replay(trace: Trace) -> PartitionTimeline:
    sizes = (range(len(window), len(window) + upto - at + 1) for window, at, upto in _epochs(trace))
    heads = tuple(leading_systems(window.grown(at, upto)) for window, at, upto in _epochs(trace))
    return PartitionTimeline(heads, heads, tuple(chain.from_iterable(sizes))[1:])


def _epochs(trace: Trace) -> Iterator[tuple[Window, int, int]]:
    """The window each epoch begins with, how many messages had arrived then, and how many when it ended."""
    pool = trace.window_of(0).pool
    arrivals = [c.at for c in trace.compactions]
    layouts = [(), *(c.layout_after for c in trace.compactions)]
    for layout, at, upto in zip(layouts, [0, *arrivals], [*arrivals, len(trace.messages)], strict=True):
        yield Window(pool, layout), at, upto
