"""What words, numbers and names are compared by."""

from itertools import pairwise

import pytest

from core.origins.facts import facts_of
from core.origins.passages import Corpus, Said, limit_of
from core.origins.terms import placed, terms


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("calculated the attribution", "Calculating attributions", True),
        ("simplifying, copied, deployed", "simplify copy deploy", True),
        ("1,200 rows", "1200 rows", True),
        ("2.50", "2.5", True),
        ("took 85ms", "85 ms took", False),
        ("0.6 s", "0.8 s", False),
        ("16 files", "18 files", False),
        ("测试通过了", "测试通过了", True),
        ("测试通过了", "测试失败了", False),
    ],
)
def test_forms_of_a_word_and_ways_to_write_a_number_are_one(one: str, other: str, same: bool) -> None:
    """Words meet by their beginning, numbers by their value, and runs without blanks by pairs of characters."""
    assert (terms(one) == terms(other)) is same


def test_a_term_stands_where_its_word_does() -> None:
    """Also in a script without blanks, and behind letters that take two units."""
    text = "😀 Tests 通过了, 1,200 of them"
    assert [(one.term, text[one.start : one.end]) for one in placed(text)] == [
        ("test", "Tests"),
        ("通过", "通过"),
        ("过了", "过了"),
        ("1200", "1,200"),
    ]


@pytest.mark.parametrize(
    ("sentence", "facts"),
    [
        ("Fixed `src/app/main.py` in 3 steps", [("file", "main.py"), ("number", "3")]),
        ("took 3.5 s before and 0.60 s after", [("number", "3.5"), ("number", "0.6")]),
        ("e.g. the old and/or new way", []),
        ("then Berlin and parse_config were named", [("name", "parse_config"), ("name", "berlin")]),
        ("it was run 3× with `--strict mode`", [("name", "--strict"), ("name", "strict"), ("name", "mode")]),
        ("a -v and a two--fold --dry-run", [("name", "--dry-run")]),
        ("see https://example.com/a/b.html", [("file", "b.html")]),
    ],
)
def test_files_numbers_and_names_are_exact(sentence: str, facts: list[tuple[str, str]]) -> None:
    """A file counts by its last part; how often something was done is counted by the summarizer and is none."""
    assert [(one.sort, one.key) for one in facts_of(sentence)] == facts


def test_long_messages_are_read_in_part_where_all_are_too_many() -> None:
    """The limit is the length at which all together fit; short ones are read whole."""
    assert limit_of([10, 10, 1000], most=100) == 80
    assert limit_of([10, 20], most=100) == 20
    assert limit_of([]) == 0


def test_passages_cover_a_text_once() -> None:
    """Nothing is left out or counted twice, however long the lines are."""
    text = "\n".join(["word " * 30, "x" * 2000, "", "last word"])
    corpus = Corpus([Said(0, text, "user")], frozenset({"word", "x" * 2000}))
    starts = sorted((one.start, one.end) for one in map(corpus.passage, range(len(corpus))))
    assert starts[0][0] == 0
    assert starts[-1][1] == len(text)
    assert all(a[1] <= b[0] for a, b in pairwise(starts))
