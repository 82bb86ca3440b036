"""Whether a message asks for something or only states something."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import load
from core.analyse.asks import only_states
from core.analyse.no_request import why_none
from core.model.errors import FoldlineError
from core.model.own_text import own_text
from core.model.session import Message

STATE = [
    "the squash in GitHub keeps trailers",
    "I think by file is to much",
    "when someone does a `commit --amend` later it's not really feasible to update again",
    "but you couldn't detect if a user edited a single file",
    "Keep in mind that auto commits have the whole change.",
    "Budget cap is $500. Never exceed it without approval.",
    "Redis must be stopped before a backup.",
    "Please never push to main.",
    "Agreed. The dashboard relies on that.",
    "There is no need to look.",
]
ASK = [
    "can you add some tests",
    "I can't see any usage of it. Tell me where.",
    "I think we should also keep agent lines",
    "The comment should be updated to say so.",
    "no remove this again, the risk is too big",
    "ok, do nothing, can we add some tests?",
    "Can you summarize it? Keep in mind that auto commits have the whole change.",
    "Always use tabs. Rename the module.",
    "the test fails, fix it",
    "it is clean, right",
    "is the server down",
    "ensure tests are green",
    "fix what is broken",
    "if it fails, stop",
    "now have somebody look at it",
    "I need a function that adds",
    "It would be nice to have a dark mode.",
    "Now a story about a bear. Be descriptive.",
    "Answer in French.",
    "删除检查点测试",
    "Der Test ist rot.",
]


@pytest.mark.parametrize("text", STATE)
def test_a_message_whose_every_sentence_states_asks_for_nothing(text: str) -> None:
    """A rule for good is stated too, and to agree beside it asks for nothing new."""
    assert only_states(text)


@pytest.mark.parametrize("text", [*ASK, "", "yes", "The log says it. " * 100])
def test_any_other_message_asks(text: str) -> None:
    """A question, an order or a wish in one of its sentences is enough, and so is a text of which nothing is known."""
    assert not only_states(text)


# How those messages of the real sessions begin that a person who read all of them took to state something and ask nothing.
READ_AS_STATEMENTS = """
the squash in GitHub | I think by file | when someone does a | those tests are just | but the diff in the might
but you couldn't | The transition seems | But if we have an SVG | the issue with the old solution | The icons must be
i mean specific | also , you marked | also i thougth | ok, i hope | you havne't read | I have chicken
this seems like it would | for example ones that are | jesus, everything works | nahh commit | Have a nice day
"""


def typed(folder: Path) -> Iterator[Message]:
    """What people typed in the sessions of a folder."""
    for path in sorted(folder.rglob("*.json*")):
        try:
            session = load(path)
        except FoldlineError:  # one of many files of a session, or a file of several sessions
            continue
        yield from (message for message in session.messages if message.typed)


def test_the_words_tell_what_a_person_reads_in_real_sessions(shared: Path) -> None:
    """Of some 300 messages all but 3 in 100: the others are told apart by their meaning alone."""
    messages = {own_text(message): message for message in typed(shared / "transcripts")}
    read = tuple(one.strip() for one in READ_AS_STATEMENTS.replace("\n", "|").split("|") if one.strip())
    assert all(any(text.startswith(one) for text in messages) for one in read)
    told = {text: why_none(message) == "stated" for text, message in messages.items()}
    wrong = [text[:60] for text, stated in told.items() if stated != text.startswith(read)]
    assert len(messages) > 300
    assert 100 * len(wrong) < 3 * len(messages), wrong
