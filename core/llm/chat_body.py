"""Request bodies of OpenAI's Chat Completions.

https://developers.openai.com/api/docs/api-reference/chat/create
"""

from collections.abc import Iterator, Sequence
from typing import Any

from core.llm.bodies import OPENING, CallIds, arguments_text, text_with_images
from core.llm.pairs import results_first
from core.llm.protocol import ToolSpec
from core.model.session import Message


def chat_messages(messages: Sequence[Message], system: str = "system", faithful: bool = False) -> list[dict[str, Any]]:
    """The messages in the format of Chat Completions, in order; `system` is the role of instructions.

    Thinking is left out: the API does not accept it. Assistant messages without text and calls are left out too.
    """
    ids = CallIds(faithful)
    return [found for message in messages for found in _message(message, ids, system, faithful)]


def _message(message: Message, ids: CallIds, system: str, faithful: bool) -> Iterator[dict[str, Any]]:
    text = text_with_images(message)
    if message.role == "tool":
        yield {"role": "tool", "tool_call_id": ids.of_result(message.tool_call_id or ""), "content": text}
    elif message.role == "assistant":
        ids.begin()
        calls = [_call(ids.of_call(call.id), call.name, arguments_text(call, faithful)) for call in message.tool_calls]
        if text or calls:
            yield {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    else:
        yield {"role": system if message.role == "system" else "user", "content": text}


def _call(id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def chat_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Tools in the format of Chat Completions."""
    return [{"type": "function", "function": dict(tool)} for tool in tools]


def chat_body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec], system: str) -> dict[str, Any]:
    """A request without its limits; without tools there is no `tools`, as some servers refuse an empty list."""
    sent = chat_messages(results_first(messages), system) or [{"role": "user", "content": OPENING}]
    return {"model": model, "messages": sent} | ({"tools": chat_tools(tools)} if tools else {})
