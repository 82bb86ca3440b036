"""How much a lost text of the user's matters: the order of all lists of what a compaction lost."""

import pytest

from core import Trace
from core.analyse.consequence import Consequence, consequence_of
from core.analyse.losses import losses
from core.analyse.request_order import by_consequence
from core.analyse.requests import requests
from core.model.own_text import own_text
from tests.analyse.events import event, run, summary
from tests.support import assistant, system, user, with_ids
from viewer.wire.losses import loss_list

QUESTION = "why is the export of our reports so slow?"
SHORT = "nahh commit and push is good"
CONCRETE = "move the export of reports to src/writer.py"
OTHER = "write down what the quarterly figures mean for our readers"
RULE = "Never print anything from the exporter module of the reports."
WITH_RULE = f"Split the exporter module in two. {RULE}"
REPEATED = "rename the monthly frames of the spreadsheet back to quarterly"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QUESTION, Consequence.QUESTION),
        ("can you explain what it does now", Consequence.QUESTION),
        ("how do we set things on the session? all i see is getters", Consequence.QUESTION),
        ("what is the limit of the reports", Consequence.QUESTION),
        ("what about the header of the monthly reports", Consequence.QUESTION),
        ("should we keep the old header of reports?", Consequence.QUESTION),
        ("do these changes break the export of reports?", Consequence.QUESTION),
        ("What I want is a dark mode, right?", Consequence.QUESTION),
        (SHORT, Consequence.SHORT),
        ("ok, let's implement this", Consequence.SHORT),
        ("ok, just keep going until done", Consequence.SHORT),
        ("okay do a 3pass critique", Consequence.SHORT),
        (CONCRETE, Consequence.CONCRETE),
        ("can you remove the not so useful checkpoint_tests again?", Consequence.CONCRETE),
        ("the limit for all of them is 4500 then", Consequence.CONCRETE),
        ("how about you kill the entire file, then read tui-rendering.ts in full", Consequence.CONCRETE),
        (OTHER, Consequence.ASKED),
        ("Now is the time to add the login page", Consequence.ASKED),
        ("What I want is a dark mode", Consequence.ASKED),
        ("What is missing is a dark mode", Consequence.ASKED),
        ("we need a dark mode", Consequence.ASKED),
        ("i want you to go on", Consequence.SHORT),
        ("Do these changes now, on every page of the handbook", Consequence.ASKED),
        ("Does not work, fix the broken export of reports", Consequence.ASKED),
        ("should be red instead of green in the header of reports", Consequence.ASKED),
        ("Do these changes now", Consequence.SHORT),
        ("Does not work, fix it", Consequence.SHORT),
        ("Would you mind fixing the tests?", Consequence.ASKED),
        ("can you commit and push?", Consequence.ASKED),
        ("can you go on?", Consequence.SHORT),
        ("would you mind trying again?", Consequence.SHORT),
    ],
)
def test_what_a_request_says_by_its_words(text: str, expected: Consequence) -> None:
    """A question only asks to be told something; a word to go on names nothing; what names something is concrete."""
    assert consequence_of(text) is expected


def trace(*behind: str) -> Trace:
    """A compaction that took six requests and their answers for a summary that says none of them; then what came behind."""
    asked = [QUESTION, SHORT, OTHER, CONCRETE, WITH_RULE, REPEATED]
    talk = [system("You code."), *(m for text in asked for m in (user(text), assistant("Done.")))]
    n, later = len(talk), [m for text in behind for m in (user(text), assistant("Well."))]
    end = n + len(later)
    put = summary("They spoke.")
    return run(
        with_ids([*talk, *later]), event(n, [(0, n)], [(0, 1), (end, end + 1)], ("summarised", (1, n)), put=[put])
    )


def ordered(found: Trace) -> list[str]:
    """The requests that are gone, in the order of every list."""
    return [own_text(found.messages[place]) for place in by_consequence(found, 0, requests(found, 0).gone)]


def test_requests_are_ranked_by_consequence() -> None:
    """What the user had to say again, one that sets a rule, something concrete, something else, a question, a word to go on."""
    assert ordered(trace(REPEATED)) == [REPEATED, WITH_RULE, CONCRETE, OTHER, QUESTION, SHORT]
    assert ordered(trace()) == [WITH_RULE, CONCRETE, REPEATED, OTHER, QUESTION, SHORT]


def test_every_list_has_that_order() -> None:
    """The one request that a row quotes, and what the user said of it; the opened list goes by place."""
    (row,) = loss_list(trace(REPEATED))["rows"]
    listed = [one["text"] for one in row["requests"]["listed"]]
    assert listed == [QUESTION, SHORT, OTHER, CONCRETE, WITH_RULE, REPEATED]
    assert row["requests"]["text"] == REPEATED
    assert [one["rank"] for one in row["told"]] == sorted(one["rank"] for one in row["told"])


def test_the_request_at_work_comes_behind_what_came_up_again_and_before_a_rule_that_nothing_needed() -> None:
    """The user says a rule again, so the request that states it leads. Another rule, which nothing needs, is told last."""
    other = "Always ask me before you touch the database of customers."
    talk = [system("You code."), user(RULE), assistant("Yes."), user(other), assistant("Yes."), user(CONCRETE)]
    later = [user(f"I said it: {RULE}"), assistant("Sorry.")]
    n, end = len(talk), len(talk) + len(later)
    taken = event(n, [(0, n)], [(0, 1), (end, end + 1)], ("summarised", (1, n)), put=[summary("They spoke.")])
    texts = losses(run(with_ids([*talk, *later]), taken), 0).texts
    assert [(loss.text, loss.rank.name) for loss in texts] == [(RULE, "AGAIN"), (CONCRETE, "OPEN"), (other, "RULE")]
