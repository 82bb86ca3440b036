"""Where sentences end."""

import pytest

from core import Message
from core.model.text import brief, first_sentences, sentences
from core.summaries.summarizers import structural


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use a tool, e.g. Docker. Then stop.", ["Use a tool, e.g. Docker.", "Then stop."]),
        ("Nimm etwas Kleines, z.B. ein Skript. Danke.", ["Nimm etwas Kleines, z.B. ein Skript.", "Danke."]),
        ("Tabs vs. spaces, i.e. tabs.", ["Tabs vs. spaces, i.e. tabs."]),
        ("Mend code, docs, etc. in one commit.", ["Mend code, docs, etc. in one commit."]),
        ("Mend code, docs, etc. Then stop.", ["Mend code, docs, etc.", "Then stop."]),
        ("I said no. Then stop.", ["I said no.", "Then stop."]),
        ("fix it first. then stop.", ["fix it first.", "then stop."]),
    ],
)
def test_no_sentence_ends_behind_an_abbreviation(text: str, found: list[str]) -> None:
    """Behind "etc." one does before a capital."""
    assert list(sentences(text)) == found


def test_what_is_shortened_does_not_end_with_an_abbreviation() -> None:
    """It ends with the sentence before, or behind a word."""
    text = "Put it into one file. Use another tool for it, e.g. Docker or a small script of your own."
    assert brief(text, 57) == first_sentences(text, 57) == "Put it into one file."
    assert brief(text[22:], 40) == "Use another tool for it, e.g. Docker or…"


def test_a_decision_is_quoted_to_the_end_of_its_sentence() -> None:
    """In a structural summary."""
    work = "I have read the modules of the exporter one after the other and looked for what they share. " * 4
    said = f"{work}We decided to keep the small helpers, e.g. the date parser, in one module. More of that later."
    talk = [Message(id="1", role="user", content="Sort the helpers."), Message(id="2", role="assistant", content=said)]
    assert "We decided to keep the small helpers, e.g. the date parser, in one module." in structural(talk)
