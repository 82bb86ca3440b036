"""The front of a window: what is pinned there, and where an earlier summary stands."""

import re
from functools import lru_cache
from itertools import takewhile

from core.model.session import Message
from core.policy.policy import Policy
from core.policy.rules import Head
from core.policy.vocabulary import Placement, Stage
from core.window.grouped import behind
from core.window.ranges import ADDED, SPACE
from core.window.window import Window


def head_size(window: Window, policy: Policy, stage: Stage) -> int:
    """How many messages at the front are pinned."""
    scope, place = stage.scope, stage.placement
    if isinstance(scope.head, Head):
        size: int = scope.head(window, policy, stage)
    else:
        size = pinned_systems(window, policy, stage) if scope.head == "leading" else 0
        size = behind(window, policy.grouping, size, policy.value(scope.first))
    return size + _stacked(window, size, place) if scope.stacked and place is not None else size


def _stacked(window: Window, start: int, place: Placement) -> int:
    """How many messages from index `start` on are earlier summaries, or say that something was dropped."""
    count = 0
    for a, b in window.cut(start, len(window)):
        if ADDED <= a < SPACE:
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
    """How many system messages at the front are pinned, up to an earlier summary."""
    scope, place = stage.scope, stage.placement
    size, limit = 0, None if scope.head_limit is None else policy.value(scope.head_limit)
    for message in window.front():
        summary = place is not None and is_summary(message, place)
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

    A recorded summary may go on with a space where the template breaks the line. None where they begin with the text
    itself: nothing can be told by that.
    """
    before = placement.template.partition("{text}")[0]
    words = before.rstrip()
    if not words:
        return None
    gap = rf"(?:{re.escape(before.removeprefix(words))}|\s)" if words != before else ""
    pattern = (re.escape(words) + gap).replace(re.escape("{n}"), r"(?P<n>\d+)").replace(re.escape("{k}"), r"(?P<k>\d+)")
    return re.compile(pattern)
