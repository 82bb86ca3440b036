"""User and assistant taking turns."""

from core import Message
from core.analyse import Finding, findings
from tests.analyse.events import cut_out, event, of_kind, run, summary
from tests.support import assistant, calls, result, system, user

TALK = [system("s"), user("a"), assistant("b"), user("c"), assistant("d"), user("e")]


def broken(messages: list[Message], a: int, b: int, *put: Message) -> list[Finding]:
    """What is found about the turns, messages a up to b removed."""
    return of_kind("role_alternation_broken", findings(cut_out(messages, a, b, *put)))


def test_two_user_messages_side_by_side() -> None:
    """A summary in the user's role before a user message: info, for most APIs merge the two."""
    (found,) = broken(TALK, 1, 3, summary(role="user"))
    assert (found.severity, found.title) == ("info", "Two user messages in a row")
    assert found.messages == ("summary", TALK[3].id)
    assert found.numbers == {"places": 1}


def test_two_replies_side_by_side() -> None:
    """The question between two answers dropped: they follow each other."""
    (found,) = broken(TALK, 3, 4)
    assert (found.severity, found.messages) == ("info", (TALK[2].id, TALK[4].id))
    assert "Gemini" not in found.text


def test_a_reply_that_calls_a_tool_after_a_reply() -> None:
    """A tool call that follows no user message is a warning: one more API refuses it."""
    work = [user("a"), assistant("b"), user("c"), assistant("", calls("c1", "read")), result("c1", "x")]
    (found,) = broken(work, 2, 3)
    assert found.severity == "warning"
    assert "Gemini rejects" in found.text


def test_turns_that_are_still_taken() -> None:
    """A summary in the system's role, or in the user's before a reply, breaks no turn; nor does a whole turn dropped."""
    assert broken(TALK, 1, 3, summary()) == []
    assert broken(TALK, 1, 4, summary(role="user")) == []
    assert broken(TALK, 1, 3) == []


def test_system_messages_do_not_stand_between() -> None:
    """Two user messages with a system message between them are two in a row: before as well as after."""
    assert broken([user("a"), system("now"), user("b"), assistant("c"), user("d")], 2, 4) == []
    (found,) = broken([user("a"), assistant("b"), system("now"), user("c")], 1, 2)
    assert len(found.messages) == 2


def test_what_was_so_before_is_not_blamed_on_the_compaction() -> None:
    """A window with two user messages in a row already is not reported to be broken at the seam."""
    assert broken([*TALK, user("f")], 1, 3, summary(role="user")) == []


def test_two_messages_of_one_reply_are_one_turn() -> None:
    """The parts of one reply stand in a row without breaking a turn."""
    first, second = (assistant(text).model_copy(update={"reply_id": "r1", "id": text}) for text in ("one", "two"))
    assert broken([user("a"), first, user("b"), second], 2, 3) == []


def test_what_is_added_while_a_body_is_cleared() -> None:
    """An added message breaks a turn, also where nothing left the window."""
    work = [user("a"), assistant("b"), user("long")]
    put = [work[2].model_copy(update={"content": "[cleared]", "injected": "cleared"}), summary(role="user")]
    trace = run(work, event(3, [(0, 3)], [(4, 5), (0, 2), (3, 4)], ("cleared", (2, 3)), put=put))
    (found,) = of_kind("role_alternation_broken", findings(trace.compactions[0]))
    assert found.messages == ("summary", work[0].id)


def test_an_cleared_body_breaks_nothing() -> None:
    """Where messages stay in place, nothing new stands side by side."""
    work = [user("a"), assistant("b"), user("long")]
    cleared = work[2].model_copy(update={"content": "[cleared]", "injected": "cleared"})
    trace = run(work, event(3, [(0, 3)], [(0, 2), (3, 4)], ("cleared", (2, 3)), put=[cleared], window_after=21))
    assert findings(trace.compactions[0]) == ()
