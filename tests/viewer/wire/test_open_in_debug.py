"""A live run opened in Debug: the same totals, regions and limits at each step as the Live page shows."""

from pathlib import Path

import pytest

from core import load, policy, replay
from core.drive import Drive
from core.engine.default_meter import default_meter
from core.meters import meter
from core.model.session import PolicyUsed
from core.trace.trace import Trace
from tests.drive.parts import Scripted, driven, pages
from viewer.pages.simulated import summaries_for
from viewer.wire.catalogue import own_settings, ran_under, what_if
from viewer.wire.header import trace_header
from viewer.wire.live_pack import Seen, news
from viewer.wire.pack import view_of_trace


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    """A run that was compacted under one budget, then under a lower one, with a message pinned by hand."""
    made = driven(tmp_path, Scripted([*pages(12), *pages(12)]))
    made.send("read the first dozen")
    made.wait()
    made.set_policy(policy("agentkit.memory", budget=700, keep_recent=3))
    made.pin([1], True)
    made.send("and the second")
    made.wait()
    return made


def opened(drive: Drive) -> Trace:
    """The run's file as the Debug page opens it: replayed, by the meter that it chooses."""
    session = load(drive.journal.recorder.path)  # type: ignore[attr-defined]
    return replay(session, meter=meter(default_meter(session)))


def test_a_step_has_the_same_total_and_regions_on_both_pages(drive: Drive) -> None:
    """Message by message: what is pinned, compactable and recent, and what it counts."""
    live, debug = drive.context.trace(), opened(drive)
    assert len(live) == len(debug) > 20
    assert len({c.limit for c in live.compactions}) == 2
    for i in range(len(live)):
        assert debug.step(i).tokens == live.step(i).tokens, f"step {i}"
        assert debug.region_list(i) == live.region_list(i), f"step {i}"


def test_a_run_counts_the_same_tokens_on_both_pages(drive: Drive) -> None:
    """In the header, which the Library repeats: its messages, and what its compactions added."""
    total = news(drive, Seen())["header"]["total"]
    assert drive.context.compactions
    assert total == trace_header("s", opened(drive))["total"] > sum(drive.context.base.tokens)


def test_the_browser_is_told_the_same_on_both_pages(drive: Drive) -> None:
    """Its cuts at every step, the limit in force, what is pinned by hand, and the tokens of the tools."""
    told, debug = news(drive, Seen()), opened(drive)
    view, shown = view_of_trace("s", "t", debug, ()), told["view"]
    assert tuple(map(list, (view["tails"], view["heads"], view["bodies"]))) == (
        told["steps"]["tails"],
        told["epochs"]["heads"],
        told["epochs"]["bodies"],
    )
    assert (view["eras"], view["held"], view["policy"]) == (shown["eras"], shown["held"], shown["policy"])
    assert len(view["eras"]) == 2
    assert trace_header("s", debug)["tools"] == told["header"]["tools"] > 0


def test_its_policy_and_parameters_are_offered_first(drive: Drive) -> None:
    """The page says what the run was under, and simulates that with its parameters and the summaries it wrote."""
    session = load(drive.journal.recorder.path)  # type: ignore[attr-defined]
    assert ran_under(session) == "Under agentkit.memory: budget 700 tokens, keep_recent 3 messages."
    assert what_if(session)[0] == {"name": "agentkit.memory", "label": "The run's own policy, simulated"}
    assert own_settings(session, "agentkit.memory") == {"budget": 700, "keep_recent": 3}
    assert own_settings(session, "pi.compaction") == {}
    assert summaries_for(session, "agentkit.memory") == "recorded"
    assert summaries_for(session, "pi.compaction") == "structural"


def test_a_parameter_that_is_a_long_text_is_cut(drive: Drive) -> None:
    """A run's file may give a parameter any length."""
    session = load(drive.journal.recorder.path)  # type: ignore[attr-defined]
    assert session.driven
    used = PolicyUsed(name="anthropic.compact", parameters={"instructions": "x " * 10_000})
    long = session.model_copy(update={"driven": session.driven.model_copy(update={"policies": (used,)})})
    assert len(ran_under(long)) <= 300
