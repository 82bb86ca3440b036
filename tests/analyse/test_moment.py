"""Where in the talk a compaction happened, and in which turn its summary ends."""

from core.analyse.moment import Moment, moment
from core.trace.trace import Trace
from tests.analyse.events import event, run, summary
from tests.support import assistant, calls, result, user, with_ids
from viewer.wire.losses import loss_list

TALK = [
    user("Draw a plan."),
    assistant("Drawn."),
    user("Make it shorter."),
    assistant("", calls("c", "edit_file", path="plan.md")),
    result("c", "done"),
    assistant("It is shorter."),
    user("push"),
    assistant("Pushed."),
]
TIMED = [m.model_copy(update={"timestamp": f"2026-04-25T12:0{k}:00Z"}) for k, m in enumerate(TALK)]


def taken(until: int, at: int, text: str = "The plan is being made shorter.") -> Trace:
    """A trace in which a compaction put a summary in for the messages before a place, when so many had arrived."""
    n = len(TALK)
    after = [(n, n + 1), *([(until, at)] if until < at else [])]
    put = [summary(text)]
    return run(
        with_ids(TIMED),
        event(at, [(0, at)], after, ("summarised", (0, until)), put=put, timestamp="2026-04-26T01:00:00Z"),
    )


def test_a_compaction_behind_the_reply_is_after_its_turn() -> None:
    """Within the work it is in the turn; behind the reply the turn had ended, and its last message says when."""
    assert moment(taken(2, 5), 0)[:2] == ("", -1)
    assert moment(taken(2, 6), 0)[:2] == ("answered", 5)
    assert moment(taken(4, 8), 0) == Moment("answered", 7, 2)
    (row,) = loss_list(taken(4, 8))["rows"]
    assert row["how"] == ""
    assert (row["ended"], row["ended_ago"], row["ends"]) == ("answered", 46_380, 2)


def test_a_summary_ends_in_an_earlier_turn_where_later_turns_stay() -> None:
    """Not where it takes in some of the turn that is under way, and not where nobody can say what it tells."""
    assert moment(taken(2, 8), 0).ends == 0
    assert moment(taken(6, 8), 0).ends == 2
    assert moment(taken(7, 8), 0).ends == -1
    assert moment(taken(8, 8), 0).ends == -1
    dropped = run(with_ids(TIMED), event(8, [(0, 8)], [(6, 8)], ("dropped", (0, 6))))
    assert moment(dropped, 0).ends == -1


def test_an_end_is_told_only_where_all_behind_it_stays_as_it_came() -> None:
    """Not where some was dropped or emptied in place, by this compaction or before, and not where nobody knows what went."""
    told, put, left = ("summarised", (0, 2)), [summary()], TALK[4].model_copy(update={"injected": "cleared"})
    made = (
        event(8, [(0, 8)], [(8, 9), (2, 8)], told, put=put),
        event(8, [(0, 8)], [(8, 9), (6, 8)], told, ("dropped", (2, 6)), put=put),
        event(8, [(0, 8)], [(8, 9), (2, 4), (9, 10), (5, 8)], told, ("cleared", (4, 5)), put=[*put, left]),
        event(8, [(0, 4), (5, 8)], [(8, 9), (2, 4), (5, 8)], told, put=put),
        event(8, [(0, 8)], [(8, 9), (2, 8)], told, put=put, fidelity="inferred"),
    )
    assert [moment(run(with_ids(TIMED), one), 0).ends for one in made] == [0, -1, -1, -1, -1]
