"""Every measure over the worked session, as worked out on paper."""

import pytest

from core.measure.cache import CacheRule, cached_prompts
from core.measure.cost import Prices, summarizer_cost, summarizer_tokens
from core.measure.payback import paybacks
from core.measure.prompts import prompts_of
from core.measure.rebound import OverBudget, Rebound, over_budget, rebounds
from tests.measure.worked import compacted, unbounded

PRICES = Prices(input=1, read=0.1, write=1, output=5)


def test_prompts() -> None:
    """Two folds: before call 2, of 270 tokens, and before call 4, of 282."""
    prompts = prompts_of(compacted())
    assert prompts.tokens.tolist() == [140, 370, 292, 382, 392]
    assert [(e.first, e.last, e.call, e.before, e.after) for e in prompts.events] == [
        (0, 0, 2, 500, 292),
        (1, 1, 4, 612, 392),
    ]
    assert prompts.used == [2, 1]
    assert prompts.undone.tolist() == [140, 370, 500, 382, 612]
    assert prompts_of(unbounded()).tokens.tolist() == [140, 370, 500, 590, 820]


def test_cache() -> None:
    """Hits of a cache without an end, and of one that forgets after five minutes: the gap of 600 s costs 292."""
    prompts = prompts_of(compacted())
    for lifetime, hits, written in ((3600, [0, 140, 100, 292, 100], 944), (300, [0, 140, 100, 0, 100], 1236)):
        cached = cached_prompts(prompts, CacheRule(lifetime=lifetime))
        assert cached.hit.tolist() == hits
        assert cached.written.sum() == written


def test_cost() -> None:
    """580 and 592 for the two summaries; that of all calls is in tests/tune/test_row.py."""
    prompts = prompts_of(compacted())
    summaries = [summarizer_cost(tokens, PRICES) for tokens in summarizer_tokens(prompts)]
    assert summaries == [270 + 310, 282 + 310]


def test_payback() -> None:
    """30.6 calls for the first, of which 2 were made; the second is cut, and would have taken 29.4."""
    prompts, rule = prompts_of(compacted()), CacheRule(lifetime=3600)
    first, second = paybacks(prompts, cached_prompts(prompts, rule), rule, PRICES)
    assert first.calls == pytest.approx(635.8 / 20.8)
    assert (first.used, first.net, first.repaid) == (2, 84, False)
    assert second.calls == pytest.approx((592 + 33.8 + 22) / 22)
    assert (second.used, second.net, second.repaid) == (1, -124, None)


def test_over_budget_and_rebound() -> None:
    """Two calls over 380, by 14 tokens, for 6 s as far as is known; full again after 2 calls and 611 s."""
    prompts = prompts_of(compacted())
    assert over_budget(prompts, 380) == OverBudget(2, 14, 6.0)
    assert rebounds(prompts, 400) == [Rebound(2, 611.0), None]
