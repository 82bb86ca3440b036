"""Quotes around words: whole where they fit, else cut between words, with … where something is left out."""

from core.why.quotes import LONGEST, quote
from tests.support import user

BEFORE = "The importer gained a column last week and nobody told us, so check the totals first."
AFTER = "Then compare with the statement of March, and tell me which rows are missing from the books, one by one."


def test_a_short_message_is_quoted_whole() -> None:
    """Nothing is left out, so nothing is marked."""
    assert quote(user("Use tabs, never spaces."), "never spaces") == "Use tabs, never spaces."


def test_a_long_one_is_cut_between_words_on_both_sides() -> None:
    """No more than the longest, and the words that are meant are in it."""
    said = quote(user(f"{BEFORE} No new dependency. {AFTER}"), "No new dependency")
    assert said.startswith("…us, so check the totals first. No new dependency. Then compare with the statement")
    assert said.endswith("of March, and tell me which rows are…")
    assert len(said) <= LONGEST


def test_without_the_words_the_beginning_is_quoted() -> None:
    """Up to the end of a word."""
    said = quote(user(f"{BEFORE} {AFTER}"), "orchard")
    assert said == f"{BEFORE} Then compare with the statement…"
