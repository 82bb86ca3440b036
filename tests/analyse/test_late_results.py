"""Results that arrive after the call they answer was summarized."""

from core import Compaction
from core.analyse import Finding, findings_at
from core.trace.trace import Trace
from tests.analyse.events import event, of_kind, run, summary
from tests.support import assistant, calls, result, user

WORK = [
    user("do it"),
    assistant("", calls("c1", "build"), calls("c2", "read")),
    result("c2", "x"),
    user("are you there?"),
    result("c1", "built"),
    assistant("done"),
]


def late(trace: Trace, index: int = 0) -> list[Finding]:
    """What is found about results that arrive later."""
    return of_kind("orphaned_later", findings_at(trace, index))


def fold(at: int, a: int, b: int) -> Compaction:
    """Messages a up to b summarized once `at` have arrived."""
    after = [part for part in ((0, a), (6, 7), (b, at)) if part[0] < part[1]]
    return event(at, [(0, at)], after, ("summarised", (a, b)), put=[summary()], number=1)


def test_a_result_that_arrives_after_its_call_was_summarized() -> None:
    """The open call c1 is summarized after three messages, its result is the fifth: an error that names both."""
    trace = run(WORK, fold(3, 0, 3))
    (found,) = late(trace)
    assert (found.severity, found.messages) == ("error", (WORK[4].id, WORK[1].id))
    assert found.numbers == {"pairs": 1, "messages_later": 2}
    assert found.text == (
        "The call c1 had no result yet when it was replaced by summary #1. The result arrives 2 messages later, "
        "without the call before it: a real API rejects that window."
    )


def test_an_open_call_that_stays_is_answered() -> None:
    """A call left in the window waits for its result."""
    assert late(run(WORK, fold(3, 0, 1))) == []


def test_a_call_summarized_with_its_result_is_closed() -> None:
    """Once both results have arrived, nothing is late."""
    assert late(run(WORK, fold(5, 0, 5))) == []


def test_a_call_that_is_never_answered_orphans_nobody() -> None:
    """A run that was broken off leaves open calls: folding them breaks no pair."""
    assert (
        late(run([*WORK[:4], assistant("stopped")], fold(3, 0, 3).model_copy(update={"layout_after": ((5, 6),)}))) == []
    )


def test_a_result_that_is_summarized_before_the_next_call_is_never_sent() -> None:
    """Where a second pass takes the late result before the model is called, no API sees it."""
    again = event(5, [(6, 7), (3, 5)], [(7, 8)], ("summarised", (6, 7)), ("summarised", (3, 5)), put=[summary(id="s2")])
    assert late(run(WORK, fold(3, 0, 3), again)) == []
    after = event(6, [(6, 7), (3, 6)], [(7, 8)], ("summarised", (6, 7)), ("summarised", (3, 6)), put=[summary(id="s2")])
    assert len(late(run(WORK, fold(3, 0, 3), after))) == 1


def test_the_same_id_called_anew() -> None:
    """A result belongs to the newest open call of its id: the summarized one is not missed."""
    again = [*WORK[:2], assistant("", calls("c1", "build")), result("c1", "built"), user("ok"), assistant("done")]
    assert late(run(again, fold(2, 0, 2))) == []


def test_two_late_results_are_one_finding() -> None:
    """Both results of one summarized reply are reported together."""
    both = [*WORK[:2], user("hm"), result("c1", "a"), result("c2", "b"), assistant("done")]
    (found,) = late(run(both, fold(2, 0, 2)))
    assert found.numbers == {"pairs": 2, "messages_later": 2}
    assert found.title == "2 results arrive after their calls are gone"
