"""One row of a sweep: what one policy with its settings does to one session, in figures."""

from statistics import median
from typing import Any

from core.analyse import trace_findings
from core.measure.cache import CacheRule, cached_prompts
from core.measure.cost import Prices, shared_tokens, summarizer_tokens
from core.measure.faults import faults
from core.measure.gaps import SHORT, gaps
from core.measure.given_up import calls_given_up
from core.measure.misses import misses
from core.measure.orphans import orphaned_pairs
from core.measure.payback import net_freed, paybacks
from core.measure.prompts import Prompts, prompts_of
from core.measure.rebound import over_budget, rebounds
from core.measure.regret import regret
from core.measure.waiting import total_wait
from core.measure.worst_loss import worst_step
from core.model.gc_pause import gc_paused
from core.model.session import Frozen
from core.policy.policy import Policy
from core.trace.trace import Trace
from core.why.price import price


class Row(Frozen):
    """The figures of one run, as `core/measure` defines them. Tokens by the trace's meter.

    Of the prompts' tokens `cache_read` were read from the cache, `cache_write` written to it and `uncached` sent past it;
    `output` are those of the `calls` replies. `cost` is in US dollars and None without prices, as `repaid` is; `cost_of` gives
    the cost at other prices. `miss_rate` is None where nothing was used. `rebound_calls` is the median over the compactions,
    None where the window never filled again. A run without a budget has None over it. `findings` is None where they were not
    asked for. `gaps` counts the stretches of model calls between compactions, `short_gaps` those of at most three.
    `given_up_calls` are those after the policy had stopped for good.

    `missed_calls` are the calls that miss a name. `worst_step` is the step at which what the compaction that loses most had
    taken was first missed, `worst_message` the number of the reply there, from 1; both are None without misses.
    `orphaned_pairs` are the tool pairs of which a window had one half, `net_freed` the tokens that compactions spared later
    calls less those of the summarizer. Were the summarizer sent the whole window, as
    the agent's own next call, its prompts would have `shared_cached` tokens read from the cache and `shared_fresh` others, and
    all would cost `cost_shared`. `waiting_seconds` is how long the agent waited for recorded compactions, None where nobody
    knows. The recorded agent's later steps are taken as given.
    """

    session: str
    policy: str
    settings: dict[str, Any]
    meter: str
    compactions: int
    calls: int
    peak_tokens: int
    mean_tokens: float
    tokens_sent: int
    cache_read: int
    cache_write: int
    uncached: int
    output: int
    summarizer_in: int
    summarizer_out: int
    cost: float | None
    uses: int
    misses: int
    miss_rate: float | None
    tool_calls: int
    repeats: int
    faults: int
    rework_tokens: int
    regret: int
    repaid: int | None
    over_budget_calls: int | None
    rebound_calls: float | None
    findings: int | None
    gaps: int
    short_gaps: int
    given_up_calls: int
    missed_calls: int
    worst_step: int | None
    worst_message: int | None
    over_budget_seconds: float | None
    orphaned_pairs: int
    net_freed: int
    shared_cached: int
    shared_fresh: int
    cost_shared: float | None
    waiting_seconds: float | None


def cost_of(row: Row, prices: Prices, shared: bool = False) -> float:
    """What the calls of a row cost at these prices, and its summarizer's, in dollars with six digits behind the point.

    At the prices of the run this is its `cost`, with a summarizer that shares the agent's cache its `cost_shared`. A lower
    bound, without thinking and without tools.
    """
    cached, fresh = (row.shared_cached, row.shared_fresh) if shared else (0, row.summarizer_in)
    return round(
        prices.of(row.cache_read + cached, row.cache_write, row.uncached + fresh, row.output + row.summarizer_out), 6
    )


def row_of(
    trace: Trace, session: str, rule: CacheRule | None = None, prices: Prices | None = None, findings: bool = True
) -> Row:
    """The row of a trace. Without a rule, a prompt cache that keeps for five minutes whatever it is given.

    To find what deserves attention takes longer than all other figures: `findings` False leaves it out.
    """
    with gc_paused():
        row = _row(trace, session, rule or CacheRule(), prices, findings)
    if prices is None:
        return row
    return row.model_copy(update={"cost": cost_of(row, prices), "cost_shared": cost_of(row, prices, shared=True)})


def _row(trace: Trace, session: str, cache: CacheRule, prices: Prices | None, findings: bool) -> Row:
    prompts = prompts_of(trace)
    return Row(
        session=session,
        policy=trace.policy.name if trace.policy else "recorded",
        settings=dict(trace.policy.settings) if trace.policy else {},
        meter=trace.meter,
        **_sizes(trace, prompts),
        **_bill(prompts, cache, prices),
        **_losses(prompts),
        **_room(prompts, trace.policy),
        findings=sum(map(len, trace_findings(trace).values())) if findings else None,
        orphaned_pairs=orphaned_pairs(trace),
        waiting_seconds=total_wait(trace),
    )


def _sizes(trace: Trace, prompts: Prompts) -> dict[str, Any]:
    """How large the window was and what was sent of it."""
    calls, sent = len(prompts.calls), int(prompts.tokens.sum())
    return {
        "compactions": sum(not found.by_hand for found in trace.compactions),
        "calls": calls,
        "peak_tokens": price(trace.compactions, trace.measured).peak_tokens,
        "mean_tokens": round(sent / calls, 1) if calls else 0.0,
        "tokens_sent": sent,
        "output": sum(call.tokens for call in prompts.calls),
    }


def _bill(prompts: Prompts, cache: CacheRule, prices: Prices | None) -> dict[str, Any]:
    """What has a price; the costs themselves are left to `cost_of`."""
    cached, spent, shared = cached_prompts(prompts, cache), summarizer_tokens(prompts), shared_tokens(prompts, cache)
    return {
        "cache_read": int(cached.hit.sum()),
        "cache_write": int(cached.written.sum()),
        "uncached": int(cached.uncached.sum()),
        "summarizer_in": sum(one.read for one in spent),
        "summarizer_out": sum(one.wrote for one in spent),
        "cost": None,
        "repaid": sum(bool(one.repaid) for one in paybacks(prompts, cached, cache, prices)) if prices else None,
        "net_freed": sum(map(net_freed, prompts.events, prompts.used, spent)),
        "shared_cached": shared.cached,
        "shared_fresh": shared.fresh,
        "cost_shared": None,
    }


def _losses(prompts: Prompts) -> dict[str, Any]:
    """What later calls miss of what compactions took, and what the agent did again."""
    missed, again, worst = misses(prompts), faults(prompts), worst_step(prompts)
    return {
        "uses": missed.uses,
        "misses": len(missed.missed),
        "miss_rate": missed.rate,
        "missed_calls": missed.calls,
        "worst_step": worst,
        "worst_message": None if worst is None else prompts.trace.arrived(worst),
        "tool_calls": again.tool_calls,
        "repeats": again.repeats,
        "faults": len(again.faults),
        "rework_tokens": again.rework_tokens,
        "regret": regret(prompts) if prompts.trace.compactions else 0,
    }


def _room(prompts: Prompts, policy: Policy | None) -> dict[str, Any]:
    """How long compactions gave room, and how often the window was over its limit."""
    limit = policy.limit if policy else None
    over = over_budget(prompts, limit) if limit is not None else None
    full = [found.calls for found in rebounds(prompts, limit) if found is not None]
    between = gaps(prompts)
    return {
        "over_budget_calls": over.calls if over else None,
        "over_budget_seconds": round(over.seconds, 3) if over else None,
        "rebound_calls": median(full) if full else None,
        "gaps": len(between),
        "short_gaps": sum(calls <= SHORT for calls in between),
        "given_up_calls": calls_given_up(prompts, policy),
    }
