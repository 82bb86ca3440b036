"""Which setting a sweep recommends, and by what words a setting goes."""

from core import policy
from core.tune.advice import advice, label
from core.tune.choice import Point
from core.tune.recommendation import Outcome
from core.tune.task import Setting

BUDGETS = [Setting("agentkit.memory", {"budget": budget, "keep_recent": 4}) for budget in (8000, 16000)]


def said(points: dict[int, Point], chosen: int | None = None) -> str:
    """The sentence on settings of which each costs three sessions half of what was recorded."""
    outcomes = [Outcome(1.0, 2.0, 0.04, 0.02)] * 3
    return "".join(part.text for part in advice(BUDGETS, points, lambda _: 0.04, lambda _: outcomes, 3, chosen=chosen))


def test_a_setting_is_named_by_what_differs() -> None:
    """And by its policy, so that a sentence says all that is to be set."""
    assert label(BUDGETS, 1) == "agentkit.memory, budget 16,000"
    both = [*BUDGETS, *(Setting("langchain.summarization", {"trigger": {"tokens": n}}) for n in (9000, 12000))]
    assert label(both, 1) == "agentkit.memory, budget 16,000"
    assert label(both, 2) == "langchain.summarization, trigger 9,000 tokens"
    one = Setting("agentkit.memory", {"budget": 100_000, "keep_recent": 16})
    assert label([one], 0) == "agentkit.memory, budget 100,000, keep_recent 16"
    assert label([*BUDGETS, *both[2:3]], 2) == "langchain.summarization, trigger 9,000 tokens"
    usual = Setting("claude_code.auto", policy("claude_code.auto").settings)
    assert label([usual], 0) == "claude_code.auto, its defaults"
    wide = Setting("claude_code.auto", policy("claude_code.auto", window=100_000).settings)
    assert label([wide], 0) == "claude_code.auto, window 100,000"
    assert label([Setting("agentkit.memory")], 0) == "agentkit.memory, its defaults"


def test_which_setting_it_is_about() -> None:
    """The cheapest within the limit, or the one that is chosen; where none is within it, the one that comes closest."""
    points = {0: Point(1.0, 0.2), 1: Point(2.0, 0.04)}
    assert said(points).startswith("agentkit.memory, budget 16,000: 50 % cheaper")
    assert said(points, chosen=0).startswith("agentkit.memory, budget 8,000: 50 % cheaper")
    assert (
        said({0: Point(1.0, 0.2)})
        == "No setting stays within 5 %. The lowest is 20 %, at agentkit.memory, budget 8,000."
    )
