"""Every text of a session that a person may read, and the session with each of them changed."""

from collections.abc import Callable
from typing import Any, TypeVar

from core.model.session import Frozen, Session

_IDS = frozenset({"id", "tool_call_id", "reply_id", "summary", "kept", "cleared", "window", "added", "message", "call"})
_PLAIN = (
    frozenset({"role", "timestamp", "kind", "fidelity", "edit", "format", "media_type", "model", "injected"}) | _IDS
)
"""Fields of the models that are no text: names of messages, and words of foldline's own."""

_Noun = TypeVar("_Noun", bound=Frozen)
Change = Callable[[str], str]


def texts_of(session: Session) -> list[str]:
    """The texts: of messages and their arguments, of titles, notes and sub-agents, in order."""
    found: list[str] = []

    def collect(text: str) -> str:
        found.append(text)
        return text

    with_texts(session, collect)
    return found


def with_texts(noun: _Noun, change: Change) -> _Noun:
    """A session, or a part of one, with every text changed. The value of a key is changed together with its key."""
    fields = {name: getattr(noun, name) for name in type(noun).model_fields if name not in _PLAIN}
    new = {name: _changed(value, change) for name, value in fields.items()}
    return noun.model_copy(update={name: value for name, value in new.items() if value is not fields[name]})


def _changed(value: Any, change: Change) -> Any:
    if isinstance(value, str):
        return change(value) if value else value
    if isinstance(value, Frozen):
        return with_texts(value, change)
    if isinstance(value, dict):
        return {_key(key, change): _behind(key, one, change) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_changed(one, change) for one in value)
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
