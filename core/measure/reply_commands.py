"""The commands in the text of replies: of agents that call no tools, as mini-swe-agent, SWE-agent and Terminus may be.

A reply held a command if an observation answers it: code in any other reply is only talked about.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from core.model.failure import is_failure
from core.model.session import Message

_ANSWERS = frozenset(("observation", "submission"))
_BLOCK = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_DONE = frozenset(("submit", "exit_forfeit"))
"""Commands by which SWE-agent ends its run."""
_LONGEST = 100_000  # characters of a reply that are read


class ReplyCommand(NamedTuple):
    """A reply with a command: its place, the command, "" where none is found, and whether that ends the run.

    `failed` is whether the observation behind it says that it failed.
    """

    at: int
    command: str
    ends: bool
    failed: bool = False


def reply_commands(messages: Sequence[Message]) -> Iterator[ReplyCommand]:
    """The replies that an observation answers, and a last one that ends the run; none where a tool was called."""
    if any(message.tool_calls for message in messages):
        return
    found, last = False, len(messages) - 1
    for at, message in enumerate(messages):
        if message.role != "assistant":
            continue
        answered = at < last and messages[at + 1].injected in _ANSWERS
        found = found or answered
        if answered or (found and at == last):
            reply = _command_in(at, message.content[:_LONGEST])
            if answered or reply.ends:
                yield reply._replace(failed=answered and is_failure(messages[at + 1]))


def _command_in(at: int, text: str) -> ReplyCommand:
    """The keystrokes that Terminus sends, else the last block of code."""
    if (reply := _object(text)) is not None:
        return ReplyCommand(at, _keystrokes(reply), reply.get("task_complete") is True)
    blocks = _BLOCK.findall(text)
    command = blocks[-1].strip() if blocks else ""
    return ReplyCommand(at, command, command.partition("\n")[0].partition(" ")[0] in _DONE)


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object of a reply of Terminus, which may have a word before it."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or '"commands"' not in text:
        return None
    try:
        found = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("commands"), list) else None


def _keystrokes(reply: dict[str, Any]) -> str:
    sent = [one.get("keystrokes") for one in reply["commands"] if isinstance(one, dict)]
    return "".join(text for text in sent if isinstance(text, str)).strip()
