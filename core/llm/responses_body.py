"""Request bodies of OpenAI's Responses API.

https://developers.openai.com/api/docs/api-reference/responses/create
The server stores nothing (`store` is false), so every request holds the whole window. Reasoning items are not sent back: a
compacted window has none, and calls and results do not need them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from core.llm.bodies import OPENING, CallIds, arguments_text, text_with_images
from core.llm.pairs import results_first
from core.llm.protocol import ToolSpec
from core.model.session import Message


def responses_body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec], system: str) -> dict[str, Any]:
    """A request without its limits: a leading system message is `instructions`, later ones are items in their place."""
    window = results_first(messages)
    leading = window[0] if window and window[0].role == "system" else None
    ids = CallIds()
    items = [item for message in window if message is not leading for item in _items(message, ids, system)]
    body: dict[str, Any] = {"model": model, "input": items or [{"role": "user", "content": OPENING}], "store": False}
    body |= {"instructions": text_with_images(leading)} if leading else {}
    return body | ({"tools": [_tool(tool) for tool in tools]} if tools else {})


def _items(message: Message, ids: CallIds, system: str) -> Iterator[dict[str, Any]]:
    text = text_with_images(message)
    if message.role == "tool":
        id = ids.of_result(message.tool_call_id or "")
        yield {"type": "function_call_output", "call_id": id, "output": text}
        return
    if text:
        yield {"role": system if message.role == "system" else message.role, "content": text}
    if message.role == "assistant":
        ids.begin()
        for call in message.tool_calls:
            named = {"call_id": ids.of_call(call.id), "name": call.name, "arguments": arguments_text(call)}
            yield {"type": "function_call", **named}


def _tool(tool: ToolSpec) -> dict[str, Any]:
    """A tool; not strict, as the schema of a plain function may have optional arguments."""
    return {"type": "function", **tool, "strict": False}
