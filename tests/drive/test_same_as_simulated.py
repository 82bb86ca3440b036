"""A window that is driven goes the way of one that is simulated: every policy, over every kind of history."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import Message, Policy, Session, load, meter, policies, replay, simulate
from core.agents.loop import AT_TURN_END, AT_TURN_START, BEFORE_CALL
from core.engine.due import places_of
from core.engine.live_context import LiveContext
from core.policy.vocabulary import Phase
from core.summaries.summarizers import Structural
from core.trace.trace import as_session, conversation
from tests.drive.parts import Scripted, pages, says
from tests.drive.parts import driven as driven_by
from tests.engine.test_chains import SHAPES
from tests.support import tight, tight_over


def driven(
    session: Session, policy: Policy, compact: Callable[[LiveContext, Phase], object] = LiveContext.maybe_compact
) -> LiveContext:
    """The session's messages arriving one by one, the policy looked at in every phase as it comes round."""
    context = LiveContext(policy, summarizer=Structural(), model=session.model)
    messages = conversation(session)
    trace_of = replay(session, meter=meter(policy.meter)).measured
    places: dict[Phase, set[int]] = {
        p: set(places_of(trace_of, p)) for p in (*AT_TURN_END, *AT_TURN_START, *BEFORE_CALL)
    }
    for at, message in enumerate([*messages, None]):
        for phase in (*AT_TURN_END, *AT_TURN_START, *BEFORE_CALL):
            if at in places[phase]:
                compact(context, phase)
        if message is not None:
            context.append(message)
    return context


@tight_over(*SHAPES.values())
def test_the_trace_of_a_run_is_that_of_simulating_its_messages(
    rules: Policy, history: Callable[[int], Iterator[Message]]
) -> None:
    """Same messages, same policy, same meter, same summaries: the same compactions, and the same window at every step."""
    session = as_session(list(history(15)))
    made, context = simulate(session, rules, summarizer=Structural()), driven(session, rules)
    trace = context.trace()

    assert trace.compactions == made.compactions
    assert trace.failed == made.failed
    assert [trace.window(i) for i in range(len(trace))] == [made.window(i) for i in range(len(made))]
    assert trace.messages == list(made.messages)
    assert context.messages() == made.window(len(made) - 1)
    assert context.tokens() == made.step(len(made) - 1).tokens


@tight_over(*SHAPES.values())
def test_what_is_due_is_what_the_policy_then_does(rules: Policy, history: Callable[[int], Iterator[Message]]) -> None:
    """Asked before each attempt, the context names the messages that then go, and nothing where nothing is done."""

    def compact(context: LiveContext, phase: Phase) -> None:
        trace, pool = context.trace(), (list(context.added), context.pool.made)
        due = context.due(phase)
        assert context.trace() is trace
        assert (context.added, context.pool.made) == pool
        done = context.maybe_compact(phase)
        assert (due is None) == (done is None)
        if due and done and done.acted and due.acted:
            assert (due.cleared, due.tiers) == (done.cleared, done.tiers)
            assert due.removed == (done.removed if rules.passes == 1 else done.removed[: len(due.removed)])

    assert len(driven(as_session(list(history(15))), rules, compact))


def three_turns() -> list[Message]:
    """Replies for three typed messages: many calls, some of them several at once; an answer at once; a few calls."""
    return [*pages(9), says("It was said before."), *pages(4)]


@pytest.mark.parametrize("rules", [tight(p) for p in policies()], ids=lambda p: p.name)
def test_a_run_of_several_turns_is_simulated_from_its_file(rules: Policy, tmp_path: Path) -> None:
    """A run that the loop drove, opened from its file and simulated under its policy: the same compactions and window."""
    drive = driven_by(tmp_path, Scripted(three_turns()), meter=rules.meter)
    drive.set_policy(rules)
    for text in ("Look for the missing entry. " * 8, "And what did I ask?", "Once more, from the front. " * 8):
        drive.send(text)
        assert drive.wait() in ("ended", "failed")
    drive.close()
    session = load(tmp_path / f"{drive.id}.jsonl")
    made = simulate(session, rules, meter=drive.context.meter, summarizer=Structural())
    trace = drive.context.trace()

    assert [(c.at, c.status, c.window_after) for c in trace.compactions] == [
        (c.at, c.status, c.window_after) for c in made.compactions
    ]
    assert trace.compactions == made.compactions
    assert [m.content for m in drive.context.messages()] == [m.content for m in made.window(len(made) - 1)]
