"""agentkit's Memory (lesson 3), on foldline's engine."""

import pytest

from core.agents.memory import Memory
from core.llm import MockLLM
from core.model.session import Message
from tests.support import LESSON_SUMMARY, assistant, lesson_session, plain, result, system, user


def remembering(*messages: Message, budget: int = 60, keep_recent: int = 2) -> Memory:
    """A memory that holds these messages."""
    memory = Memory(budget=budget, keep_recent=keep_recent)
    for message in messages:
        memory.append(message)
    return memory


def test_the_defaults_are_those_of_the_lesson() -> None:
    """A memory holds 400 tokens and keeps four messages unless told otherwise."""
    assert (Memory().budget, Memory().keep_recent, Memory().summary_count, len(Memory())) == (400, 4, 0, 0)


def test_tokens_climb_as_the_lesson_prints_them() -> None:
    """The lesson's four messages count 11, 18, 26 and 37 tokens, and stay within a budget of 60."""
    memory, climb = Memory(budget=60, keep_recent=2), []
    said = (
        system("You are a careful calculator."),
        user("What is 1+2?"),
        assistant("The answer is 3."),
        user("And what is 10 plus 20 plus 30?"),
    )
    for message in said:
        memory.append(message)
        climb.append((len(memory), memory.tokens(), memory.over_budget()))
    assert climb == [(1, 11, False), (2, 18, False), (3, 26, False), (4, 37, False)]


def test_the_lessons_run_compacts_108_tokens_to_82() -> None:
    """Ten messages of 108 tokens become five of 82, the summary standing for six earlier messages."""
    memory = remembering(*lesson_session().messages[:10], budget=100, keep_recent=3)
    assert memory.tokens() == 108
    assert memory.compact(MockLLM([LESSON_SUMMARY]))
    assert (memory.tokens(), memory.summary_count, len(memory)) == (82, 1, 5)
    assert memory.messages()[1].role == "system"
    assert memory.messages()[1].content == f"[summary #1 of 6 earlier messages]\n{LESSON_SUMMARY}"
    assert plain(memory.messages()[2:]) == [("tool", "300"), ("assistant", ""), ("tool", "3000")]


def test_nothing_happens_within_the_budget() -> None:
    """Within its budget a memory is left as it is and the model is not called."""
    memory, llm = remembering(user("hello")), MockLLM([])
    assert not memory.compact(llm)
    assert (plain(memory.messages()), llm.calls) == ([("user", "hello")], [])


def test_pinned_messages_alone_cannot_be_compacted() -> None:
    """Over budget with everything pinned, nothing is done and the model is not called."""
    memory, llm = remembering(system("s" * 400), user("u"), assistant("a")), MockLLM([])
    assert memory.over_budget()
    assert not memory.compact(llm)
    assert (len(memory), memory.summary_count, llm.calls) == (3, 0, [])


def test_the_summary_request_is_one_user_message_without_tools() -> None:
    """The model is asked for a summary in one user message that quotes what goes, calls included, with no tools."""
    memory, llm = remembering(*lesson_session().messages[:10], budget=100, keep_recent=3), MockLLM(["ok"])
    memory.compact(llm)
    [(messages, tools)] = llm.calls
    assert (len(messages), messages[0].role, tools) == (1, "user", [])
    assert messages[0].content.startswith("Summarize the following")
    assert '[assistant] -> add({"a": 100, "b": 200})' in messages[0].content
    assert "1000" not in messages[0].content.splitlines()[-1]


@pytest.mark.parametrize(
    ("reply", "text"), [("  Short. \n", "Short."), ("", "(no summary returned)"), (" \n", "(no summary returned)")]
)
def test_the_reply_is_stripped_and_an_empty_one_replaced(reply: str, text: str) -> None:
    """White space around a summary goes; an empty one is said to be none."""
    memory = remembering(user("x" * 400), user("a"), user("b"))
    memory.compact(MockLLM([reply]))
    assert memory.messages()[0].content == f"[summary #1 of 1 earlier messages]\n{text}"


def test_an_earlier_summary_is_folded_with_the_rest_and_counted() -> None:
    """The second summary stands for the first one too, and is number two."""
    memory = remembering(system("be brief"), user("x" * 300), user("y" * 300), user("z"), keep_recent=1)
    memory.compact(MockLLM(["first"]))
    memory.append(user("w" * 300))
    assert memory.compact(MockLLM(["second"]))
    assert plain(memory.messages()[:2]) == [
        ("system", "be brief"),
        ("system", "[summary #2 of 2 earlier messages]\nsecond"),
    ]


def test_without_a_system_prompt_the_first_summary_is_pinned() -> None:
    """With no system prompt the first summary stands at the front, where the lesson's class never folds it again."""
    memory = remembering(user("x" * 300), user("y"), keep_recent=1)
    for reply, text in (("first", "p" * 300), ("second", "q" * 300), ("third", "r")):
        memory.compact(MockLLM([reply]))
        memory.append(user(text))
    assert [m.content.splitlines()[-1] for m in memory.messages()][:2] == ["first", "third"]
    assert memory.messages()[1].content.startswith("[summary #3 of 2 earlier messages]")


def test_a_tool_result_may_lose_its_call() -> None:
    """The fault of the lesson is kept: a result can stay while the call it answers is folded."""
    memory = remembering(
        user("x" * 300), assistant("", *lesson_session().messages[2].tool_calls), result("c1", "3"), keep_recent=1
    )
    memory.compact(MockLLM(["gone"]))
    assert [m.role for m in memory.messages()] == ["system", "tool"]


def test_what_the_model_raises_leaves_the_memory_as_it_was() -> None:
    """An error of the model comes through, and neither the messages nor the count have changed."""

    def broken(messages: object, tools: object) -> Message:
        raise ConnectionError("no route to the model")

    memory = remembering(user("x" * 400), user("a"), user("b"))
    before = memory.messages()
    with pytest.raises(ConnectionError, match="no route to the model"):
        memory.compact(MockLLM(broken))
    assert (memory.messages(), memory.summary_count) == (before, 0)


def test_messages_is_a_list_of_ones_own() -> None:
    """Changing the list that `messages` gives does not change the memory."""
    memory = remembering(user("hello"))
    memory.messages().clear()
    assert len(memory) == 1
