"""agentkit's Memory, held to what the lesson's own class did with the same messages."""

from typing import Any

import pytest

from core import Message, ToolCall, compact, meter, policy
from core.agents.memory import Memory
from core.llm import MockLLM
from core.trace.compaction import Compaction
from tests.support import assistant, message_facts, numbered

CASES = list(numbered("seed_a.json"))
NAMES = [name for name, _ in CASES]


def ours(given: dict[str, Any]) -> Message:
    """A vector's message as one of ours."""
    made = tuple(ToolCall(**call) for call in given.get("tool_calls", ()))
    return Message(
        role=given["role"], content=given["content"], tool_calls=made, tool_call_id=given.get("tool_call_id")
    )


def expected(step: dict[str, Any]) -> list[Any] | None:
    """The buffer after a step, where the vector holds it."""
    return [message_facts(ours(m)) for m in step["messages"]] if "messages" in step else None


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=NAMES)
def test_the_memory_does_what_the_lessons_class_did(case: dict[str, Any]) -> None:
    """Messages, tokens, over_budget and summary_count are the real ones after every step."""
    memory = Memory(budget=case["budget"], keep_recent=case["keep_recent"])
    for given in case["initial"]:
        memory.append(ours(given))
    for step in case["steps"]:
        before = memory.tokens()
        did = memory.compact(MockLLM(script=lambda messages, tools, step=step: assistant(step["summary_reply"])))
        assert did == (step["compact"] is not None)
        if did:
            assert before == step["compact"]["tokens_before"]
            assert memory.tokens() == step["compact"]["tokens_after"]
            assert memory.summary_count == step["compact"]["summary_count"]
        for given in step["append"]:
            memory.append(ours(given))
        assert (memory.tokens(), memory.over_budget()) == (step["tokens"], step["over_budget"])
        assert expected(step) in (None, [message_facts(m) for m in memory.messages()])


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=NAMES)
def test_the_policy_does_what_the_lessons_class_did(case: dict[str, Any]) -> None:
    """`compact` on plain windows gives the same buffers, counts and numbers."""
    window = [ours(m) for m in case["initial"]]
    rules = policy("agentkit.memory", budget=case["budget"], keep_recent=case["keep_recent"])
    for step in case["steps"]:
        found = compact(
            window, rules, meter=meter("agentkit"), summarizer=lambda ms, prior, step=step: step["summary_reply"]
        )
        assert facts(found) == step["compact"]
        window = [*found.after, *map(ours, step["append"])]
        assert expected(step) in (None, [message_facts(m) for m in window])


def facts(found: Compaction) -> dict[str, Any] | None:
    """What the vectors say of a compaction; None where nothing happened."""
    if not found.acted:
        return None
    return {
        "tokens_before": found.tokens_before,
        "tokens_after": found.tokens_after,
        "summary_count": found.number,
        "summarised": found.folded,
    }
