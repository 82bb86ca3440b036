"""What counts as a sentence of a summary."""

import pytest

from core.origins.sentences import claims_of, sentences_of


@pytest.mark.parametrize(
    ("summary", "sentences"),
    [
        ("One thing. Another (e.g. this one) is 0.6 s long!", ["One thing.", "Another (e.g. this one) is 0.6 s long!"]),
        ("# Goal\n\n**Files:**\n- `a.py` was read\n  1. then `b.py`\n", ["`a.py` was read", "then `b.py`"]),
        ("| WP | Status |\n|----|---|\n| WP1 | done |\n", ["| WP1 | done |"]),
        ("Code:\n```python\nx = 1\ny = 2\n```\nEnd.", ["x = 1\ny = 2", "End."]),
        ("[summary #1 of 56 earlier messages]\nTask: Fix it.\n- … and 2 more", ["Task: Fix it."]),
        ("<summary>\nSummary:\n- [x] Tests pass\n- None\n</summary>", ["Tests pass"]),
        ("Done\nThe tests pass now\nall of them", ["Done", "The tests pass now", "all of them"]),
        ("Never touch main\n- The build runs.", ["Never touch main", "The build runs."]),
        ("测试通过。文件是 main.py。", ["测试通过。", "文件是 main.py。"]),
        ("", []),
    ],
)
def test_sentences_lines_and_rows_are_sentences_and_headings_are_none(summary: str, sentences: list[str]) -> None:
    """Prose is parted at its ends; a list line, a row and a block of code are one; labels and headings of any form are none."""
    found = sentences_of(summary)
    assert [one.text for one in found] == sentences
    assert [summary[one.start : one.end] for one in found] == sentences


@pytest.mark.parametrize(
    ("summary", "claims"),
    [
        ("Done\n- It is mended.\n\nIn progress\n\n* The rest", ["It is mended.", "The rest"]),
        ("2. Open questions\n   - Which zone?", ["Which zone?"]),
        ("Done\nThe tests pass now", ["Done", "The tests pass now"]),
        ("Tests pass on all three machines\n- It runs.", ["Tests pass on all three machines", "It runs."]),
        ("- Tests pass\n  - the slow ones", ["Tests pass", "the slow ones"]),
        ("Never touch main\n- It is pushed.", ["Never touch main", "It is pushed."]),
        ("1. Use SQLite\n- It is small.", ["Use SQLite", "It is small."]),
        ("不要修改数据库结构\n- 表 orders", ["不要修改数据库结构", "表 orders"]),
    ],
)
def test_a_title_over_a_list_claims_nothing(summary: str, claims: list[str]) -> None:
    """A few words over a list are its title, unless they deny or command something, or are of a script without case."""
    assert [one.text for one in claims_of(summary)] == claims
