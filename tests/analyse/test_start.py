"""A window that no longer begins with the user."""

from core import Message
from core.analyse import Finding, findings
from tests.analyse.events import cut_out, event, of_kind, run, summary
from tests.support import assistant, calls, result, system, user

TALK = [system("s"), user("do it"), assistant("first"), user("more"), assistant("second"), user("and on")]


def leading(messages: list[Message], a: int, b: int, *put: Message) -> list[Finding]:
    """What is found about the beginning, messages a up to b removed."""
    return of_kind("leading_assistant", findings(cut_out(messages, a, b, *put)))


def test_a_reply_stands_in_front() -> None:
    """The question goes into a system message and its answer stays in front: a warning with both messages."""
    (found,) = leading(TALK, 1, 4, summary())
    assert (found.severity, found.messages) == ("warning", (TALK[4].id, TALK[1].id))
    assert found.title == "The conversation begins with an assistant message"


def test_a_tool_result_stands_in_front() -> None:
    """A tool result in front is reported as one."""
    work = [user("do it"), assistant("", calls("c", "read")), result("c", "x"), assistant("done")]
    (found,) = leading(work, 0, 2, summary())
    assert found.title == "The conversation begins with a tool result"
    assert found.messages == (work[2].id, work[0].id)


def test_a_user_message_in_front_is_as_it_should_be() -> None:
    """A tail that begins with the user, or a summary in the user's role, opens the conversation."""
    assert leading(TALK, 1, 3, summary()) == []
    assert leading(TALK, 1, 4, summary(role="user")) == []


def test_a_conversation_that_began_with_the_assistant_is_not_blamed_on_the_compaction() -> None:
    """Where the window before had no user message in front either, nothing is new."""
    assert leading([system("s"), assistant("hello"), user("a"), assistant("b"), user("c")], 1, 3, summary()) == []


def test_a_summary_in_the_assistants_role_is_only_good_to_know() -> None:
    """What the policy adds in front in the assistant's role is reported, without a warning."""
    (found,) = leading(TALK, 1, 3, summary(role="assistant"))
    assert (found.severity, found.messages[0]) == ("info", "summary")


def test_nothing_left_is_not_this() -> None:
    """A window of system messages alone does not begin with the assistant."""
    assert leading(TALK, 1, 6, summary()) == []


def test_it_is_reported_once_in_a_chain() -> None:
    """The next compaction, whose window began with the reply already, does not tell it again."""
    trace = run(
        TALK,
        event(5, [(0, 5)], [(0, 1), (6, 7), (4, 5)], ("summarised", (1, 4)), put=[summary(id="s1")]),
        event(6, [(0, 1), (6, 7), (4, 6)], [(0, 1), (7, 8), (4, 6)], ("summarised", (6, 7)), put=[summary(id="s2")]),
    )
    counts = [len(of_kind("leading_assistant", findings(c))) for c in trace.compactions]
    assert counts == [1, 0]
