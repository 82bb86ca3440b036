"""Which requests of a run are over the budget, and why: what a compaction must keep is more than it."""

from core.lessons.run import Run
from core.lessons.words import in_words, several
from core.measure.prompts import prompts_of
from core.window.window import Region


def over_budget(run: Run) -> str:
    """What a run shows of its budget; "" without a policy."""
    limit = run.trace.policy.limit if run.trace.policy else None
    if limit is None:
        return ""
    tokens = prompts_of(run.trace).tokens.tolist()
    over = [number for number, size in enumerate(tokens, 1) if size > limit]
    last = run.trace.window_of(len(run.trace) - 1).tokens
    reply = f" The last reply makes the window {last:,}, but no request follows it." if last > limit else ""
    if not over:
        return f"No request is over the budget of {limit:,}: the largest has {max(tokens):,} tokens.{reply}"
    which = in_words([f"{number:,}" for number in over])
    are = f"Requests {which} are" if len(over) > 1 else f"Request {which} is"
    return f"{are} over the budget of {limit:,}: what must stay is more. {_kept(run, over[-1])}{reply}"


def _kept(run: Run, number: int) -> str:
    """What the window of a request is made of, none of which a compaction takes."""
    step = run.trace.message_step(prompts_of(run.trace).calls[number - 1].at) - 1
    window, regions = run.trace.window_of(step), run.trace.region_list(step)
    places = [place for a, b in window.ranges for place in range(a, b)]
    sizes = [window.pool.tokens((place, place + 1)) for place in places]

    def part(name: str, region: Region) -> str:
        return f"{name} {sum(size for size, one in zip(sizes, regions, strict=True) if one == region):,}"

    summary = [part("summary", "summary")] if "summary" in regions else []
    newest = part(f"newest {several(regions.count('recent'), 'message')}", "recent")
    return f"In request {number:,}: {' + '.join([part('system prompt', 'system'), *summary, newest])} = {sum(sizes):,}."
