"""Exports the messages of a session or a window in the format of a provider's API.

The API takes them as they are: every result stands behind its call. What it would refuse is left out: half of a tool pair,
an assistant message without text and calls, thinking, and in Anthropic's the places of system messages. Images become
"[image]": a session does not keep their bytes.
"""

from collections.abc import Iterable
from typing import Any

from core.llm.anthropic_body import anthropic_body
from core.llm.chat_body import chat_messages
from core.llm.pairs import results_first, without_orphans
from core.model.session import Message


def to_openai(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages as OpenAI's Chat Completions has them, in their order. Ids and arguments stay unchanged.

    https://developers.openai.com/api/docs/api-reference/chat/create
    """
    return chat_messages(results_first(without_orphans(list(messages))), faithful=True)


def to_anthropic(messages: Iterable[Message]) -> dict[str, Any]:
    """`{"system": [...], "messages": [...]}` as Anthropic's Messages API has them.

    Every system message is a text block of `system`, in order. Roles alternate, a user's message first. Arguments that are
    not an object are `{"INVALID_JSON": text}`, and ids have the letters that the API takes.
    https://platform.claude.com/docs/en/api/messages/create
    """
    body = anthropic_body("", without_orphans(list(messages)), ())
    return {"system": body.get("system", []), "messages": body["messages"]}
