"""LangChain's two middlewares, held to what the library did with the same messages."""

from collections.abc import Mapping
from math import ceil
from typing import Any

import pytest

from core import Message, ToolCall, compact, policy
from tests.support import numbered

SUMMARIZATION = list(numbered("langchain_summarization.json"))
CLEARING = list(numbered("langchain_clear_tool_uses.json"))


def ours(given: Mapping[str, Any]) -> Message:
    """A vector's message as one of ours."""
    made = tuple(ToolCall(**call) for call in given["tool_calls"])
    told = {key: given[key] for key in ("id", "role", "content", "tool_call_id")}
    return Message(**told, tool_calls=made)


class Given:
    """A meter that knows the count of each message by its id, of a cleared one too; a summary counts three."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.known = {m["id"]: m["tokens"] for m in case["messages"]}
        self.cleared = case.get("placeholder_message_tokens", {})

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        if message.injected == "cleared":
            return int(self.cleared[message.id]) if message.role == "tool" else approximate(message)
        return int(self.known.get(message.id, 3))


def approximate(message: Message) -> int:
    """A reply as the library counts it: its text and its calls as Python shows them, four characters a token."""
    calls = [{"name": c.name, "args": c.arguments, "id": c.id, "type": "tool_call"} for c in message.tool_calls]
    return ceil((len(message.content) + len(repr(calls)) + len("assistant")) / 4) + 3


@pytest.mark.parametrize("case", [case for _, case in SUMMARIZATION], ids=[name for name, _ in SUMMARIZATION])
def test_summarization_keeps_what_the_library_kept(case: dict[str, Any]) -> None:
    """The same messages stay, behind the same summary, or nothing happens where nothing did."""
    rules = policy(
        "langchain.summarization",
        trigger=case["trigger"],
        keep=case["keep"],
        trim_tokens_to_summarize=None,
        window=case["window"],
    )
    found = compact(map(ours, case["messages"]), rules, meter=Given(case), summarizer=lambda messages, prior: "SUM")
    assert after(found.after if found.acted else None) == case["expected"]


def after(messages: list[Message] | None) -> Any:
    """A window as the vectors put it: the summary's role and content, the ids of the others."""
    if messages is None:
        return None
    made = {"summary": True}
    return [
        {"role": m.role, "content": m.content} | made if m.injected == "summary" else {"id": m.id} for m in messages
    ]


@pytest.mark.parametrize("case", [case for _, case in CLEARING], ids=[name for name, _ in CLEARING])
def test_clearing_leaves_what_the_library_left(case: dict[str, Any]) -> None:
    """Content and arguments of every message are the library's."""
    rules = policy("langchain.clear_tool_uses", **case["params"])
    found = compact(map(ours, case["messages"]), rules, meter=Given(case))
    assert [as_in_vectors(m) for m in found.after] == case["expected"]


def as_in_vectors(message: Message) -> dict[str, Any]:
    """What the vectors say of a message that is cleared or left."""
    return {"id": message.id, "content": message.content, "arguments": [c.arguments for c in message.tool_calls]}
