"""Where the tail that stays verbatim begins: in one window, and after each message that joins a growing one.

What a scope says is read in this order: how much stays (`tail`) or how many go (`evict`), what moves that on (`beyond`,
`reach`), and where a cut may fall (`cut_boundary`); or a rule of the policy (`cut`) says it all.

Between two compactions a window only grows, so most cuts can be found in one sweep: asking at each of 100,000 steps would
cost seconds, the sweep costs milliseconds and says the same. Each rule declares its own fast path; one without is asked
each time.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from core.policy.formula import names_in
from core.policy.rules import Boundary
from core.policy.vocabulary import Clear, Digest, Formula, Scope
from core.window.context import CutContext, Growth
from core.window.cut_boundary import BOUNDARIES
from core.window.grouped import sizes
from core.window.ranges import SPACE
from core.window.sizes import SIZES, places_of_results, prefix_end
from core.window.window import Window

_NEAR = 1  # a boundary rule reads the message at the cut, so the cut must lie inside the window it is asked about


def tail_start(context: CutContext) -> int:
    """The index at which the tail begins: never before the body's end."""
    cut = context.scope.cut
    return _inside(context, cut(context) if cut else settled(context, raw_start(context)))


def tail_or_else(context: CutContext) -> int:
    """The same; where the stage would take nothing, as the one cuts that then acts, from the same head on."""
    start, other = tail_start(context), context.policy.else_takes
    return start if start > context.body or other is None else tail_start(context._replace(stage=other))


def tail_starts(growth: Growth) -> list[int]:
    """Where the tail begins after each arrival: `tail_or_else`."""
    starts = _own_starts(growth)
    if growth.policy.else_takes is None:
        return starts
    body = growth.whole.body
    return [
        start if start > body else tail_or_else(growth.after(size))
        for start, size in zip(starts, growth.sizes, strict=True)
    ]


def _own_starts(growth: Growth) -> list[int]:
    scope, starts = growth.scope, _raw_starts(growth)
    if starts is None:
        return [tail_start(growth.after(size)) for size in growth.sizes]
    starts = _at_least(starts, growth)
    rule = boundary_of(scope)
    return starts if scope.cut or rule is None else _settled_each(growth, rule, starts)


def _inside(context: CutContext, cut: int) -> int:
    return max(context.body, min(cut, len(context.window)))


def boundary_of(scope: Scope) -> Boundary | None:
    """The rule that says where a cut may fall; None where it may fall anywhere."""
    return BOUNDARIES.get(scope.cut_boundary) if isinstance(scope.cut_boundary, str) else scope.cut_boundary


def settled(context: CutContext, cut: int) -> int:
    """A cut moved to where it may fall."""
    rule, cut = boundary_of(context.scope), min(cut, len(context.window))
    moves = rule is not None and (rule.always or cut > context.body)
    return rule(context.window, cut, context.body) if rule and moves else cut


def _settled_each(growth: Growth, rule: Boundary, starts: list[int]) -> list[int]:
    """The cuts where they may fall. What a rule says of the whole window holds for a smaller one that reaches beyond."""
    body, known, found = growth.whole.body, dict[int, int](), list[int]()
    for start, size in zip(starts, growth.sizes, strict=True):
        cut = min(start, size)
        if rule.looks_ahead or cut + _NEAR > size:
            found.append(tail_start(growth.after(size)))
            continue
        if cut not in known:
            known[cut] = _inside(growth.whole, settled(growth.whole, cut))
        found.append(known[cut] if body < known[cut] < size else tail_start(growth.after(size)))
    return found


def raw_start(context: CutContext) -> int:
    """Where the sizes alone put the cut, before it moves to a place where it may fall."""
    scope = context.scope
    if scope.evict is not None:
        cut = _after_results(context) if _counts_results(context) else _evicted(context)
    else:
        cuts = [SIZES[size.unit].start(context, size) for size in context.policy.tail_of(scope)]
        cut = (min if scope.of_tails == "longest" else max)(cuts, default=len(context.window))
    for move in _moves(scope):
        cut = move(context, cut)
    return cut


def _raw_starts(growth: Growth) -> Iterable[int] | None:
    """The same after each arrival; None where only the slow way knows."""
    scope = growth.scope
    if scope.cut is not None:
        return scope.cut.starts(growth) if scope.cut.starts else None
    if any(_moves(scope)) or _counts_results(growth.whole):
        return None
    if scope.evict is not None:
        return _evicted_each(growth)
    sizes = growth.policy.tail_of(scope)
    parts = [found for size in sizes if (found := SIZES[size.unit].starts(growth, size)) is not None]
    if len(parts) < len(sizes):
        return None
    pick: Callable[..., int] = min if scope.of_tails == "longest" else max
    return parts[0] if len(parts) == 1 else map(pick, *(_at_least(p, growth) for p in parts)) if parts else growth.sizes


def _at_least(starts: Iterable[int], growth: Growth) -> list[int]:
    """The starts, none before the end of the body as far as the window reaches."""
    body, found = growth.whole.body, list(starts)
    if len(found) != len(growth.sizes):
        raise ValueError(f"{len(found)} starts for {len(growth.sizes)} windows")
    if min(found, default=body) >= body:  # so it is but for the first arrivals behind a compaction
        return found
    return [start if start >= body else min(body, size) for start, size in zip(found, growth.sizes, strict=True)]


def _moves(scope: Scope) -> Iterator[Callable[[CutContext, int], int]]:
    """What moves the cut on from where the size puts it; these have no fast path."""
    if scope.beyond is not None:
        yield partial(_beyond, scope.beyond)
    if scope.reach is not None:
        yield partial(_reached, scope.reach)


def _counts_results(context: CutContext) -> bool:
    return isinstance(context.stage.transform, Clear | Digest)


def _evicted(context: CutContext) -> int:
    """The end of what a formula takes."""
    assert context.scope.evict is not None
    gone = context.amount(context.scope.evict)
    return context.behind(context.body, gone)


def _evicted_each(growth: Growth) -> list[int] | None:
    """None where the formula asks for tokens."""
    policy, evict, body = growth.policy, growth.scope.evict, growth.whole.body
    assert evict is not None
    if isinstance(evict, str) and "tokens" in names_in(evict):
        return None
    if policy.grouping != "none":
        return _grouped_each(growth, evict)
    found = []
    for size in growth.sizes:
        gone = policy.value(evict, n=size - body, count=size - body, all=size) if size > body else 0
        found.append(min(size, max(body, body + gone)))
    return found


def _grouped_each(growth: Growth, evict: Formula) -> list[int]:
    """The same where the policy counts other messages than ours."""
    policy, body, window = growth.policy, growth.whole.body, growth.whole.window
    sums, every, found = sizes(window, policy.grouping, body), sizes(window, policy.grouping, 0), list[int]()
    for size in growth.sizes:
        n = sums[size - body] if size > body else 0
        gone = policy.value(evict, n=n, count=n, all=every[size]) if size > body else 0
        found.append(min(size, body + _behind(sums, gone)))
    return found


def _behind(sums: list[int], count: int) -> int:
    """How many messages of ours the first so many are, by how many each of them makes."""
    if count <= 0:
        return 0
    end = bisect_left(sums, count)
    return bisect_right(sums, sums[end]) - 1 if end < len(sums) else len(sums) - 1


def _after_results(context: CutContext) -> int:
    """The index behind the results that go, the oldest so many of those in the window."""
    window, places = context.window, places_of_results(context.window, context.stage)
    inside = [(start, own, bisect_left(places, own[0]), bisect_left(places, own[1])) for start, own in window.origins()]
    count = sum(high - low for _, _, low, high in inside)
    assert context.scope.evict is not None
    gone = context.policy.value(context.scope.evict, n=count, count=count, all=len(window))
    for start, own, low, high in inside:
        if 0 < gone <= high - low:
            return max(context.body, _whole(context, start + places[low + gone - 1] - own[0] + 1))
        gone -= high - low
    return context.body


def _whole(context: CutContext, cut: int) -> int:
    """A cut behind a result moved on behind all that are one message with it in the real system."""
    if context.policy.grouping != "results":
        return cut
    return next((i for i in range(cut, len(context.window)) if context.window[i].role != "tool"), len(context.window))


def _reached(reach: str | float, context: CutContext, cut: int) -> int:
    """Forward, until what goes holds the tokens it must."""
    return max(cut, reached(context, context.amount(reach)))


def reached(context: CutContext, want: int) -> int:
    """The first index in front of which what goes holds at least so many tokens."""
    window, body = context.window, context.body
    if want <= 0:
        return body
    want += context.tokens(0, body)
    cut, kept = prefix_end(window, want, body), 0
    while context.scope.keep_systems and (found := _systems(context, cut)) > kept:
        kept = found
        cut = prefix_end(window, want + kept, body)
    return cut


def _systems(context: CutContext, stop: int) -> int:
    """The tokens of the session's system messages behind the body up to `stop`: they stay although they stand there."""
    pool = context.window.pool
    places, own = pool.base.systems, (pool.origin(part) for part in context.window.cut(context.body, stop))
    inside = (places[bisect_left(places, a) : bisect_left(places, b)] for a, b in filter(None, own))
    return sum(pool.tokens((i, i + 1)) for part in inside for i in part)


def _beyond(beyond: str | float, context: CutContext, cut: int) -> int:
    """Further back from a cut, until the results behind it hold as many tokens as `beyond` says."""
    left = context.value(beyond)
    for index, places, tokens in _results_in_front(context, cut):
        for place in reversed(places):
            left -= tokens(place)
            if left < 0:
                return max(context.body, index + place + 1)
    return context.body


def _results_in_front(context: CutContext, cut: int) -> Iterator[tuple[int, Sequence[int], Callable[[int], int]]]:
    """The results in front of a cut that a stage counts, the newest part of the window first.

    Of each part: what makes an index of the window of a place in the session, the places, and the tokens there as it stands.
    """
    window, rule = context.window, context.stage.transform
    places = places_of_results(window, context.stage)
    only_whole = isinstance(rule, Clear) and rule.keeps == "emptied"
    for start, (a, b) in reversed(window.origins()):
        first = window.at(start)
        found = places[bisect_left(places, a) : bisect_left(places, min(b, a + cut - start))]
        if first < SPACE:
            yield start - a, found, window.pool.base.tokens.__getitem__
        elif not only_whole:
            yield start - a, found, partial(_tokens_at, window, first - a)


def _tokens_at(window: Window, ahead: int, place: int) -> int:
    """The tokens of the message at a place of the session, as it stands so far ahead in the pool."""
    return window.pool.tokens((place + ahead, place + ahead + 1))
