"""Forks: a run that begins with the window of another at a step, whatever was done to that one."""

from pathlib import Path

import pytest

from core import load
from core.drive import Breakpoint, Drive, Store, fork, reopen
from core.drive.fork import fork_title, forked
from core.drive.recorder import line_of, read_events
from core.drive.restore import Restored, restored
from core.drive.start import start
from core.model.errors import FoldlineError, RunError
from core.model.session import Message, ToolCall
from core.trace.events import ANY_EVENT, RUN_VERSION, AnyEvent, Arrived, Began, Called, Compacted, ToolBegan, Used
from core.trace.taken_back import without_undone
from tests.drive.parts import Scripted, again, asks, driven, events_of, pages, says, settings
from tests.drive.recorded import loosely, same_bodies, written
from tests.drive.test_by_hand import ROUNDS, ran, same

GOAL = "Look for the missing entry."


def forked_context(events: list[AnyEvent], step: int) -> Restored:
    """The fork at a step, as its file gives it back."""
    lines = [line_of(event) for event in forked(events, step)]
    return restored(ANY_EVENT.validate_json(line) for line in lines)


def note(text: str) -> Message:
    """A reply that writes a note."""
    call = ToolCall(id=f"n-{text}", name="add_note", arguments={"text": text})
    return Message(role="assistant", tool_calls=(call,))


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_fork_begins_with_the_window_of_its_parent(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every step of whatever was done: the same messages, the same tokens, the same steps and compactions before it."""
    loosely(monkeypatch)
    events: list[AnyEvent] = [ANY_EVENT.validate_json(line_of(event)) for event in ran(number).events]
    parent = ran(number).context.trace()
    for step in range(number % 5, len(parent), 5):
        context = forked_context(events, step).context
        assert same_bodies(context.messages(), parent.window(step)), f"step {step}"
        assert context.tokens() == parent.step(step).tokens, f"step {step}"
        assert context.steps == step + 1
        assert context.trace().compactions == parent.compactions[: len(context.compactions)]
        file = written(event.model_copy(update={"seq": k}) for k, event in enumerate(forked(events, step), 1))
        assert load(name="run.jsonl", data=file).notes == ()


@pytest.mark.parametrize("number", range(0, ROUNDS, 4))
def test_a_fork_that_is_told_the_same_goes_the_same_way(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a policy remembers is there too: with the parent's further events the fork is the parent."""
    loosely(monkeypatch)
    events: list[AnyEvent] = [ANY_EVENT.validate_json(line_of(event)) for event in ran(number).events]
    steps = len(ran(number).context.trace())
    begun = forked(events, steps // 2)
    rest = without_undone(events)[len(begun) :]
    assert same(restored([*begun, *rest]).context, ran(number).context)


def parent_of(folder: Path) -> Drive:
    """A run with compactions, breakpoints and a bill."""
    drive = driven(folder, Scripted(pages(12)), provider="demo")
    drive.set_breakpoints([Breakpoint(kind="tool", value="nothing", id=3)])
    drive.send(GOAL)
    assert drive.wait() == "ended"
    assert len(drive.context.compactions) > 1
    return drive


def test_a_long_first_message_is_no_whole_title(tmp_path: Path) -> None:
    """A title that is cut ends with a word and says that it goes on."""
    drive = driven(tmp_path, Scripted(pages(1)), provider="demo")
    drive.send("Read the ledger. " * 20)
    assert drive.wait() == "ended"
    began = forked(events_of(drive), 1)[0]
    assert isinstance(began, Began)
    assert began.fork
    assert began.fork.title == f"{'Read the ledger. ' * 4}Read the…"


def test_a_fork_of_a_fork_is_called_as_that_is() -> None:
    """Its title says once that it is a fork; what has no title has none as a fork either."""
    assert [fork_title(title) for title in ("Fines", "Fork of Fines", "")] == ["Fork of Fines", "Fork of Fines", ""]


def test_a_fork_names_its_parent_and_leaves_it_alone(tmp_path: Path) -> None:
    """Title and file say of which run, the file at which step. The breakpoints come along, the parent's bill does not."""
    parent = parent_of(tmp_path)
    before = (tmp_path / f"{parent.id}.jsonl").read_bytes()
    step = parent.context.trace().compaction_step(1)
    made = fork(parent.id, step, Store(tmp_path))
    assert made.id != parent.id
    assert made.context.messages() == parent.context.trace().window(step)
    assert (made.state.calls, made.state.totals.prompt) == (0, 0)
    assert (made.state.status, made.state.reason) == ("stopped", "at the fork; continue, or send a message")
    assert made.breakpoints.all == (Breakpoint(kind="tool", value="nothing", id=3),)
    made.close()
    began, *events = events_of(made)
    assert isinstance(began, Began)
    assert began.fork is not None
    assert (began.id, began.fork.run, began.fork.step, began.fork.title) == (made.id, parent.id, step, GOAL)
    assert began.title == f"Fork of {GOAL}"
    assert began.fork.events == len(events)
    assert not any(isinstance(event, Called | Used) for event in events)
    assert (tmp_path / f"{parent.id}.jsonl").read_bytes() == before
    again = reopen(made.id, Store(tmp_path))
    assert same(again.context, made.context)
    again.close()
    info = {one.id: one for one in Store(tmp_path).runs()}
    assert (info[made.id].fork, info[parent.id].fork) == (began.fork, None)
    parent.close()


@pytest.mark.parametrize("role", ["tool", "assistant", "user"])
def test_the_message_of_the_step_is_edited(tmp_path: Path, role: str) -> None:
    """An answer or a result says something else in the fork; everything before it is the same, and the file says so."""
    parent = parent_of(tmp_path)
    trace = parent.context.trace()
    place = max(i for i, message in enumerate(parent.context.base.messages) if message.role == role)
    step = trace.message_step(place)
    made = fork(parent.id, step, Store(tmp_path), edit="Page 5 is torn out.")
    *before, last = made.context.messages()
    assert before == trace.window(step)[:-1]
    was = trace.window(step)[-1]
    assert (last.content, last.role, last.id) == ("Page 5 is torn out.", was.role, was.id)
    assert last.tool_call_id == was.tool_call_id
    assert made.context.tokens() == sum(map(made.context.meter.count, made.context.messages()))
    made.close()
    began = next(iter(events_of(made)))
    assert isinstance(began, Began)
    assert began.fork is not None
    assert began.fork.edited == was.id
    parent.close()


def test_the_summary_of_a_compaction_is_edited(tmp_path: Path) -> None:
    """The fork at a compaction begins with a window that holds the other summary, and its numbers add up."""
    parent = parent_of(tmp_path)
    step = parent.context.trace().compaction_step(0)
    made = fork(parent.id, step, Store(tmp_path), edit="Never change a ledger.")
    assert "Never change a ledger." in [m.content for m in made.context.messages() if m.injected == "summary"]
    last = made.context.compactions[-1]
    assert last.window_after == made.context.tokens()
    assert last.summary_tokens < (parent.context.compactions[0].summary_tokens or 0)
    made.close()
    again = reopen(made.id, Store(tmp_path))
    assert same(again.context, made.context)
    again.close()
    parent.close()


def test_a_fork_between_a_call_and_its_result_runs_the_tool_itself(tmp_path: Path) -> None:
    """The parent's tool had begun; in the fork it has not."""
    parent = parent_of(tmp_path)
    events = events_of(parent)
    trace = parent.context.trace()
    step = next(i for i in range(len(trace)) if trace.window(i) and trace.window(i)[-1].tool_calls)
    assert not any(isinstance(event, ToolBegan) for event in forked(events, step))
    assert any(isinstance(event, ToolBegan) for event in forked(events, step + 1))
    parent.close()


@pytest.mark.parametrize("by_hand", ["edit", "answer"])
def test_the_call_that_a_fork_begins_with_is_edited_or_answered_at_once(tmp_path: Path, by_hand: str) -> None:
    """Before the fork goes on: no breakpoint stops it there first, and it pauses behind the call as that asked for."""
    parent = driven(tmp_path, Scripted([asks(1), says("Done.")]), provider="demo")
    parent.send(GOAL)
    assert parent.wait() == "ended"
    assert parent.next_tool is None
    step = next(i for i, message in enumerate(parent.context.messages()) if message.tool_calls)
    made = fork(parent.id, step, Store(tmp_path))
    made.close()
    made = again(tmp_path, made.id, Scripted([says("Done.")]))
    made.set_breakpoints([Breakpoint(kind="tool", id=1)])
    assert (made.state.status, made.next_tool and made.next_tool.id) == ("stopped", "c1.0")
    with pytest.raises(RunError, match="no longer waits"):
        made.edit_call("c9", {"page": 9})
    if by_hand == "edit":
        made.edit_call("c1.0", {"page": 9}, then_pause=True)
    else:
        made.answer_call("c1.0", "The page is missing.", then_pause=True)
    assert (made.wait(), made.state.reason, made.next_tool) == ("paused", "one tool call made", None)
    told = {"edit": '{"page": 9}', "answer": "The page is missing."}[by_hand]
    assert told in made.context.messages()[-1].content
    made.resume()
    assert made.wait() == "ended"
    made.close()
    parent.close()


def test_the_notes_of_the_parent_are_there(tmp_path: Path) -> None:
    """What the tools keep is as it was at the step: a note that was written later is not there."""
    store = Store(tmp_path)
    demo = start(settings(provider="demo", tools=("notes",)), store)
    demo.llm = demo._turns.loop.llm = Scripted(
        [note("first"), note("second"), pages(0)[0]],
    )
    demo.send(GOAL)
    assert demo.wait() == "ended"
    forks = [fork(demo.id, step, store) for step in (1, 3, 5)]
    texts = [made.tools.call("read_notes", {}) for made in forks]
    assert [("first" in text, "second" in text) for text in texts] == [(False, False), (True, False), (True, True)]
    for drive in (demo, *forks):
        drive.close()


@pytest.mark.parametrize("step", [-1, 900])
def test_a_step_that_is_not_there_is_refused(tmp_path: Path, step: int) -> None:
    """The error names the steps there are; no file is left."""
    parent = parent_of(tmp_path)
    with pytest.raises(RunError, match="there is no step") as caught:
        fork(parent.id, step, Store(tmp_path))
    assert "steps 0 to" in caught.value.hint
    assert len(list(tmp_path.glob("*.jsonl"))) == 1
    parent.close()


def test_a_fork_that_cannot_be_driven_leaves_no_file(tmp_path: Path) -> None:
    """Its provider is not known here: the error says so."""
    parent = driven(tmp_path, Scripted(pages(3)), provider="not-there")
    parent.send(GOAL)
    parent.wait()
    with pytest.raises(FoldlineError):
        fork(parent.id, 2, Store(tmp_path))
    assert [path.stem for path in tmp_path.glob("*.jsonl")] == [parent.id]
    parent.close()


def test_an_older_run_can_be_forked(tmp_path: Path) -> None:
    """The file of its fork is of the newest version."""
    parent = parent_of(tmp_path)
    parent.close()
    events = list(read_events(tmp_path / f"{parent.id}.jsonl"))
    old = events[0].model_copy(update={"version": 1})
    began = forked([old, *events[1:]], 1)[0]
    assert isinstance(began, Began)
    assert began.version == RUN_VERSION
    assert any(isinstance(event, Arrived | Compacted) for event in events)
