"""Messages in the shape of OpenAI's Chat Completions.

https://developers.openai.com/api/docs/api-reference/chat/create
"""

from collections.abc import Iterator, Sequence
from typing import Any

from core.llm.bodies import OPENING, CallIds, arguments_text, shown
from core.llm.pairs import settled
from core.llm.protocol import ToolSpec
from core.model import Message


def chat_messages(messages: Sequence[Message], system: str = "system", faithful: bool = False) -> list[dict[str, Any]]:
    """The messages as Chat Completions has them, in their order; `system` is the role that instructions have.

    Thinking is left out: it is not part of what is sent. An assistant message without a word and a call is left out too.
    """
    ids = CallIds(faithful)
    return [found for message in messages for found in _message(message, ids, system, faithful)]


def _message(message: Message, ids: CallIds, system: str, faithful: bool) -> Iterator[dict[str, Any]]:
    text = shown(message)
    if message.role == "tool":
        yield {"role": "tool", "tool_call_id": ids.of_result(message.tool_call_id or ""), "content": text}
    elif message.role == "assistant":
        ids.begin()
        calls = [_call(ids.of_call(call.id), call.name, arguments_text(call, faithful)) for call in message.tool_calls]
        if text or calls or faithful:
            yield {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    else:
        yield {"role": system if message.role == "system" else "user", "content": text}


def _call(id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def chat_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Tools as Chat Completions is told of them."""
    return [{"type": "function", "function": dict(tool)} for tool in tools]


def chat_body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec], system: str) -> dict[str, Any]:
    """A request without its limits; `tools` is left out where there are none: some servers refuse an empty list."""
    sent = chat_messages(settled(messages), system) or [{"role": "user", "content": OPENING}]
    return {"model": model, "messages": sent} | ({"tools": chat_tools(tools)} if tools else {})
