"""SummarizingMemory, held to what @agentlib/memory did with the same messages."""

from typing import Any

import pytest

from core import Message, compact, meter, policy
from core.agents.summarizing_memory import DEFAULT_PROMPT, SummarizingMemory
from core.llm import MockLLM
from tests.support import assistant, numbered, plain

CASES = list(numbered("seed_b.json"))
NAMES = [name for name, _ in CASES]


def settings(case: dict[str, Any]) -> dict[str, Any]:
    """The configuration under the names Python uses."""
    config = case["config"]
    return {
        "active_window_tokens": config["activeWindowTokens"],
        "summary_max_tokens": config["summaryMaxTokens"],
        "summary_prompt": config["summaryPrompt"],
    }


def replying(step: dict[str, Any]) -> MockLLM:
    """A model that gives the replies of a step."""
    return MockLLM([assistant(call["reply"]) for call in step["model_calls"]])


def requests(llm: MockLLM) -> list[list[dict[str, str]]]:
    """The messages of every request, as the vectors write them."""
    return [[{"role": m.role, "content": m.content} for m in messages] for messages, _ in llm.calls]


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=NAMES)
def test_the_memory_does_what_agentlib_did(case: dict[str, Any]) -> None:
    """What is read, the summary, the token count and every prompt sent are the real ones after every write."""
    memory = SummarizingMemory(MockLLM([]), **settings(case))
    for step in case["steps"]:
        memory.model = llm = replying(step)
        memory.write(memory.read(session_id="s") + [Message(**m) for m in step["append"]], session_id="s")
        assert requests(llm) == [call["request"] for call in step["model_calls"]]
        assert memory.get_summary("s") == step["summary"]
        assert memory.entries("s")[0].metadata["token_count"] == step["token_count"]
        if "read" in step:
            assert plain(memory.read(session_id="s")) == [(m["role"], m["content"]) for m in step["read"]]


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=NAMES)
def test_the_policy_does_what_agentlib_did(case: dict[str, Any]) -> None:
    """`compact` on what the agent would be sent gives the same windows, folded messages and earlier summaries."""
    window: list[Message] = []
    rules = policy("agentlib.summarizing", **settings(case))
    for step in case["steps"]:
        asked: list[str] = []

        def summarizer(messages: Any, prior: str | None, step: Any = step, asked: list[str] = asked) -> str:
            before = f"Previous summary:\n{prior}\n\nNew conversation to add:" if prior else ""
            asked.append("\n".join([before, *(f"{m.role.upper()}: {m.content}" for m in messages)]))
            return str(step["model_calls"][0]["reply"])

        window += [Message(**m) for m in step["append"] if m["role"] != "system"]
        window = compact(window, rules, meter=meter("agentlib"), summarizer=summarizer).after
        assert asked == [call["request"][1]["content"] for call in step["model_calls"]]
        if "read" in step:
            assert plain(window) == [(m["role"], m["content"]) for m in step["read"]]


def test_the_default_prompt_is_the_real_one() -> None:
    """Without a prompt of one's own the system message of a request is agentlib's."""
    sent = [
        call["request"][0]["content"]
        for _, c in CASES
        if not c["config"]["summaryPrompt"]
        for s in c["steps"]
        for call in s["model_calls"]
    ]
    assert set(sent) == {DEFAULT_PROMPT}
