"""How a stage of a policy would split a window if it acted now: `partition(window, policy)`."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from core.measured import Measured, is_cut_request
from core.model import Message
from core.policy import Clear, Digest, Placement, Policy, Scope, Size, Stage
from core.shadow import SPACE
from core.snap import snapped
from core.window import Range, Ranges, Window, without


class Partition(NamedTuple):
    """A window split for compaction, as indexes into it: head, earlier summary, what may go, what stays.

    `[0, head)` is pinned, `[head, body)` an earlier summary that is not folded again but replaced, `[body, tail)` is
    compactable, and the rest stays verbatim. Typed messages of the session from `spared` on, and system messages where
    the scope keeps them, stay although they stand among the compactable.
    """

    head: int
    body: int
    tail: int
    spared: int | None = None


def partition(window: Window, policy: Policy, stage: Stage | None = None) -> Partition:
    """How the policy, or one stage of it, would split this window if it fired now."""
    stage = stage or policy.main
    head = head_size(window, policy, stage)
    body = head + replaced_size(window, head, stage)
    tail = tail_start(window, policy, stage, head, body)
    return Partition(head, body, tail, spared_from(window, policy, stage))


def goes(window: Window, stage: Stage, parts: Partition) -> Ranges:
    """The ranges of what the stage takes: all that is compactable, less what is spared."""
    taken = window.cut(parts.body, parts.tail)
    if parts.spared is None and not stage.scope.keep_systems:
        return taken
    return without(taken, tuple(stays(window, stage, parts, taken)))


def stays(window: Window, stage: Stage, parts: Partition, taken: Ranges) -> list[Range]:
    """The single messages among these ranges that are spared, as ranges of one."""
    spared = set[int]()
    if parts.spared is not None:
        asked = requests(Window(window.pool, taken), stage.placement)
        spared.update(i for i, place in asked if place >= parts.spared)
    for part in taken if stage.scope.keep_systems else ():
        own = window.pool.origin(part)
        spared.update(_between(window.pool.base.systems, *own, part[0] - own[0]) if own else ())
    order = sorted(spared)
    return [(i, i + 1) for a, b in taken for i in order[bisect_left(order, a) : bisect_left(order, b)]]


def _between(places: Sequence[int], start: int, stop: int, shift: int) -> list[int]:
    return [p + shift for p in places[bisect_left(places, start) : bisect_left(places, stop)]] if start < stop else []


def head_size(window: Window, policy: Policy, stage: Stage) -> int:
    """How many messages at the front are pinned: system messages, a summary among them only if the policy says so."""
    scope, place = stage.scope, stage.placement
    size = _systems(window, policy, stage) if scope.head == "leading" else 0
    if scope.first:
        size = min(len(window), size + policy.value(scope.first, systems=size))
        size = snapped("pairs", window, size, len(window)) if scope.snap_first else size
    return size + _stacked(window, size, place) if scope.stacked and place is not None else size


def _stacked(window: Window, start: int, place: Placement) -> int:
    """How many messages from index `start` on are earlier summaries, or say that something was dropped."""
    size, count = len(window.pool.base.messages), 0
    for a, b in window.cut(start, len(window)):
        if a >= size and b <= SPACE:
            end = window.pool.summaries_end(a, b)
        else:
            end = next((i for i in range(a, b) if not _is_mark(window.pool.message(i), place)), b)
        count += end - a
        if end < b:
            break
    return count


def _is_mark(message: Message, place: Placement) -> bool:
    return message.injected == "marker" or is_summary(message, place)


def _systems(window: Window, policy: Policy, stage: Stage) -> int:
    scope, place = stage.scope, stage.placement
    size, limit = 0, None if scope.head_limit is None else policy.value(scope.head_limit)
    for message in window.front():
        summary = place is not None and is_summary(message, place) and not scope.pin_summary
        if message.role != "system" or size == limit or summary:
            break
        size += 1
    return size


def leading_systems(window: Window) -> int:
    """How many messages at the front are system messages, whatever put them there."""
    return sum(1 for _ in takewhile(lambda m: m.role == "system" and m.injected != "summary", window.front()))


def replaced_size(window: Window, head: int, stage: Stage) -> int:
    """How many messages behind the head are an earlier summary that the new one replaces, and the reply to it."""
    if stage.scope.fold_summary or stage.placement is None:
        return 0
    return summary_size(window, head, stage.placement)


def summary_size(window: Window, start: int, placement: Placement) -> int:
    """How many messages at `start` are an earlier summary and the reply behind it: 0, 1 or 2."""
    front = window.pool.listed(window.cut(start, start + 2))
    if not front or not is_summary(front[0], placement):
        return 0
    return 1 + (len(front) > 1 and placement.ack is not None and front[1].content == placement.ack)


def is_summary(message: Message, placement: Placement) -> bool:
    """Whether the message is a summary: marked as one, or in the role and the words of this placement."""
    if message.injected:
        return message.injected == "summary"
    if message.role != placement.role:
        return False
    pattern = header(placement)
    return pattern is not None and bool(pattern.match(message.content))


@lru_cache(maxsize=256)
def header(placement: Placement) -> re.Pattern[str] | None:
    """The pattern that summaries of this placement begin with; groups `n` and `k` where the template has them.

    None where they begin with the text itself: nothing can be told by that.
    """
    before = placement.template.partition("{text}")[0]
    if not before.strip():
        return None
    pattern = re.escape(before).replace(re.escape("{n}"), r"(?P<n>\d+)").replace(re.escape("{k}"), r"(?P<k>\d+)")
    return re.compile(pattern)


def spared_from(window: Window, policy: Policy, stage: Stage) -> int | None:
    """The place in the session of the oldest typed message that is spared; None where the scope spares none.

    Where none fits, it is behind all of them. One whose middle is cut out counts as spared.
    """
    spare, base = stage.scope.spare, window.pool.base
    if spare is None:
        return None
    left, first = policy.value(spare.size.value), len(base.messages)
    for i, place in requests(window, stage.placement):
        if left <= 0:
            return first
        cost = window.pool.tokens((i, i + 1)) if spare.size.unit == "tokens" else 1
        if cost > left:
            return place if spare.cut == "middle" else first
        left, first = left - cost, place
    return first


def requests(window: Window, placement: Placement | None) -> Iterator[tuple[int, int]]:
    """The typed messages of the window, the newest first: where in the pool each stands, and where in the session.

    One whose middle an earlier compaction cut out is still one; one that begins as a summary does is taken for a summary.
    """
    alike = worded(window.pool.base, placement) if placement and placement.role == "user" else ()
    for i, place in _typed(window):
        if place not in alike:
            yield i, place


def worded(base: Measured, placement: Placement) -> frozenset[int]:
    """Where a typed message stands that begins as summaries of this placement do; found once for each."""
    pattern = header(placement)
    known: dict[Any, frozenset[int]] = base.__dict__.setdefault("worded", {})
    if pattern not in known:
        alike = (i for i in base.requests if pattern and pattern.match(base.messages[i].content))
        known[pattern] = frozenset(alike)
    return known[pattern]


def _typed(window: Window) -> Iterator[tuple[int, int]]:
    base, size = window.pool.base, len(window.pool.base.messages)
    for a, b in reversed(window.ranges):
        for i in range(b - 1, max(a, size) - 1, -1) if a < SPACE else ():
            message = window.pool.message(i)
            if is_cut_request(message):
                yield i, base.place_of(message.id)
        own = window.pool.origin((a, b)) or (0, 0)
        places = base.requests
        for place in reversed(places[bisect_left(places, own[0]) : bisect_left(places, own[1])]):
            yield a + place - own[0], place


def tail_start(window: Window, policy: Policy, stage: Stage, head: int, body: int) -> int:
    """The index at which the tail that stays verbatim begins: never before the body's end."""
    scope = stage.scope
    if scope.until is not None:
        return _tried(window, policy, stage, head, body)
    cut = raw_start(window, policy, stage, head, body)
    return settled(window, policy, scope, cut, head, body, scope.least)


def _tried(window: Window, policy: Policy, stage: Stage, head: int, body: int) -> int:
    """The first of the cuts tried after which head and tail count less than wanted; the body's end if none does."""
    scope = stage.scope
    assert scope.until is not None
    assert scope.evict is not None
    for k in range(scope.tries):
        raw = body + policy.value(scope.evict, **counts_of(window, policy, stage, body), k=k)
        cut = settled(window, policy, scope, min(raw, len(window)), head, body, scope.least)
        left = sum(map(window.pool.tokens, (*window.cut(0, head), *window.cut(cut, len(window)))))
        if cut > body and left < policy.value(scope.until):
            return cut
    return body


def settled(window: Window, policy: Policy, scope: Scope, cut: int, head: int, body: int, least: int) -> int:
    """A cut moved to where it may fall, `least` messages behind it."""
    size, raw = len(window), cut
    cut = min(cut, max(body, size - least))
    if cut > body or scope.snap_always:
        cut = snapped(policy.snap_of(scope), window, cut, body)
    if scope.look_back and cut < size:
        cut = _preferred(window, cut, max(body, raw - policy.value(scope.look_back)))
    if scope.few and 0 < cut - body <= scope.few:
        cut = size
    if scope.stay and size - cut < scope.stay:
        cut = body
    return max(body, min(cut, size))


def takes_few(window: Window, policy: Policy, stage: Stage) -> bool:
    """Whether all go only because no more than `few` would have to."""
    head = head_size(window, policy, stage)
    body = head + replaced_size(window, head, stage)
    plain = stage.scope.model_copy(update={"few": 0})
    cut = settled(window, policy, plain, raw_start(window, policy, stage, head, body), head, body, plain.least)
    return 0 < cut - body <= stage.scope.few


def _preferred(window: Window, cut: int, low: int) -> int:
    """The nearest user message from the cut down to `low`, the cut itself if there is none."""
    places = range(min(cut, len(window) - 1), low - 1, -1)
    return next((i for i in places if window[i].role == "user" and not window[i].injected), cut)


def raw_start(window: Window, policy: Policy, stage: Stage, head: int, body: int) -> int:
    """Where the sizes alone put the cut, before it moves to a place where it may fall."""
    scope, size = stage.scope, len(window)
    if scope.needs_room and not _has_room(window, policy, scope, head):
        return body
    if scope.evict is not None and _counts_results(stage):
        return _after_results(window, policy, stage, body)
    if scope.evict is not None:
        cut = min(size, max(body, body + policy.value(scope.evict, **counts_of(window, policy, stage, body), k=0)))
        return cut if scope.reach is None else max(cut, _reached(window, policy, stage, body))
    cuts = [_cut_of(window, policy, stage, part, head, body) for part in policy.tail_of(scope)]
    cut = (min if scope.of_tails == "longest" else max)(cuts, default=size)
    if scope.beyond is not None:
        cut = _beyond(window, policy, stage, cut, body)
    return max(cut, _reached(window, policy, stage, body)) if scope.reach is not None else cut


def _has_room(window: Window, policy: Policy, scope: Scope, head: int) -> bool:
    """Whether the head alone is not larger than head and tail may be."""
    pinned = sum(map(window.pool.tokens, window.cut(0, head)))
    return any(pinned <= policy.value(part.value) for part in policy.tail_of(scope))


def _cut_of(window: Window, policy: Policy, stage: Stage, part: Size, head: int, body: int) -> int:
    """The start of a tail of this size."""
    scope, size = stage.scope, len(window)
    if part.unit == "messages":
        return max(body, size - policy.value(part.value))
    if part.unit == "turns":
        return _turn_tail(window, policy.value(part.value), head, stage.placement)
    if part.unit == "conversation":
        return _newest(window, window.pool.base.conversation, policy.value(part.value), body)
    if part.unit == "spoken":
        return _newest(window, window.pool.base.spoken, policy.value(part.value), body)
    if part.unit == "results":
        return _newest(window, places_of_results(window, stage), policy.value(part.value), body)
    if part.unit == "share":
        pinned = sum(map(window.pool.tokens, window.cut(0, head)))
        gone = (window.tokens - pinned) * (1 - float(policy.number(part.value)))
        return _prefix_end(window, pinned + gone, body)
    keep = (
        policy.value(part.value) if part.unit == "tokens" else max(1, int(policy.names["window"] * float(part.value)))
    )
    keep -= sum(map(window.pool.tokens, window.cut(0, head))) if scope.with_head else 0
    return token_tail(window, keep, body) if scope.fit == "within" else _reaching(window, keep, body)


def _counts_results(stage: Stage) -> bool:
    return isinstance(stage.transform, Clear | Digest)


def places_of_results(window: Window, stage: Stage) -> Sequence[int]:
    """Where in the session the results stand that a stage counts: all, or those it could empty; of groups the calls."""
    base, transform = window.pool.base, stage.transform
    if isinstance(transform, Digest):
        return base.groups
    if isinstance(transform, Clear) and transform.keeps == "emptied":
        return window.pool.shadow_of(stage).places
    return base.results


def _after_results(window: Window, policy: Policy, stage: Stage, body: int) -> int:
    """The index behind the results that go, the oldest so many of those in the window."""
    places = places_of_results(window, stage)
    scope = stage.scope
    assert scope.evict is not None
    inside = [(start, own, bisect_left(places, own[0]), bisect_left(places, own[1])) for start, own in window.origins()]
    count = sum(high - low for _, _, low, high in inside)
    gone = policy.value(scope.evict, n=count, count=count, all=len(window))
    for start, own, low, high in inside:
        if 0 < gone <= high - low:
            return max(body, start + places[low + gone - 1] - own[0] + 1)
        gone -= high - low
    return body


def _turn_tail(window: Window, keep: int, head: int, placement: Placement | None) -> int:
    """The start of the oldest of the `keep` newest turns; the head's end when there are no more turns than that.

    A summary in front is no turn, also where it was read back from a file and looks like a typed message.
    """
    front = head + (summary_size(window, head, placement) if placement else 0)
    found = _nth_newest(window, window.pool.base.turn_starts, keep, front)
    return len(window) if keep <= 0 else head if _count(window, window.pool.base.turn_starts, front) <= keep else found


def _newest(window: Window, places: Sequence[int], keep: int, body: int) -> int:
    """The start of a tail that holds the `keep` newest of these places; the body's end where there are no more."""
    if keep <= 0:
        return len(window)
    return max(body, _nth_newest(window, places, keep, 0)) if _count(window, places, 0) >= keep else body


def _count(window: Window, places: Sequence[int], front: int) -> int:
    """How many of these places stand in the window, from index `front` on."""
    total = 0
    for start, (a, b) in window.origins():
        low = max(a, a + front - start)
        total += max(0, bisect_left(places, b) - bisect_left(places, low)) if low < b else 0
    return total


def _nth_newest(window: Window, places: Sequence[int], n: int, front: int) -> int:
    """The index of the n-th newest of these places in the window, from index `front` on; `front` if there are fewer."""
    for start, (a, b) in reversed(window.origins()):
        low_at = max(a, a + front - start)
        low, high = bisect_left(places, low_at), bisect_left(places, b)
        if low_at < b and high - low >= n > 0:
            return start + places[high - n] - a
        n -= max(0, high - low) if low_at < b else 0
    return front


def token_tail(window: Window, keep: int, body: int) -> int:
    """The start of the longest tail of at most `keep` tokens."""
    passed = len(window)
    for a, b in reversed(window.cut(body, passed)):
        tokens = window.pool.tokens((a, b))
        if tokens > keep:
            return passed - (b - a) + bisect_left(_Sums(window, a, b), tokens - keep)
        keep, passed = keep - tokens, passed - (b - a)
    return body


class _Sums(Sequence[int]):
    """The tokens of the first k messages of a range, for every k: a sequence that never falls, to be searched."""

    def __init__(self, window: Window, start: int, stop: int) -> None:
        self._pool, self._start, self._stop = window.pool, start, stop

    def __len__(self) -> int:
        return self._stop - self._start + 1

    def __getitem__(self, k: Any) -> Any:
        return self._pool.tokens((self._start, self._start + k)) if k else 0


def _reaching(window: Window, want: int, body: int) -> int:
    """The start of the shortest tail of at least `want` tokens; the body's end where all of it holds fewer."""
    held = sum(map(window.pool.tokens, window.cut(body, len(window))))
    return body if held < want else max(body, token_tail(window, want - 1, body) - 1)


def _prefix_end(window: Window, want: float, body: int) -> int:
    """The first index in front of which the window holds at least `want` tokens."""
    total = 0
    for k, part in enumerate(window.ranges):
        tokens = window.pool.tokens(part)
        if total + tokens >= want:
            first, (a, b) = sum(y - x for x, y in window.ranges[:k]), part
            return max(body, first + bisect_left(_Sums(window, a, b), want - total))
        total += tokens
    return len(window)


def _reached(window: Window, policy: Policy, stage: Stage, body: int) -> int:
    """The first index in front of which what goes holds at least the tokens it must."""
    assert stage.scope.reach is not None
    want = policy.value(stage.scope.reach, **counts_of(window, policy, stage, body))
    if want <= 0:
        return body
    return _prefix_end(window, sum(map(window.pool.tokens, window.cut(0, body))) + want, body)


def _summaries(window: Window, start: int, place: Placement | None) -> int:
    """How many messages from `start` on are earlier summaries."""
    if place is None:
        return 0
    return sum(1 for _ in takewhile(lambda i: is_summary(window[i], place), range(start, len(window))))


def counts_of(window: Window, policy: Policy, stage: Stage, body: int) -> dict[str, int]:
    """What formulas of a scope may speak of, beside the parameters."""
    systems = _systems(window, policy, stage) if stage.scope.head == "leading" else 0
    return {
        "n": len(window) - body,
        "count": len(window) - body,
        "all": len(window),
        "tokens": window.tokens,
        "systems": systems,
        "summaries": _summaries(window, body, stage.placement),
    }


def _beyond(window: Window, policy: Policy, stage: Stage, cut: int, body: int) -> int:
    """Further back from a cut, until the results behind it hold as many tokens as `beyond` says."""
    beyond = stage.scope.beyond
    assert beyond is not None
    left = policy.value(beyond.value)
    for index, tokens in _results_from(window, stage, cut):
        left -= tokens
        if left < 0:
            return max(body, index + 1)
    return body


def _results_from(window: Window, stage: Stage, cut: int) -> Iterator[tuple[int, int]]:
    """The results in front of a cut that a stage counts, the newest first: index in the window, and tokens as it stands."""
    places, rule = places_of_results(window, stage), stage.transform
    only_whole = isinstance(rule, Clear) and rule.keeps == "emptied"
    for start, (a, b) in reversed(window.origins()):
        for place in reversed(places[bisect_left(places, a) : bisect_left(places, min(b, a + cut - start))]):
            i = window.at(start + place - a)
            if i < SPACE or not only_whole:
                yield start + place - a, window.pool.tokens((i, i + 1))
