"""Strands' sliding window, worked by hand."""

from typing import Any

import pytest

from core import Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, shown, window


def sliding(**settings: Any) -> Policy:
    """A model's window of 10,000 tokens."""
    return policy("strands.sliding_window", **{"window": 10_000, **settings})


EIGHT = window("u1 a1(c1) t1(c1) a1 u1 a1 u1 a1")


@pytest.mark.parametrize(
    ("size", "left"),
    [(4, "u2 a3 u3 a4"), (5, "u2 a3 u3 a4"), (6, "u2 a3 u3 a4"), (3, "u3 a4"), (0, ""), (8, shown(EIGHT))],
)
def test_the_newest_stay_from_a_user_message_on(size: int, left: str) -> None:
    """The cut moves forward to a user message, so that fewer than window_size may stay; 0 keeps nothing."""
    assert shown(compact(EIGHT, sliding(window_size=size), meter=BY_HAND).after) == left


@pytest.mark.parametrize(("size", "left"), [(4, "u2 a3 u3 a4"), (3, "u3 a4")])
def test_asked_by_hand_it_drops_once(size: int, left: str) -> None:
    """The drop at a turn's end and the one after an overflow are the same: a pass makes one of them."""
    assert shown(compact(EIGHT, sliding(window_size=size), meter=BY_HAND, force=True).after) == left


def test_in_a_run_of_tools_a_call_may_come_first() -> None:
    """Without a user message among the newest the cut falls on the next call whose result follows."""
    text = window("u1 a1(c1) t1(c1) a1(c2) t1(c2) a1(c3) t1(c3)")
    assert shown(compact(text, sliding(window_size=3), meter=BY_HAND).after) == "a3 t3"


def test_where_neither_follows_nothing_goes() -> None:
    """Two messages of three allowed, and no user message or pair among the last: unchanged."""
    text = window("u1 a1 a1")
    found = compact(text, sliding(window_size=1), meter=BY_HAND)
    assert (found.status, found.after) == ("nothing_to_do", text)


def test_on_overflow_the_oldest_result_is_shortened() -> None:
    """1,000 characters become 200, a line that says so, and 200; nothing else goes."""
    text = window("u10 a10(c1) t250(c1) a10(c2) t250(c2) u10")
    found = compact(text, sliding(window=450), meter=BY_HAND)
    assert shown(found.after) == "u1 a1 t1* a2 t2 u2"
    body = found.after[2].content
    assert body == f"{text[2].content[:200]}...\n\n... [truncated: 600 chars removed] ...\n\n...{'.' * 200}"
    assert found.tiers == ("oldest result",)


def test_a_small_oldest_result_makes_history_go() -> None:
    """Only the oldest result is looked at: it is small, so messages go up to a user message, the huge result with them."""
    text = window("u10 a10(c1) t1(c1) a10(c2) t250(c2) u10 a5")
    assert shown(compact(text, sliding(window=200), meter=BY_HAND).after) == "u2 a3"
    plain = window("u60 a60 u60 a60")
    assert shown(compact(plain, sliding(window=200), meter=BY_HAND).after) == "u2 a2"
    alone = window("u60 a60 a90")
    assert compact(alone, sliding(window=200), meter=BY_HAND).status == "nothing_to_do"


@pytest.mark.parametrize("text", ["u900", "u900 a10", "u10 u900"])
def test_one_or_two_messages_cannot_be_made_fewer(text: str) -> None:
    """The cut is looked for from the third message on: an overflow before that leaves all as it is."""
    found = compact(window(text), sliding(window=200), meter=BY_HAND)
    assert (found.status, found.after) == ("nothing_to_do", window(text))


def test_it_goes_on_until_the_call_fits() -> None:
    """Two messages go at a time, down to 120 of 150 tokens; results are left as they are if that is asked for."""
    text = window("u60 a60 u60 a60 u60 a60")
    assert shown(compact(text, sliding(window=150), meter=BY_HAND).after) == "u3 a3"
    results = window("u10 a10(c1) t250(c1) u10 a10")
    rules = sliding(window=200, should_truncate_results=False)
    assert shown(compact(results, rules, meter=BY_HAND).after) == "u2 a2"


def test_before_it_overflows_if_it_is_asked_to() -> None:
    """At 0.5 of 100 tokens the newest window_size stay; with no more than that, two messages go at least."""
    text = window("u10 a10 u10 a10 u10")
    assert shown(compact(text, sliding(window=100, compression_threshold=0.5), meter=BY_HAND).after) == "u2 a2 u3"


def test_five_in_a_row() -> None:
    """Turns of two messages, four at most: at the end of each turn one goes, from the third on."""
    trace = simulate(as_session(window("u1 a1 " * 8)), sliding(window_size=4), meter=BY_HAND)
    assert [c.at for c in trace.compactions] == [6, 8, 10, 12, 14, 16]
    assert shown(trace.compactions[0].after) == "u2 a2 u3 a3"


def test_the_results_of_one_reply_are_one_message() -> None:
    """Six messages of Strands are seven of ours: with six allowed nothing goes, with five all before the last question."""
    text = window("u1 a1 u1 a1(c1,c2) t1(c1) t1(c2) a1")
    assert compact(text, sliding(window_size=6), meter=BY_HAND).status == "not_triggered"
    found = compact(text, sliding(window_size=5), meter=BY_HAND)
    assert (shown(found.after), found.reason) == ("u2 a2 t1 t2 a3", "6 messages > 5")
    trace = simulate(as_session([*text, *window("u1 a1")]), sliding(window_size=6), meter=BY_HAND)
    assert [c.at for c in trace.compactions] == [9]


def test_the_results_of_one_reply_are_shortened_together() -> None:
    """On overflow both results of the oldest reply that has any are, the next reply's are not."""
    text = window("u10 a10(c1,c2) t250(c1) t250(c2) a10(c3) t250(c3) u10")
    assert shown(compact(text, sliding(window=700), meter=BY_HAND).after) == "u1 a1 t1* t2* a2 t3 u2"
