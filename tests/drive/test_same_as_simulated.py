"""A window that is driven goes the way of one that is simulated: every policy, over every kind of history."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import Message, Policy, Session, load, meter, policies, replay, simulate
from core.compact.due import places_of
from core.course import Course
from core.loop import AT_TURN_END, AT_TURN_START, BEFORE_CALL
from core.summarizers import Structural
from core.trace import as_session, conversation
from core.vocabulary import Phase
from tests.drive.parts import Scripted, pages, says
from tests.drive.parts import driven as driven_by
from tests.support import tight
from tests.test_chains import giant, left_open, nobody, parallel, ruled

HISTORIES = (parallel, left_open, giant, nobody, ruled)


def driven(session: Session, policy: Policy) -> Course:
    """The session's messages arriving one by one, the policy looked at in every phase as it comes round."""
    course = Course(policy, summarizer=Structural(), model=session.model)
    messages = conversation(session)
    trace_of = replay(session, meter=meter(policy.meter)).measured
    places: dict[Phase, set[int]] = {
        p: set(places_of(trace_of, p)) for p in (*AT_TURN_END, *AT_TURN_START, *BEFORE_CALL)
    }
    for at, message in enumerate([*messages, None]):
        for phase in (*AT_TURN_END, *AT_TURN_START, *BEFORE_CALL):
            if at in places[phase]:
                course.look(phase)
        if message is not None:
            course.append(message)
    return course


@pytest.mark.parametrize("policy", [tight(p) for p in policies()], ids=lambda p: p.name)
@pytest.mark.parametrize("history", HISTORIES, ids=lambda h: h.__name__)
def test_the_trace_of_a_run_is_that_of_simulating_its_messages(
    policy: Policy, history: Callable[[], Iterator[Message]]
) -> None:
    """Same messages, same policy, same meter, same summaries: the same compactions, and the same window at every step."""
    session = as_session(list(history()))
    made, course = simulate(session, policy, summarizer=Structural()), driven(session, policy)
    trace = course.trace()

    assert trace.compactions == made.compactions
    assert trace.failed == made.failed
    assert [trace.window(i) for i in range(len(trace))] == [made.window(i) for i in range(len(made))]
    assert trace.messages == list(made.messages)
    assert course.messages() == made.window(len(made) - 1)
    assert course.tokens() == made.step(len(made) - 1).tokens


def three_turns() -> list[Message]:
    """Replies for three typed messages: many calls, some of them several at once; an answer at once; a few calls."""
    return [*pages(9), says("It was said before."), *pages(4)]


@pytest.mark.parametrize("rules", [tight(p) for p in policies()], ids=lambda p: p.name)
def test_a_run_of_several_turns_is_simulated_from_its_file(rules: Policy, tmp_path: Path) -> None:
    """A run that the loop drove, opened from its file and simulated under its policy: the same compactions and window."""
    drive = driven_by(tmp_path, Scripted(three_turns()), meter=rules.meter)
    drive.govern(rules)
    for text in ("Look for the missing entry. " * 8, "And what did I ask?", "Once more, from the front. " * 8):
        drive.say(text)
        assert drive.wait() in ("ended", "failed")
    drive.close()
    session = load(tmp_path / f"{drive.id}.jsonl")
    made = simulate(session, rules, meter=drive.course.meter, summarizer=Structural())
    trace = drive.course.trace()

    assert [(c.at, c.status, c.window_after) for c in trace.compactions] == [
        (c.at, c.status, c.window_after) for c in made.compactions
    ]
    assert trace.compactions == made.compactions
    assert [m.content for m in drive.course.messages()] == [m.content for m in made.window(len(made) - 1)]
