"""A live run: commands, pauses, breakpoints, changes on the way, errors; and what of it is on disk."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from core import load, policy, replay, simulate
from core.drive import Breakpoint, Drive, Store
from core.model.errors import BrokenPairError, ModelError, RunError
from core.model.session import Message
from core.toolbox.tools import ToolRegistry, tool
from core.trace.events import Arrived, Called, Changed, Compacted, Ended, Failed, Paused, Phased, Pinned, ToolBegan
from tests.drive.parts import Held, Scripted, again, asks, driven, events_of, pages, says, settings
from tests.support import user
from viewer.wire.live_pack import state_of

GOAL = "Look for the missing entry. Do not touch the ledger."


@pytest.fixture
def runs() -> Iterator[list[Drive]]:
    """The runs of a test, closed behind it."""
    made: list[Drive] = []
    yield made
    for drive in made:
        drive.close()


def started(runs: list[Drive], folder: Path, llm: Scripted, **changed: object) -> Drive:
    """A new run that is closed when the test is over."""
    drive = driven(folder, llm, **changed)
    runs.append(drive)
    return drive


def test_a_run_works_until_it_answers(runs: list[Drive], tmp_path: Path) -> None:
    """A typed message costs as many model calls as the model wants; tools run in between; the answer ends the turn."""
    drive = started(runs, tmp_path, Scripted(pages(3)))
    assert drive.state.status == "ready"
    drive.send(GOAL)
    assert drive.wait() == "ended"
    assert drive.state.reason == "answered"
    roles = [m.role for m in drive.context.base.messages]
    assert roles == ["system", "user", *["assistant", "tool"] * 2, "assistant", "tool", "tool", "assistant"]
    assert drive.state.totals.prompt == 100 + 101 + 102 + 50


def test_everything_is_on_disk_before_the_next_call(runs: list[Drive], tmp_path: Path) -> None:
    """While the model is asked for the third time, the file holds every event up to that call."""
    llm = Scripted(pages(4))
    held = Held(llm, at=2)
    drive = started(runs, tmp_path, llm)
    drive.send(GOAL)
    assert held.reached.wait(180)
    kinds = [event.kind for event in events_of(drive)]
    turn = ["call", "exchange", "message", "usage", "tool", "message"]
    assert kinds == ["began", "message", "message", *turn, *turn, "call"]
    held.free.set()
    assert drive.wait() == "ended"


def test_the_trace_is_that_of_simulating_what_was_recorded(runs: list[Drive], tmp_path: Path) -> None:
    """The same messages under the same policy, meter and summaries give the same compactions and windows."""
    drive = started(runs, tmp_path, Scripted(pages(30)))
    drive.send(GOAL)
    assert drive.wait() == "ended"
    trace, session = drive.context.trace(), drive.context.session()
    assert len(trace.compactions) > 3
    simulated = simulate(session, drive.context.policy, meter=drive.context.meter)
    assert simulated.compactions == trace.compactions
    assert [simulated.window(i) for i in range(len(simulated))] == [trace.window(i) for i in range(len(trace))]


def test_the_file_opens_as_a_transcript(runs: list[Drive], tmp_path: Path) -> None:
    """The run's file is a session whose recorded compactions left the windows that the model was really sent."""
    llm = Scripted(pages(30))
    drive = started(runs, tmp_path, llm)
    drive.send(GOAL)
    drive.wait()
    session = load(drive.journal.recorder.path)  # type: ignore[attr-defined]
    trace = replay(session)
    assert (session.format, len(trace.compactions)) == ("foldline-run", len(drive.context.compactions))
    assert [c.tokens_after for c in trace.compactions] == [c.window_after for c in drive.context.compactions]
    by_reply = {m.id: i for i, m in enumerate(trace.messages)}
    replies = [m for m in drive.context.base.messages if m.role == "assistant"]
    for reply, sent in zip(replies, llm.sent, strict=True):
        before = by_reply[reply.id] + sum(c.at <= by_reply[reply.id] for c in trace.compactions) - 1
        assert [m.content for m in trace.window(before)] == [m.content for m in sent]


def test_a_compaction_tells_its_phases(runs: list[Drive], tmp_path: Path) -> None:
    """Before the window is rewritten the file says why, what goes, and what the summary is; behind it, what came of it."""
    drive = started(runs, tmp_path, Scripted(pages(6)), summaries="model")
    drive.send(GOAL)
    drive.wait()
    events = events_of(drive)
    at = next(i for i, event in enumerate(events) if isinstance(event, Compacted))
    told = [e for e in events[:at] if isinstance(e, Phased)]
    assert [e.phase for e in told] == ["trigger", "partition", "summarise", "splice"]
    assert told[0].told["limit"] == 900
    assert told[2].told == {"by": "model", "text": "A summary of what was seen."}
    assert [e.purpose for e in events[:at] if isinstance(e, Called)][-1] == "summary"


def test_step_mode_pauses_before_every_call(runs: list[Drive], tmp_path: Path) -> None:
    """Each step makes one call and runs its tools; the window that waits is the one that is then sent."""
    llm = Scripted(pages(3))
    drive = started(runs, tmp_path, llm)
    drive.set_pace(stepping=True)
    drive.send(GOAL)
    for k in range(4):
        assert drive.wait() == "paused"
        assert (drive.state.reason, len(llm.sent)) == ("step mode", k)
        shown = drive.context.messages()
        drive.step()
        drive.wait()
        assert llm.sent[k] == shown
    assert drive.state.status == "ended"
    assert [e.why for e in events_of(drive) if isinstance(e, Paused)] == ["step mode"] * 4


def test_a_message_may_be_sent_for_one_step(runs: list[Drive], tmp_path: Path) -> None:
    """One model call is made and its tools run; then the run waits, and goes on to its end when it is told to."""
    llm = Scripted(pages(3))
    drive = started(runs, tmp_path, llm)
    drive.send(GOAL, one_step=True)
    assert drive.wait() == "paused"
    assert (drive.state.reason, len(llm.sent)) == ("one step made", 1)
    drive.resume()
    assert drive.wait() == "ended"
    assert [e.why for e in events_of(drive) if isinstance(e, Paused)] == ["one step made"]


def test_a_drop_is_undone_until_the_next_model_call(runs: list[Drive], tmp_path: Path) -> None:
    """The window is as it was before, and the file shows the same steps; what a call was sent without stays out."""
    drive = started(runs, tmp_path, Scripted(pages(6)))
    drive.send(GOAL, one_step=True)
    assert drive.wait() == "paused"
    before, steps = drive.context.messages(), drive.context.steps
    with pytest.raises(RunError, match="nothing was dropped since the last model call"):
        drive.undo()
    drive.drop([3])
    drive.drop([1])
    assert drive.undo()
    assert drive.undo()
    assert drive.context.messages() == before
    assert (drive.context.steps, drive.context.can_undo) == (steps, False)
    session = load(drive.journal.recorder.path)
    assert (session.compactions, len(replay(session)), session.notes) == ((), steps, ())
    drive.drop([3])
    drive.step()
    assert drive.wait() == "paused"
    with pytest.raises(RunError, match="nothing was dropped since the last model call"):
        drive.undo()


def test_a_dropped_message_is_not_sent(runs: list[Drive], tmp_path: Path) -> None:
    """While it is paused a message can be taken out, its tool pair with it; the next call is sent the rest, at once."""
    llm = Scripted(pages(5))
    drive = started(runs, tmp_path, llm)
    drive.set_pace(stepping=True)
    drive.send(GOAL)
    assert drive.wait() == "paused"
    while len(drive.context.base.messages) < 6:
        drive.step()
        drive.wait()
    sent = len(llm.sent)
    assert drive.drop([3])
    own = drive.context.base.messages
    assert drive.context.messages()[:3] == [own[0], own[1], own[4]]
    drive.set_pace(stepping=False)
    drive.resume()
    assert drive.wait() == "ended"
    assert {drive.context.base.messages[k].id for k in (2, 3)}.isdisjoint(m.id for m in llm.sent[sent])
    dropped = next(e.compaction for e in events_of(drive) if isinstance(e, Compacted))
    assert (dropped.policy, dropped.trigger, dropped.edits[0].ranges) == ("by hand", "manual", ((2, 4),))


def test_what_is_pinned_outlives_every_compaction(runs: list[Drive], tmp_path: Path) -> None:
    """A pinned question is still in the window after four compactions, and let go it leaves with the next."""
    llm = Scripted([*pages(20), *pages(10)])
    drive = started(runs, tmp_path, llm)
    drive.set_pace(stepping=True)
    drive.send(GOAL)
    drive.wait()
    assert drive.pin([1])
    drive.set_pace(stepping=False)
    drive.resume()
    drive.wait()
    assert len(drive.context.compactions) > 3
    assert drive.context.messages()[1].content == GOAL or GOAL in [m.content for m in drive.context.messages()]
    assert drive.pin([1], on=False)
    drive.send("And once more.")
    drive.wait()
    assert GOAL not in [m.content for m in drive.context.messages()]
    assert [len(e.ids) for e in events_of(drive) if isinstance(e, Pinned)] == [1, 0]


def test_a_policy_changed_on_the_way_acts_from_the_next_call(runs: list[Drive], tmp_path: Path) -> None:
    """While it waits before a call the budget is lowered: the next thing is a compaction under the new budget."""
    llm = Scripted(pages(8))
    drive = started(runs, tmp_path, llm, parameters={"budget": 100_000, "keep_recent": 4})
    drive.set_breakpoints([Breakpoint(kind="tokens", value=1000, id=1)])
    drive.send(GOAL)
    assert drive.wait() == "paused"
    assert drive.state.reason.startswith("breakpoint: ")
    assert not drive.context.compactions
    assert drive.set_policy(policy("agentkit.memory", budget=600, keep_recent=2))
    drive.resume()
    drive.wait()
    trace = drive.context.trace()
    assert [era.policy.settings["budget"] for era in trace.policy_changes] == [100_000, 600]
    assert trace.compactions[0].limit == 600
    assert [e.parameters["budget"] for e in events_of(drive) if isinstance(e, Changed)] == [600]


@pytest.mark.parametrize(
    ("point", "why", "calls"),
    [
        (Breakpoint(kind="compaction"), "breakpoint: after a compaction, hit 1", 7),
        (Breakpoint(kind="before_compaction"), "breakpoint: before a compaction (removes 13 of 18 messages), hit 1", 7),
        (Breakpoint(kind="tool", value="fails"), "breakpoint: fails, hit 1", 2),
        (Breakpoint(kind="tool"), "breakpoint: any tool (look_up), hit 1", 1),
        (Breakpoint(kind="text", value="PAGE 4:"), "breakpoint: text “PAGE 4:” in any message, hit 1", 6),
    ],
    ids=["compaction", "before a compaction", "tool", "any tool", "text"],
)
def test_breakpoints(runs: list[Drive], tmp_path: Path, point: Breakpoint, why: str, calls: int) -> None:
    """A run stops where a breakpoint says so, once for each event, and goes on from there."""
    replies = pages(12)
    replies.insert(1, asks(90, "fails"))
    llm = Scripted(replies)
    drive = started(runs, tmp_path, llm)
    drive.set_breakpoints([point])
    drive.send(GOAL)
    assert drive.wait() == "paused"
    assert (drive.state.reason, len(llm.sent)) == (why, calls)
    drive.set_breakpoints([])
    drive.resume()
    assert drive.wait() == "ended"


def test_a_stopped_run_goes_on_from_what_had_arrived(runs: list[Drive], tmp_path: Path) -> None:
    """Stop ends the call under way; nothing of it is kept, and continuing makes it again."""
    llm = Scripted(pages(3))
    held = Held(llm, at=1)
    drive = started(runs, tmp_path, llm)
    drive.send(GOAL)
    assert held.reached.wait(180)
    drive.stop()
    held.free.set()
    assert drive.wait() == "stopped"
    assert [m.role for m in drive.context.base.messages][-2:] == ["assistant", "tool"]
    drive.resume()
    assert drive.wait() == "ended"
    assert [e.why for e in events_of(drive) if isinstance(e, Ended)] == ["stopped", "answered"]


def test_a_tool_that_is_stopped_is_answered_on_disk(runs: list[Drive], tmp_path: Path) -> None:
    """Stop gives up a tool that runs: its call is answered with that, and the file has every message the run has."""
    begun, free = Event(), Event()

    @tool
    def waits(why: str) -> str:
        """A tool that takes its time."""
        begun.set()
        free.wait(180)
        return why

    store = Store(tmp_path)
    recorder = store.recorder("r")
    llm = Scripted([asks(0, "waits"), says("done")])
    drive = Drive(settings(), llm, ToolRegistry([waits]), recorder, id="r", on_close=lambda: store.release("r"))
    runs.append(drive)
    drive.send(GOAL)
    assert begun.wait(180)
    drive.stop()
    assert drive.wait() == "stopped"
    free.set()
    messages = drive.context.base.messages
    assert (messages[-1].role, messages[-1].tool_call_id, messages[-1].is_error) == ("tool", "c0.0", True)
    assert [e.message for e in events_of(drive) if isinstance(e, Arrived)] == messages


def test_a_failed_call_can_be_tried_again(runs: list[Drive], tmp_path: Path) -> None:
    """An error stands where it happened, with its way out; trying again makes the same call."""
    busy = ModelError("overloaded", "the model is overloaded", "wait a little, then try again")
    llm = Scripted([asks(0), busy, *pages(2)[1:]])
    drive = started(runs, tmp_path, llm)
    drive.send(GOAL)
    assert drive.wait() == "failed"
    assert drive.state.problem is not None
    assert (drive.state.problem.kind, drive.state.problem.hint) == ("overloaded", "wait a little, then try again")
    drive.resume()
    assert drive.wait() == "ended"
    assert llm.sent[1] == llm.sent[2]
    assert [e.text for e in events_of(drive) if isinstance(e, Failed)] == ["the model is overloaded"]


def test_a_tool_that_fails_is_told_to_the_model(runs: list[Drive], tmp_path: Path) -> None:
    """A tool's error is a result the model sees; the run goes on."""
    drive = started(runs, tmp_path, Scripted([asks(0, "fails"), says("It was torn.")]))
    drive.send(GOAL)
    assert drive.wait() == "ended"
    result = drive.context.base.messages[3]
    assert (result.is_error, result.content) == (True, "error: fails failed: ValueError: torn")


def test_a_broken_pair_is_not_sent_and_the_policy_is_named(runs: list[Drive], tmp_path: Path) -> None:
    """A window with half a pair stops the run; it names the policy that parted it, and goes on without the orphan."""

    class Strict(Scripted):
        """Refuses orphaned results, as every provider does."""

        def stream(self, messages, tools, on_text, cancelled):  # type: ignore[no-untyped-def]
            calls = {call.id for m in messages for call in m.tool_calls}
            for m in messages:
                if m.role == "tool" and m.tool_call_id not in calls:
                    raise BrokenPairError(m.tool_call_id or "", m.name or "", "call", [m.id])
            return super().stream(messages, tools, on_text, cancelled)

    drive = started(runs, tmp_path, Strict(pages(12)), parameters={"budget": 700, "keep_recent": 3})
    drive.send(GOAL)
    assert drive.wait() == "failed"
    problem = drive.state.problem
    assert problem is not None
    assert (problem.kind, problem.policy) == ("broken_pair", "agentkit.memory")
    orphan = problem.orphans[0]
    drive.drop_orphans()
    drive.wait()
    assert orphan not in {m.id for m in drive.context.messages()}
    assert len([e for e in events_of(drive) if isinstance(e, Arrived)]) > 8


def test_no_more_calls_than_allowed(runs: list[Drive], tmp_path: Path) -> None:
    """A typed message costs so many calls at most; going on gives it as many again."""
    llm = Scripted(pages(7))
    drive = started(runs, tmp_path, llm, max_calls=4)
    drive.send(GOAL)
    assert drive.wait() == "ended"
    assert (len(llm.sent), drive.state.reason) == (4, "reached the limit of 4 model calls per turn")
    drive.resume()
    drive.wait()
    assert (len(llm.sent), drive.state.reason) == (8, "answered")


def test_one_thing_at_a_time(runs: list[Drive], tmp_path: Path) -> None:
    """While the agent is running no message can be sent to it; without a turn there is nothing to continue."""
    llm = Scripted(pages(3))
    held = Held(llm, at=0)
    drive = started(runs, tmp_path, llm)
    with pytest.raises(RunError, match="nothing to continue"):
        drive.resume()
    drive.send(GOAL)
    assert held.reached.wait(180)
    with pytest.raises(RunError, match="the agent is running"):
        drive.send("Faster!")
    held.free.set()
    assert drive.wait() == "ended"


def test_compact_now(runs: list[Drive], tmp_path: Path) -> None:
    """Asked to, a run compacts at once where it waits; where nothing can go it says so."""
    drive = started(runs, tmp_path, Scripted(pages(5)), parameters={"budget": 90_000, "keep_recent": 4})
    with pytest.raises(RunError, match="nothing was compacted"):
        drive.compact()
    drive.send(GOAL)
    drive.wait()
    before = drive.context.tokens()
    assert drive.compact()
    assert drive.context.tokens() < before
    assert drive.context.compactions[-1].trigger == "manual"


def test_a_run_taken_up_from_its_file_is_the_same(runs: list[Drive], tmp_path: Path) -> None:
    """Closed and opened again, a run has the same window and trace, and goes on as one that was never closed."""
    whole = started(runs, tmp_path / "whole", Scripted([*pages(12), *pages(6)]))
    whole.send(GOAL)
    whole.wait()
    whole.send("And the rest?")
    whole.wait()
    first = started(runs, tmp_path / "parts", Scripted(pages(12)))
    first.send(GOAL)
    first.wait()
    first.close()
    second = again(tmp_path / "parts", first.id, Scripted(pages(6)))
    runs.append(second)
    assert second.context.trace().compactions == first.context.trace().compactions
    assert second.context.messages() == first.context.messages()
    second.send("And the rest?")
    second.wait()
    assert [m.content for m in second.context.messages()] == [m.content for m in whole.context.messages()]
    assert second.context.trace().compactions == whole.context.trace().compactions


def test_a_tool_cut_off_by_the_end_of_the_process_is_not_run_twice(runs: list[Drive], tmp_path: Path) -> None:
    """A tool that was begun and has no result is answered with that; one that was not begun runs."""
    llm = Scripted([asks(0, "look_up", "look_up"), says("done")])
    drive = started(runs, tmp_path, llm)
    drive.send(GOAL)
    drive.wait()
    drive.close()
    path = drive.journal.recorder.path  # type: ignore[attr-defined]
    lines = path.read_bytes().split(b"\n")
    cut = next(i for i, line in enumerate(lines) if line.startswith(b'{"kind":"tool"'))
    path.write_bytes(b"\n".join(lines[: cut + 1]) + b"\n" + lines[cut + 1][:20])
    back = again(tmp_path, drive.id, Scripted([says("done")]))
    runs.append(back)
    assert back.state.status == "stopped"
    back.resume()
    assert back.wait() == "ended"
    results = [m for m in back.context.base.messages if m.role == "tool"]
    assert [m.is_error for m in results] == [True, False]
    assert "may or may not have finished" in results[0].content
    begun = [e.call.id for e in events_of(back) if isinstance(e, ToolBegan)]
    assert begun == ["c0.0", "c0.1"]


def test_a_window_is_the_same_message_by_message(runs: list[Drive], tmp_path: Path) -> None:
    """What a run holds are messages of its own: two that say the same have two ids."""
    drive = started(runs, tmp_path, Scripted([says("ok"), says("ok")]))
    drive.send("go")
    drive.wait()
    drive.send("go")
    drive.wait()
    ids = [m.id for m in drive.context.base.messages]
    assert len(set(ids)) == len(ids) == 5
    assert user("go").id in ids
    assert all(isinstance(m, Message) for m in drive.context.messages())


def test_a_call_made_again_is_not_compacted_again(runs: list[Drive], tmp_path: Path) -> None:
    """A window that stays over its budget is compacted once before a call, however often the call has to be tried."""
    busy = ModelError("overloaded", "the model is overloaded", "wait a little, then try again")
    llm = Scripted([asks(0), asks(1), busy, busy, busy, says("done")])
    drive = started(runs, tmp_path, llm, parameters={"budget": 60, "keep_recent": 2})
    drive.send(GOAL)
    assert drive.wait() == "failed"
    done = len(drive.context.compactions)
    for _ in range(2):
        drive.resume()
        assert drive.wait() == "failed"
    drive.close()
    back = again(tmp_path, drive.id, Scripted([says("done")]))
    runs.append(back)
    back.resume()
    assert back.wait() == "ended"
    assert len(back.context.compactions) == len(drive.context.compactions) == done > 0


def test_a_call_id_used_again_is_another_call(runs: list[Drive], tmp_path: Path) -> None:
    """Of a model that numbers its calls from the start in every reply, the call that was not begun still runs."""
    first, second = asks(0), asks(0).model_copy(update={"content": "Again.", "id": "other"})
    drive = started(runs, tmp_path, Scripted([first, second, says("done")]))
    drive.send(GOAL)
    drive.wait()
    drive.close()
    path = drive.journal.recorder.path  # type: ignore[attr-defined]
    lines = path.read_bytes().split(b"\n")
    cut = [i for i, line in enumerate(lines) if line.startswith(b'{"kind":"tool"')][1]
    path.write_bytes(b"\n".join(lines[:cut]) + b"\n")
    back = again(tmp_path, drive.id, Scripted([says("done")]))
    runs.append(back)
    back.resume()
    assert back.wait() == "ended"
    assert [m.is_error for m in back.context.base.messages if m.role == "tool"] == [False, False]


class Cut(Scripted):
    """A model whose connection breaks in the middle of its first reply."""

    def stream(self, messages: Any, tools: Any, on_text: Any, cancelled: Any) -> Message:
        """Half a reply, then the error; whole ones later."""
        if not self.sent:
            self.sent.append(list(messages))
            on_text("I looked at ")
            on_text("page 3 and")
            raise ModelError("network", "the connection broke", "try again")
        return super().stream(messages, tools, on_text, cancelled)


def test_what_had_come_of_a_reply_that_is_cut_off_is_kept(tmp_path: Path) -> None:
    """It is shown with the error, also after a restart, and is no message; the next call makes a whole reply."""
    drive = driven(tmp_path, Cut([says("All is well.")]))
    drive.send("Look.")
    assert drive.wait() == "failed"
    assert drive.state.problem is not None
    assert drive.state.problem.reply == "I looked at page 3 and"
    assert state_of(drive)["error"]["reply"] == "I looked at page 3 and"
    assert [m.role for m in drive.context.base.messages] == ["system", "user"]
    drive.close()

    taken = again(tmp_path, drive.id, Scripted([says("All is well.")]))

    assert taken.state.problem is not None
    assert taken.state.problem.reply == "I looked at page 3 and"
    taken.resume()
    assert taken.wait() == "ended"
    assert taken.state.problem is None
    taken.close()
