"""Every text of a session that a person may read, and the session with each of them changed."""

from collections.abc import Callable
from functools import lru_cache
from operator import is_
from typing import Any, TypeVar

from core.model.session import Frozen

_IDS = frozenset({"id", "tool_call_id", "reply_id", "summary", "kept", "cleared", "window", "added", "message", "call"})
_PLAIN = (
    frozenset({"role", "timestamp", "kind", "fidelity", "edit", "format", "media_type", "model", "injected"}) | _IDS
)
"""Fields of the models that are no text: names of messages, and words of foldline's own."""

_Noun = TypeVar("_Noun", bound=Frozen)
Change = Callable[[str], str]


def texts_of(noun: Frozen) -> list[str]:
    """The texts of a session or a part of it, in order: of messages and arguments, of titles, notes and sub-agents."""
    found: list[str] = []

    def collect(text: str) -> str:
        found.append(text)
        return text

    with_texts(noun, collect)
    return found


def with_texts(noun: _Noun, change: Change) -> _Noun:
    """A session, or a part of one, with every text changed. The value of a key is changed together with its key."""
    new: dict[str, Any] = {}
    for name in _fields(type(noun)):
        value = getattr(noun, name)
        found = _changed(value, change)
        if found is not value:
            new[name] = found
    return noun.model_copy(update=new) if new else noun


@lru_cache(maxsize=64)
def _fields(kind: type[Frozen]) -> tuple[str, ...]:
    """The fields of a model that may hold texts."""
    return tuple(name for name in kind.model_fields if name not in _PLAIN)


def _changed(value: Any, change: Change) -> Any:
    """A value with its texts changed; itself where none is."""
    if isinstance(value, str):
        found = change(value) if value else value
        return value if found == value else found
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, Frozen):
        return with_texts(value, change)
    if isinstance(value, dict):
        whole = {_key(key, change): _behind(key, one, change) for key, one in value.items()}
        return value if whole == value else whole
    if isinstance(value, tuple | list):
        parts = [_changed(one, change) for one in value]
        return value if all(map(is_, parts, value)) else type(value)(parts)
    return value


def _key(key: Any, change: Change) -> Any:
    return change(key) if isinstance(key, str) and key else key


def _behind(key: Any, value: Any, change: Change) -> Any:
    """What stands behind a key: a value, or a list of them."""
    return [_value(key, one, change) for one in value] if isinstance(value, list) else _value(key, value, change)


def _value(key: Any, value: Any, change: Change) -> Any:
    """The value behind a key: "password" tells that what stands behind it is one, also if it is a whole number."""
    if not isinstance(value, str | int) or isinstance(value, bool) or not isinstance(key, str):
        return _changed(value, change)
    before, text = f"{key}: ", str(value)
    whole = change(before + text)
    new = whole[len(before) :] if len(whole) == len(before) + len(text) else change(text)
    return new if isinstance(value, str) else int(new)
