"""What one compaction kept and the next one lost."""

from core import Compaction
from core.analyse import findings, findings_at
from tests.analyse.events import event, kinds_of, of_kind, run, summary
from tests.support import assistant, user

TALK = [m for i in range(5) for m in (user(f"question {i}"), assistant(f"answer {i}"))]
FIRST = event(6, [(0, 6)], [(10, 11), (4, 6)], ("summarised", (0, 4)), put=[summary(id="s1")])


def second(*edits: tuple[str, tuple[int, int]], before: list[tuple[int, int]], put: bool = True) -> list[Compaction]:
    """A first compaction that kept 4 and 5, and a second one after eight messages that keeps 6 and 7."""
    added = [summary(id="s2")] if put else []
    after = [(11, 12), (6, 8)] if put else [(6, 8)]
    return list(run(TALK, FIRST, event(8, before, after, *edits, put=added)).compactions)


def test_summarized_the_next_time_is_no_loss() -> None:
    """What was kept and is summarized at the next pass is where it belongs."""
    one, two = second(("summarised", (10, 11)), ("summarised", (4, 6)), before=[(10, 11), (4, 8)])
    assert "kept_tail_loss" not in kinds_of(findings(two, one))


def test_dropped_beside_the_summary() -> None:
    """What was kept, and is dropped while the rest is summarized, is lost: which, and how many."""
    one, two = second(("summarised", (10, 11)), ("dropped", (4, 6)), before=[(10, 11), (4, 8)])
    (lost,) = of_kind("kept_tail_loss", findings(two, one))
    assert (lost.severity, lost.messages) == ("warning", (TALK[4].id, TALK[5].id))
    assert lost.numbers == {"lost": 2, "missing_before": 0, "left_out_of_the_summary": 2}
    assert lost.text == ("2 messages that the previous compaction kept are gone from the window and in no summary.")


def test_named_by_no_edit() -> None:
    """What leaves without an edit that says so is lost too."""
    one, two = second(("summarised", (10, 11)), ("summarised", (5, 6)), before=[(10, 11), (4, 8)])
    (lost,) = of_kind("kept_tail_loss", findings(two, one))
    assert lost.messages == (TALK[4].id,)


def test_missing_between_the_two() -> None:
    """What was kept and is not in the next window before is lost already."""
    one, two = second(("summarised", (10, 11)), before=[(10, 11), (6, 8)])
    (lost,) = of_kind("kept_tail_loss", findings(two, one))
    assert lost.numbers == {"lost": 2, "missing_before": 2, "left_out_of_the_summary": 0}


def test_missing_where_the_next_one_only_clears() -> None:
    """Also a pass that empties a body in place shows what is missing."""
    cleared = TALK[7].model_copy(update={"content": "[cleared]", "injected": "cleared"})
    later = event(8, [(10, 11), (5, 8)], [(10, 11), (5, 7), (11, 12)], ("cleared", (7, 8)), put=[cleared])
    one, two = run(TALK, FIRST, later).compactions
    (lost,) = of_kind("kept_tail_loss", findings(two, one))
    assert lost.messages == (TALK[4].id,)
    shorter = event(
        8, [(10, 11), (4, 5), (6, 8)], [(10, 11), (4, 5), (6, 7), (11, 12)], ("cleared", (7, 8)), put=[cleared]
    )
    (cut,) = of_kind("kept_tail_loss", findings(*reversed(run(TALK, FIRST, shorter).compactions)))
    assert cut.messages == (TALK[5].id,)
    whole = event(8, [(10, 11), (4, 8)], [(10, 11), (4, 7), (11, 12)], ("cleared", (7, 8)), put=[cleared])
    assert "kept_tail_loss" not in kinds_of(findings(*reversed(run(TALK, FIRST, whole).compactions)))


def test_a_policy_that_only_drops_promised_nothing() -> None:
    """Where nothing is summarized, what is dropped is not a loss of what was kept."""
    one, two = second(("dropped", (10, 11)), ("dropped", (4, 6)), before=[(10, 11), (4, 8)], put=False)
    assert "kept_tail_loss" not in kinds_of(findings(two, one))


def test_the_summary_before_was_not_kept_word_for_word() -> None:
    """An earlier summary that is dropped for the new one is no message that was kept."""
    one, two = second(("dropped", (10, 11)), ("summarised", (4, 6)), before=[(10, 11), (4, 8)])
    assert "kept_tail_loss" not in kinds_of(findings(two, one))


def test_named_although_it_is_missing() -> None:
    """What an edit names was not lost without a word, also where the window before does not hold it."""
    one, two = second(("summarised", (10, 11)), ("summarised", (4, 6)), before=[(10, 11), (6, 8)])
    assert "kept_tail_loss" not in kinds_of(findings(two, one))


def test_what_arrived_since_was_not_kept() -> None:
    """A message that arrived after the first pass and is dropped at the second was never kept by it."""
    later = event(
        8,
        [(10, 11), (4, 8)],
        [(11, 12), (7, 8)],
        ("summarised", (10, 11)),
        ("summarised", (4, 6)),
        ("dropped", (6, 7)),
        put=[summary(id="s2")],
    )
    one, two = run(TALK, FIRST, later).compactions
    assert "kept_tail_loss" not in kinds_of(findings(two, one))


def test_it_takes_the_compaction_before() -> None:
    """Of a compaction alone nothing is reported; within its trace the one before is known."""
    one, two = second(("summarised", (10, 11)), ("dropped", (4, 6)), before=[(10, 11), (4, 8)])
    assert "kept_tail_loss" not in kinds_of(findings(two))
    assert "kept_tail_loss" in kinds_of(findings_at(run(TALK, one, two), 1))
