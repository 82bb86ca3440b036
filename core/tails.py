"""The end of a window: where what stays verbatim begins, by sizes first, then at a place where a cut may fall."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from core.heads import group_end, group_tokens, is_summary, most_of, pinned_systems, summary_size, too_large
from core.policy import Policy
from core.shadow import SPACE
from core.snap import snapped
from core.vocabulary import Clear, Digest, Placement, Scope, Size, Stage
from core.window import Window


def tail_start(window: Window, policy: Policy, stage: Stage, head: int, body: int) -> int:
    """The index at which the tail that stays verbatim begins: never before the body's end."""
    scope = stage.scope
    if scope.until is not None:
        return _tried(window, policy, stage, head, body)
    cut = raw_start(window, policy, stage, head, body)
    found = settled(window, policy, scope, cut, head, body, scope.least)
    return found if scope.most is None else _within_most(window, policy, scope, found, body)


def _within_most(window: Window, policy: Policy, scope: Scope, cut: int, body: int) -> int:
    """A cut moved back until no more tokens go than may at once: whole groups, system messages that stay left aside."""
    left, place = most_of(policy, scope), body + too_large(window, policy, scope, body)
    while place < cut:
        stays = scope.keep_systems and window[place].role == "system"
        left -= 0 if stays else group_tokens(window, place)
        if left < 0:
            return place
        place = group_end(window, place)
    return cut


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
    want += sum(map(window.pool.tokens, window.cut(0, body)))
    cut, kept = _prefix_end(window, want, body), 0
    while stage.scope.keep_systems and (found := _systems(window, body, cut)) > kept:
        kept = found
        cut = _prefix_end(window, want + kept, body)
    return cut


def _systems(window: Window, start: int, stop: int) -> int:
    """The tokens of the session's system messages from index `start` up to `stop`: they stay although they stand there."""
    places, pool = window.pool.base.systems, window.pool
    own = (pool.origin(part) for part in window.cut(start, stop))
    inside = (places[bisect_left(places, a) : bisect_left(places, b)] for a, b in filter(None, own))
    return sum(pool.tokens((i, i + 1)) for part in inside for i in part)


def _summaries(window: Window, start: int, place: Placement | None) -> int:
    """How many messages from `start` on are earlier summaries."""
    if place is None:
        return 0
    return sum(1 for _ in takewhile(lambda i: is_summary(window[i], place), range(start, len(window))))


def counts_of(window: Window, policy: Policy, stage: Stage, body: int) -> dict[str, int]:
    """What formulas of a scope may speak of, beside the parameters."""
    systems = pinned_systems(window, policy, stage) if stage.scope.head == "leading" else 0
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
