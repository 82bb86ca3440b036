"""Messages in the shape of Anthropic's Messages API.

https://platform.claude.com/docs/en/api/messages/create
Its rules, and what is done about them:

- There is no system message among the messages: each, a summary in the middle too, is a text block of the top-level `system`.
- Results of tools stand in one user message directly behind their calls, before any other text of that user.
- Users and assistants take turns: neighbours of one role are one message.
- The first message is a user's: where it is not, one that says "Continue." is put before it.
- No text block is empty or of white space only, and the last assistant text does not end in white space.

Thinking is left out: it may come back only with a signature, which a session does not keep.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from core.llm.bodies import OPENING, CallIds, arguments, shown
from core.llm.pairs import settled
from core.llm.protocol import ToolSpec
from core.model import Message

Turn = tuple[str, list[dict[str, Any]]]
"""A role, and the blocks of its message."""


def anthropic_body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """A request without its limits; `system` and `tools` are left out where there are none."""
    system = system_blocks(messages)
    turns = _joined(_turns(settled([m for m in messages if m.role != "system"]), CallIds()))
    body = {"model": model, "messages": _opened(_trimmed([_message(*turn) for turn in turns]))}
    body |= {"system": system} if system else {}
    return body | ({"tools": [_tool(tool) for tool in tools]} if tools else {})


def anthropic_messages(messages: Sequence[Message]) -> dict[str, Any]:
    """`system` and `messages` of a session, told as faithfully as the shape allows: neighbours of one role stay apart.

    Only results are put together, with those beside them.
    """
    said = [message for message in messages if message.role != "system"]
    turns = [_message(*turn) for turn in _gathered(_turns(said, CallIds(faithful=True)))]
    return {"system": system_blocks(messages), "messages": turns}


def system_blocks(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Every system message that says something, wherever it stands, as a text block; in order."""
    return [_text(shown(message)) for message in messages if message.role == "system" and shown(message).strip()]


def _turns(messages: Sequence[Message], ids: CallIds) -> Iterator[Turn]:
    """Each message as a role and its blocks; one without a word is none."""
    for message in messages:
        text = shown(message)
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
    found |= {"content": text} if text.strip() or (ids.faithful and text) else {}
    return found | ({"is_error": True} if message.is_error else {})


def _tool(tool: ToolSpec) -> dict[str, Any]:
    told = {key: value for key, value in tool.items() if key != "parameters"}
    return {**told, "input_schema": tool.get("parameters") or {"type": "object", "properties": {}}}


def _joined(turns: Iterator[Turn]) -> list[Turn]:
    """Neighbours of one role as one."""
    return [(role, [b for _, blocks in group for b in blocks]) for role, group in groupby(turns, lambda turn: turn[0])]


def _gathered(turns: Iterator[Turn]) -> list[Turn]:
    """Neighbours that hold results only as one."""
    gathered: list[Turn] = []
    for role, blocks in turns:
        if gathered and _is_results(blocks) and _is_results(gathered[-1][1]):
            gathered[-1] = (role, [*gathered[-1][1], *blocks])
        else:
            gathered.append((role, blocks))
    return gathered


def _is_results(blocks: list[dict[str, Any]]) -> bool:
    return all(block["type"] == "tool_result" for block in blocks)


def _message(role: str, blocks: list[dict[str, Any]]) -> dict[str, Any]:
    """A message; one text alone as it is, which says the same and is easier to read."""
    alone = len(blocks) == 1 and blocks[0]["type"] == "text"
    return {"role": role, "content": blocks[0]["text"] if alone else blocks}


def _opened(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    begins = bool(messages) and messages[0]["role"] == "user"
    return messages if begins else [{"role": "user", "content": OPENING}, *messages]


def _trimmed(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages, without white space at the end of the last if an assistant says it."""
    if not messages or messages[-1]["role"] != "assistant":
        return messages
    content = messages[-1]["content"]
    if isinstance(content, str):
        return [*messages[:-1], {"role": "assistant", "content": content.rstrip()}]
    last = content[-1]
    blocks = [*content[:-1], last | {"text": last["text"].rstrip()}] if last["type"] == "text" else content
    return [*messages[:-1], {"role": "assistant", "content": blocks}]
