"""langchain.trim: windows worked out by hand from the rules of the library."""

from typing import Any

import pytest

from core import Compaction, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window

TURNS = "s10 u30 a30 u30 a30"
HUMAN, SYSTEM = {"start_on": "human"}, {"include_system": True}


def done(text: str, **settings: Any) -> Compaction:
    """What the policy does to a window."""
    return compact(window(text), policy("langchain.trim", **settings), meter=BY_HAND, summarizer=broken)


@pytest.mark.parametrize(
    ("text", "settings", "after"),
    [
        (TURNS, {"max_tokens": 100}, "a1 u2 a2"),  # a system message is as any other
        (TURNS, {"max_tokens": 119}, "a1 u2 a2"),
        (TURNS, {"max_tokens": 130}, "s1 u1 a1 u2 a2"),
        (TURNS, {"max_tokens": 70, **HUMAN, **SYSTEM}, "s1 u2 a2"),  # 60 are left beside it
        (TURNS, {"max_tokens": 40, **HUMAN, **SYSTEM}, "s1"),  # a2 alone fits, and is dropped
        (TURNS, {"max_tokens": 30}, "a2"),
        (TURNS, {"max_tokens": 29}, ""),
        (TURNS, {"max_tokens": 500, **HUMAN}, "u1 a1 u2 a2"),  # all fits, and the system message goes
        (TURNS, {"max_tokens": 500, "start_on": "ai"}, "a1 u2 a2"),
        (TURNS, {"max_tokens": 5, **SYSTEM}, "s1"),  # larger than max_tokens by itself
        ("u30 a30(c1) t20(c1) a5", {"max_tokens": 30}, "t1 a2"),  # its call is gone
        ("s10 s10 u30", {"max_tokens": 40, **SYSTEM}, "s1 u1"),  # the first one only
    ],
)
def test_what_is_sent(text: str, settings: dict[str, Any], after: str) -> None:
    """The longest tail that fits, from a message of the kind start_on, behind the system message that is set aside."""
    assert shown(done(text, **settings).after) == after


def test_nothing_goes_where_everything_fits() -> None:
    """It looks at every call and says why nothing changed."""
    found = done(TURNS, max_tokens=130)
    assert (found.status, found.added) == ("nothing_to_do", ())


def test_each_call_is_sent_a_tail_of_the_whole_history() -> None:
    """Sixty tokens hold three messages of twenty: from the third call on one pair more is left out each time."""
    session = as_session(window("u20 a20 " * 8))
    trace = simulate(session, policy("langchain.trim", max_tokens=60), meter=BY_HAND, summarizer=broken)
    assert [c.at for c in trace.compactions] == [5, 7, 9, 11, 13, 15]
    assert [shown(c.after) for c in trace.compactions] == [
        "u2 a2 u3",
        "u3 a3 u4",
        "u4 a4 u5",
        "u5 a5 u6",
        "u6 a6 u7",
        "u7 a7 u8",
    ]
    assert [c.removed for c in trace.compactions][:2] == [("u1", "a1"), ("u2", "a2")]
