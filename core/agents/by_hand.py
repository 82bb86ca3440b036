"""Tool calls in which a person stepped in: what the model is told of it.

The assistant message keeps the call as the model wrote it: a provider would take another one for the model's own words. The
result of the call begins with a line that says what a person did.
"""

import json

from core.model.session import Message, ToolCall

GIVEN = "[The tool did not run. A person wrote this result:]"


def given_result(call: ToolCall, text: str, is_error: bool = False) -> Message:
    """The tool message for a result that a person wrote."""
    content = f"{GIVEN}\n{text}"
    return Message(role="tool", content=content, tool_call_id=call.id, name=call.name, is_error=is_error)


def told_of_edit(result: Message, call: ToolCall) -> Message:
    """The result of a call whose arguments a person edited: its first line says which arguments the tool was given."""
    arguments = json.dumps(call.arguments, ensure_ascii=False, default=str)
    note = f"[A person edited the arguments before the tool ran: {arguments}]"
    return result.model_copy(update={"content": f"{note}\n{result.content}"})
