"""Compactions that come too soon after each other."""

from core import Compaction, meter, replay
from core.analyse import Finding, trace_findings
from core.model.session import RecordedCompaction, Usage
from core.window.ranges import ADDED
from tests.analyse.events import event, of_kind, run, summary
from tests.support import as_session, assistant, user

TALK = [m for i in range(20) for m in (user(f"question {i}"), assistant(f"answer {i}"))]  # a call before each odd place


def passes(*places: int, action: str = "summarised", **known: int) -> list[Compaction]:
    """A compaction at each of these places that summarizes all but the newest message; 100 tokens become 80 by default."""
    made, before, n = [], ((0, places[0]),), len(TALK)
    sizes = {"window_before": 100, "window_after": 80} | known
    for k, at in enumerate(places):
        put = [summary(id=f"s{k}")] if action == "summarised" else []
        after = ((ADDED + k, ADDED + k + 1), (at - 1, at)) if put else ((at - 1, at),)
        gone = [part for a, b in before for part in ((a, min(b, at - 1) if a < n else b),) if part[0] < part[1]]
        made.append(event(at, before, after, *((action, part) for part in gone), put=put, **sizes))
        later = places[k + 1] if k + 1 < len(places) else at
        before = (*after[:-1], (at - 1, later))
    return made


def thrash(*compactions: Compaction) -> dict[int, Finding]:
    """The runs found, by the compaction they are reported at."""
    found = trace_findings(run(TALK, *compactions))
    return {k: one for k in found for one in of_kind("thrash", found[k])}


def test_two_compactions_within_three_calls() -> None:
    """Three model calls between two passes is too soon; each freed a fifth of its window."""
    (found,) = thrash(*passes(4, 10)).values()
    assert found.numbers == {
        "compactions": 2,
        "first": 0,
        "last": 1,
        "calls": 3,
        "before": 200,
        "freed": 40,
        "freed_percent": 20,
    }
    assert (found.severity, found.messages) == ("warning", ("s0", "s1"))
    assert found.text.startswith(
        "The model was called only 3 times between the first and the last of 2 compactions. "
        "Each freed 20 % of the window on average, by the meter"
    )


def test_four_calls_are_far_enough() -> None:
    """With four model calls between them two passes are no thrash."""
    assert thrash(*passes(4, 12)) == {}


def test_a_run_is_one_finding_at_its_first() -> None:
    """Five passes in a row are one finding; after a pause a new run begins."""
    found = thrash(*passes(4, 6, 8, 10, 12, 30, 32))
    assert {k: (f.numbers["compactions"], f.numbers["calls"]) for k, f in found.items()} == {0: (5, 4), 5: (2, 1)}
    assert found[0].title == "5 compactions in quick succession"


def test_passes_that_free_nothing() -> None:
    """Where the windows did not shrink, no share is given for freed."""
    (found,) = thrash(*passes(4, 6, window_after=100)).values()
    assert "Together they freed nothing, by the meter." in found.text
    (little,) = thrash(*passes(4, 6, window_before=1000, window_after=999)).values()
    assert "Each freed less than 1 % of the window" in little.text
    assert "The model was called once between" in little.text


def test_dropping_at_every_call_is_only_good_to_know() -> None:
    """A policy that drops and asks no model for a summary may act at every call."""
    (found,) = thrash(*passes(4, 6, 8, action="dropped")).values()
    assert found.severity == "info"
    assert found.messages == ()


def test_the_tiers_of_one_pass_are_no_thrash() -> None:
    """Two compactions at the same place, with nothing between them, are one act."""
    one, two = passes(4, 6)
    tier = two.model_copy(
        update={"at": 4, "layout_before": one.layout_after, "layout_after": one.layout_after, "edits": ()}
    )
    assert thrash(one, tier) == {}


def test_a_look_that_did_nothing_is_no_compaction() -> None:
    """Where the policy looked and left the window alone, no run is counted."""
    idle = event(6, [(40, 41), (3, 6)], [(40, 41), (3, 6)], status="nothing_to_do")
    (one,) = passes(4)
    assert thrash(one, idle) == {}


def test_recorded_sizes_where_all_have_them() -> None:
    """Recorded tokens are added up where every pass gives them, else the meter's."""
    update = {"recorded": True, "tokens_before": 1000, "tokens_after": 900}
    one, two = (c.model_copy(update=update) for c in passes(4, 6))
    (found,) = thrash(one, two).values()
    assert (found.numbers["before"], found.numbers["freed"]) == (2000, 200)
    (mixed,) = thrash(one, two.model_copy(update={"tokens_after": None})).values()
    assert (mixed.numbers["before"], mixed.numbers["freed"]) == (200, 40)


def test_recorded_sizes_may_be_of_any_size() -> None:
    """A damaged file may say a number that no float holds."""
    update = {"recorded": True, "tokens_before": 10**400, "tokens_after": 0}
    (found,) = thrash(*(c.model_copy(update=update) for c in passes(4, 6))).values()
    assert found.numbers["freed_percent"] == 100


def test_passes_whose_prompts_did_not_shrink() -> None:
    """Recorded ones around which the prompts grew are known to have freed nothing: nobody is told what they cost."""

    def found(*sent: int) -> int:
        replies = [assistant("b").model_copy(update={"usage": Usage(input_uncached=n)}) for n in sent]
        messages = [m for reply in replies for m in (user("a"), reply)]
        small = {"tokens_before": 45_700, "tokens_after": 43_700, "kind": "microcompaction"}
        events = tuple(RecordedCompaction(at=at, **small) for at in (3, 5))
        trace = replay(as_session(messages, compactions=events), meter=meter("agentkit"))
        return sum(len(of_kind("thrash", some)) for some in trace_findings(trace).values())

    assert found(45_700, 43_700, 41_700) == 1
    assert found(45_700, 46_452, 47_000) == 0
