"""@agentlib/memory's SlidingWindowMemory, worked by hand."""

import pytest

from core import compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, shown, window


def after(text: str, tokens: int = 4000, turns: int = 50) -> str:
    """The window after a look."""
    rules = policy("agentlib.sliding_window", maxTokens=tokens, maxTurns=turns)
    return shown(compact(window(text), rules, meter=BY_HAND).after)


def test_the_newest_turns_stay() -> None:
    """Two of three turns; 0 keeps all of them."""
    text = "u1 a1 u1 a1(c1) t1(c1) a1 u1 a1"
    assert after(text, turns=2) == "u2 a2 t1 a3 u3 a4"
    assert after(text, turns=3) == after(text, turns=0) == "u1 a1 u2 a2 t1 a3 u3 a4"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("u10 a10(c1) t10(c1) a10 u10", "t1 a2 u2"),  # 30 fit, the fourth does not: an orphan in front
        ("u5 a5 u40", ""),  # the newest alone is too much
        ("u5 a40 u5", "u2"),  # the first would fit, but the walk has stopped
        ("u10 a10 u10", "u1 a1 u2"),
        ("s90 u10 a10 u20", "s1 a1 u2"),  # system messages are not counted
    ],
)
def test_the_newest_tokens_stay(text: str, left: str) -> None:
    """Thirty tokens at most, message by message from the end."""
    assert after(text, tokens=30) == left


def test_the_shorter_of_both() -> None:
    """Two turns hold 40 tokens, of which 30 fit."""
    assert after("u10 a10 u10 a10 u10 a10", tokens=30, turns=2) == "a2 u3 a3"


def test_five_in_a_row() -> None:
    """With two turns kept, from the third on each turn that begins drops one."""
    rules = policy("agentlib.sliding_window", maxTurns=2)
    trace = simulate(as_session(window("u1 a1 " * 8)), rules, meter=BY_HAND)
    assert [c.at for c in trace.compactions] == [6, 8, 10, 12, 14]
    assert [shown(c.after) for c in trace.compactions][:2] == ["u2 a2 u3 a3", "u3 a3 u4 a4"]
