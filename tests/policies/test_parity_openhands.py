"""The condenser's policy, held to what OpenHands did with the same events."""

from typing import Any

import pytest

from core import Message, compact, policy
from tests.support import numbered

CASES = list(numbered("openhands_llm_summarizing.json"))


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_the_policy_does_what_the_condenser_did(case: dict[str, Any]) -> None:
    """The same events are forgotten, and the summary has the same words and place; or nothing happens where it did not."""
    window = [Message(**event) for event in case["events"]]
    rules = policy("openhands.llm_summarizing", max_size=case["max_size"], keep_first=case["keep_first"])
    found = compact(window, rules, summarizer=lambda messages, prior: "SUM")
    assert found.acted == (case["expected"] is not None)
    assert [as_in_vectors(m) for m in found.after] == (case["expected"] or [{"id": m.id} for m in window])


def as_in_vectors(message: Message) -> dict[str, Any]:
    """What the vectors say of a message."""
    if message.injected == "summary":
        return {"summary": True, "content": message.content}
    return {"id": message.id}
