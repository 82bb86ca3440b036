"""The model calls of a session: one for each reply, however its messages were recorded."""

from hypothesis import given

from core import Message, Session
from core.measure.calls import calls_of
from core.window.growing import Growing
from core.window.measured import Measured
from tests.support import assistant, calls, result, sessions, user


def part(reply: str, message: Message) -> Message:
    """The message as a part of the reply of this name."""
    return message.model_copy(update={"reply_id": reply})


MESSAGES = [
    user("a"),
    part("one", assistant("", calls("c", "read"))),
    part("one", assistant("", calls("d", "read"))),
    result("c", "text"),
    part("one", assistant("more")),  # the tool was faster than the end of the reply
    assistant("put in").model_copy(update={"injected": "note"}),
    part("two", assistant("b")),
    part("one", assistant("c")),
    assistant("d"),
    assistant("e"),
]


def test_a_reply_goes_on_after_a_tool_result() -> None:
    """Its parts are one call; an injected message is none; without an id, or under one that has ended, a reply is its own."""
    base = Measured(MESSAGES, [1] * len(MESSAGES))
    assert base.replies == [[1, 2, 4], [6], [7], [8], [9]]
    assert base.calls == [1, 6, 7, 8, 9]
    assert [(call.at, call.parts) for call in calls_of(base)] == [
        (1, (1, 2, 4)),
        (6, (6,)),
        (7, (7,)),
        (8, (8,)),
        (9, (9,)),
    ]


@given(session=sessions())
def test_messages_that_arrive_one_by_one_give_the_same_calls(session: Session) -> None:
    """Whether replies, calls or neither were asked for before."""
    whole = Measured(session.messages, [1] * len(session.messages))
    asked, both, late = Growing(), Growing(), Growing()
    assert (asked.replies, both.replies, both.calls) == ([], [], [])
    for message in session.messages:
        for growing in (asked, both, late):
            growing.append(message, 1)
    for growing in (asked, both, late):
        assert (growing.replies, growing.calls) == (whole.replies, whole.calls)
