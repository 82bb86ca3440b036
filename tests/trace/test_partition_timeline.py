"""The sweep over a whole trace says what asking at each step would say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Message, Policy, Trace, meter, policies, policy, replay, simulate
from core.policy.vocabulary import Size
from core.trace.partition_timeline import partition_timeline
from core.trace.trace import as_session
from core.window.partition import partition
from tests.support import EXAMPLES, METERS, SUMMARIZERS, assistant, lesson_session, sessions, system, tuned, user


def by_tokens(name: str = "agentkit.memory", keep: int = 60) -> Policy:
    """A policy whose tail is so many tokens."""
    chosen = policy(name)
    scope = chosen.scope.model_copy(update={"tail": Size(unit="tokens", value=keep)})
    return chosen.model_copy(update={"name": f"{name}, tokens", "scope": scope})


EVERY = pytest.mark.parametrize("chosen", [*policies(), by_tokens()], ids=lambda p: p.name)


def asked_at(trace: Trace, step: int) -> tuple[int | None, ...]:
    """Head, body, tail and what is protected as `partition` says."""
    parts = partition(trace.window_of(step), trace.policy) if trace.policy else None
    assert parts is not None
    return parts.head, parts.body, parts.tail, parts.protected


def swept_at(trace: Trace, step: int) -> tuple[int | None, ...]:
    """Head, body, tail and what is protected as the sweep says."""
    found, size = partition_timeline(trace), len(trace.window_of(step))
    epoch = sum(trace.compaction_step(k) <= step for k in range(len(trace.compactions)))
    return (
        min(found.heads[epoch], size),
        min(found.bodies[epoch], size),
        found.tails[step],
        (found.protected[step] if found.protected else None),
    )


@EVERY
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_the_sweep_equals_partition_at_every_step(chosen: Policy, data: st.DataObject) -> None:
    """At each step of any trace of any policy the sweep gives the cuts that `partition` gives."""
    session, counted = data.draw(sessions()), data.draw(METERS)
    rule = by_tokens(keep=data.draw(st.integers(0, 200))) if "tokens" in chosen.name else data.draw(tuned(chosen))
    trace = simulate(session, rule, meter=counted, summarizer=data.draw(SUMMARIZERS))
    steps = range(len(trace))
    assert [swept_at(trace, i) for i in steps] == [asked_at(trace, i) for i in steps]
    assert len(partition_timeline(trace).tails) == len(trace)


class Listed:
    """A meter that gives the number a message consists of."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return int(message.content)


def test_the_tail_of_a_growing_window() -> None:
    """With two messages kept, the tail begins two before the end once there are more than the head and these."""
    messages = [system("1"), user("2"), assistant("3"), user("4"), assistant("5")]
    trace = simulate(as_session(messages), policy("agentkit.memory", budget=99, keep_recent=2), meter=Listed())
    assert partition_timeline(trace).tails == (1, 1, 1, 2, 3)


def test_a_tail_of_tokens_counts_back_from_the_end() -> None:
    """A tail of nine tokens holds the two newest messages of four and five, and no third."""
    trace = simulate(as_session([user("2"), user("3"), user("4"), user("5")]), by_tokens(keep=9), meter=Listed())
    assert partition_timeline(trace).tails == (0, 0, 0, 2)


def test_a_replay_has_no_tail() -> None:
    """Without a compaction nobody knows what is kept: the tail is empty and only the system message is pinned."""
    found = partition_timeline(replay(lesson_session(), meter=meter("agentkit")))
    assert found.heads == (1,)
    assert found.tails == tuple(range(1, 12))


def test_an_empty_trace() -> None:
    """A session without messages has one epoch and no step."""
    found = partition_timeline(replay(lesson_session().model_copy(update={"messages": ()}), meter=meter("agentkit")))
    assert (found.heads, found.bodies, found.tails) == ((0,), (0,), ())
