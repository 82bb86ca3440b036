"""Messages as text inside another message, where a policy takes what stays verbatim into its summary."""

import json
from collections.abc import Iterator, Sequence

from core.model.session import Message

RESULT_MOST = 2_000  # characters of a tool's result


def quoted(messages: Sequence[Message]) -> str:
    """The messages as text, a blank line between what each says, thinks and calls; results cut to 2,000 characters."""
    return "\n\n".join(line for message in messages for line in _lines(message))


def _lines(message: Message) -> Iterator[str]:
    if message.role == "tool":
        short = message.content[:RESULT_MOST] + ("\n[truncated]" if len(message.content) > RESULT_MOST else "")
        yield f"[{'Tool error' if message.is_error else 'Tool result'}]: {short}"
        return
    if message.thinking:
        yield f"[{message.role.capitalize()} reasoning]: {message.thinking}"
    if message.content:
        yield f"[{message.role.capitalize()}]: {message.content}"
    for call in message.tool_calls:
        yield f"[{message.role.capitalize()} tool call]: {call.name}({_arguments(call.raw, call.arguments)})"


def _arguments(raw: str | None, arguments: dict[str, object]) -> str:
    """A call's arguments as a model writes them: the recorded text, else JSON."""
    return json.dumps(arguments, ensure_ascii=False, default=str) if raw is None else raw
