"""Words without the marks of Markdown."""

import pytest

from viewer.wire.plain_words import quoted_words, told_words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Do not delete it.\n## Best approach\nRefine it", "Do not delete it. Best approach · Refine it"),
        ("do:\n1. **start**\n2. run `a()` and __all__", "do: 1. start · 2. run a() and __all__"),
        ("- one\n  line\n* [two](http://b)", "one line · two"),
        ("Submit.\n```bash\n# no heading\nrm `date`\n}\n```\nDone", "Submit. # no heading rm `date` } Done"),
        ("```c++\nint x = **p;\n```\n**Never** do that\n- one", "int x = **p; Never do that · one"),
        ("```js title=x\na_b_c\n```\n`ok`", "a_b_c ok"),
        ("2 ** 3 ** 4, a lone ` and **open", "2 ** 3 ** 4, a lone ` and **open"),
        ("???", "???"),
        ("", ""),
    ],
)
def test_a_quote_keeps_its_words_and_loses_their_marks(text: str, said: str) -> None:
    """Headings, the numbers of a list and code stay; a dot parts what no other sign parts."""
    assert quoted_words(text) == said


def test_words_that_are_told_have_headings_only_where_there_is_nothing_else() -> None:
    """Nor have they the numbers of a list."""
    assert told_words("## Done\n1. Fixed `a.py`\n2. Ran it") == "Fixed a.py · Ran it"
    assert told_words("## Done\n") == "Done"
