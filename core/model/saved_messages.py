"""Messages from the JSON of a saved session, made in half the time that it takes to validate one after the other.

A saved message has every field, and an id, so nothing is to be filled in; and its JSON was read by `parse`, which leaves
nothing to sanitize. What is left is to check types, which pydantic does for all messages in one go.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import FailFast, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from core.model.session import Frozen, Message, ToolCall, construct_from


def _types(kind: type[Frozen]) -> dict[str, Any]:
    return {name: field.annotation for name, field in kind.model_fields.items()}


_CALL: Any = TypedDict("_CALL", _types(ToolCall))  # type: ignore[misc]
_GIVEN = {"id": Annotated[str, Field(min_length=1)], "tool_calls": tuple[_CALL, ...]}
_MESSAGE: Any = TypedDict("_MESSAGE", _types(Message) | _GIVEN)  # type: ignore[misc]
_MESSAGES: TypeAdapter[Any] = TypeAdapter(Annotated[list[_MESSAGE], FailFast()])

PIECE = 1_000
"""Messages that are checked in one go: some milliseconds, in which no other thread has a turn."""


def with_messages(session: Any) -> Any:
    """The JSON of a session, and of those below it, with its messages made; unchanged where one is not as it is saved."""
    if not isinstance(session, dict):
        return session
    known: dict[str, Any] = {}
    if isinstance(messages := session.get("messages"), list):
        known["messages"] = _made(messages)
    if isinstance(children := session.get("children"), list):
        known["children"] = [_with_messages_below(child) for child in children]
    return session | known


def _with_messages_below(child: Any) -> Any:
    return child | {"session": with_messages(child.get("session"))} if isinstance(child, dict) else child


def _made(messages: list[Any]) -> Sequence[Any]:
    found: list[Message] = []
    try:
        for first in range(0, len(messages), PIECE):
            found += map(_message, _MESSAGES.validate_python(messages[first : first + PIECE]))
    except ValidationError:
        return messages
    return tuple(found)


def _message(fields: dict[str, Any]) -> Message:
    if calls := fields["tool_calls"]:
        fields["tool_calls"] = tuple([construct_from(ToolCall, call) for call in calls])
    return construct_from(Message, fields)
