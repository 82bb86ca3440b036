"""The window: ranges over a pool.

A window is an ordered list of messages. It is kept as ranges over a *pool*: the messages of the session in order, from
`ADDED` on whatever compactions put in, and far behind, in spaces of their own, the session's messages once more as a policy
leaves them when it empties or shortens them (`core/window/cleared_copy.py`). So a window of a thousand messages is three or
four pairs of numbers, its tokens are differences of a running sum, and 100,000 steps cost no more than their compactions.

    pool     0 1 2 3 4 5 6 7 8 9 | ADDED + 0 = summary | SPACE + 0 … SPACE + 9 = the same ten, emptied
    window   (0,1) (ADDED,ADDED+1) (7,10)  the system message, the summary, the three newest
    window   (SPACE,SPACE+6) (6,10)        the six oldest emptied, the four newest as they are
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Literal

from core.model.session import Message
from core.policy.policy import Policy
from core.policy.vocabulary import Stage
from core.window.cleared_copy import ClearedCopy
from core.window.measured import Measured, is_wordless
from core.window.ranges import ADDED, SPACE, Range, Ranges, joined

_FEW = 8  # ranges among which a place is found soonest by going through them

Region = Literal["system", "summary", "compactable", "recent", "message", "cleared", "dropped", "summarised"]


@dataclass
class Pool:
    """The measured messages, those that compactions added, and all of them as policies clear them.

    `pinned` are places of the session that a person has pinned: they stay where they would go.
    """

    base: Measured
    added: list[Message] = field(default_factory=list)
    added_tokens: list[int] = field(default_factory=list)
    cleared_copies: Sequence[ClearedCopy] = ()
    made: int = 0
    pinned: frozenset[int] = frozenset()
    _ends: dict[int, int] = field(default_factory=dict)

    def copy(self) -> "Pool":
        """A pool of the same messages, to which others can be added."""
        return replace(self, added=list(self.added), added_tokens=list(self.added_tokens), _ends={})

    def add(self, message: Message, tokens: int) -> Range:
        """Put a message in; returns its range."""
        self.added.append(message)
        self.added_tokens.append(tokens)
        end = ADDED + len(self.added)
        return (end - 1, end)

    def slice(self, part: Range) -> Sequence[Message]:
        """The messages of one range."""
        start, stop = part
        if start < ADDED:
            return self.base.messages[start:stop]
        if start < SPACE:
            return self.added[start - ADDED : stop - ADDED]
        return self.cleared_copies[start // SPACE - 1].slice(start % SPACE, (stop - 1) % SPACE + 1)

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
        if ADDED <= start < SPACE:
            return sum(self.added_tokens[start - ADDED : stop - ADDED])
        return self._difference(self.base.running, start, stop)

    def _difference(self, running: Sequence[int], start: int, stop: int) -> int:
        """What a running sum over the session's messages says of a range of them, or of a copy of them."""
        if start < ADDED:
            return running[stop] - running[start]
        a, b = start % SPACE, (stop - 1) % SPACE + 1
        return running[b] - running[a] - self.cleared_copies[start // SPACE - 1].saved(a, b)

    def each(self, part: Range) -> Sequence[int]:
        """The tokens of every message of one range."""
        start, stop = part
        if start < ADDED:
            return self.base.tokens[start:stop]
        if start < SPACE:
            return self.added_tokens[start - ADDED : stop - ADDED]
        copy, a, b = self.cleared_copies[start // SPACE - 1], start % SPACE, (stop - 1) % SPACE + 1
        copy.reach(b)
        return [copy.tokens.get(i, self.base.tokens[i]) for i in range(a, b)]

    def counted(self, part: Range, counts: str) -> int:
        """The tokens of one range as a trigger that counts so has them."""
        start, stop = part
        if ADDED <= start < SPACE:
            return sum(self._counted(i - ADDED, counts) for i in range(start, stop))
        return self._difference(self.base.counted(counts), start, stop)

    def _counted(self, k: int, counts: str) -> int:
        """Those of one message that a compaction added."""
        message = self.added[k]
        if counts == "wordless":
            return self.added_tokens[k] + is_wordless(message)
        own = message.injected == "summary" and counts == "active"
        return 0 if message.role == "system" or own else self.added_tokens[k]

    def summaries_end(self, start: int, stop: int) -> int:
        """Where the summaries and marks end with which a range of what was added begins; looked at once each."""
        end = min(self._ends.get(start, start), stop)
        while end < stop and self.added[end - ADDED].injected in ("summary", "ack", "marker"):
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

    def cleared_copy_of(self, stage: Stage) -> ClearedCopy:
        """What a stage that clears leaves: the newest, where a live run has changed its settings."""
        return next(copy for copy in reversed(self.cleared_copies) if copy.rule == stage.transform)

    def space_of(self, copy: ClearedCopy) -> int:
        """Where in the pool the copy's messages begin."""
        return (list(self.cleared_copies).index(copy) + 1) * SPACE

    def origin(self, part: Range) -> Range | None:
        """Which of the session's messages these are, emptied or not; None for what was added."""
        start, stop = part
        if start < ADDED:
            return part
        return None if start < SPACE else (start % SPACE, (stop - 1) % SPACE + 1)


@dataclass
class Window:
    """What a model call would be sent: ranges over a pool, in order. `known` are its tokens where they have been counted."""

    pool: Pool
    ranges: Ranges
    known: int | None = field(default=None, repr=False, compare=False)

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
        if len(self.ranges) > _FEW:
            return self._at_of_many(index)
        left = index
        for a, b in self.ranges:
            if left < b - a:
                return a + left
            left -= b - a
        raise IndexError(index)

    def _at_of_many(self, index: int) -> int:
        k = bisect_right(self._ends, index)
        if k == len(self.ranges):
            raise IndexError(index)
        return self.ranges[k][1] - (self._ends[k] - index)

    @cached_property
    def _ends(self) -> list[int]:
        """Where in the window each range ends."""
        return list(accumulate(b - a for a, b in self.ranges))

    @cached_property
    def messages(self) -> list[Message]:
        """The messages, in order."""
        return self.pool.listed(self.ranges)

    @property
    def tokens(self) -> int:
        """The tokens of the whole window."""
        if self.known is None:
            self.known = sum(map(self.pool.tokens, self.ranges))
        return self.known

    def counted(self, policy: Policy) -> int:
        """The tokens that the policy's trigger looks at."""
        counts = policy.trigger.counts
        if counts in ("active", "spoken", "wordless"):
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
        known = None if self.known is None else self.known + self.pool.tokens((start, stop))
        return Window(self.pool, joined((*self.ranges, (start, stop))), known)

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
        first, found = 0, list[tuple[int, Range]]()
        for part in self.ranges:
            if (own := self.pool.origin(part)) is not None:
                found.append((first, own))
            first += part[1] - part[0]
        return found


def whole(messages: Sequence[Message], tokens: Sequence[int], cleared_copies: Sequence[ClearedCopy] = ()) -> Window:
    """All these messages as one window."""
    base = Measured(messages, tokens)
    return Window(Pool(base, cleared_copies=cleared_copies), joined(((0, len(base.messages)),)))
