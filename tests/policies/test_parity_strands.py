"""The summarizing manager's policy, held to what Strands did with the same messages after an overflow."""

from typing import Any

import pytest

from core import Message, compact, policy
from tests.support import numbered

CASES = list(numbered("strands_summarizing.json"))


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_the_policy_does_what_the_manager_did(case: dict[str, Any]) -> None:
    """The same messages go and the summary has the same role, words and place; nothing changes where it raised."""
    window = [Message(**message) for message in case["messages"]]
    rules = policy(
        "strands.summarizing",
        summary_ratio=case["summary_ratio"],
        preserve_recent_messages=case["preserve_recent_messages"],
    )
    found = compact(window, rules, summarizer=lambda messages, prior: "SUM", force=True)
    assert found.acted == (case["raised"] is None)
    assert [as_in_vectors(m) for m in found.after] == case["expected"]


def as_in_vectors(message: Message) -> dict[str, Any]:
    """What the vectors say of a message."""
    if message.injected == "summary":
        return {"summary": True, "role": message.role, "content": message.content}
    return {"id": message.id}
