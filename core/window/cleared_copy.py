"""The session's messages once more, as a policy leaves them when it empties or shortens them in place.

A policy that clears tool results works through a window from its old end. So what is cleared is a stretch of it, and a
window in which 40,000 results are empty is still two ranges: one over the copy, one over the messages as they came.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from core.model.session import Message
from core.window.measured import Measured


class ClearedCopy:
    """Every message as it is left: a lighter copy for those in `places`, the message itself for the others.

    Copies are made and counted when a window first reaches them, and kept: the next budget counts nothing again. `rule`
    is what they are made by. `more`, where it is given, says which places there are from one on: messages may arrive.
    """

    def __init__(
        self,
        base: Measured,
        places: Sequence[int],
        lighter: Callable[[int], Message],
        count: Callable[[Message], int],
        rule: object = None,
        more: Callable[[int], Sequence[int]] | None = None,
    ) -> None:
        self.base, self.places, self.lighter, self._count, self.rule = base, places, lighter, count, rule
        self._more, self._over = more, len(base.messages)
        self.copies: dict[int, Message] = {}
        self.tokens: dict[int, int] = {}
        self._saved, self._reached = [0], 0

    def grow(self) -> bool:
        """Take in the messages that have arrived since it was made; False where it must be made anew for that."""
        arrived = len(self.base.messages)
        if self._more is None:
            return arrived == self._over
        if arrived > self._over:
            self.places.extend(self._more(self._over))  # type: ignore[attr-defined]
            self._over = arrived
        return True

    def reach(self, stop: int) -> None:
        """Have the copies of the messages in front of `stop` ready."""
        while self._reached < len(self.places) and self.places[self._reached] < stop:
            i = self.places[self._reached]
            self.copies[i] = copy = self.lighter(i)
            self.tokens[i] = self._count(copy)
            self._saved.append(self._saved[-1] + self.base.tokens[i] - self.tokens[i])
            self._reached += 1

    def slice(self, start: int, stop: int) -> Sequence[Message]:
        """The messages from `start` up to `stop` as they are left."""
        self.reach(stop)
        copies = self.copies
        return [copies.get(i, m) for i, m in enumerate(islice(self.base.messages, start, stop), start)]

    def saved(self, start: int, stop: int) -> int:
        """Tokens that are fewer in these messages than in those they stand for."""
        self.reach(stop)
        places = self.places
        return self._saved[bisect_left(places, stop)] - self._saved[bisect_left(places, start)]

    def touches(self, start: int, stop: int) -> bool:
        """Whether any of these messages is changed."""
        return bisect_left(self.places, start) < bisect_left(self.places, stop)

    def touched(self, start: int, stop: int) -> Sequence[int]:
        """Which of these messages are changed, as places in the session."""
        return self.places[bisect_left(self.places, start) : bisect_left(self.places, stop)]

    def end(self, start: int, stop: int) -> int:
        """The place behind the last of these messages that is changed; `start` if none is."""
        found = bisect_left(self.places, stop) - 1
        return self.places[found] + 1 if found >= 0 and self.places[found] >= start else start

    def counted(self, known: Mapping[int, int]) -> None:
        """Take these tokens for those of the copies, by place, instead of counting: as a trace kept them."""
        self._count = _no_meter
        for i in sorted(known):
            self.copies[i], self.tokens[i] = self.lighter(i), known[i]
            self._saved.append(self._saved[-1] + self.base.tokens[i] - known[i])
            self._reached += 1

    def carry_on(self, before: "ClearedCopy") -> None:
        """Take the copies of the same rule over fewer messages, as far as they are for the same places."""
        same = zip(self.places, before.places[: before._reached], strict=False)
        for i, other in same:
            if i != other:
                break
            self.copies[i], self.tokens[i] = before.copies[i], before.tokens[i]
            self._saved.append(self._saved[-1] + self.base.tokens[i] - self.tokens[i])
            self._reached += 1

    @property
    def known(self) -> dict[int, int]:
        """The tokens of the copies made so far, by place."""
        return dict(self.tokens)


def _no_meter(message: Message) -> int:
    """What no trace has counted counts nothing."""
    return 0
