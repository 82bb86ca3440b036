"""Which clause of a sentence says what a person, who is named, asked for."""

import pytest

from core.origins.contrary import wish_in


@pytest.mark.parametrize(
    ("sentence", "wish"),
    [
        ("Mira asked to show it as zero.", "Mira asked to show it as zero."),
        ("The total is wrong, and Mira asked to show it as zero.", "Mira asked to show it as zero."),
        ("She wants the table sorted by day.", "She wants the table sorted by day."),
        ("He would like one file per month; the rest is done.", "He would like one file per month"),
        ("Then Jennifer explicitly requested a second column.", "Then Jennifer explicitly requested a second column."),
        ("James prefers tabs", "James prefers tabs"),
        ("Manager wants it fixed NOW (systematic is faster than thrashing)", "Manager wants it fixed NOW"),
        ("The fix is in, but Tom insisted on a test first.", "Tom insisted on a test first."),
    ],
)
def test_a_wish_of_somebody_named(sentence: str, wish: str) -> None:
    """A name, a role, or he and she, with what they asked for."""
    assert wish_in(sentence) == wish


@pytest.mark.parametrize(
    "sentence",
    [
        "User asked about instant vs invitation+accept tradeoffs",
        "**User asks to add logging**: For attribution calculation failures and per-checkpoint values",
        "They asked if git-ai mentions this limitation in docs - I found it was NOT documented.",
        "They asked a series of questions about different sections of the documentation.",
        "None explicitly requested - user acknowledged the data is off",
        "Explicitly wanted **multiple proposals** — some close to what exists, some more dramatic.",
        "Unless explicitly asked, you avoid excessively verbose explanations about your work.",
        "When asked to show the output of a command, relay the important details in your answer.",
        "You want the skill creator to behave like an **architect first, writer second**.",
        "Changes requested by the reviewer were made.",
        "Review requested: two approvals are missing.",
        "The agent asks intelligent, context-aware questions to gather all necessary information.",
        "I've completed all the requested icon updates.",
        "This is EXACTLY what we wanted!",
        "Approval requested",
        "Python wants a text here, not bytes.",
        "Whether Mira asked?",
    ],
)
def test_no_wish_of_somebody_named(sentence: str) -> None:
    """The user, "they" of a summary, an order to the agent, and a word that only begins a sentence are no name."""
    assert wish_in(sentence) == ""
