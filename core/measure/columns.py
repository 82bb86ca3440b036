"""The model calls of a session, and what their replies use, as columns: a sweep looks at all of them for each setting."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.measure.calls import calls_of
from core.measure.uses import uses_of
from core.model.cached import cached
from core.window.measured import Measured

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class CallColumns(NamedTuple):
    """One entry a call: how many messages had arrived when it was made, and their tokens together.

    `gap` are the seconds since the reply before (NaN for the first call), `until_next` those to the next call (NaN where they
    are not known).
    """

    at: Integers
    running: Integers
    gap: Floats
    until_next: Floats


def call_columns(base: Measured) -> CallColumns:
    """The columns of the calls; worked out once."""
    return cached(base, "columns of calls", _columns)


def _columns(base: Measured) -> CallColumns:
    calls = calls_of(base)
    at = np.array([call.at for call in calls], np.int64)
    times = np.array([np.nan if call.time is None else call.time for call in calls], np.float64)
    gaps = [np.nan, *(call.gap(before) for before, call in pairwise(calls))]
    until_next = np.append(np.maximum(np.diff(times), 0.0), np.nan)[: len(calls)]
    return CallColumns(at, running_of(base)[at], np.array(gaps[: len(calls)], np.float64), until_next)


def running_of(base: Measured) -> Integers:
    """The sum of the first i token counts, for every i, as a column."""
    return cached(base, "running sum", lambda base: np.array(base.running, np.int64))


class UseColumns(NamedTuple):
    """One entry a use: its call, and the places of the first and the newest message that show the name."""

    call: Integers
    first: Integers
    last: Integers


def use_columns(base: Measured) -> UseColumns:
    """The columns of the uses, in order of their calls; worked out once."""
    return cached(base, "columns of uses", _use_columns)


def _use_columns(base: Measured) -> UseColumns:
    uses = uses_of(base)
    columns = ([use.call for use in uses], [use.shown[0] for use in uses], [use.last for use in uses])
    return UseColumns(*(np.array(column, np.int64) for column in columns))
