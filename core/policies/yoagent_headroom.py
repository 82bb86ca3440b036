"""yoagent's adaptive headroom: over the budget, as much goes as leaves room for 30 more turns of the session's own growth.

Source: yologdev/yoagent (MIT), pull request 102 of 2026-08-05 for the formula, issues 150 and 164 for its constants; checked
2026-11-23. Of the code only an earlier version was read, so the three ways of making room are one here.
"""

from bisect import bisect_left

from core.policy.parameters import amount, share
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Condition, Drop, Placement, Scope, Source, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import forward, is_not_tool
from core.window.sizes import token_tail

BUDGET = "max(0, max_context_tokens - system_prompt_tokens)"


@Cut
def with_room_to_grow(context: CutContext) -> int:
    """Before the newest messages that fit in the target beside the first ones; the keep_recent newest stay in any case."""
    window, body, policy = context.window, context.body, context.policy
    pinned = context.tokens(0, body) - sum(
        window.pool.tokens(part) for part in context.window.cut(0, _systems(context))
    )
    room = int(target(context) * context.value(BUDGET)) - pinned
    newest = max(body, len(window) - policy.value("keep_recent"))
    return forward(window, min(newest, token_tail(window, max(0, room), body)), is_not_tool)


def target(context: CutContext) -> float:
    """The share of the budget that is left full: less than compact_target_ratio where turns grow fast."""
    policy, budget = context.policy, context.value(BUDGET)
    most = float(policy.number("compact_target_ratio"))
    if not budget:
        return most
    room = float(policy.number("compact_headroom_turns")) * growth(context)
    return max(float(policy.number("MIN_HEADROOM_RATIO")), min(most, (budget - room) / budget))


def growth(context: CutContext) -> float:
    """The tokens of a turn on average, as yoagent counts turns: a model call with what follows it."""
    base, tokens, turns = context.window.pool.base, 0, 0
    for _, (a, b) in context.window.origins():
        tokens += base.running[b] - base.running[a]
        turns += bisect_left(base.calls, b) - bisect_left(base.calls, a)
    return tokens / turns if turns else 0.0


def _systems(context: CutContext) -> int:
    """How many messages at the front are system messages."""
    return sum(1 for k in range(context.head) if context.window[k].role == "system")


POLICY = Policy(
    name="yoagent.headroom",
    title="yoagent, adaptive headroom",
    family="coding agents",
    about="Over the budget, drops the middle until there is room for so many more turns of the size seen so far.",
    rule="Before a model call, if the messages besides the system prompt have more than max_context_tokens less "
    "system_prompt_tokens: keeps the first keep_first messages and the newest ones that fit, and drops what is between. "
    "What fits is the budget less compact_headroom_turns times the tokens of an average turn, at most "
    "compact_target_ratio of it and at least MIN_HEADROOM_RATIO; the newest keep_recent messages stay in any case. "
    "A user message says how many were removed.",
    faults=(
        "Turns with large tool results ask for more room than there is: then 15 % of the budget is all that stays full.",
        "A tool call among the first messages may stay without its result.",
        "Nothing is summarized: what was dropped is only counted.",
        "keep_recent large messages may exceed the target, and the next call compacts again.",
    ),
    not_modelled=(
        "the two milder ways tried first: long tool results shortened, old replies replaced by one line",
        "growth as the agent loop measures it over all calls: here over those still in the window",
        "the budget calibrated by the usage that the provider reports",
    ),
    source=Source(
        url="https://github.com/yologdev/yoagent/pull/102",
        version="pull request 102, defaults of issue 164",
        licence="MIT",
        checked="2026-11-23",
    ),
    fidelity="approximate",
    meter="agentlib",
    parameters=(
        amount("max_context_tokens", 100_000, "tokens", "the context limit"),
        amount("system_prompt_tokens", 4_000, "tokens", "of the limit, kept free for the system prompt"),
        amount("compact_headroom_turns", 30, "turns", "model calls there should be room for; 0: a fixed share"),
        share("compact_target_ratio", 0.7, "fraction", "of the budget, stays full at most"),
        share("MIN_HEADROOM_RATIO", 0.15, "fraction", "of the budget, stays full at least"),
        amount("keep_recent", 10, "messages", "newest messages that stay in any case"),
        amount("keep_first", 2, "messages", "first messages that stay"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value=BUDGET),),), counts="spoken"),
    scope=Scope(first="keep_first", cut=with_room_to_grow),
    transform=Drop(),
    placement=Placement(role="user", template="[Context compacted: {k} messages removed to fit context window]"),
)
