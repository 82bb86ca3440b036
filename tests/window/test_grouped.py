"""Messages as the real system counts them: the results of a reply as one, or each call of a reply as one."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import get_args

import pytest

from core import Message
from core.policy.vocabulary import Grouping
from core.window.grouped import behind, size, sizes
from core.window.growing import Growing
from core.window.measured import WEIGHTS, Measured
from core.window.ranges import joined
from core.window.window import Pool, Window
from tests.policies.by_hand import BY_HAND, window

TEXT = window("s1 u1 a1(c1,c2,c3) t1(c1) t1(c2) t1(c3) a1(c4) t1(c4) a1 u1 a1(c5,c6) t1(c5) t1(c6)")


def over(messages: list[Message]) -> Measured:
    """The messages, measured."""
    return Measured(messages, [BY_HAND.count(m) for m in messages])


WHOLE = Window(Pool(over(TEXT)), ((0, len(TEXT)),))


@pytest.mark.parametrize(("grouping", "count"), [("none", 13), ("results", 10), ("calls", 16)])
def test_how_many_messages_there_are(grouping: Grouping, count: int) -> None:
    """Thirteen of ours: the results of two replies are three fewer, their calls three more."""
    assert size(WHOLE, grouping) == count


@pytest.mark.parametrize(
    ("grouping", "count", "index"),
    [("none", 4, 4), ("results", 3, 3), ("results", 4, 6), ("calls", 3, 3), ("calls", 5, 3), ("calls", 6, 4)],
)
def test_a_cut_is_never_inside_a_message_of_the_real_system(grouping: Grouping, count: int, index: int) -> None:
    """Behind the fourth are all results of the reply; behind the second of three calls the whole reply."""
    assert behind(WHOLE, grouping, 0, count) == index
    assert (behind(WHOLE, grouping, 2, 0), behind(WHOLE, grouping, 2, 99)) == (2, len(TEXT))


def windows() -> Iterator[Window]:
    """The whole, and windows that compactions left: stretches of it, with a summary or a result of their own between."""
    chance = Random(5)
    for _ in range(60):
        pool = Pool(over(TEXT))
        put = [pool.add(Message(role=role, content="x", injected="summary"), 1) for role in ("user", "tool")]
        cuts = sorted(chance.sample(range(len(TEXT) + 1), 4))
        yield Window(pool, joined(((cuts[0], cuts[1]), *put[: chance.randint(0, 2)], (cuts[2], cuts[3]))))


@pytest.mark.parametrize("grouping", get_args(Grouping))
def test_the_running_sums_say_what_a_walk_says(grouping: Grouping) -> None:
    """From every index to every other, across what was taken out and what was put in."""
    for found in windows():
        messages = found.messages
        for start in range(len(found) + 1):
            walked = [WEIGHTS[grouping](m, b) for b, m in pairwise([None, *messages[start:]])]
            assert sizes(found, grouping, start) == [sum(walked[:k]) for k in range(len(walked) + 1)]
            assert [size(found, grouping, start, start + k) for k in range(len(walked) + 1)] == sizes(
                found, grouping, start
            )


def test_messages_that_arrive_are_counted_on() -> None:
    """What is known of the first messages is carried on, and is what it is over all of them at once."""
    base, whole = Growing(), over(TEXT)
    assert (base.results_joined, base.calls_apart) == ([0], [0])
    for message in TEXT:
        base.append(message, 1)
        assert {"results_joined", "calls_apart"} <= vars(base).keys()
    assert (base.results_joined, base.calls_apart) == (whole.results_joined, whole.calls_apart)


@pytest.mark.parametrize("grouping", get_args(Grouping))
def test_a_cut_is_where_a_walk_puts_it(grouping: Grouping) -> None:
    """The first place with as many messages in front, and on past those that count nothing; from everywhere."""
    for found in windows():
        for start in range(len(found) + 1):
            reached = sizes(found, grouping, start)
            for count in range(reached[-1] + 2):
                least = next((total for total in reached if total >= count), reached[-1])
                last = max(k for k, total in enumerate(reached) if total == least)
                assert behind(found, grouping, start, count) == start + (last if count else 0)
