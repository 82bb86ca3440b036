"""The window: ranges over a pool.

A window is an ordered list of messages. It is kept as ranges over a *pool*: the messages of the session in order, behind
them whatever compactions put in, and far behind, in spaces of their own, the session's messages once more as a policy
leaves them when it empties or shortens them (`core/shadow.py`). So a window of a thousand messages is three or four
pairs of numbers, its tokens are differences of a running sum, and 100,000 steps cost no more than their compactions.

    pool     0 1 2 3 4 5 6 7 8 9 | 10 = summary | SPACE + 0 … SPACE + 9 = the same ten, emptied
    window   (0,1) (10,11) (7,10)          the system message, the summary, the three newest
    window   (SPACE,SPACE+6) (6,10)        the six oldest emptied, the four newest as they are
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from core.measured import Measured
from core.model import Message
from core.policy import Policy
from core.shadow import SPACE, Shadow
from core.vocabulary import Stage

Range = tuple[int, int]
Ranges = tuple[Range, ...]
Region = Literal["system", "summary", "compactable", "recent", "cleared", "dropped", "summarised"]


@dataclass
class Pool:
    """The measured messages, behind them those that compactions added, and the shadows that policies cast.

    `held` are places of the session that a person has pinned: they stay where they would go.
    """

    base: Measured
    added: list[Message] = field(default_factory=list)
    added_tokens: list[int] = field(default_factory=list)
    shadows: Sequence[Shadow] = ()
    made: int = 0
    held: frozenset[int] = frozenset()
    _ends: dict[int, int] = field(default_factory=dict)

    def add(self, message: Message, tokens: int) -> Range:
        """Put a message in; returns its range."""
        self.added.append(message)
        self.added_tokens.append(tokens)
        end = len(self.base.messages) + len(self.added)
        return (end - 1, end)

    def slice(self, part: Range) -> Sequence[Message]:
        """The messages of one range."""
        start, stop = part
        if start >= SPACE:
            return self.shadows[start // SPACE - 1].slice(start % SPACE, (stop - 1) % SPACE + 1)
        size = len(self.base.messages)
        if stop <= size:
            return self.base.messages[start:stop]
        added = self.added[max(0, start - size) : stop - size]
        return added if start >= size else [*self.base.messages[start:], *added]

    def listed(self, ranges: Iterable[Range]) -> list[Message]:
        """The messages of several ranges, one range after the other."""
        messages: list[Message] = []
        for part in ranges:
            messages += self.slice(part)
        return messages

    def message(self, index: int) -> Message:
        """The message at one place of the pool."""
        return self.slice((index, index + 1))[0]

    def tokens(self, part: Range) -> int:
        """The tokens of one range."""
        start, stop = part
        running, size = self.base.running, len(self.base.tokens)
        if stop <= size:  # nearly all ranges are of this kind
            return running[stop] - running[start]
        if start >= SPACE:
            a, b = start % SPACE, (stop - 1) % SPACE + 1
            return running[b] - running[a] - self.shadows[start // SPACE - 1].saved(a, b)
        own = sum(self.added_tokens[max(0, start - size) : stop - size])
        return own if start >= size else own + running[size] - running[start]

    def each(self, part: Range) -> Sequence[int]:
        """The tokens of every message of one range."""
        start, stop = part
        size = len(self.base.tokens)
        if stop <= size:
            return self.base.tokens[start:stop]
        if start >= SPACE:
            shadow, a, b = self.shadows[start // SPACE - 1], start % SPACE, (stop - 1) % SPACE + 1
            shadow.reach(b)
            return [shadow.tokens.get(i, self.base.tokens[i]) for i in range(a, b)]
        own = self.added_tokens[max(0, start - size) : stop - size]
        return own if start >= size else [*self.base.tokens[start:], *own]

    def counted(self, part: Range, counts: str) -> int:
        """The tokens of one range without what a trigger that counts so leaves out."""
        start, stop = part
        running, size = self.base.counted(counts), len(self.base.tokens)
        if stop <= size:
            return running[stop] - running[start]
        if start >= SPACE:
            a, b = start % SPACE, (stop - 1) % SPACE + 1
            return running[b] - running[a] - self.shadows[start // SPACE - 1].saved(a, b)
        own = sum(self._counted(i - size, counts) for i in range(max(size, start), stop))
        return own if start >= size else own + running[size] - running[start]

    def _counted(self, k: int, counts: str) -> int:
        """Those of one message that a compaction added."""
        message, own = self.added[k], self.added[k].injected == "summary" and counts == "active"
        return 0 if message.role == "system" or own else self.added_tokens[k]

    def summaries_end(self, start: int, stop: int) -> int:
        """Where the summaries and marks end with which a range of what was added begins; looked at once each."""
        size, end = len(self.base.messages), min(self._ends.get(start, start), stop)
        while end < stop and self.added[end - size].injected in ("summary", "ack", "marker"):
            end += 1
        self._ends[start] = max(end, self._ends.get(start, start))
        return end

    def is_copy(self, message: Message) -> bool:
        """Whether it is one of the session's messages left otherwise than it came: emptied, or cut short."""
        place = self.base.places.get(message.id)
        return place is not None and self.base.messages[place] != message

    def next_number(self) -> int:
        """A number that no message put in has had, also if it was taken out again."""
        self.made += 1
        return self.made

    def forget(self, count: int) -> None:
        """Take out again what was added after the first `count` messages."""
        del self.added[count:], self.added_tokens[count:]
        self._ends.clear()

    def shadow_of(self, stage: Stage) -> Shadow:
        """The shadow that a stage which clears casts: the newest, where a live run has changed its settings."""
        return next(shadow for shadow in reversed(self.shadows) if shadow.rule == stage.transform)

    def space_of(self, shadow: Shadow) -> int:
        """Where in the pool the shadow's messages begin."""
        return (list(self.shadows).index(shadow) + 1) * SPACE

    def origin(self, part: Range) -> Range | None:
        """Which of the session's messages these are, emptied or not; None for what was added."""
        start, stop = part
        if start >= SPACE:
            return start % SPACE, (stop - 1) % SPACE + 1
        size = len(self.base.messages)
        return None if start >= size else (start, min(stop, size))


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

    def __getitem__(self, index: int) -> Message:
        """The message at one place of the window. Raises IndexError outside it."""
        return self.pool.message(self.at(index))

    def at(self, index: int) -> int:
        """The pool index of the message at one place of the window. Raises IndexError outside it."""
        left = index
        for a, b in self.ranges:
            if left < b - a:
                return a + left
            left -= b - a
        raise IndexError(index)

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
        counts = policy.trigger.counts
        if counts in ("active", "spoken"):
            return sum(self.pool.counted(part, counts) for part in self.ranges)
        return self.tokens

    def cut(self, start: int, stop: int) -> Ranges:
        """The ranges of the messages from index `start` up to `stop` of the window."""
        parts, first = list[Range](), 0
        for part in self.ranges:
            last = first + part[1] - part[0]
            if start <= first and last <= stop:
                parts.append(part)  # the same pair, not an equal one: thousands of layouts share theirs
            elif first < stop and start < last and start < stop:
                a = part[0] - first
                parts.append((a + max(start, first), a + min(stop, last)))
            first = last
        return tuple(parts)

    def grown(self, start: int, stop: int) -> "Window":
        """The window with the pool's messages from `start` up to `stop` at its end."""
        grown = Window(self.pool, joined((*self.ranges, (start, stop))))
        return grown.knowing(self.tokens + self.pool.tokens((start, stop))) if "tokens" in self.__dict__ else grown

    def front(self) -> Iterator[Message]:
        """The messages in order, one at a time."""
        for part in self.ranges:
            for index in range(*part):
                yield self.pool.message(index)

    def back(self) -> Iterator[Message]:
        """The messages from the newest to the oldest, one at a time."""
        for a, b in reversed(self.ranges):
            for index in range(b - 1, a - 1, -1):
                yield self.pool.message(index)

    def parts(self, index: int, since: int = 0) -> bool:
        """Whether a cut before this message of the session would part a tool pair or a reply of several messages.

        A call that is never answered is parted by every cut behind it, but for those made before index `since`.
        """
        waiting, open_ = 0, self.pool.base.open
        for start, (a, b) in self.origins():
            if index < start:
                return waiting > 0
            stop = min(b, a + index - start)
            waiting += open_[stop] - open_[min(stop, max(a, a + since - start))]
            if waiting > 0 or (index <= start + b - a and self._inside(a, stop, index)):
                return True
        return waiting > 0

    def _inside(self, first: int, stop: int, index: int) -> bool:
        """Whether a cut at the window's index, before the session's message `stop`, falls inside a pair or a reply.

        `first` is where the stretch around it begins. A pair whose call is not in the window any more is none.
        """
        base = self.pool.base
        followed = index == len(self) or self.at(index) % SPACE == stop
        if not followed or not base.inside[stop]:
            return False
        if not base.inside[first]:  # nothing reaches in from before the stretch
            return True
        held = (k for _, (a, b) in self.origins() for k in range(a, min(b, stop)) if k in base.bound)
        return any(result >= stop for k in held for result in base.bound[k]) or base.continues(first, stop)

    def origins(self) -> Sequence[tuple[int, Range]]:
        """Where in the window each stretch of the session's own messages begins, and which they are."""
        return self._origins

    @cached_property
    def _origins(self) -> list[tuple[int, Range]]:
        first, size, found = 0, len(self.pool.base.messages), list[tuple[int, Range]]()
        for a, b in self.ranges:
            if a < size:
                found.append((first, (a, min(b, size))))
            elif a >= SPACE:
                found.append((first, (a % SPACE, (b - 1) % SPACE + 1)))
            first += b - a
        return found


def whole(messages: Sequence[Message], tokens: Sequence[int], shadows: Sequence[Shadow] = ()) -> Window:
    """All these messages as one window."""
    base = Measured(messages, tokens)
    return Window(Pool(base, shadows=shadows), joined(((0, len(base.messages)),)))


def joined(ranges: Ranges) -> Ranges:
    """The same messages in as few ranges as can be."""
    parts: list[Range] = []
    for part in ranges:
        a, b = part
        if a == b:
            continue
        if parts and parts[-1][1] == a:
            parts[-1] = (parts[-1][0], b)
        else:
            parts.append(part)
    return tuple(parts)


def without(ranges: Ranges, taken: Ranges) -> Ranges:
    """The ranges without what lies in `taken`."""
    cuts = _merged(taken) if len(taken) > 1 else taken
    ends = [b for _, b in cuts]
    left: list[Range] = []
    for part in ranges:
        a, b = part
        k = bisect_right(ends, a)
        if k >= len(cuts) or cuts[k][0] >= b:
            left.append(part)
            continue
        while k < len(cuts) and cuts[k][0] < b:
            left.append((a, cuts[k][0]))
            a, k = cuts[k][1], k + 1
        left.append((a, b))
    return joined(tuple(part for part in left if part[0] < part[1]))


def _merged(ranges: Ranges) -> Ranges:
    """The same places in order, each once."""
    parts: list[Range] = []
    for a, b in sorted(ranges):
        if parts and a <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(b, parts[-1][1]))
        else:
            parts.append((a, b))
    return tuple(parts)


def replaced(layout: Ranges, groups: Sequence[Range], put: Sequence[Range]) -> Ranges:
    """The layout with each of these ranges, in the order of the layout, replaced by what was put in for it."""
    parts, k = list[Range](), 0
    for part in layout:
        a, b = part
        while k < len(groups) and a <= groups[k][0] < b:
            parts += [(a, groups[k][0]), put[k]]
            a, k = groups[k][1], k + 1
        parts.append(part if a == part[0] else (a, b))
    return joined(tuple(part for part in parts if part[0] < part[1]))
