"""A recorded compaction against what a policy would have done to the same window."""

import pytest

from core import Message, Session, Trace, meter, policy, replay
from core.engine.compare_recorded import RecordedComparison, compare_recorded
from core.model.session import RecordedCompaction
from tests.support import system, user

METER = meter("agentkit")


def recorded(first: tuple[str, ...] = ("m0", "m6"), second: tuple[str, ...] = ()) -> Trace:
    """Seven messages of 14 tokens, compacted to a summary of 9 with `first` kept; then one more, compacted if `second` says."""
    said = [system("0" * 40), *(user(f"{i}" * 40) for i in range(1, 7)), user("7" * 40)]
    messages = [m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(said)]
    summary, later = (
        Message(id=name, role="user", content="what was said so far", injected="summary") for name in ("s1", "s2")
    )
    events = [RecordedCompaction(at=7, summary="s1", kept=first)]
    if second:
        events.append(RecordedCompaction(at=8, summary="s2", kept=second))
    order = (*messages[:7], summary, messages[7], *((later,) if second else ()))
    return replay(Session(messages=order, compactions=tuple(events)), meter=METER)


def against(trace: Trace, k: int = 0, **settings: int) -> RecordedComparison:
    """Compaction k against agentkit's memory, with a summary of a few tokens."""
    return compare_recorded(trace, k, policy("agentkit.memory", **settings), METER, lambda messages, prior: "short")


def test_both_are_given_the_same_window() -> None:
    """What was in the window before is the same number by the same meter."""
    found = against(recorded(), budget=20, keep_recent=2)
    assert found.recorded.window_before == found.made.window_before == 98
    assert (found.recorded.window_after, found.made.window_after) == (37, 56)


def test_who_kept_what_is_told_apart() -> None:
    """By both, by the agent alone, by the policy alone; what neither kept is in none of them."""
    found = against(recorded(first=("m0", "m2", "m6")), budget=20, keep_recent=2)
    assert found.both == ((0, 1), (6, 7))
    assert found.recorded_alone == ((2, 3),)
    assert found.policy_alone == ((5, 6),)


@pytest.mark.parametrize(("budget", "automatic"), [(97, True), (98, False), (900, False)])
def test_whether_the_policy_would_have_acted_by_itself_is_said(budget: int, automatic: bool) -> None:
    """It is made to act in any case: at 98 tokens a budget of 98 has not been passed."""
    found = against(recorded(), budget=budget, keep_recent=2)
    assert (found.automatic, found.made.status) == (automatic, "compacted")
    assert found.why == (f"98 tokens > {budget}" if automatic else f"98 tokens are within {budget}")


def test_a_policy_that_finds_nothing_to_do_keeps_everything() -> None:
    """All that stood in the window and the agent let go is the policy's alone."""
    found = against(recorded(), budget=20, keep_recent=9)
    assert found.made.status == "nothing_to_do"
    assert (found.both, found.policy_alone) == (((0, 1), (6, 7)), ((1, 6),))


def test_an_earlier_summary_stands_in_the_window_of_the_next() -> None:
    """The second compaction is compared over what the first had left, its summary included."""
    trace = recorded(second=("m7",))
    found = against(trace, 1, budget=20, keep_recent=1)
    assert found.recorded.window_before == found.made.window_before == 51
    assert "s1" in found.made.removed
    assert 0 < found.made.window_after < 51


def test_the_trace_is_left_as_it_was() -> None:
    """Comparing is looking: what the transcript recorded does not change by it."""
    trace = recorded(second=("m7",))
    before = trace.model_dump_json()
    for k in (0, 1):
        against(trace, k, budget=20, keep_recent=2)
    assert trace.model_dump_json() == before
    assert against(trace, 0, budget=20, keep_recent=2) == against(trace, 0, budget=20, keep_recent=2)
