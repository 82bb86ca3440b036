"""Request bodies of Anthropic's Messages API.

https://platform.claude.com/docs/en/api/messages/create
The rules of the API, and how a body follows them:

- No message has the role "system": each such message, also a summary in the middle, is a text block of `system`.
- Tool results stand in one user message directly after their calls, before any other text of that message.
- Roles alternate: adjacent messages of one role are joined.
- The first message is a user's: if it is not, a user message "Continue." is put before it.
- No text block is blank, and the last assistant text does not end in white space.

Thinking is left out: the API accepts it only with a signature, which a session does not keep.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from core.llm.bodies import OPENING, CallIds, arguments, text_with_images
from core.llm.pairs import results_first
from core.llm.protocol import ToolSpec
from core.model.session import Message

Turn = tuple[str, list[dict[str, Any]]]
"""A role and the blocks of its message."""


def anthropic_body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """A request without its limits; `system` and `tools` are left out where there are none."""
    system = system_blocks(messages)
    turns = _trimmed(_joined(turns_of(messages)))
    body = {"model": model, "messages": _opened([_message(*turn) for turn in turns])}
    body |= {"system": system} if system else {}
    return body | ({"tools": [_tool(tool) for tool in tools]} if tools else {})


def system_blocks(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Every system message that is not blank as a text block, in order."""
    return [
        _text(text_with_images(message))
        for message in messages
        if message.role == "system" and text_with_images(message).strip()
    ]


def turns_of(messages: Sequence[Message]) -> list[Turn]:
    """What is sent of each message but those of the system, before the turns of one role are joined."""
    return list(_turns(results_first([m for m in messages if m.role != "system"]), CallIds()))


def _turns(messages: Sequence[Message], ids: CallIds) -> Iterator[Turn]:
    """Each message as a role and its blocks, without empty ones."""
    for message in messages:
        text = text_with_images(message)
        blocks = [_text(text)] if text.strip() and message.role != "tool" else []
        if message.role == "tool":
            blocks = [_result(message, text, ids)]
        elif message.role == "assistant":
            ids.begin()
            blocks += [_call(ids.of_call(call.id), call.name, arguments(call)) for call in message.tool_calls]
        if blocks:
            yield "assistant" if message.role == "assistant" else "user", blocks


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _call(id: str, name: str, input: dict[str, object]) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def _result(message: Message, text: str, ids: CallIds) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "tool_result", "tool_use_id": ids.of_result(message.tool_call_id or "")}
    found |= {"content": text} if text.strip() else {}
    return found | ({"is_error": True} if message.is_error else {})


def _tool(tool: ToolSpec) -> dict[str, Any]:
    rest = {key: value for key, value in tool.items() if key != "parameters"}
    return {**rest, "input_schema": tool.get("parameters") or {"type": "object", "properties": {}}}


def _joined(turns: Sequence[Turn]) -> list[Turn]:
    """Adjacent turns of one role, joined."""
    return [(role, [b for _, blocks in group for b in blocks]) for role, group in groupby(turns, lambda turn: turn[0])]


def _message(role: str, blocks: list[dict[str, Any]]) -> dict[str, Any]:
    """A message; a single text block becomes plain text, which is equivalent and easier to read."""
    alone = len(blocks) == 1 and blocks[0]["type"] == "text"
    return {"role": role, "content": blocks[0]["text"] if alone else blocks}


def _opened(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    begins = bool(messages) and messages[0]["role"] == "user"
    return messages if begins else [{"role": "user", "content": OPENING}, *messages]


def _trimmed(turns: list[Turn]) -> list[Turn]:
    """The turns, without white space at the end of a last assistant text."""
    role, blocks = turns[-1] if turns else ("", [])
    if role != "assistant" or blocks[-1]["type"] != "text":
        return turns
    return [*turns[:-1], (role, [*blocks[:-1], _text(blocks[-1]["text"].rstrip())])]
