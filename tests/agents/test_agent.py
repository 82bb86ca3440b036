"""The agent loop with a scripted model."""

from collections.abc import Sequence

import pytest

from core.agents.agent import RunResult, run_agent
from core.agents.memory import Memory
from core.llm import LLM, MockLLM
from core.meters import message_tokens
from core.model.errors import FoldlineError
from core.model.session import Message, ToolCall
from core.toolbox.tools import ToolRegistry, tool
from tests.support import (
    LESSON_ANSWER,
    LESSON_GOAL,
    LESSON_SUMMARY,
    LESSON_SYSTEM,
    assistant,
    calls,
    lesson_replies,
    system,
)


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def lesson_llm() -> MockLLM:
    """One model for both jobs, as in the lesson: it answers summary requests, and plays the agent's script."""
    script = iter(lesson_replies())

    def reply(messages: Sequence[Message], tools: object) -> Message:
        lone = len(messages) == 1 and messages[0].content.startswith("Summarize the following")
        return assistant(LESSON_SUMMARY) if lone else next(script)

    return MockLLM(script=reply)


def lesson_run(budget: int) -> tuple[RunResult, list[tuple[str, object]]]:
    """The lesson's run within a budget, and the events it emitted."""
    events: list[tuple[str, object]] = []
    result = run_agent(
        LESSON_GOAL,
        lesson_llm(),
        ToolRegistry([add]),
        system=LESSON_SYSTEM,
        memory=Memory(budget=budget, keep_recent=3),
        on_event=lambda kind, payload: events.append((kind, payload)),
    )
    return result, events


def test_the_lessons_run_ends_with_its_numbers() -> None:
    """Five turns, one summary, and six messages of 20, 41, 6, 9, 6 and 18 tokens: 100 in all."""
    result, _ = lesson_run(budget=100)
    assert (result.answer, result.turns, result.summaries, result.stopped) == (LESSON_ANSWER, 5, 1, "answered")
    assert [message_tokens(m) for m in result.messages] == [20, 41, 6, 9, 6, 18]
    assert result.memory.tokens() == 100


def test_the_lessons_run_without_a_budget_counts_126() -> None:
    """Without a budget eleven messages of 126 tokens are left, and the answer is the same."""
    result, _ = lesson_run(budget=10**9)
    assert (result.answer, result.turns, result.summaries) == (LESSON_ANSWER, 5, 0)
    assert (len(result.messages), result.memory.tokens()) == (11, 126)


def test_a_run_tells_everything_as_it_happens() -> None:
    """The events of the lesson come in its order: the compaction right before the call it makes room for."""
    _, events = lesson_run(budget=100)
    turn = ["assistant", "tool_call", "tool_result"]
    assert [kind for kind, _ in events] == ["user", *turn * 4, "compact", "assistant", "final"]
    told = dict(events)
    assert told["compact"] == {"tokens_before": 108, "tokens_after": 82, "summary_count": 1}
    assert told["tool_call"] == calls("c4", "add", a=1000, b=2000)
    assert isinstance(told["tool_result"], Message)
    assert told["tool_result"].content == "3000"
    assert told["final"] == LESSON_ANSWER


def test_the_final_answer_is_given_on_the_compacted_window() -> None:
    """The last call of the lesson's run sees five messages instead of ten."""
    llm = lesson_llm()
    run_agent(LESSON_GOAL, llm, ToolRegistry([add]), LESSON_SYSTEM, memory=Memory(budget=100, keep_recent=3))
    assert [len(messages) for messages, _ in llm.calls] == [2, 4, 6, 8, 1, 5]
    assert [len(tools) for _, tools in llm.calls] == [1, 1, 1, 1, 0, 1]


def test_a_memory_that_has_a_system_message_gets_no_second() -> None:
    """The system prompt is put in only where there is none yet."""
    memory = Memory()
    memory.append(system("mine"))
    run_agent("go", MockLLM(["done"]), system="theirs", memory=memory)
    assert [m.content for m in memory.messages()] == ["mine", "go", "done"]


def test_a_run_without_an_answer_stops_at_its_limit() -> None:
    """A model that only calls tools is stopped after `max_turns` calls, without an answer."""
    llm = MockLLM(lambda messages, tools: assistant("", calls("c", "add", a=1, b=2)))
    result = run_agent("go", llm, [add], max_turns=3)
    assert (result.answer, result.turns, result.stopped, len(llm.calls)) == ("", 3, "max_turns", 3)


def test_a_bad_call_is_told_to_the_model_and_the_run_goes_on() -> None:
    """A call of an unknown tool becomes an error text in the conversation, which the model sees next."""
    llm = MockLLM([assistant("", calls("c1", "subtract", a=1)), "sorry"])
    result = run_agent("go", llm, [add])
    assert result.answer == "sorry"
    assert llm.calls[1][0][-1].content == "error: unknown tool 'subtract'; known: add"
    assert llm.calls[1][0][-1].is_error


def test_parallel_calls_are_answered_in_order() -> None:
    """Each call of one reply gets its own tool message, in the order of the calls."""
    both = assistant("", calls("x", "add", a=1, b=1), calls("y", "add", a=2, b=2))
    result = run_agent("go", MockLLM([both, "done"]), [add])
    assert [(m.tool_call_id, m.content) for m in result.messages if m.role == "tool"] == [("x", "2"), ("y", "4")]


def test_a_script_that_runs_out_says_so() -> None:
    """A mock model asked once too often raises an error a person understands."""
    with pytest.raises(FoldlineError, match="no more replies"):
        run_agent("go", MockLLM([assistant("", ToolCall(name="add", arguments={"a": 1, "b": 2}))]), [add])


def test_a_mock_is_a_model() -> None:
    """MockLLM has what the protocol asks for."""
    assert isinstance(MockLLM([]), LLM)
