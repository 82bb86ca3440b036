"""What is worked out once for an object and asked for often: `cached(owner, key, make)`."""

from collections.abc import Callable, Hashable
from typing import TypeVar

_Owner = TypeVar("_Owner")
_Value = TypeVar("_Value")
_PLACE = "_worked_out"  # beside what functools.cached_property keeps there; no field, so never saved or compared


def cached(owner: _Owner, key: Hashable, make: Callable[[_Owner], _Value]) -> _Value:
    """`make(owner)`, worked out the first time and kept with the owner. A copy of the owner starts with nothing."""
    whose, known = vars(owner).get(_PLACE, (None, {}))
    if whose != id(owner):
        known = {}
        vars(owner)[_PLACE] = (id(owner), known)
    if key not in known:
        known[key] = make(owner)
    value: _Value = known[key]
    return value
