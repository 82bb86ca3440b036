"""Traces written before version 2, whose layouts count what compactions added from behind the session's messages on."""

import json
from pathlib import Path

import pytest

from core import Trace, load, meter, simulate
from core.trace.compaction import Compaction, Edit, of_version_1
from core.window.ranges import ADDED, SPACE, Ranges

DATA = Path(__file__).parents[1] / "data"
FILES = ("trace_version_1_summaries.json", "trace_version_1_cleared.json")


def opened(name: str) -> Trace:
    """The trace of a file that foldline wrote at version 1."""
    text = (DATA / name).read_text()
    assert json.loads(text)["version"] == 1
    return Trace.model_validate_json(text)


def changes(compaction: Compaction) -> list[tuple[str, Ranges]]:
    """What each edit did to which messages; its reason is a text, which may be worded anew."""
    return [(edit.action, edit.ranges) for edit in compaction.edits]


@pytest.mark.parametrize("name", FILES)
def test_a_trace_of_version_1_means_the_same(name: str) -> None:
    """Its layouts, edits and regions are those that simulating its session gives today; it is written as version 2."""
    trace = opened(name)
    assert trace.policy is not None
    made = simulate(trace.session, trace.policy, meter=meter(trace.meter))
    assert [c.layout_after for c in trace.compactions] == [c.layout_after for c in made.compactions]
    assert [changes(c) for c in trace.compactions] == [changes(c) for c in made.compactions]
    assert [trace.regions(i) for i in range(len(trace))] == [made.regions(i) for i in range(len(made))]
    written = trace.model_dump_json()
    assert json.loads(written)["version"] == 2
    assert Trace.model_validate_json(written) == trace


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_such_a_trace_opens(name: str) -> None:
    """`load` gives its session."""
    assert len(load(DATA / name).messages) == 25


def test_what_a_summary_of_version_1_stood_for() -> None:
    """The summary, the typed messages that were kept, and what arrived later, by their ids."""
    trace = opened("trace_version_1_summaries.json")
    (found,) = trace.compactions
    assert found.layout_after == ((0, 1), (ADDED, ADDED + 1), (17, 18), (ADDED + 1, ADDED + 2))
    assert [m.id for m in trace.window(len(trace) - 1)] == ["s", "u3", "u4", "summary#1", "b4", "u5", "a5", "t5", "b5"]


def test_cleared_copies_of_version_1_stand_where_they_stood() -> None:
    """Layouts over copies are the same in both versions."""
    trace = opened("trace_version_1_cleared.json")
    assert trace.compactions[0].layout_after == ((SPACE, SPACE + 4), (4, 10))
    assert trace.compactions[-1].cleared == ("a4", "t4")


def test_a_range_that_went_on_into_what_was_added_becomes_two() -> None:
    """At the end of a session a range of version 1 could hold its last messages and what was added behind them."""
    old = Compaction(
        status="compacted",
        at=10,
        layout_before=((0, 10),),
        layout_after=((0, 1), (8, 12), (SPACE + 3, SPACE + 4)),
        edits=(Edit(action="dropped", ranges=((1, 8), (10, 11))),),
    )
    new = of_version_1(old, 10)
    assert new.layout_after == ((0, 1), (8, 10), (ADDED, ADDED + 2), (SPACE + 3, SPACE + 4))
    assert new.edits[0].ranges == ((1, 8), (ADDED, ADDED + 1))
    assert of_version_1(new, 10) is new
