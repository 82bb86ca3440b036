"""SummarizingMemory: what the golden vectors do not show, edges and faults of the original included."""

import pytest

from core.agents.summarizing_memory import DEFAULT_PROMPT, SummarizingMemory
from core.llm import MockLLM
from core.model.errors import ParameterError
from core.model.session import Message
from tests.support import assistant, plain, result, system, user

SHORT = [user("a" * 36), assistant("b" * 36), user("c" * 36), assistant("d" * 36)]  # 13 tokens each


def memory(*replies: str, window: int = 40, most: int = 600) -> SummarizingMemory:
    """A memory whose model gives these replies."""
    return SummarizingMemory(MockLLM(list(replies)), active_window_tokens=window, summary_max_tokens=most)


def test_the_defaults_are_those_of_the_original() -> None:
    """3,000 active tokens, 600 tokens of summary, and agentlib's own prompt."""
    made = SummarizingMemory(MockLLM([]))
    settings = {"active_window_tokens": 3000, "summary_max_tokens": 600, "summary_prompt": None}
    assert (made._policy.settings, made.summary_prompt) == (settings, DEFAULT_PROMPT)


def test_a_session_nobody_wrote_to_is_empty() -> None:
    """Reading an unknown session gives no messages, no entries and no summary."""
    made = memory()
    assert (made.read(), made.entries("nobody"), made.get_summary("nobody")) == ([], [], None)


def test_the_older_half_becomes_the_summary() -> None:
    """Over the limit the older half is folded, and read back as a system message before the rest."""
    made = memory("Half.")
    made.write(SHORT)
    assert plain(made.read()) == [("system", "[Conversation summary so far]\nHalf."), *plain(SHORT[2:])]
    assert made.get_summary() == "Half."


def test_exactly_the_limit_is_not_over_it() -> None:
    """Messages that count just as many tokens as allowed are left alone."""
    made = memory(window=52)
    made.write(SHORT)
    assert made.entries()[0].metadata["token_count"] == 52
    assert plain(made.read()) == plain(SHORT)


def test_sessions_are_kept_apart() -> None:
    """What is written to one session is not read from another, and each can be cleared alone."""
    made = memory()
    made.write([user("one")], session_id="a", agent_name="ann")
    made.write([user("two")])
    assert [(e.session_id, e.metadata["agent_name"]) for e in made.entries()] == [("a", "ann"), ("default", None)]
    made.clear("a")
    assert (made.read("a"), plain(made.read())) == ([], [("user", "two")])
    made.clear()
    assert made.entries() == []


def test_system_messages_are_not_stored() -> None:
    """A system message that is written is dropped, so a summary read and written back does not double."""
    made = memory("Half.")
    made.write(SHORT)
    made.write(made.read())
    assert [m.role for m in made.read()] == ["system", "user", "assistant"]
    assert len(made.entries()[0].messages) == 2


def test_a_single_message_over_the_limit_still_calls_the_model() -> None:
    """With one message there is nothing to fold, yet the model is asked, and its answer replaces the summary."""
    made = memory("Nothing to say.", "Something new.")
    made.write([user("x" * 400)])
    made.write([user("x" * 400)])
    assert isinstance(made.model, MockLLM)
    prompts = [messages[1].content for messages, _ in made.model.calls]
    assert prompts == ["\n", "Previous summary:\nNothing to say.\n\nNew conversation to add:\n"]
    assert [m.content[:35] for m in made.read()] == ["[Conversation summary so far]\nSomet", "x" * 35]


def test_an_empty_reply_erases_the_summary() -> None:
    """A model that answers nothing leaves no summary, the earlier one gone with it."""
    made = memory("First.", "", "Third.")
    made.write(SHORT)
    made.write([*made.read(), *SHORT])
    assert (made.get_summary(), made.read()[0].role) == ("", "assistant")
    made.write([*made.read(), *SHORT])
    assert isinstance(made.model, MockLLM)
    assert made.model.calls[2][0][1].content.startswith("\nASSISTANT: ")


def test_a_long_summary_is_cut_where_its_tokens_end() -> None:
    """The summary keeps four characters for each token it may have, as JavaScript counts them, in mid-word if need be."""
    made = memory("summary of it all", most=2)
    made.write(SHORT)
    assert made.get_summary() == "summary "
    wide = memory("🙂🙂🙂", most=1)
    wide.write(SHORT)
    assert wide.get_summary() == "🙂🙂"


def broken(messages: object, tools: object) -> Message:
    """A model that cannot be reached."""
    raise ConnectionError("down")


def test_an_error_on_the_first_write_loses_the_session() -> None:
    """What the model raises comes through, and a session that was new is not there afterwards."""
    made = SummarizingMemory(MockLLM(broken), active_window_tokens=10)
    with pytest.raises(ConnectionError):
        made.write(SHORT)
    assert made.entries() == []


def test_an_error_later_keeps_the_messages_and_the_summary() -> None:
    """A known session keeps its summary, and the messages that were being written."""
    made = memory("First.")
    made.write(SHORT)
    made.model = MockLLM(broken)
    with pytest.raises(ConnectionError):
        made.write(SHORT)
    assert plain(made.read()) == [("system", "[Conversation summary so far]\nFirst."), *plain(SHORT)]


def test_a_tool_pair_can_be_cut() -> None:
    """The fault of the original is kept: half of a tool pair can be folded, its result staying behind."""
    made = memory("Cut.", window=10)
    made.write([user("u"), assistant("call it"), result("c1", "r" * 60), assistant("done")])
    assert [m.role for m in made.read()] == ["system", "tool", "assistant"]


def test_a_negative_limit_is_refused() -> None:
    """A limit below zero is an error that names it."""
    with pytest.raises(ParameterError, match="active_window_tokens=-1"):
        memory(window=-1)


def test_a_system_message_alone_is_nothing() -> None:
    """Writing only system messages stores a session without messages."""
    made = memory()
    made.write([system("be kind")])
    assert (made.read(), len(made.entries())) == ([], 1)
