"""Breakpoints: which calls and tools they pause, and that one event pauses a run once."""

from pathlib import Path

import pytest

from core import policy
from core.drive import Breakpoint
from core.drive.breakpoints import Breakpoints, NextCall
from core.drive.repeats import Repeats
from core.model.errors import ParameterError, RunError
from core.model.session import Message, ToolCall
from core.trace.compaction import Compaction
from tests.drive.parts import Scripted, again, asks, driven, events_of, pages, says
from tests.support import assistant, calls, user

COMPACTED = Compaction(status="compacted", layout_before=((0, 3),), layout_after=((2, 3),))
FAILED = Compaction(status="failed", reason="the summarizer gave nothing")


def on(*points: Breakpoint) -> Breakpoints:
    """Breakpoints of a run that has made no call yet."""
    made = Breakpoints()
    made.set(points)
    return made


def test_a_token_breakpoint_pauses_once_until_the_window_was_below_it() -> None:
    """The first call above the number pauses. Later calls above it do not, until one was at or below it again."""
    points = on(Breakpoint(kind="tokens", value=1000, id=7))
    hits = [bool(points.before_call(NextCall(tokens))) for tokens in (900, 1000, 1001, 1200, 1300, 1000, 1001, 5000)]
    assert hits == [False, False, True, False, False, False, True, False]


def test_a_token_breakpoint_names_both_numbers_and_is_marked_while_it_waits() -> None:
    """The reason says how many tokens the call would send; the next call that does not pause clears the mark."""
    points = on(Breakpoint(kind="tokens", value=8000, id=7), Breakpoint(kind="tokens", value=9000, id=8))
    assert points.before_call(NextCall(8213)) == "breakpoint: tokens over 8,000 (8,213), hit 1"
    assert points.hit == {7}
    assert points.before_call(NextCall(8300)) == ""
    assert points.hit == frozenset()


def test_a_window_that_is_already_above_a_new_breakpoint_pauses() -> None:
    """Breakpoints that are set during a run take the window as having just passed their numbers."""
    points = on()
    assert points.before_call(NextCall(5000)) == ""
    points.set([Breakpoint(kind="tokens", value=1000)])
    assert [bool(points.before_call(NextCall(5000))) for _ in range(3)] == [True, False, False]


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
    assert points.before_call(NextCall(10)) == ""
    points.arrived(assistant("", calls("c1", "read", path="old/ledger.txt")))
    points.compacted(COMPACTED)
    assert points.before_call(NextCall(10)) == "breakpoint: text “LEDGER” in any message, hit 1"
    assert points.hit == {1, 2}
    assert points.before_call(NextCall(10)) == ""


def test_a_breakpoint_that_is_off_pauses_nothing() -> None:
    """It stays in the list and can be switched on again."""
    points = on(Breakpoint(kind="tokens", value=1, on=False), Breakpoint(kind="tool", on=False))
    assert (points.before_call(NextCall(100)), points.before_tool(calls("c", "read"))) == ("", "")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("tokens", 0),
        ("tokens", -5),
        ("tokens", "many"),
        ("messages", 0),
        ("text", ""),
        ("text", "  "),
        ("error", "any"),
    ],
)
def test_a_breakpoint_that_could_never_pause_is_refused(kind: str, value: str | int) -> None:
    """The error names the value and says what to give."""
    with pytest.raises(ParameterError) as caught:
        Breakpoint.model_validate({"kind": kind, "value": value})
    assert repr(value) in str(caught.value) or kind == "text"
    assert caught.value.hint


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


@pytest.mark.parametrize(
    ("point", "call", "hit"),
    [
        (Breakpoint(kind="tool", value="write"), calls("c", "write", path="a"), True),
        (Breakpoint(kind="tool", value="write"), calls("c", "read", path="a"), False),
        (Breakpoint(kind="tool", argument="path", pattern=r"\.env$"), calls("c", "write", path="x/.env"), True),
        (Breakpoint(kind="tool", argument="path", pattern=r"\.env$"), calls("c", "write", path="x/env"), False),
        (Breakpoint(kind="tool", argument="path", pattern=r"\.env$"), calls("c", "write", to="x/.env"), False),
        (Breakpoint(kind="tool", pattern=r"\.env$"), calls("c", "write", to="x/.env"), True),
        (Breakpoint(kind="tool", argument="lines", pattern="^[0-9]{3}$"), calls("c", "read", lines=200), True),
        (Breakpoint(kind="tool", pattern="torn"), ToolCall(name="read", raw="{torn"), True),
    ],
)
def test_a_tool_is_told_by_its_name_and_an_argument(point: Breakpoint, call: ToolCall, hit: bool) -> None:
    """The pattern is looked for in one argument or in any; what is no text is looked at as JSON; so is what did not decode."""
    assert bool(on(point).before_tool(call)) == hit


def test_the_reason_names_the_breakpoint_its_condition_and_the_hit() -> None:
    """From the second hit on it pauses, and says which hit it is; the first is counted."""
    points = on(Breakpoint(kind="tool", value="write", argument="path", pattern=r"\.env", from_hit=2, id=4))
    call = calls("c", "write", path=".env")
    assert points.before_tool(call) == ""
    assert points.hit == frozenset()
    assert points.before_tool(call) == r"breakpoint: write with path matching \.env, hit 2"
    assert points.hit == {4}
    assert [point.hits for point in points.all] == [2]


def test_a_text_is_looked_for_in_messages_of_one_role() -> None:
    """As it is written, or as an expression."""
    message = user("Do not touch the ledger.")
    for point, hit in (
        (Breakpoint(kind="text", value="LEDGER", role="user"), True),
        (Breakpoint(kind="text", value="ledger", role="tool"), False),
        (Breakpoint(kind="text", value="[Dd]o not .* ledger", regex=True), True),
        (Breakpoint(kind="text", value="[Dd]o not .* ledger"), False),
    ):
        points = on(point)
        points.arrived(message)
        assert bool(points.before_call(NextCall(1))) == hit, point


def test_a_text_is_found_in_an_argument_as_the_model_wrote_it() -> None:
    """Quotes and line breaks in it are no obstacle."""
    points = on(Breakpoint(kind="text", value="it's\nover"))
    points.arrived(assistant("", calls("c1", "note", text="it's\nover, he said")))
    assert points.before_call(NextCall(1))


def test_errors_of_tools_and_of_compactions_are_told_apart() -> None:
    """A tool that failed, a compaction that failed, or either: the reason quotes what it was."""
    torn = Message(role="tool", content="torn", name="read", tool_call_id="c", is_error=True)
    for value, hits in (
        ("tool", ["read: torn", ""]),
        ("compaction", ["", "the summarizer"]),
        ("", ["torn", "the sum"]),
    ):
        points = on(Breakpoint(kind="error", value=value))
        points.arrived(torn)
        first = points.before_call(NextCall(1))
        points.compacted(FAILED)
        for said, wanted in zip((first, points.before_call(NextCall(1))), hits, strict=True):
            assert wanted in said
            assert bool(said) == bool(wanted)


@pytest.mark.parametrize(
    ("content", "said"),
    [("torn", "read: torn"), ("error: read: 'path' is missing", "read: 'path' is missing"), ("error: no", "read: no")],
)
def test_a_tools_error_names_the_tool_once(content: str, said: str) -> None:
    """Whether or not its text does so itself."""
    points = on(Breakpoint(kind="error"))
    points.arrived(Message(role="tool", content=content, name="read", tool_call_id="c", is_error=True))
    assert points.before_call(NextCall(1)) == f"breakpoint: any error ({said}), hit 1"


def test_the_nth_message_is_one_hit() -> None:
    """The first call after it arrived pauses, whatever is set meanwhile."""
    points = on(Breakpoint(kind="messages", value=40, id=1))
    assert [bool(points.before_call(NextCall(1, n))) for n in (38, 39, 41, 42)] == [False, False, True, False]
    points.set([*points.all, Breakpoint(kind="tool", id=2)])
    assert points.before_call(NextCall(1, 44)) == ""


def test_what_is_changed_beside_a_breakpoint_leaves_its_hits() -> None:
    """Switched off, or with another one beside it, it keeps its count; with another condition it begins anew."""
    point = Breakpoint(kind="tool", value="read", id=1)
    points = on(point)
    points.before_tool(calls("c", "read"))
    points.set([point.model_copy(update={"on": False}), Breakpoint(kind="compaction", id=2)])
    assert [p.hits for p in points.all] == [1, 0]
    points.set([point.model_copy(update={"value": "write"})])
    assert [p.hits for p in points.all] == [0]


def test_an_expression_that_cannot_be_is_refused() -> None:
    """The error names the pattern, what is wrong with it and what to write; the breakpoints stay as they were."""
    points = on(Breakpoint(kind="compaction"))
    for point in (Breakpoint(kind="tool", pattern="(a"), Breakpoint(kind="text", value="(?=a)", regex=True)):
        with pytest.raises(ParameterError, match="is not a valid RE2 pattern") as caught:
            points.set([point])
        assert "RE2" in caught.value.hint
    assert [p.kind for p in points.all] == ["compaction"]


def test_a_finding_pauses_the_run(tmp_path: Path) -> None:
    """Each of its compactions leaves an orphaned tool result: the call after the second one waits, and names the finding."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints([Breakpoint(kind="finding", value="orphaned_tool_result", from_hit=2, id=1)])
    drive.send("Look for the missing entry.")
    assert drive.wait() == "paused"
    assert drive.state.reason.startswith("breakpoint: finding: orphaned tool result (")
    assert drive.state.reason.endswith("), hit 2")
    assert len(drive.context.compactions) == 2
    drive.close()


def test_a_run_goes_on_to_a_condition_once(tmp_path: Path) -> None:
    """Step mode does not pause it on its way; there it waits and says why, and step mode holds again."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_pace(stepping=True)
    drive.send("Look for the missing entry.")
    assert (drive.wait(), drive.state.reason) == ("paused", "step mode")
    drive.run_to(Breakpoint(kind="messages", value=8))
    assert (drive.wait(), drive.state.reason) == ("paused", "ran to message 8")
    assert len(drive.context.base.messages) in (8, 9)
    drive.run_to(Breakpoint(kind="tool", value="look_up", argument="page", pattern="^7$"))
    assert (drive.wait(), drive.state.reason) == ("paused", "ran to look_up with page matching ^7$")
    drive.resume()
    assert (drive.wait(), drive.state.reason) == ("paused", "step mode")
    drive.run_to(None)
    assert drive.wait() == "ended"
    with pytest.raises(RunError):
        drive.run_to(None)
    assert not drive.breakpoints.runs_to_target
    drive.close()


def test_a_run_goes_on_to_its_condition_across_a_breakpoint_a_pause_and_a_step(tmp_path: Path) -> None:
    """Wherever it waits on its way, Continue goes on to the same place; step mode holds only there, or once it is cancelled."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints([Breakpoint(kind="tool", argument="page", pattern="^1$")])
    drive.set_pace(stepping=True)
    drive.send("Look for the missing entry.")
    assert (drive.wait(), drive.state.reason) == ("paused", "step mode")
    drive.run_to(Breakpoint(kind="tool", value="look_up", from_hit=5))
    assert (drive.wait(), drive.state.reason[-5:]) == ("paused", "hit 1")
    assert drive.breakpoints.runs_to_target
    drive.step()
    assert (drive.wait(), drive.state.reason) == ("paused", "one step made")
    drive.resume()
    assert (drive.wait(), drive.state.reason) == ("paused", "ran to look_up, hit 5")
    assert (drive.state.calls, drive.breakpoints.runs_to_target) == (4, False)
    drive.run_to(Breakpoint(kind="messages", value=500))
    assert drive.wait() == "ended"
    assert not drive.breakpoints.runs_to_target
    drive.close()


def test_a_condition_to_run_to_is_cancelled(tmp_path: Path) -> None:
    """The run that waits on its way goes on as if it had been told nothing: in step mode, to the next call."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints([Breakpoint(kind="tool", argument="page", pattern="^1$")])
    drive.set_pace(stepping=True)
    drive.send("Look for the missing entry.")
    drive.wait()
    drive.run_to(None)
    assert (drive.wait(), drive.state.reason[-5:]) == ("paused", "hit 1")
    drive.cancel_run_to()
    assert (drive.state.status, drive.breakpoints.runs_to_target) == ("paused", False)
    drive.resume()
    assert (drive.wait(), drive.state.reason) == ("paused", "step mode")
    drive.close()


def test_a_run_that_is_stopped_on_its_way_to_a_condition_continues_to_it(tmp_path: Path) -> None:
    """The turn is not over, so the place still holds."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints([Breakpoint(kind="tool", argument="page", pattern="^1$")])
    drive.send("Look for the missing entry.")
    drive.wait()
    drive.run_to(Breakpoint(kind="messages", value=12))
    drive.pause()
    drive.wait()
    drive.stop()
    assert drive.wait() == "stopped"
    drive.resume()
    assert (drive.wait(), drive.state.reason) == ("paused", "ran to message 12")
    drive.close()


def test_a_run_waits_before_its_policy_compacts(tmp_path: Path) -> None:
    """Nothing is removed yet, and what a person changes meanwhile counts: with a larger budget the call is made at once."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints([Breakpoint(kind="before_compaction", id=1)])
    drive.send("Look for the missing entry.")
    assert drive.wait() == "paused"
    assert drive.state.before_compaction
    assert drive.state.reason == "breakpoint: before a compaction (removes 11 of 16 messages), hit 1"
    assert (drive.context.compactions, len(drive.context)) == ([], 16)
    calls = drive.state.calls
    drive.set_policy(policy("agentkit.memory", budget=1500, keep_recent=4))
    drive.resume()
    assert drive.wait() == "paused"
    assert (drive.context.compactions, drive.state.calls > calls) == ([], True)
    drive.resume()
    assert drive.wait() == "ended"
    assert not drive.state.before_compaction
    assert [event.kind for event in events_of(drive)].count("paused") == 2
    assert len(drive.context.compactions) == 1
    drive.close()


def test_a_run_that_is_stopped_before_a_compaction_keeps_its_window(tmp_path: Path) -> None:
    """Continued, it comes to the same place and waits there once more."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints([Breakpoint(kind="before_compaction", id=1)])
    drive.send("Look for the missing entry.")
    assert drive.wait() == "paused"
    drive.stop()
    assert drive.wait() == "stopped"
    assert (drive.context.compactions, drive.state.before_compaction) == ([], False)
    drive.resume()
    assert (drive.wait(), drive.state.reason[-5:]) == ("paused", "hit 2")
    drive.close()


def test_a_typed_message_outlives_a_stop_before_the_compaction_in_front_of_it(tmp_path: Path) -> None:
    """A policy may compact before the message of a turn arrives: stopped there, the run continues with it."""
    rolling = {"policy": "minimal_agent.rolling", "parameters": {"max_input_tokens": 300, "keep_recent_turns": 1}}
    llm = Scripted([asks(0), says("Page 0 is fine."), asks(1), says("Page 1 is fine."), says("None is missing.")])
    drive = driven(tmp_path, llm, **rolling)
    for goal in ("Read page 0.", "Read page 1."):
        drive.send(goal)
        assert drive.wait() == "ended"
    drive.set_breakpoints([Breakpoint(kind="before_compaction")])
    drive.send("Which entry is missing?")
    assert (drive.wait(), drive.state.before_compaction) == ("paused", True)
    drive.stop()
    assert drive.wait() == "stopped"
    assert (drive.context.compactions, drive.context.base.messages[-1].content) == ([], "Which entry is missing?")
    drive.resume()
    assert drive.wait() == "ended"
    assert [m.content for m in drive.context.base.messages[-2:]] == ["Which entry is missing?", "None is missing."]
    assert llm.sent[-1][-1].content == "Which entry is missing?"
    drive.close()


def test_a_typed_message_outlives_a_summary_that_fails_in_front_of_it(tmp_path: Path) -> None:
    """The policy ends the run there; continued, the model is asked what was typed."""
    rolling = {"policy": "minimal_agent.rolling", "parameters": {"max_input_tokens": 300, "keep_recent_turns": 1}}
    llm = Scripted([asks(0), says("Page 0 is fine."), asks(1), says("Page 1 is fine."), says("None is missing.")])
    drive = driven(tmp_path, llm, **rolling, summaries="error")
    for goal in ("Read page 0.", "Read page 1."):
        drive.send(goal)
        assert drive.wait() == "ended"
    drive.send("Which entry is missing?")
    assert drive.wait() == "failed"
    drive.resume()
    assert drive.wait() == "ended"
    assert [m.content for m in drive.context.base.messages[-2:]] == ["Which entry is missing?", "None is missing."]
    drive.close()


def test_step_mode_waits_on_both_sides_of_a_compaction(tmp_path: Path) -> None:
    """Before it at the breakpoint, behind it before the call that is sent the new window."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.send("Look for the missing entry.")
    drive.pause()
    drive.wait()
    drive.set_pace(stepping=True)
    drive.run_to(Breakpoint(kind="before_compaction"))
    assert (drive.wait(), drive.state.reason) == ("paused", "ran to before a compaction (removes 11 of 16 messages)")
    drive.resume()
    assert (drive.wait(), drive.state.reason, len(drive.context.compactions)) == ("paused", "step mode", 1)
    drive.close()


def test_breakpoints_and_their_hits_are_in_the_file(tmp_path: Path) -> None:
    """A run that is opened again has them as they were, those that are off too."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.set_breakpoints(
        [Breakpoint(kind="tool", from_hit=3, id=1), Breakpoint(kind="tokens", value=9, on=False, id=2)]
    )
    drive.send("Look for the missing entry.")
    assert drive.wait() == "paused"
    kept = drive.breakpoints.all
    assert [point.hits for point in kept] == [3, 0]
    drive.close()
    reopened = again(tmp_path, drive.id, Scripted(pages(12)))
    assert reopened.breakpoints.all == kept
    reopened.close()
