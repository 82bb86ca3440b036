"""Hints: short texts, one of which stands in whatever a pattern finds, so that most texts need no search."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.summaries import phrases as words

HINTED = [(words.FAILS, words.FAILS_HINTS), (words.DENIES, words.DENIES_HINTS)]


@pytest.mark.parametrize(("pattern", "hints"), HINTED, ids=["fails", "denies"])
@settings(max_examples=500)
@given(st.data())
def test_no_match_is_without_a_hint(pattern: re.Pattern[str], hints: words.Hints, data: st.DataObject) -> None:
    """A text in which the pattern finds something is never passed over."""
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert words.may_hold(text, hints)


def test_a_text_without_hints_is_passed_over() -> None:
    """Also one that was cut; but not one in another script, or with a curly apostrophe, for which there are no hints."""
    assert not words.may_hold("It passes, and all is well…", words.FAILS_HINTS)
    assert words.may_hold("Der Test läuft.", words.FAILS_HINTS)
    assert words.may_hold("It doesn’t work", words.FAILS_HINTS)
