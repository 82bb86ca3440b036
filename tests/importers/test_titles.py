"""What a session is called after the text that began it."""

import pytest

from core.importers._shapes.blocks import label

TERMINUS = "You are an AI assistant tasked with solving command-line tasks in Linux.\n\n{}\nCurrent terminal state:\n$"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n\n  Mend the report.\nThanks", "Mend the report."),
        ("Implement the following plan:\n\n# Rename the *old* table\n\n1. stop", "Rename the *old* table"),
        ("Please do this:\nrun the tests", "run the tests"),
        (
            "I want an app that allows me to:\n\n- see all **items**\n- add one",
            "I want an app that allows me to: see all items",
        ),
        ("修正这些问题：\n- 标题", "修正这些问题： 标题"),
        ("Only this:", "Only this:"),
        ("---\n## Open [panel.ts](src/panel.ts) with `open()`", "Open panel.ts with open()"),
        ("django__django-11138", "django__django-11138"),
        ("-v is no list,  nor is 2**3", "-v is no list, nor is 2**3"),
        (TERMINUS.format("Task Description:\nCreate hello.txt.\n"), "Create hello.txt."),
        ("# Files mentioned by the user:\n\na.py\n\n## My request for Codex:\nwhy?", "why?"),
        ("?!", "?!"),
        ("x" * 90, "x" * 79 + "…"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_a_title_is_the_first_line_that_says_something(text: str, title: str) -> None:
    """Without marks of Markdown; a line that only leads to another has that behind it, or gives way to it."""
    assert label(text) == title
