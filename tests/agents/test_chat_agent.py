"""The chat agent of chapter 5: when it folds, how it counts, what it keeps."""

from collections.abc import Sequence
from typing import Any

import pytest

from core import meter
from core.agents.chat_agent import ASK, ChatAgent
from core.llm import MockLLM
from core.model.session import Message, Usage
from core.toolbox.tools import tool
from tests.support import assistant, calls, plain, user


@tool
def double(n: int) -> int:
    """Twice a number."""
    return 2 * n


class Counting(MockLLM):
    """A mock that counts tokens itself: ten a message."""

    def count_tokens(self, messages: Sequence[Message], tools: Sequence[Any]) -> int:
        """Ten a message."""
        return 10 * len(messages)


def answers(messages: Sequence[Message], tools: object) -> Message:
    """A model that summarizes when asked to, and else answers."""
    return assistant("summary") if messages[-1].content == ASK else assistant("answer")


def test_the_defaults_are_those_of_the_chapter() -> None:
    """100,000 tokens, five turns kept, nothing said yet."""
    agent = ChatAgent(MockLLM([]))
    assert (agent.max_input_tokens, agent.keep_recent_turns, agent.messages, agent.last_input_tokens) == (
        100_000,
        5,
        [],
        0,
    )


def test_a_turn_runs_its_tools_to_the_answer() -> None:
    """The answer comes back after the tool calls, all of which stand in the messages."""
    agent = ChatAgent(MockLLM([assistant("", calls("c1", "double", n=21)), "42"]), [double])
    assert agent.chat("twice 21?") == "42"
    assert plain(agent.messages) == [("user", "twice 21?"), ("assistant", ""), ("tool", "42"), ("assistant", "42")]


def test_over_the_budget_all_but_the_newest_turns_are_folded() -> None:
    """Before a turn, the older turns become a user message and a fixed reply; the newest stay as they are."""
    agent = ChatAgent(Counting(answers), [double], max_input_tokens=50, keep_recent_turns=2)
    for text in ("one", "two", "three", "four"):
        agent.chat(text)
    assert plain(agent.messages) == [
        ("user", "[Earlier conversation summary]\nsummary"),
        ("assistant", "Understood. Continuing from the summary."),
        *[
            (role, said)
            for text in ("two", "three", "four")
            for role, said in (("user", text), ("assistant", "answer"))
        ],
    ]
    assert agent.last_compaction is not None
    assert agent.last_compaction.folded == 2


def test_a_second_summary_takes_in_the_first() -> None:
    """The summary and its reply are in the next request, and one summary stands at the front."""
    llm = Counting(answers)
    agent = ChatAgent(llm, [double], max_input_tokens=30, keep_recent_turns=1)
    for text in ("one", "two", "three", "four"):
        agent.chat(text)
    asked = [messages for messages, tools in llm.calls if messages[-1].content == ASK]
    assert [m.content for m in asked[1]][:3] == [
        "[Earlier conversation summary]\nsummary",
        "Understood. Continuing from the summary.",
        "two",
    ]
    assert sum(m.content.startswith("[Earlier") for m in agent.messages) == 1


def test_a_single_long_turn_is_never_folded() -> None:
    """With no more turns than are kept nothing is folded, however far over the budget."""
    llm = Counting(answers)
    agent = ChatAgent(llm, [double], max_input_tokens=5, keep_recent_turns=5)
    for text in ("one", "two", "three"):
        agent.chat(text)
    assert (len(agent.messages), len(llm.calls)) == (6, 3)


def test_compact_folds_everything_and_reset_forgets_it() -> None:
    """`compact` keeps no turn, and folds a summary again; where nothing was said it has nothing to do."""
    agent = ChatAgent(MockLLM(answers), [double])
    assert not agent.compact()
    agent.chat("one")
    assert agent.compact()
    assert [m.role for m in agent.messages] == ["user", "assistant"]
    assert agent.compact()
    assert [m.role for m in agent.messages] == ["user", "assistant"]
    agent.reset()
    assert (agent.messages, agent.last_input_tokens) == ([], 0)


def test_tokens_are_read_off_the_reply() -> None:
    """`last_input_tokens` is what the newest reply says was read, cached or not."""
    said = Message(
        role="assistant", content="hi", usage=Usage(input_uncached=7, cache_read=100, cache_write=20, output=3)
    )
    agent = ChatAgent(MockLLM([said, "no usage"]))
    agent.chat("hello")
    assert agent.last_input_tokens == 127
    agent.chat("again")
    assert agent.last_input_tokens == 127


def test_tokens_are_counted_before_sending() -> None:
    """A model that counts is asked; else the o200k_base tokenizer counts messages, system prompt and tools."""
    assert ChatAgent(Counting([]), [double], system="be brief").count_tokens() == 10
    agent = ChatAgent(MockLLM(["hi"]), system="be brief")
    agent.chat("hello")
    counted = sum(
        meter("o200k_base").count(m)
        for m in (Message(role="system", content="be brief"), user("hello"), assistant("hi"))
    )
    assert agent.count_tokens() == counted
    assert ChatAgent(MockLLM([]), [double]).count_tokens() > 20


def test_the_system_prompt_is_sent_and_never_folded() -> None:
    """Every call begins with the system prompt, which is not among the messages."""
    llm = MockLLM(answers)
    agent = ChatAgent(llm, [double], system="be brief")
    agent.chat("one")
    agent.compact()
    agent.chat("two")
    assert [llm.calls[i][0][0].content for i in (0, 2)] == ["be brief", "be brief"]
    assert all(m.role != "system" for m in agent.messages)


def test_a_turn_that_fails_is_taken_back() -> None:
    """What the model raises comes through, and the conversation is as it was before the turn."""
    agent = ChatAgent(MockLLM([assistant("", calls("c1", "double", n=1))]), [double])
    with pytest.raises(Exception, match="no more replies"):
        agent.chat("one")
    assert agent.messages == []


def test_a_summary_that_fails_leaves_the_conversation() -> None:
    """An error while summarizing comes through, nothing folded and the new message not added."""
    agent = ChatAgent(Counting(["a1", "a2"]), [double], max_input_tokens=30, keep_recent_turns=1)
    agent.chat("one")
    agent.chat("two")
    with pytest.raises(Exception, match="no more replies"):
        agent.chat("three")
    assert plain(agent.messages) == [("user", "one"), ("assistant", "a1"), ("user", "two"), ("assistant", "a2")]
