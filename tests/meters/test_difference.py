"""Tokens that one text has more than another: counted around their differences, as two whole counts tell."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.meters.difference import more_tokens
from core.meters.tokenizer import count_text

PIECES = st.lists(
    st.sampled_from(["word", " word", "\n", "Line one. ", "  ", "/", "é", "中", "12", "'s", ".\n", "x" * 9, ", and"])
)


@given(PIECES, PIECES, PIECES, PIECES)
def test_it_is_what_two_whole_counts_tell(
    before: list[str], one: list[str], other: list[str], behind: list[str]
) -> None:
    """Whatever stands around what differs."""
    first, second = ("".join((*before, *middle, *behind)) for middle in (one, other))
    assert more_tokens(first, second) == count_text(second)[0] - count_text(first)[0]


@pytest.mark.parametrize(
    ("text", "other", "more"), [("", "", 0), ("a b", "a b", 0), ("", "one two", 2), ("one two", "", -2)]
)
def test_short_texts(text: str, other: str, more: int) -> None:
    """Nothing is counted where nothing differs."""
    assert more_tokens(text, other) == more


def test_only_what_is_near_a_difference_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long text with one other word costs no count of the whole."""
    counted: list[int] = []

    def watched(text: str) -> tuple[int, bool]:
        counted.append(len(text))
        return count_text(text)

    monkeypatch.setattr(import_module("core.meters.difference"), "count_text", watched)
    around = "Some words of a text. " * 5_000
    assert more_tokens(f"{around}one {around}", f"{around}one two {around}") == 1
    assert max(counted) < 100
