"""The front of a window: what is pinned there, and where an earlier summary stands."""

import re
from functools import lru_cache
from itertools import takewhile
from math import inf

from core.model import Message
from core.policy import Policy
from core.shadow import SPACE
from core.snap import snapped
from core.vocabulary import Placement, Scope, Stage
from core.window import Window


def head_size(window: Window, policy: Policy, stage: Stage) -> int:
    """How many messages at the front are pinned: system messages, a summary among them only if the policy says so."""
    scope, place = stage.scope, stage.placement
    size = pinned_systems(window, policy, stage) if scope.head == "leading" else 0
    if scope.first:
        size = min(len(window), size + policy.value(scope.first, systems=size))
        size = snapped("pairs", window, size, len(window)) if scope.snap_first else size
    return size + _stacked(window, size, place) if scope.stacked and place is not None else size


def too_large(window: Window, policy: Policy, scope: Scope, start: int) -> int:
    """How many messages from index `start` on are groups of which each alone is more than may go at once: they stay."""
    if scope.most is None:
        return 0
    most, first = most_of(policy, scope), start
    while start < len(window) - 1 and group_tokens(window, start) > most:
        start = group_end(window, start)
    return min(start, len(window)) - first


def most_of(policy: Policy, scope: Scope) -> float:
    """The most tokens that may go at once; no end to them where the parameter is not set."""
    asked = policy.settings.get(scope.most, 0) if isinstance(scope.most, str) else scope.most
    return inf if asked is None or scope.most is None else policy.value(scope.most)


def group_end(window: Window, start: int) -> int:
    """The index behind a message and the tool results that follow it."""
    end = start + 1
    while end < len(window) and window[end].role == "tool":
        end += 1
    return end


def group_tokens(window: Window, start: int) -> int:
    """The tokens of a message and the tool results that follow it."""
    return sum(map(window.pool.tokens, window.cut(start, group_end(window, start))))


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


def pinned_systems(window: Window, policy: Policy, stage: Stage) -> int:
    """How many system messages at the front are pinned."""
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
