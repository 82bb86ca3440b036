"""What a message says in words: of a reply without the code that it writes, and without its calls where it writes those out.

A name in code that the model makes up, or a function of a library, is nothing that it was told or that it said.
"""

import re

from core.entities.entity import Entity
from core.entities.kinds import decoded
from core.entities.lines import COMMANDS
from core.entities.search import normalized
from core.entities.texts import argument_texts, values
from core.model.session import Message

_CODE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(
    r"^[ \t]*(```+|~~~+)(?!\s*(?:bash|sh|shell|zsh|console|\w+_command)\b)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_EDIT = re.compile(r"^<{5,9} SEARCH\b.*?(?:^>{5,9} REPLACE\b|\Z)", re.DOTALL | re.MULTILINE)


def in_words(message: Message, *, acting: bool = False) -> str:
    """The content of a message that says something in words; all of what a person or a tool says.

    With `acting`, commands for a shell are left in it: agents that have no calls write so what they do.
    """
    text = message.content
    if message.role != "assistant":
        return text
    if message.tool_calls and (value := decoded(text)) is not None:
        made = set(argument_texts(message))
        return "\n".join(part for part in values(value) if part not in made)
    if "```" in text or "~~~" in text:
        text = (_SHOWN if acting else _CODE).sub("", text)
    return _EDIT.sub("", text) if "< SEARCH" in text else text


def uses_name(message: Message, name: Entity) -> bool:
    """Whether a reply that shows a name uses it, outside code that it only shows: a name of that may come from a file."""
    said = in_words(message, acting=True)
    if said == message.content:
        return True
    text = name.key.rpartition("/")[2].casefold()
    return text in said.casefold() or any(text in one.casefold() for one in argument_texts(message))


def runs(message: Message, text: str) -> bool:
    """Whether a call of a message runs a command that has a text, and the message does not say it beside that."""
    if text in normalized(message.content):
        return False
    given = (call.arguments.get(name) for call in message.tool_calls for name in COMMANDS)
    return any(text in normalized(" ".join(values(command))) for command in given if command)
