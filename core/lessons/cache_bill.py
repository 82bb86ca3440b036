"""Lesson 5: what was sent before is cheap while the beginning stays the same; a compaction changes the beginning."""

from typing import Any

from core.lessons.break_even import PRICES, Bill, bill_of, cached_at
from core.lessons.lesson import Ask, Attempt, Condition, Facts, Lesson, Look, Step, Task, Verdict
from core.lessons.run import Run, Scene
from core.lessons.words import several
from core.measure.cache import common_tokens
from core.measure.prompts import prompts_of

SCENE = Scene(
    source="sample:openai-chat/coding-session.json",
    policy="agentkit.memory",
    settings={"budget": 16_000, "keep_recent": 8},
    meter="o200k_base",
)
TIGHT = {"budget": 6_000, "keep_recent": 4}
"""Settings under which compactions follow each other too soon."""

_SHOWN = 5  # calls before the compaction


def _bills(run: Run) -> list[tuple[Bill, int]]:
    """The bill of every compaction, and how many calls used what it left."""
    prompts = prompts_of(run.trace)
    last = [bill_of(run.trace, run.trace.compactions[event.last]) for event in prompts.events]
    return list(zip(last, prompts.used, strict=True))


def _facts(run: Run) -> Facts:
    """The figures of the first compaction."""
    bill, follow = _bills(run)[0]
    return {
        "before": run.tokens(bill.before),
        "after": run.tokens(bill.after),
        "warm": run.tokens(bill.warm),
        "cold": run.tokens(bill.after - bill.warm),
        "read": run.tokens(bill.read),
        "wrote": run.tokens(bill.wrote),
        "follow": follow,
        "calls": bill.calls(),
        "shared": bill.calls(shared=True),
        "cached": PRICES.read,
        "write": f"{PRICES.write:g}",
        "output": PRICES.output,
        "goal": (bill.calls() or 0) // 3,
    }


def _paid(run: Run, known: bool = True) -> dict[str, Any]:
    """The window before and after the first compaction; where it is `known`, also when that has paid."""
    bill, follow = _bills(run)[0]
    prompts = prompts_of(run.trace)
    call = prompts.events[0].call
    sent = int(prompts.tokens[call - 1]) if call else 0
    warm = min(sent, bill.before)
    step = run.trace.compaction_step(prompts.events[0].last)
    bars = [_bar(run, "before", step - 1, bill.before, warm), _bar(run, "after", step, bill.after, bill.warm)]
    pays = [
        {"name": "summarizer reads fresh tokens", "calls": bill.calls()},
        {"name": "summarizer shares the cache", "calls": bill.calls(shared=True)},
    ]
    told = {"pays": pays, "follow": follow} if known else {"pays": [], "follow": None}
    return {"kind": "cache", "bars": bars, **told, "mark": run.mark}


def _bar(run: Run, name: str, step: int, tokens: int, warm: int) -> dict[str, Any]:
    """The window at a step: its tokens, those of its beginning that are `warm`, and its regions in warm and cold parts."""
    window = run.trace.window_of(step)
    sizes = [window.pool.tokens((place, place + 1)) for a, b in window.ranges for place in range(a, b)]
    parts: list[dict[str, Any]] = []
    left = warm
    for region, size in zip(run.trace.region_list(step), sizes, strict=True):
        kept = min(size, left)
        left -= kept
        for part, is_warm in ((kept, True), (size - kept, False)):
            if part and parts and (parts[-1]["region"], parts[-1]["warm"]) == (region, is_warm):
                parts[-1]["tokens"] += part
            elif part:
                parts.append({"region": region, "tokens": part, "warm": is_warm})
    return {"name": name, "warm": warm, "cold": tokens - warm, "parts": parts}


def _warm(run: Run) -> Look:
    """The calls before the first compaction: nearly all of each was sent with the one before."""
    prompts = prompts_of(run.trace)
    end = prompts.events[0].call or 0
    both = list(zip(prompts.tokens.tolist(), common_tokens(prompts).tolist(), strict=True))
    bars = [
        _bar(run, f"call {n + 1}", run.trace.message_step(prompts.calls[n].at - 1), *both[n])
        for n in range(max(0, end - _SHOWN), end)
    ]
    figures = {"kind": "cache", "bars": bars, "pays": [], "follow": None, "mark": run.mark}
    return Look(_facts(run), run.trace.compaction_step(0) - 1, figures=figures)


def _prefix(run: Run) -> Look:
    facts = _facts(run)
    return Look(facts, run.trace.compaction_step(0), answer=facts["warm"], mark=run.mark, figures=_paid(run, False))


def _payback(run: Run) -> Look:
    facts = _facts(run)
    return Look(facts, run.trace.compaction_step(0), answer=facts["calls"], figures=_paid(run))


def _price(run: Run) -> Look:
    return Look(_facts(run), run.trace.compaction_step(0), figures=_paid(run))


def _check_price(attempt: Attempt) -> Verdict:
    """The first compaction pays within the goal, at the cached price that was chosen."""
    price = min(1.0, max(0.01, attempt.cached or PRICES.read))
    facts = _facts(attempt.run)
    bill, follow = _bills(attempt.run)[0]
    calls = bill.calls(cached_at(price)) or 0
    pays = [{"name": f"cached at {price:g}", "calls": calls}]
    figures = {"kind": "cache", "bars": [], "pays": pays, "follow": follow}
    late = "At {cached} of the fresh price it takes {calls} calls; {goal} are asked for."
    within = Condition("it pays within {goal} calls", "{calls}", calls <= facts["goal"], late)
    return Verdict((within,), {**facts, "calls": calls, "cached": f"{price:g}"}, figures)


def _every(run: Run) -> Look:
    tight = [_pays(bill, used) for bill, used in _bills(run.under(**TIGHT))]
    more = {"tight": TIGHT["budget"], "few": TIGHT["keep_recent"], "many": len(tight), "paying": sum(tight)}
    figures = {"kind": "cache", "bars": [], "pays": _rows(run), "follow": None}
    return Look({**_facts(run), **more}, len(run.trace) - 1, figures=figures)


def _pays(bill: Bill, used: int) -> bool:
    """Whether as many calls follow as it takes."""
    needed = bill.break_even()
    return needed is not None and used >= needed


def _rows(run: Run) -> list[dict[str, Any]]:
    return [
        {"name": f"compaction {k}", "calls": bill.calls(), "follow": used}
        for k, (bill, used) in enumerate(_bills(run), 1)
    ]


def _check_every(attempt: Attempt) -> Verdict:
    """At least two compactions, and each pays before the next, or the end."""
    bills = _bills(attempt.run)
    count, paying = len(bills), sum(_pays(bill, used) for bill, used in bills)
    figures = {"kind": "cache", "bars": [], "pays": _rows(attempt.run), "follow": None}
    return Verdict(
        (
            Condition(
                "two compactions or more", "{count}", count >= 2, "Compactions so far: {count}. One is not enough."
            ),
            Condition(
                "each pays before the next",
                "{paying} of {count}",
                paying == count,
                "Compactions that pay: {paying} of {count}.",
            ),
        ),
        {"count": count, "paying": paying},
        figures,
    )


def _yours(run: Run) -> Look:
    trace = run.trace
    paid = [bill for bill, _ in _bills(run)[:1] if bill.calls() is not None]
    if not paid:
        return Look({"messages": several(len(trace.messages), "message")}, empty=_NOTHING)
    facts = _facts(run)
    known = "the file records what its calls were billed" if trace.session.usage else "the file records no bill"
    following = f"{several(facts['follow'], 'call')} {'follows' if facts['follow'] == 1 else 'follow'}"
    verdict = "it paid" if facts["follow"] >= facts["calls"] else "it did not pay"
    return Look(
        {**facts, "following": following, "known": known, "verdict": verdict},
        trace.compaction_step(0),
        answer=facts["calls"],
        figures=_paid(run),
    )


_NOTHING = (
    "In this session, of {messages}, no compaction frees anything, so there is nothing to pay. Choose a longer file."
)

LESSON = Lesson(
    number=5,
    key="cache-bill",
    title="The cache bill",
    about="A compaction makes a warm beginning cold, and has to earn that back.",
    does="See which tokens a provider still has after a compaction, and guess when it has paid. Then make every one pay.",
    minutes=5,
    scene=SCENE,
    saw=(
        "A provider keeps the beginning of the last request in a cache, where it costs less.",
        "A compaction changes that beginning: what stands behind the summary is cold, and paid for in full once more.",
        "It has to earn that back, and the summarizer with it, by shorter requests. Cheap caching makes that take longer.",
    ),
    steps=(
        Step(
            title="See what is cached",
            caption="A provider keeps the last request in a cache. What begins the same way is still warm, and costs less;"
            " from the first difference on, everything is cold.",
            look=_warm,
            spot="figures",
            words=("cache",),
        ),
        Step(
            title="Guess what stays warm",
            caption="The compaction takes the window from {before} to {after} tokens.",
            look=_prefix,
            veil=("figures",),
            spot="figures",
            ask=Ask(
                kind="number",
                question="How many of the {after} tokens are still warm?",
                unit="tokens",
                because="Only what stands in front of the summary. Behind it everything has moved, so {cold} are cold.",
            ),
        ),
        Step(
            title="Guess when it has paid",
            caption="A token from the cache costs {cached} of a fresh one, one put into the cache {write}, one that is written"
            " {output}. The summarizer reads {read} fresh tokens and writes {wrote}.",
            look=_payback,
            veil=("pays",),
            spot="figures",
            words=("fresh token",),
            ask=Ask(
                kind="number",
                question="After how many calls has the compaction paid for itself?",
                unit="calls",
                because="It would be {shared} if the summarizer went on with the agent's own request. {follow} calls follow.",
            ),
        ),
        Step(
            title="Change the cache price",
            caption="Cheap caching makes long windows cheap, so there is less to save. Move the price of a cached token.",
            look=_price,
            spot="figures",
            task=Task(
                text="Let the compaction pay within {goal} calls.",
                controls=("cached",),
                ranges={"cached": (0.1, 1.0, 0.1)},
                check=_check_price,
                passed="The cheaper the cache, the longer a compaction takes to pay: {calls} calls at {cached}.",
            ),
        ),
        Step(
            title="Make each one pay",
            caption="A compaction earns only until the next one. Choose settings that leave each enough time.",
            look=_every,
            spot="timeline",
            task=Task(
                text="Make every compaction pay, two at least.",
                controls=("budget", "keep_recent"),
                ranges={"budget": (6_000, 40_000, 2_000), "keep_recent": (4, 32, 4)},
                check=_check_every,
                passed="With {tight} and {few} it is {paying} of {many}: a window kept too small never earns its summaries.",
            ),
        ),
        Step(
            title="Try your own session",
            caption="{Whose}, first {simulated}compaction: {before} to {after} tokens, {warm} of them still warm."
            " The bill is worked out at the same prices.",
            look=_yours,
            veil=("pays",),
            spot="figures",
            scene=SCENE,
            yours=True,
            ask=Ask(
                kind="number",
                question="After how many calls has it paid?",
                unit="calls",
                because="{following}: {verdict}. This is worked out; {known}.",
            ),
        ),
    ),
)
