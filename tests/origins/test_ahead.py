"""What becomes of a text that the window has, in one sentence with where it is."""

import pytest

from core import Message, Trace, fate
from core.origins.reworded import reworded
from core.origins.story import answer
from tests.analyse.events import event, run, summary
from tests.support import user, with_ids
from viewer.wire.fate import fate_body

RULE = "Use tabs, never spaces."
OTHER = "Something else was said here."


def trace(*said: str, again: Message | None = None) -> Trace:
    """The rule and two more messages; each summary takes all, two messages later the next one; `again` is behind the first."""
    texts = [user(RULE), user(OTHER), user(OTHER)]
    behind = [again or user(OTHER), user(OTHER)]
    messages = [*texts, *(behind * len(said))]
    n, events = len(messages), []
    for k, text in enumerate(said):
        at, window = 3 + 2 * k, [(0, 3)] if not k else [(n + k - 1, n + k), (1 + 2 * k, 3 + 2 * k)]
        events.append(
            event(at, window, [(n + k, n + k + 1)], ("summarised", window[0]), put=[summary(text)], number=k + 1)
        )
    return run(with_ids(messages), *events)


def title(one: Trace, step: int) -> str:
    """The sentence at a step."""
    found = fate(one, RULE)
    said = answer(found, step, reworded(found))[0]
    lane = fate_body(one, RULE)["lane"]
    assert said == next(row["title"] for row in lane if row["from"] <= step <= row["to"])
    return said


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (["They talked."], "In the window until compaction 1; gone from then on."),
        ([f"The user said: {RULE}"], "In the window until compaction 1; then only in summary #1."),
        (
            [f"The user said: {RULE}"] * 3,
            "In the window until compaction 1; then only in summaries #1, #2 and #3.",
        ),
        (
            [f"The user said: {RULE}"] * 2 + ["They talked."],
            "In the window until compaction 1; then only in summaries #1 and #2, and gone from compaction 3 on.",
        ),
        (
            [f"The user said: {RULE}", "They talked."],
            "In the window until compaction 1; then only in summary #1, and gone from compaction 2 on.",
        ),
        ([], "In the window."),
    ],
)
def test_the_sentence_says_until_when_and_what_then(said: list[str], wanted: str) -> None:
    """It never says that the next compaction takes it and that a later one does: which of them, and what stays of it."""
    assert title(trace(*said), 1) == wanted


def test_what_is_said_again_is_gone_until_then() -> None:
    """At the step before the loss, and at the one where it is said again, the sentence is about what comes next."""
    one = trace("They talked.", again=user(RULE))
    assert title(one, 1) == "In the window until compaction 1; then gone until message 4."
    assert title(one, 4).startswith("In the window")
    assert " until " not in title(one, 4)


def test_what_each_summary_says_in_other_words_is_never_gone() -> None:
    """The sentence and the rows of the later steps agree: from one such summary to the next it is not gone."""
    words = "Spaces are never used; they use tabs."
    assert title(trace(words, words), 1) == "In the window until compaction 1; then only in other words in summary #1."
    gone = "In the window until compaction 1; then only in other words in summary #1, and gone from compaction 2 on."
    assert title(trace(words, "They talked."), 1) == gone


def test_of_several_places_it_is_a_sentence_too() -> None:
    """A comma closes the number of places."""
    one = run(with_ids([user(RULE), user(RULE), user(OTHER)]), event(3, [(0, 3)], [(2, 3)], ("dropped", (0, 2))))
    assert title(one, 1) == "In the window, in all of its 2 places, until compaction 1; gone from then on."
