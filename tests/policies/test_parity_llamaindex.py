"""LlamaIndex's ChatSummaryMemoryBuffer, held to what the library did with the same messages, read after read."""

from collections.abc import Mapping
from typing import Any

import pytest

from core import Message, compact, policy
from tests.support import numbered, plain

CASES = list(numbered("llamaindex_summary_buffer.json"))


class Words:
    """A meter that counts the words of the content, as the vectors' own tokenizer did."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return len(message.content.split())


def ours(given: Mapping[str, Any]) -> Message:
    """A vector's message as one of ours: the library was given no tool calls, and "" as text, which is no word."""
    return Message(**{key: given[key] for key in ("id", "role", "content", "tool_call_id")})


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_every_read_gives_what_the_library_gave(case: dict[str, Any]) -> None:
    """Role and content of every message, after each of the three reads."""
    rules = policy("llamaindex.summary_buffer", token_limit=case["token_limit"])
    window = [ours(m) for m in case["messages"]]
    for step in case["steps"]:
        window += map(ours, step["append"])
        window = compact(window, rules, meter=Words(), summarizer=lambda messages, prior: "SUM").after
        assert plain(window) == [(m["role"], m["content"]) for m in step["expected"]]
