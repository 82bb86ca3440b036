"""The question that a statement of the user answers."""

import pytest

from core import Message
from core.analyse.question_before import question_before
from tests.analyse.events import event, run, summary
from tests.support import assistant, user, with_ids

ASKED = "what do we do with auto commits, always fill in 100%?"


@pytest.mark.parametrize(
    ("before", "question"),
    [
        (
            [user("go"), assistant("Both work. Shall I fill in 100% for auto commits?")],
            "Shall I fill in 100% for auto commits?",
        ),
        ([user("go"), assistant("Shall I fill in 100% for auto commits? Tell me. Then I go on.")], ""),
        ([user(f"now: {ASKED} think first"), assistant("Two ways.\nWhat's your preference?")], f"now: {ASKED}"),
        ([user("go"), assistant("Two ways. What's your preference?")], "What's your preference?"),
        ([user(ASKED)], ""),
        ([], ""),
    ],
)
def test_it_is_what_the_reply_ends_by_asking(before: list[Message], question: str) -> None:
    """Near its end; of a short question what the user had asked before it, where that is one; without a reply it is none."""
    trace = run(with_ids([*before, user("ok, do nothing")]))
    assert question_before(trace, len(before)) == question


def test_a_message_behind_a_recorded_compaction_answers_no_question_in_front_of_it() -> None:
    """The user has seen the compaction, and may well speak of it."""
    talk = [
        user("go"),
        assistant("Both work. Shall I fill in 100% for auto commits?"),
        user("I hope that was not lost"),
    ]
    compacted = run(with_ids(talk), event(2, [(0, 2)], [(3, 4)], ("summarised", (0, 2)), put=[summary()]))
    assert question_before(compacted.model_copy(update={"kind": "replay"}), 2) == ""
    assert question_before(compacted, 2) == "Shall I fill in 100% for auto commits?", "nobody saw a simulated one"
