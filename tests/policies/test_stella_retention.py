"""stella.retention: when it pays to shorten old results, worked out by hand from its rule."""

import pytest

from core import Compaction, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window
from tests.policies.samples import CODING

STEP = "a5(c{0}) t1250(c{0})"
"""A call and a result of 5,000 characters: shortened it frees 5,000 - 1,600 - 77 = 3,323 of them, or 830 tokens."""


def done(text: str, **settings: int) -> Compaction:
    """What the policy does to a window, with one step that stays whole."""
    known = {"tool_result_horizon_steps": 1, "RETENTION_MIN_RECLAIM_CHARS": 3_000, **settings}
    return compact(window(text), policy("stella.retention", **known), meter=BY_HAND, summarizer=broken)


def test_all_old_results_are_shortened_at_once() -> None:
    """All but those of the newest step, their ends kept around a marker."""
    found = done(f"u5 {STEP.format(1)} {STEP.format(2)} {STEP.format(3)} a5")
    assert shown(found.after) == "u1 a1 t1* a2 t2* a3 t3 a4"
    assert [len(m.content) for m in found.after if m.role == "tool"] == [1677, 1677, 5000]


def test_the_results_of_one_reply_are_one_step() -> None:
    """Both stay while the step is the newest."""
    found = done("u5 a5(c1,c2) t1250(c1) t1250(c2) a5")
    assert found.status == "nothing_to_do"


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({"RETENTION_MIN_RECLAIM_CHARS": 3_323}, "compacted"),
        ({"RETENTION_MIN_RECLAIM_CHARS": 3_324}, "nothing_to_do"),
        ({"RETENTION_TRIGGER_RECLAIM_PERCENT": 49}, "compacted"),  # it frees 830 of 2,515 tokens: 1,685 are left
        ({"RETENTION_TRIGGER_RECLAIM_PERCENT": 50}, "nothing_to_do"),
    ],
)
def test_it_must_pay(settings: dict[str, int], status: str) -> None:
    """Enough characters, and enough of what would be left: what is there in front counts."""
    assert done(f"u5 {STEP.format(1)} {STEP.format(2)}", **settings).status == status


def test_short_results_stay() -> None:
    """2,000 characters are not shortened, 2,001 are long."""
    assert done("u5 a5(c1) t500(c1) a5(c2) t500(c2)", RETENTION_MIN_RECLAIM_CHARS=0).status == "nothing_to_do"


def test_a_sample_trips_it() -> None:
    """Between two times the prompt only grows; what was shortened is not shortened again."""
    trace = simulate(as_session(CODING.messages), policy("stella.retention"), meter=BY_HAND, summarizer=broken)
    cleared = [id for c in trace.compactions for id in c.cleared]
    assert trace.compactions
    assert len(cleared) == len(set(cleared))
