"""The window and its parts.

A window is an ordered list of messages. It is kept as ranges over a *pool*: the messages of the session in order, and
behind them whatever compactions put in. So a window of a thousand messages is three or four pairs of numbers, its tokens
are differences of a running sum, and 100,000 steps cost no more than their compactions.

    pool     0 1 2 3 4 5 6 7 8 9 | 10 = summary
    window   (0,1) (10,11) (7,10)     the system message, the summary, the three newest
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, takewhile
from typing import Literal, NamedTuple

from core.model import Message
from core.policy import Placement, Policy

Range = tuple[int, int]
Ranges = tuple[Range, ...]
Region = Literal["system", "summary", "compactable", "recent", "cleared", "dropped", "summarised"]


@dataclass(frozen=True)
class Measured:
    """Messages with their tokens by one meter, and what a search over them needs, worked out once.

    `running[i]` is the sum of the first i token counts; `calls` the places where the model was called (before the message
    that stands there), `turn_starts` where a typed message stands.
    """

    messages: Sequence[Message]
    tokens: Sequence[int]

    @cached_property
    def running(self) -> list[int]:
        """The sum of the first i token counts, for every i."""
        return list(accumulate(self.tokens, initial=0))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The tokens as every trace over these messages keeps them."""
        return tuple(self.tokens)

    @cached_property
    def turn_starts(self) -> list[int]:
        """Where a typed message stands."""
        return [i for i, m in enumerate(self.messages) if m.role == "user" and not m.injected]

    @cached_property
    def calls(self) -> list[int]:
        """Where the model was called: before the message that stands there."""
        return [i for i, m in enumerate(self.messages) if m.role == "assistant" and self._opens_reply(i)]

    @cached_property
    def systems(self) -> list[int]:
        """Where a system message stands."""
        return [i for i, m in enumerate(self.messages) if m.role == "system"]

    @cached_property
    def leading_systems(self) -> int:
        """How many system messages stand at the very front."""
        return next((k for k, i in enumerate(self.systems) if k != i), len(self.systems))

    @cached_property
    def active(self) -> list[int]:
        """Like `running`, with system messages and summaries left out of the sum."""
        pairs = zip(self.messages, self.tokens, strict=True)
        counted = (0 if m.role == "system" or m.injected == "summary" else t for m, t in pairs)
        return list(accumulate(counted, initial=0))

    @cached_property
    def mark(self) -> str:
        """What the ids of added summaries begin with: "summary#", or more where a message's own id already does."""
        mark, taken = "summary#", [m.id for m in self.messages if m.id.startswith("summary")]
        while any(name.startswith(mark) for name in taken):
            mark = mark[:-1] + "+#"
        return mark

    def _opens_reply(self, i: int) -> bool:
        reply = self.messages[i].reply_id
        return not reply or i == 0 or self.messages[i - 1].reply_id != reply


@dataclass
class Pool:
    """The measured messages and, behind them, those that compactions added."""

    base: Measured
    added: list[Message] = field(default_factory=list)
    added_tokens: list[int] = field(default_factory=list)

    def add(self, message: Message, tokens: int) -> Range:
        """Put a message in; returns its range."""
        self.added.append(message)
        self.added_tokens.append(tokens)
        end = len(self.base.messages) + len(self.added)
        return (end - 1, end)

    def slice(self, part: Range) -> Sequence[Message]:
        """The messages of one range."""
        size = len(self.base.messages)
        if part[1] <= size:
            return self.base.messages[part[0] : part[1]]
        added = self.added[max(0, part[0] - size) : part[1] - size]
        return added if part[0] >= size else [*self.base.messages[part[0] :], *added]

    def listed(self, ranges: Iterable[Range]) -> list[Message]:
        """The messages of several ranges, one range after the other."""
        messages: list[Message] = []
        for part in ranges:
            messages += self.slice(part)
        return messages

    def tokens(self, part: Range) -> int:
        """The tokens of one range."""
        start, stop = part
        running, size = self.base.running, len(self.base.tokens)
        if stop <= size:  # nearly all ranges are of this kind
            return running[stop] - running[start]
        own = sum(self.added_tokens[max(0, start - size) : stop - size])
        return own if start >= size else own + running[size] - running[start]

    def active_tokens(self, part: Range) -> int:
        """The tokens of one range without system messages and summaries."""
        start, stop = part
        running, size = self.base.active, len(self.base.tokens)
        if stop <= size:
            return running[stop] - running[start]
        own = sum(map(self._active_tokens, range(max(size, start), stop)))
        return own if start >= size else own + running[size] - running[start]

    def _active_tokens(self, index: int) -> int:
        """Those of one message that a compaction added."""
        message, tokens = self.added[index - len(self.base.tokens)], self.added_tokens[index - len(self.base.tokens)]
        return 0 if message.role == "system" or message.injected == "summary" else tokens


@dataclass(frozen=True)
class Window:
    """What a model call would be sent: ranges over a pool, in order."""

    pool: Pool
    ranges: Ranges

    def __len__(self) -> int:
        size = 0
        for a, b in self.ranges:
            size += b - a
        return size

    def knowing(self, tokens: int) -> "Window":
        """This window, its tokens known from elsewhere, so that nobody adds them up again."""
        self.__dict__["tokens"] = tokens  # where cached_property keeps what it worked out
        return self

    @cached_property
    def messages(self) -> list[Message]:
        """The messages, in order."""
        return self.pool.listed(self.ranges)

    @cached_property
    def tokens(self) -> int:
        """The tokens of the whole window."""
        return sum(map(self.pool.tokens, self.ranges))

    def counted(self, policy: Policy) -> int:
        """The tokens that the policy's trigger looks at."""
        if policy.trigger.counts == "window":
            return self.tokens
        return sum(map(self.pool.active_tokens, self.ranges))

    def cut(self, start: int, stop: int) -> Ranges:
        """The ranges of the messages from index `start` up to `stop` of the window."""
        parts, first = [], 0
        for a, b in self.ranges:
            last = first + b - a
            if first < stop and start < last and start < stop:
                parts.append((a + start - first if start > first else a, a + stop - first if stop < last else b))
            first = last
        return tuple(parts)

    def grown(self, start: int, stop: int) -> "Window":
        """The window with the pool's messages from `start` up to `stop` at its end."""
        grown = Window(self.pool, joined((*self.ranges, (start, stop))))
        return grown.knowing(self.tokens + self.pool.tokens((start, stop))) if "tokens" in self.__dict__ else grown


def joined(ranges: Ranges) -> Ranges:
    """The same messages in as few ranges as can be."""
    parts: list[Range] = []
    for a, b in ranges:
        if a == b:
            continue
        if parts and parts[-1][1] == a:
            parts[-1] = (parts[-1][0], b)
        else:
            parts.append((a, b))
    return tuple(parts)


def without(ranges: Ranges, taken: Ranges) -> Ranges:
    """The ranges without what lies in `taken`."""
    left = list(ranges)
    for a, b in taken:
        left = [part for x, y in left for part in ((x, min(y, a)), (max(x, b), y)) if part[0] < part[1]]
    return joined(tuple(left))


class Partition(NamedTuple):
    """A window split for compaction, as indexes into it: head, earlier summary, what may go, what stays.

    `[0, head)` is pinned, `[head, body)` an earlier summary that is not folded again but replaced, `[body, tail)` is
    compactable, and the rest stays verbatim.
    """

    head: int
    body: int
    tail: int


def partition(window: Window, policy: Policy) -> Partition:
    """How the policy would split this window if it fired now."""
    head = head_size(window, policy)
    body = head + (0 if policy.scope.fold_summary else summary_size(window, head, policy.placement))
    return Partition(head, body, tail_start(window, policy, head, body))


def head_size(window: Window, policy: Policy) -> int:
    """How many messages at the front are pinned: system messages, a summary among them only if the policy says so."""
    if policy.scope.head == "none":
        return 0
    size, limit, pin = 0, policy.scope.head_limit, policy.scope.pin_summary
    for message in _front(window):
        if message.role != "system" or size == limit or (is_summary(message, policy.placement) and not pin):
            break
        size += 1
    return size


def leading_systems(window: Window) -> int:
    """How many messages at the front are system messages, whatever put them there."""
    return sum(1 for _ in takewhile(lambda m: m.role == "system" and m.injected != "summary", _front(window)))


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
    return message.role == placement.role and bool(header(placement).match(message.content))


@lru_cache(maxsize=256)
def header(placement: Placement) -> re.Pattern[str]:
    """The pattern that summaries of this placement begin with; groups `n` and `k` where the template has them."""
    before = placement.template.partition("{text}")[0]
    pattern = re.escape(before).replace(re.escape("{n}"), r"(?P<n>\d+)").replace(re.escape("{k}"), r"(?P<k>\d+)")
    return re.compile(pattern)


def tail_start(window: Window, policy: Policy, head: int, body: int) -> int:
    """The index at which the tail that stays verbatim begins."""
    size, tail = len(window), policy.scope.tail
    if tail == "half":
        return body + (size - body) // 2
    keep = policy.value(tail.value)
    if tail.unit == "turns":
        return _turn_tail(window, keep, head, policy.placement)
    if tail.unit == "tokens":
        return _token_tail(window, keep, body)
    return max(body, size - keep)


def _turn_tail(window: Window, keep: int, head: int, placement: Placement) -> int:
    """The start of the oldest of the `keep` newest turns; the head's end when there are no more turns than that.

    A summary in front is no turn, also where it was read back from a file and looks like a typed message.
    """
    tail, size, turns = len(window), len(window.pool.base.messages), window.pool.base.turn_starts
    passed = tail
    for a, b in reversed(window.cut(head + summary_size(window, head, placement), tail)):
        passed -= b - a
        low, high = (bisect_left(turns, a), bisect_left(turns, b)) if a < size else (0, 0)
        if high - low > keep:
            return passed + turns[high - keep] - a if keep else tail
        if high > low:
            tail, keep = passed + turns[low] - a, keep - (high - low)
    return head


def _token_tail(window: Window, keep: int, body: int) -> int:
    """The start of the longest tail of at most `keep` tokens."""
    tail, total = len(window), 0
    while tail > body:
        total += sum(map(window.pool.tokens, window.cut(tail - 1, tail)))
        if total > keep:
            break
        tail -= 1
    return tail


def _front(window: Window) -> Iterator[Message]:
    """The messages of the window in order, one at a time."""
    pool, size = window.pool, len(window.pool.base.messages)
    for a, b in window.ranges:
        for i in range(a, b):
            yield pool.base.messages[i] if i < size else pool.added[i - size]
