"""Whether a compaction made the window smaller, and small enough."""

from core import meter, replay
from core.analyse import findings
from core.model.session import RecordedCompaction
from core.trace.trace import as_session
from tests.analyse.events import LONG, cut_out, event, found_in, kinds_of, of_kind, run, summary
from tests.support import assistant, system, user

TALK = [system("s"), user("a"), assistant("b"), user("c")]


def test_a_compaction_that_grows_the_window() -> None:
    """A summary larger than what it replaces is net-negative, with both numbers."""
    found = found_in(system("s"), user("a"), user("b"), keep=1, text=LONG)
    (grew,) = of_kind("net_negative", found)
    assert (grew.severity, grew.numbers) == ("warning", {"before": 15, "after": 272, "added": 262})
    assert grew.text.startswith("The window grew by 257 tokens, 15 -> 272 by the meter")


def test_the_same_size_frees_nothing_and_one_less_frees_something() -> None:
    """As many tokens after as before is net-negative; one fewer is not."""
    (same,) = of_kind("net_negative", findings(cut_out(TALK, 1, 2, summary(), window_before=40, window_after=40)))
    assert same.text.startswith("The window did not shrink, 40 -> 40")
    assert "net_negative" not in kinds_of(
        findings(cut_out(TALK, 1, 2, summary(), window_before=40, window_after=39)),
    )


def test_recorded_numbers_are_not_mixed_with_the_meter() -> None:
    """Of a recorded compaction the recorded tokens are compared, where both are there, and something was put in."""
    recorded = RecordedCompaction(at=2, tokens_before=30029, tokens_after=197548)
    session = as_session([user(LONG), assistant("b")], compactions=(recorded,))
    found = findings(replay(session, meter=meter("agentkit")).compactions[0])
    (grew,) = of_kind("net_negative", found)
    assert grew.numbers["after"] == 197548
    assert "as recorded" in grew.text
    cleared = session.model_copy(update={"compactions": (recorded.model_copy(update={"edit": "dropped"}),)})
    assert "net_negative" not in kinds_of(findings(replay(cleared, meter=meter("agentkit")).compactions[0]))


def test_a_window_of_which_only_a_part_is_seen() -> None:
    """Where the transcript says that more was in the window than it shows, its growth by the meter means nothing."""
    recorded = RecordedCompaction(at=2, tokens_before=155_250, summary="s")
    written = summary(LONG).model_copy(update={"id": "s"})
    session = as_session([user("a"), assistant("b"), written, user("c")], compactions=(recorded,))
    assert "net_negative" not in kinds_of(findings(replay(session, meter=meter("agentkit")).compactions[0]))
    unknown = session.model_copy(update={"compactions": (recorded.model_copy(update={"tokens_before": None}),)})
    assert "net_negative" in kinds_of(findings(replay(unknown, meter=meter("agentkit")).compactions[0]))


def test_still_over_budget() -> None:
    """A window that is over its limit after the pass says by which numbers."""
    found = found_in(system("s"), user(LONG), user(LONG), user(LONG), keep=2, budget=300)
    (over,) = of_kind("still_over_budget", found)
    assert (over.severity, over.numbers) == ("warning", {"after": 530, "limit": 300})


def test_over_by_another_count() -> None:
    """Where the policy counts otherwise than the meter, or has no limit in tokens, no false comparison is made."""
    otherwise = cut_out(TALK, 1, 2, summary(), status="still_over_budget", window_after=40, limit=50)
    (over,) = of_kind("still_over_budget", findings(otherwise))
    assert over.text.endswith("By the policy's own count it is still over the limit of 50.")
    (unknown,) = of_kind("still_over_budget", findings(otherwise.model_copy(update={"limit": None})))
    assert unknown.numbers == {"after": 40}


def test_within_the_limit_is_no_finding() -> None:
    """A pass that came out below its limit is not reported to be over it."""
    assert "still_over_budget" not in kinds_of(findings(cut_out(TALK, 1, 3, summary(), limit=50)))


def test_a_larger_result_that_was_kept() -> None:
    """Inflated and kept: how much was removed and how much was added."""
    kept = cut_out(TALK, 1, 2, summary(), status="inflated")
    (found,) = of_kind("inflated", findings(kept))
    assert found.numbers == {"kept": 1, "before": 40, "after": 40, "removed": 10, "added": 10}
    assert (found.severity, found.messages) == ("info", ("summary",))


def test_a_larger_result_that_was_refused() -> None:
    """Inflated and refused: the window stands as it was, and that is all there is to find."""
    refused = event(4, [(0, 4)], [(0, 4)], status="inflated")
    (found,) = findings(run(TALK, refused).compactions[0])
    assert (found.kind, found.severity, found.title) == ("inflated", "info", "Rejected: the result was no smaller")
    assert found.numbers == {"kept": 0, "before": 40, "after": 40}


def test_a_smaller_result_is_not_inflated() -> None:
    """A pass with a status other than inflated is never reported."""
    assert "inflated" not in kinds_of(findings(cut_out(TALK, 1, 3, summary())))
