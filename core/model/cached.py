"""What is worked out once for an object and asked for often: `cached(owner, key, make)`."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Owner = TypeVar("_Owner")
_Value = TypeVar("_Value")
_PLACE = "_worked_out"  # beside what functools.cached_property keeps there; no field, so never saved or compared


def cached(owner: _Owner, key: Hashable, make: Callable[[_Owner], _Value]) -> _Value:
    """`make(owner)`, worked out the first time and kept with the owner. A copy of the owner starts with nothing."""
    kept: tuple[int, dict[Hashable, Any]] | None = vars(owner).get(_PLACE)
    if kept is None or kept[0] != id(owner):
        kept = vars(owner)[_PLACE] = (id(owner), {})
    known = kept[1]
    if key not in known:
        known[key] = make(owner)
    value: _Value = known[key]
    return value
