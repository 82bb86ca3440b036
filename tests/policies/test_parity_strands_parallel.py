"""Strands' two managers, held to what they did with replies that make several calls at once."""

from typing import Any

import pytest

from core import Message, compact, policy
from tests.support import numbered

CASES = list(numbered("strands_parallel.json"))


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_the_policies_do_what_the_managers_did(case: dict[str, Any]) -> None:
    """The results of one reply are one message there: the same messages stay, and nothing changes where it raised."""
    window = [Message(**message) for message in case["messages"]]
    rules, summarizing = policy(case["policy"], **case["params"]), case["policy"] == "strands.summarizing"
    found = compact(window, rules, summarizer=lambda messages, prior: "SUM", force=summarizing)
    assert [as_in_vectors(m) for m in found.after] == case["expected"]
    assert not (case["raised"] and found.acted)


def as_in_vectors(message: Message) -> dict[str, Any]:
    """What the vectors say of a message."""
    return {"summary": True, "content": message.content} if message.injected == "summary" else {"id": message.id}
