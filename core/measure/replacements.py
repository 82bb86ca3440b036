"""What the call of an edit replaces in a file, by the names that editors give their arguments."""

from collections.abc import Iterator
from typing import Any

from core.model.session import ToolCall

_OLD = ("old_string", "old_str", "oldText", "oldString", "old_text")
_NEW = ("new_string", "new_str", "newText", "newString", "new_text")


def replacements(call: ToolCall) -> Iterator[tuple[str, str]]:
    """The old text and the new one of each replacement that a call makes, one or a list of them; "" where it names none."""
    listed = call.arguments.get("edits")
    for one in (call.arguments, *(listed if isinstance(listed, list) else ())):
        yield _text(one, _OLD), _text(one, _NEW)


def _text(one: Any, names: tuple[str, ...]) -> str:
    values = (one.get(name) for name in names) if isinstance(one, dict) else ()
    return next((value for value in values if isinstance(value, str)), "")
