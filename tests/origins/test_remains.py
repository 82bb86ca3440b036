"""What a summary still says of a text: the one answer that the overview, findings, Why and the ledger give."""

import pytest

from core import load, replay
from core.origins.remains import Kept, remains_in
from scripts.forgotten_rule import SAMPLE
from tests.analyse.events import summary

RULE = "Do not change the public API: the dashboard and the mailer import it, see docs/stability.md."


def kept(text: str, said: str) -> Kept:
    """What a summary that says something has of a text."""
    return remains_in(summary(said)).of(text)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (f"Two rules. {RULE}", "verbatim"),
        ("The public API must stay: the dashboard and the mailer import it, see docs/stability.md.", "reworded"),
        ("The public API must stay as it is (docs/stability.md).", "partly"),
        ("The exporter was mended. All tests pass.", "gone"),
        ("It is public.\n- one\n- two\n- three\n- The import works.\n- four\n- five\n- See the dashboard.", "gone"),
    ],
)
def test_a_rule_in_a_summary(said: str, verdict: str) -> None:
    """Word for word, in other words, a good part of its words near one another; scattered words are none."""
    assert kept(RULE, said).verdict == verdict


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        ("Use tabs.", "The user said: use tabs.", "verbatim"),
        ("Use tabs.", "Use tabs, always.", "verbatim"),
        ("Use tabs", "USE   TABS!", "verbatim"),
        ("Don\u2019t push.", "He said: don't push", "verbatim"),
        ("Use `tabs`.", "use tabs", "verbatim"),
        ("保持简短", "请保持简短。", "verbatim"),
        ("Use tabs.", "They use spaces.", "gone"),
        ("Tabs.", "The stabs are gone.", "gone"),
        ("MAX_TOKENS", "max_tokens", "gone"),
        ("README.md", "readme.md", "gone"),
    ],
)
def test_a_text_of_one_or_two_words(text: str, said: str, verdict: str) -> None:
    """Its words stand in the summary one behind the other, whatever case and marks; a name is as it is written."""
    assert kept(text, said).verdict == verdict


def test_a_request_whose_beginning_is_quoted_is_kept_in_part() -> None:
    """As harnesses list what the user asked: its words are counted, and it is not left out."""
    asked = (
        "The attribution silently fails if any step returns an error in the chain. Please log which reference, commit, tree or "
        "branch is missing, so that somebody who debugs metadata sees why numbers look odd."
    )
    found = kept(asked, 'All of it: "The attribution silently fails if any step returns an error..."')
    assert (found.verdict, found.kept, found.words) == ("partly", 6, 21)


def test_every_sentence_of_a_request_is_looked_for_on_its_own() -> None:
    """Two sentences that stand far from each other in the summary are there."""
    said = "Amounts are whole cents inside.\n- a\n- b\n- c\n- d\n- Write a test with a thousand bookings."
    assert kept("Whole cents inside. Write a test with the thousand bookings.", said).verdict == "reworded"
    assert kept("Floats outside. Ask the bank for a new statement.", said).verdict == "gone"


def test_the_sample_keeps_one_rule_and_loses_the_other() -> None:
    """The API is in all three summaries, in fewer words each time; the dependency in the first alone."""
    one = replay(load(SAMPLE))
    api = (
        "Do not change the public API: the dashboard, the tax exporter and the mailer import it, see docs/stability.md."
    )
    rule = "No new dependency, not even a small one"

    def verdicts(text: str) -> list[str]:
        return [remains_in(c.summary).of(text).verdict for c in one.compactions if c.summary]

    assert verdicts(api) == ["verbatim", "reworded", "partly"]
    assert verdicts(rule) == ["verbatim", "gone", "gone"]
