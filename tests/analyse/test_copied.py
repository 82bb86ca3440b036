"""A session that begins with a copy of another one: what it was asked and did itself is told apart."""

from typing import Any

from core import Message, Session, replay
from core.analyse.overview import overview
from core.analyse.sums import Sums, sums
from core.analyse.turns import Stretch
from core.model.session import RecordedCompaction, injected_message
from core.trace.trace import as_session
from tests.support import assistant, calls, result, user
from viewer.wire.overview import session_overview

COPIED = (
    user("mend it"),
    assistant("", calls("c1", "edit_file", path="a.py")),
    result("c1", "done"),
    assistant("Mended."),
)
OWN = (
    assistant("", calls("c2", "bash", command="git commit -m Mend"), calls("c3", "edit_file", path="b.py")),
    result("c2", "done"),
    result("c3", "done"),
    assistant("Reviewed."),
)


def forked(*asked: Message) -> Session:
    """A session that goes on from the copied messages with these requests, and what they led to."""
    return as_session([*COPIED, *asked, *OWN], copied=len(COPIED))


def by_agent(text: str) -> Message:
    """What another agent asks."""
    return injected_message("user", text, "agent")


def overview_of(session: Session) -> dict[str, Any]:
    """The overview of a session, as the page is sent it."""
    return session_overview(replay(session))


def test_the_task_is_what_is_asked_behind_the_copy() -> None:
    """By a person, or by the agent that started the session; the last request is none that was copied."""
    wire = overview_of(forked(user("review it")))
    assert (wire["task"], wire["later"]) == ({"at": 4, "text": "review it"}, None)
    wire = overview_of(forked(by_agent("review it")))
    assert (wire["task"], wire["later"]) == ({"at": 4, "text": "review it", "agent": True}, None)
    wire = overview_of(forked(by_agent("review it"), by_agent("and the tests")))
    assert wire["later"] == {"turn": 2, "of": 2, "at": 5, "text": "and the tests", "agent": True}
    assert overview_of(forked())["task"] == {"at": 0, "text": "mend it"}


def test_a_turn_begins_where_another_agent_asks() -> None:
    """It is none that a person typed. Where a person goes on, what an agent says begins no turn."""
    found = overview(replay(forked(by_agent("review it")))).turns
    assert found[0] == Stretch(0, "mend it", True, 0, (1,), (), ((1, "a.py"),), said=3)
    assert (found[1].at, found[1].asked, found[1].typed, found[1].calls, found[1].said) == (
        4,
        "review it",
        False,
        (5, 5),
        8,
    )
    assert [turn.at for turn in overview(replay(forked(by_agent("done"), user("go on")))).turns] == [0, 5]


def test_the_task_of_a_sub_agent_is_what_it_was_asked() -> None:
    """Nobody typed anything in it, and nothing was copied."""
    wire = overview_of(as_session([by_agent("look"), assistant("Seen.")]))
    assert (wire["task"], wire["copied"]) == ({"at": 0, "text": "look", "agent": True}, None)


def test_what_was_copied_is_counted_apart() -> None:
    """The sums of the whole, and of what stands behind the copy."""
    trace = replay(forked(user("review it")))
    assert sums(trace) == Sums(2, 3, 0, 0, {}, 0, 2, 1, 1)
    assert sums(trace, since=4) == Sums(1, 2, 0, 0, {}, 0, 1, 1, 1)
    copied = session_overview(trace)["copied"]
    assert (copied["messages"], copied["own"]["calls"], copied["own"]["files"]) == (4, 2, 1)


def test_times_are_those_of_the_own_part() -> None:
    """A copied message has the time at which it was copied, or was written long before."""
    times = ("10:00", "10:01", "10:02", "10:03", "12:00", "12:01", "12:02", "12:03", "12:04")
    session = forked(user("review it"))
    timed = tuple(
        m.model_copy(update={"timestamp": f"2026-04-25T{t}:00Z"}) for m, t in zip(session.messages, times, strict=True)
    )
    found = overview(replay(session.model_copy(update={"messages": timed})))
    assert (found.began, found.ended, found.active) == ("2026-04-25T12:00:00Z", "2026-04-25T12:04:00Z", 240)


def test_a_copied_summary_is_no_message_of_the_run() -> None:
    """The session has it among its copied messages; a recorded run has it in its compaction."""
    summary = injected_message("user", "So far: mended.", "summary")
    compaction = RecordedCompaction(at=4, summary=summary.id)
    session = as_session([*COPIED, summary, user("review it"), *OWN], copied=5, compactions=(compaction,))
    assert overview(replay(session)).copied == 4
