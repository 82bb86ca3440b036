"""Exports the messages of a session or a window in the format of a provider's API.

The formats are those the adapters send; ids and arguments stay unchanged. What a format cannot hold is left out: thinking,
and in Anthropic's the places of system messages. Images become "[image]": a session does not keep their bytes.
"""

from collections.abc import Iterable
from typing import Any

from core.llm.anthropic_body import anthropic_messages
from core.llm.chat_body import chat_messages
from core.model.session import Message


def to_openai(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages as OpenAI's Chat Completions has them, one for one, in their order.

    https://developers.openai.com/api/docs/api-reference/chat/create
    """
    return chat_messages(list(messages), faithful=True)


def to_anthropic(messages: Iterable[Message]) -> dict[str, Any]:
    """`{"system": [...], "messages": [...]}` as Anthropic's Messages API has them.

    Every system message is a text block of `system`, in order; adjacent tool results are one user message. An empty message
    is left out. Arguments that are not an object are `{"INVALID_JSON": text}`: the API takes nothing else there.
    https://platform.claude.com/docs/en/api/messages/create
    """
    return anthropic_messages(list(messages))
