"""What holds for every lesson: no figure is typed in, every text fits, every name is filled in by the engine."""

import json
import re
from collections.abc import Iterator

import pytest

from core import FoldlineError, Session
from core.lessons import lesson, lessons
from core.lessons.glossary import GLOSSARY
from core.lessons.lesson import Attempt, Lesson, Step
from core.lessons.run import SAMPLE, Run, run_of, sample
from core.lessons.show import Tried, checked, listed, shown
from core.meters import estimated
from core.model.session import Message
from core.trace.trace import as_session

STEPS = [(one, number) for one in lessons() for number in range(1, len(one.steps) + 1)]
EVERY = pytest.mark.parametrize(("one", "number"), STEPS, ids=[f"{one.key}-{number}" for one, number in STEPS])


def texts(step: Step) -> Iterator[str]:
    """Every text of a step that a person reads, but for those of conditions."""
    yield step.caption
    yield from map(GLOSSARY.__getitem__, step.words)
    if step.ask:
        yield from (
            step.ask.question,
            step.ask.because,
            *(text for one in step.ask.choices for text in (one.text, one.why)),
        )
    if step.task:
        yield from (step.task.text, step.task.passed)


@EVERY
def test_no_text_holds_a_digit(one: Lesson, number: int) -> None:
    """Every figure is a name in braces; what the card of a lesson says, read before any question, has none."""
    card = one.title, one.about, one.does
    assert not [text for text in (*card, *texts(one.steps[number - 1])) if re.search(r"\d", text)]
    assert not [text for text in card if "{" in text]


@EVERY
def test_no_condition_holds_a_digit(one: Lesson, number: int) -> None:
    """Nor does what is missing of it, nor what is said where a session has nothing to show."""
    step = one.steps[number - 1]
    if step.task:
        verdict = step.task.check(Attempt(run_of(one.scene_of(step))))
        assert verdict.conditions
        assert not [
            text
            for each in verdict.conditions
            for text in (each.text, each.figure, each.missing)
            if re.search(r"\d", text)
        ]
    nothing = Run(as_session([Message(role="user", content="Hello.")]), one.scene_of(step))
    assert not step.yours or not re.search(r"\d", step.look(nothing).empty or "0")


@EVERY
def test_a_step_is_shown_with_every_name_filled_in(one: Lesson, number: int) -> None:
    """As JSON, in English of at most 35 words, with an answer to its question."""
    found = shown(one, number)
    assert json.loads(json.dumps(found)) == json.loads(json.dumps(shown(one, number)))
    assert 0 < len(found["caption"].split()) <= 35
    assert not re.search(r"[{}]", found["caption"])
    assert (found["ask"] is None) == (one.steps[number - 1].ask is None)
    assert found["empty"] is None


@EVERY
def test_a_choice_has_its_answer_among_its_letters(one: Lesson, number: int) -> None:
    """Letters in order from A, no two with one text, and the answer is one of them."""
    ask = shown(one, number)["ask"]
    if ask and ask["kind"] in ("choice", "place"):
        letters = [choice["key"] for choice in ask["choices"]]
        assert letters == list("ABCD")[: len(letters)]
        assert ask["answer"] in letters
        assert len({choice["text"] for choice in ask["choices"]}) == len(letters)


@EVERY
def test_the_answer_to_the_next_question_stays_covered(one: Lesson, number: int) -> None:
    """What the next step of the same scene covers, and this one covered, is still covered behind the answer to this one.

    But for the part that this answer is about.
    """
    step, after = one.steps[number - 1], one.steps[number : number + 1]
    if not step.ask or not after or after[0].scene != step.scene or "timeline-after" not in after[0].veil:
        return
    assert set(after[0].veil) <= set(step.still)


def test_every_word_of_the_glossary_is_met() -> None:
    """Once in a lesson at most, and in some lesson at least."""
    met = [[word for step in one.steps for word in step.words] for one in lessons()]
    assert all(len(words) == len(set(words)) for words in met)
    assert {word for words in met for word in words} == set(GLOSSARY)


DONE_OR_SEEN = re.compile(
    "Change|Choose|Count|Cut|Double|Find|Follow|Guess|Keep|Make|Move|Pay|Place|Play|Read|See|Send|Try|Watch"
)


def test_the_name_of_a_step_says_what_a_person_does_or_sees_there() -> None:
    """A verb, and what it is done to: two to five words without a figure, another name for each step of a lesson."""
    for one in lessons():
        names = [step.title for step in one.steps]
        assert all(DONE_OR_SEEN.fullmatch(name.split()[0]) and 2 <= len(name.split()) <= 5 for name in names), names
        assert not any(re.search(r"[\d{]", name) for name in names)
        assert len(set(names)) == len(names)


@EVERY
def test_the_last_step_is_the_persons_own_session(one: Lesson, number: int) -> None:
    """And no other is."""
    assert one.steps[number - 1].yours == (number == len(one.steps))


def test_each_ends_with_what_there_was_to_see() -> None:
    """Two to four sentences without a figure, each at most 30 words; the list has them."""
    for one in lessons():
        assert 2 <= len(one.saw) <= 4
        assert all(text.endswith(".") and not re.search(r"[\d{]", text) and len(text.split()) <= 30 for text in one.saw)
        assert listed(one)["saw"] == list(one.saw)


def test_lessons_are_numbered_from_one() -> None:
    """Six, without a gap, and each is found by its number."""
    assert [one.number for one in lessons()] == [1, 2, 3, 4, 5, 6]
    assert [lesson(one.number) for one in lessons()] == list(lessons())


def test_a_lesson_that_is_not_there_is_said_to_be() -> None:
    """With those that are; a step likewise, and a task where there is none."""
    with pytest.raises(FoldlineError, match="there is no lesson 9"):
        lesson(9)
    with pytest.raises(FoldlineError, match="lesson 2 has no step 0"):
        shown(lesson(2), 0)
    with pytest.raises(FoldlineError, match="step 1 of lesson 2 has no task"):
        checked(lesson(2), 1, Tried())
    with pytest.raises(FoldlineError, match="this task has no control 'budget'"):
        checked(lesson(2), 6, Tried({"budget": 1}))


def fresh(name: str) -> Session:
    """A sample that nobody has counted yet."""
    return sample.__wrapped__(name)


def test_captions_follow_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that counts one token more changes captions, answers and reasons."""
    assert shown(lesson(2), 3)["ask"]["because"] == (
        "~314 tokens became ~94. One long result held ~201 of them: short messages leave little to save, long results"
        " leave much."
    )
    before = shown(lesson(1), 2)["ask"]

    def one_more(message: Message) -> int:
        return message_tokens(message) + 1

    message_tokens = estimated.message_tokens
    monkeypatch.setattr(estimated, "message_tokens", one_more)
    after = shown(lesson(1), 2, None, fresh)["ask"]
    assert [before["answer"], after["answer"]] == [390, 420]
    assert "together are 126 tokens" in before["question"]
    assert "together are 137 tokens" in after["question"]
    assert before["because"] != after["because"]


@pytest.mark.parametrize("one", lessons(), ids=lambda one: one.key)
def test_no_session_of_a_lesson_is_called_a_lesson(one: Lesson) -> None:
    """The debugger's title stands beside the lesson's own number: with one in it there would be two."""
    titles = {sample(one.scene_of(step).source.removeprefix(SAMPLE)).title for step in one.steps}
    assert titles
    assert not [title for title in titles if "lesson" in title.lower()]
