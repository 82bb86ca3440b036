"""The story of a text where summaries say it in other words, in part, or sentence by sentence."""

import pytest

from core import fate, load, replay
from core.origins.reworded import Reworded, reworded
from core.origins.story import line, story, text, title
from core.trace.trace import Trace
from core.window.ranges import ADDED
from scripts.forgotten_rule import SAMPLE
from tests.analyse.events import event, run, summary
from tests.support import assistant, user, with_ids

RULES = "Mind three rules. Never push to main. Use the fake clock. Round with banker's rounding, as the ledger does."


def asked(said: str, wanted: str = RULES, answer: str = "Yes.") -> Trace:
    """A request that a summary with some words stands in for, and what the model says behind it."""
    talk = [user(wanted), assistant("I will."), user("Go on."), assistant(answer)]
    return run(with_ids(talk), event(2, [(0, 2)], [(4, 5)], ("summarised", (0, 2)), put=[summary(said)], number=1))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            "Never push to main. The fake clock is used. Banker's rounding, round as the ledger does: mind the three rules.",
            "Only in other words since compaction 1: summary #1 has 1 of its 4 sentences word for word, "
            "and most words of the rest.",
        ),
        (
            "Mind three rules.\n- Never push to main.\n- Use the fake clock.\n"
            "- Round with banker's rounding, as the ledger does.",
            "Sentence by sentence since compaction 1: summary #1 has all of its 4 sentences word for word.",
        ),
        (
            "Never push to main.",
            "Only in part since compaction 1: summary #1 has 3 of its 12 content words in the sentences nearest to it, "
            "and 1 of its 4 sentences word for word.",
        ),
    ],
)
def test_the_answer_says_which_sentences_a_summary_has_word_for_word(said: str, answer: str) -> None:
    """A rule that a summary quotes in full is not "only in other words" because the text around it is."""
    one = asked(said)
    (row,) = reworded(fate(one, RULES))
    assert title(one, row.start, row, says=True) == answer


def test_of_one_sentence_it_speaks_in_the_singular() -> None:
    """Not "all of its 1 sentences"."""
    one = asked("Never push to main.")
    row = Reworded(2, 4, (ADDED,), sentences=1, quoted=1)
    assert title(one, 2, row, says=True) == "Kept since compaction 1: summary #1 has it word for word."


@pytest.mark.parametrize("name", ["store/committed.py", "load_committed_entries", "4,617"])
def test_of_a_name_there_are_no_other_words(name: str) -> None:
    """A path, an identifier and a number are there as they are written or gone, whatever words of them a summary has."""
    one = asked("The store committed its entries; load them, 617 or 4.", f"Look at {name} first.", f"I read {name}.")
    found = fate(one, name)
    assert reworded(found) == []
    assert [event.step for event in story(found, [])[0] if event.kind == "needed"] == [4]


def test_a_path_may_be_there_by_its_last_part() -> None:
    """The ledger calls such a file kept, so Why does not call it gone: it says by which name it is there."""
    one = asked("They mend committed.py.", "Look at store/committed.py first.")
    (row,) = reworded(found := fate(one, "store/committed.py"))
    assert row == Reworded(2, 4, (row.places[0],), name="committed.py")
    assert (
        title(one, 2, row, says=True) == "Only by its last part since compaction 1: summary #1 calls it committed.py."
    )
    assert [line(found, event, [row]) for event in story(found, [row])[0]][-1] == "Summary #1 calls it committed.py"


def test_a_use_at_the_very_next_call_is_told() -> None:
    """The call whose prompt is the last window without the text uses it, at the step at which its reply arrives."""
    rule = "add no new dependency to the parser"
    one = asked("No dependency was to be added to the parser that is new.", f"Please {rule}.", f"So: {rule}.")
    found = fate(one, rule)
    (row,) = reworded(found)
    assert text(found, found.lane.at(2), row) == "Used at message 4, judging by the model's words alone."


def test_the_sample_loses_its_rule_twice() -> None:
    """Summary #2 leaves it out, the user says it again at step 172, and summary #3 leaves that out at step 182."""
    found = fate(replay(load(SAMPLE)), "No new dependency, not even a small one")
    again = reworded(found)
    told = [(event.step, line(found, event, again)) for event in story(found, again)[0]]
    assert told[-4:] == [
        (134, "Gone: summary #2 left it out"),
        (172, "Said again by the user in other words"),
        (182, "Gone: summary #3 left it out"),
        (185, "Needed, by a word match: “dependencies”"),
    ]
