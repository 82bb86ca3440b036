"""A person steps in before a tool runs: with other arguments, or with the result. What the model and the record are told."""

from pathlib import Path

import pytest

from core import load
from core.agents.by_hand import GIVEN
from core.drive import Breakpoint, Drive
from core.model.errors import ParameterError, RunError
from core.trace.events import ToolAnswered, ToolBegan
from tests.drive.parts import Scripted, again, asks, driven, events_of, says


def waiting(folder: Path, llm: Scripted) -> Drive:
    """A run that waits before its first tool."""
    drive = driven(folder, llm)
    drive.set_breakpoints([Breakpoint(kind="tool", id=1)])
    drive.send("Look for the missing entry.")
    assert drive.wait() == "paused"
    drive.set_breakpoints([])
    return drive


def test_edited_arguments_run_and_the_result_says_so(tmp_path: Path) -> None:
    """The tool gets the new arguments. The call stays as the model wrote it; the first line of its result names the others."""
    llm = Scripted([asks(1), says("Done.")])
    drive = waiting(tmp_path, llm)
    assert drive.state.waiting_call is not None
    drive.edit_call("c1.0", {"page": 9})
    assert drive.wait() == "ended"
    asked, result = drive.context.messages()[-3:-1]
    assert asked.tool_calls[0].arguments == {"page": 1}
    first, rest = result.content.split("\n", 1)
    assert first == '[A person edited the arguments before the tool ran: {"page": 9}]'
    assert rest.startswith("page 9: ")
    assert llm.sent[-1][-1] == result
    drive.close()
    began = next(event for event in events_of(drive) if isinstance(event, ToolBegan))
    assert (began.call.arguments, began.written and began.written.arguments) == ({"page": 9}, {"page": 1})


@pytest.mark.parametrize("is_error", [False, True])
def test_a_result_is_given_in_the_place_of_the_tool(tmp_path: Path, is_error: bool) -> None:
    """The tool does not run; the model is told that a person wrote the result, and so is whoever reads the file."""
    llm = Scripted([asks(1), says("Done.")])
    drive = waiting(tmp_path, llm)
    drive.answer_call("c1.0", "The page is missing.", is_error)
    assert drive.wait() == "ended"
    result = llm.sent[-1][-1]
    assert (result.content, result.is_error) == (f"{GIVEN}\nThe page is missing.", is_error)
    assert (result.tool_call_id, result.name) == ("c1.0", "look_up")
    drive.close()
    events = events_of(drive)
    assert [event.call.id for event in events if isinstance(event, ToolAnswered)] == ["c1.0"]
    assert not any(isinstance(event, ToolBegan) for event in events)
    assert load(tmp_path / f"{drive.id}.jsonl").other["answered"] == 1
    reopened = again(tmp_path, drive.id, llm)
    assert reopened.context.messages() == drive.context.messages()
    reopened.close()


@pytest.mark.parametrize("by_hand", ["edit", "answer"])
def test_one_call_by_hand_and_the_run_pauses_again(tmp_path: Path, by_hand: str) -> None:
    """With `then_pause` the call has its result, and the run waits before the next model call. From there it goes on."""
    llm = Scripted([asks(1), asks(2), says("Done.")])
    drive = waiting(tmp_path, llm)
    if by_hand == "edit":
        drive.edit_call("c1.0", {"page": 9}, then_pause=True)
    else:
        drive.answer_call("c1.0", "The page is missing.", then_pause=True)
    assert drive.wait() == "paused"
    assert (drive.state.reason, drive.state.waiting_call) == ("one tool call made", None)
    assert drive.context.messages()[-1].role == "tool"
    assert len(llm.sent) == 1
    drive.resume()
    assert drive.wait() == "ended"  # and it pauses nowhere else
    drive.close()


def test_the_same_arguments_are_no_edit(tmp_path: Path) -> None:
    """What the model wrote, run as it is, leaves no note."""
    drive = waiting(tmp_path, Scripted([asks(1), says("Done.")]))
    drive.edit_call("c1.0", {"page": 1})
    assert drive.wait() == "ended"
    assert drive.context.messages()[-2].content.startswith("page 1: ")
    drive.close()


def test_arguments_that_break_the_schema_are_refused(tmp_path: Path) -> None:
    """The error names the tool, the value, the rule and the way out; the run still waits."""
    drive = waiting(tmp_path, Scripted([asks(1), says("Done.")]))
    with pytest.raises(ParameterError) as caught:
        drive.edit_call("c1.0", {"page": "nine", "line": 2})
    assert str(caught.value) == (
        "look_up does not accept these arguments: Additional properties are not allowed ('line' was unexpected); "
        "page: 'nine' is not of type 'integer'"
    )
    assert "fit the schema" in caught.value.hint
    assert drive.state.status == "paused"
    drive.close()


def test_a_call_that_is_over_cannot_be_stepped_into(tmp_path: Path) -> None:
    """Only the call that waits, and only while it waits."""
    drive = waiting(tmp_path, Scripted([asks(1), says("Done.")]))
    with pytest.raises(RunError, match="no longer waits before this tool call"):
        drive.edit_call("c7.0", {"page": 1})
    drive.resume()
    drive.wait()
    with pytest.raises(RunError, match="no longer waits before this tool call"):
        drive.answer_call("c1.0", "late")
    drive.close()


def test_a_stop_wins(tmp_path: Path) -> None:
    """Stopped where it waits, the run records neither that the tool ran nor that somebody answered."""
    drive = waiting(tmp_path, Scripted([asks(1), says("Done.")]))
    drive.stop()
    assert drive.wait() == "stopped"
    drive.close()
    assert not any(isinstance(event, (ToolBegan, ToolAnswered)) for event in events_of(drive))
