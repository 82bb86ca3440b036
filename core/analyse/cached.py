"""What is worked out once for a trace and asked for often, kept with the trace."""

from collections.abc import Callable
from typing import TypeVar

from core.trace import Trace

_Value = TypeVar("_Value")
_PLACE = "_worked_out"  # beside what functools.cached_property keeps there; no field, so never saved or compared


def cached(trace: Trace, name: str, make: Callable[[Trace], _Value]) -> _Value:
    """`make(trace)`, worked out the first time. A copy of a trace, which may hold other compactions, starts anew."""
    owner, known = trace.__dict__.get(_PLACE, (None, {}))
    if owner != id(trace):
        known = {}
        trace.__dict__[_PLACE] = (id(trace), known)
    if name not in known:
        known[name] = make(trace)
    value: _Value = known[name]
    return value
