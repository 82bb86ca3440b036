"""What the list of runs says of a run: the same as the run says once it is opened."""

from pathlib import Path

import pytest

from core.drive import Store
from core.drive.restore import restored
from core.drive.run_facts import RunFacts
from core.drive.state import State
from core.model.session import Message, Usage
from core.trace.events import AnyEvent, Arrived, Began, Called, Changed, Ended, Failed, Used
from tests.drive.parts import Scripted, driven, pages

TYPED = Arrived(message=Message(role="user", content="Go."), tokens=1)
REPLY = Arrived(message=Message(role="assistant", content="Yes.", usage=Usage(input_uncached=5, output=2)), tokens=1)
CALLS: list[AnyEvent] = [
    Called(number=1, messages=1, estimate=1),
    Used(number=1, usage=Usage(input_uncached=5, output=2)),
]
PRICED = Usage(input_uncached=7, output=1, cost=0.25)
CALLS_AT_A_PRICE: list[AnyEvent] = [
    Called(number=2, messages=1, estimate=1),
    Used(number=2, usage=PRICED),
    Arrived(message=Message(role="assistant", content="Go on.", usage=PRICED), tokens=1),
    Called(number=3, purpose="summary", messages=1, estimate=1),
    Used(number=3, purpose="summary", usage=PRICED),
]
CHANGED = Changed(policy="agentkit.memory", parameters={"budget": 99}, max_calls=3, model="another")
FAILED = Failed(error="rate_limit", text="no")
CALLED = Called(number=2, messages=1, estimate=1)
SUMMARY = Called(number=2, purpose="summary", messages=1, estimate=1)


@pytest.mark.parametrize(
    "events",
    [
        [],
        [TYPED],
        [TYPED, *CALLS, REPLY, Ended(why="answered")],
        [TYPED, FAILED],
        [TYPED, FAILED, *CALLS, REPLY],
        [TYPED, FAILED, Ended(why="failed")],
        [TYPED, *CALLS, REPLY, Ended(why="stopped"), CHANGED],
        [TYPED, *CALLS, REPLY, Ended(why="stopped"), SUMMARY],
        [TYPED, *CALLS, REPLY, Ended(why="stopped"), CALLED],
        [TYPED, *CALLS, REPLY, Ended(why="stopped"), FAILED],
        [TYPED, *CALLS, REPLY, Ended(why="stopped"), TYPED],
        [TYPED, *CALLS, REPLY, Ended(why="max_calls"), SUMMARY],
        [TYPED, Ended(why="answered"), TYPED, *CALLS, REPLY, *CALLS, REPLY],
        [TYPED, *CALLS, REPLY, *CALLS_AT_A_PRICE],
    ],
)
def test_the_list_says_what_the_run_says_once_it_is_opened(events: list[AnyEvent], tmp_path: Path) -> None:
    """Status, model, messages, calls and recorded tokens; the turns were answered or stopped, have failed or were left open."""
    store = Store(tmp_path)
    recorder = store.recorder("a-run")
    for event in (Began(id="a-run"), *events):
        recorder.write(event)
    recorder.close()
    store.release("a-run")

    (info,) = store.runs()
    run = restored(store.events("a-run"))
    state = State()
    run.restore(state)
    standing = (info.facts.status, info.facts.reason, info.facts.problem)
    assert standing == (state.status, state.reason, state.problem.kind if state.problem else "")
    told = (info.facts.status, info.facts.model, info.facts.calls, info.facts.usage, info.facts.policy)
    assert told == (state.status, run.settings.model, state.calls, state.totals, run.settings.policy)
    assert info.facts.parameters == run.settings.parameters
    assert (info.facts.messages, info.began) == (len(run.context.base.messages), run.began.time)


def test_the_cost_of_a_run_is_what_its_server_reported(tmp_path: Path) -> None:
    """Of the calls whose reply said one, summaries too; of a run without such calls it is not known."""
    facts = [_facts(tmp_path / name, calls) for name, calls in (("a", CALLS), ("b", [*CALLS, *CALLS_AT_A_PRICE]))]
    assert [(found.calls, found.priced, found.usage.cost) for found in facts] == [(1, 0, None), (3, 2, 0.5)]


def test_a_run_has_the_compactions_of_its_policy_and_not_what_a_person_took_out(tmp_path: Path) -> None:
    """As many as its window went through; a message that is dropped by hand is none of them."""
    drive = driven(tmp_path, Scripted(pages(9)))
    drive.send("Look for the missing entry.")
    assert drive.wait() == "ended"
    made = len(drive.context.compactions)
    drive.drop([len(drive.context.base.messages) - 1])
    drive.close()
    (info,) = Store(tmp_path).runs()
    assert (info.facts.compactions, len(drive.context.compactions)) == (made, made + 1)
    assert made > 1


def _facts(folder: Path, events: list[AnyEvent]) -> RunFacts:
    store = Store(folder)
    recorder = store.recorder("a-run")
    for event in (Began(id="a-run"), TYPED, *events):
        recorder.write(event)
    recorder.close()
    return store.runs()[0].facts


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], ("ready", "")),
        ([TYPED, *CALLS, REPLY, Ended(why="answered")], ("ended", "answered")),
        ([TYPED, *CALLS, REPLY, Ended(why="max_calls")], ("ended", "reached the limit of 50 model calls per turn")),
        ([TYPED, *CALLS, REPLY, Ended(why="stopped")], ("stopped", "stopped manually")),
        ([TYPED, *CALLS], ("stopped", "foldline ended here; continue from the last recorded step")),
        (
            [TYPED, Ended(why="stopped"), CALLED],
            ("stopped", "foldline ended here; continue from the last recorded step"),
        ),
    ],
)
def test_a_reopened_run_says_why_it_rests(events: list[AnyEvent], expected: tuple[str, str]) -> None:
    """In the words it had before: a turn that a person stopped is not taken for one that foldline left."""
    state = State()
    restored([Began(id="a-run"), *events]).restore(state)
    assert (state.status, state.reason) == expected
