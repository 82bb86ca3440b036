"""A window that is driven goes the way of one that is simulated: every policy, over every kind of history."""

from collections.abc import Callable, Iterator

import pytest

from core import Message, Policy, Session, meter, policies, replay, simulate
from core.compact.due import places_of
from core.course import Course
from core.loop import AT_TURN_END, AT_TURN_START, BEFORE_CALL
from core.summarizers import Structural
from core.trace import as_session, conversation
from core.vocabulary import Phase
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
