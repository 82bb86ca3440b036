"""Breakpoints: which calls and tools they pause, and that one event pauses a run once."""

from pathlib import Path

import pytest

from core.drive import Breakpoint
from core.drive.breakpoints import Breakpoints
from core.drive.repeats import Repeats
from core.model.errors import ParameterError
from core.model.session import Message
from tests.drive.parts import Scripted, asks, driven, events_of, pages
from tests.support import assistant, calls, user


def on(*points: Breakpoint) -> Breakpoints:
    """Breakpoints of a run that has made no call yet."""
    made = Breakpoints()
    made.set(points)
    return made


def test_a_token_breakpoint_pauses_once_until_the_window_was_below_it() -> None:
    """The first call above the number pauses. Later calls above it do not, until one was at or below it again."""
    points = on(Breakpoint(kind="tokens", value=1000, id=7))
    hits = [bool(points.before_call(tokens)) for tokens in (900, 1000, 1001, 1200, 1300, 1000, 1001, 5000)]
    assert hits == [False, False, True, False, False, False, True, False]


def test_a_token_breakpoint_names_both_numbers_and_is_marked_while_it_waits() -> None:
    """The reason says how many tokens the call would send; the next call that does not pause clears the mark."""
    points = on(Breakpoint(kind="tokens", value=8000, id=7), Breakpoint(kind="tokens", value=9000, id=8))
    assert points.before_call(8213) == "breakpoint: 8,213 tokens > 8,000"
    assert points.hit == {7}
    assert points.before_call(8300) == ""
    assert points.hit == frozenset()


def test_a_window_that_is_already_above_a_new_breakpoint_pauses() -> None:
    """Breakpoints that are set during a run take the window as having just passed their numbers."""
    points = on()
    assert points.before_call(5000) == ""
    points.set([Breakpoint(kind="tokens", value=1000)])
    assert [bool(points.before_call(5000)) for _ in range(3)] == [True, False, False]


def test_a_run_pauses_once_each_time_its_window_grows_past_a_number(tmp_path: Path) -> None:
    """Continued after a pause, a run whose window stays above the number makes its calls without another one."""
    drive = driven(tmp_path, Scripted(pages(12)), parameters={"budget": 100_000, "keep_recent": 4})
    drive.set_breakpoints([Breakpoint(kind="tokens", value=600)])
    drive.send("Look for the missing entry.")
    assert drive.wait() == "paused"
    drive.resume()
    assert drive.wait() == "ended"
    assert drive.context.tokens() > 1200
    drive.close()
    assert [event.kind for event in events_of(drive)].count("paused") == 1


def test_an_arrived_text_and_a_compaction_pause_one_call() -> None:
    """Text is looked for in content, thinking and arguments, in any case, among what arrived since the last call."""
    points = on(Breakpoint(kind="text", value="LEDGER", id=1), Breakpoint(kind="compaction", id=2))
    points.arrived(user("Open it."))
    assert points.before_call(10) == ""
    points.arrived(assistant("", calls("c1", "read", path="old/ledger.txt")))
    points.compacted()
    assert points.before_call(10) == "breakpoint: the text 'LEDGER' arrived"
    assert points.hit == {1, 2}
    assert points.before_call(10) == ""


def test_a_breakpoint_that_is_off_pauses_nothing() -> None:
    """It stays in the list and can be switched on again."""
    points = on(Breakpoint(kind="tokens", value=1, on=False), Breakpoint(kind="tool", on=False))
    assert (points.before_call(100), points.before_tool("read")) == ("", "")


@pytest.mark.parametrize(
    ("kind", "value"), [("tokens", 0), ("tokens", -5), ("tokens", "many"), ("text", ""), ("text", "  ")]
)
def test_a_breakpoint_that_could_never_pause_is_refused(kind: str, value: str | int) -> None:
    """The error names the value and says what to give."""
    with pytest.raises(ParameterError) as caught:
        Breakpoint.model_validate({"kind": kind, "value": value})
    assert caught.value.hint in ("give a whole number above 0", "give the text to wait for")


def test_a_tool_that_keeps_failing_the_same_way_pauses_the_run(tmp_path: Path) -> None:
    """At the fifth failure, with the error; told to go on, the run does, and pauses after five more."""
    drive = driven(tmp_path, Scripted([asks(k, "fails", "look_up") for k in range(12)]))
    drive.send("Find the torn page.")
    assert drive.wait() == "paused"
    assert drive.state.reason.startswith("fails failed the same way 5 times in a row: ")
    assert "torn" in drive.state.reason
    assert drive.state.calls == 5
    drive.resume()
    assert drive.wait() == "paused"
    assert drive.state.calls == 10
    drive.resume()
    assert drive.wait() == "ended"
    drive.close()


@pytest.mark.parametrize(
    ("results", "pauses"),
    [
        ([("a", "x")] * 5, True),
        ([("a", "x")] * 4, False),
        ([("a", "x"), ("b", "x")] * 4, False),
        ([("a", "x"), ("b", "y")] * 5, True),
        ([("a", "x")] * 4 + [("a", "")] + [("a", "x")] * 4, False),
        ([("a", "x"), ("a", "y")] * 5, False),
    ],
)
def test_failures_are_counted_by_tool_and_error(results: list[tuple[str, str]], pauses: bool) -> None:
    """A success of the tool, or another error, begins anew; what other tools do does not matter."""
    repeats = Repeats()
    for name, error in results:
        repeats.arrived(
            Message(role="tool", content=error or "done", name=name, tool_call_id="c", is_error=bool(error))
        )
    assert bool(repeats.reason()) == pauses
