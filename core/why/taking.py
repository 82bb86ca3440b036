"""How a policy's rule took one message of a window: what it keeps, and where the message stood, in the rule's own unit."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from core.policy.formula import names_in
from core.policy.policy import Policy
from core.policy.rules import Boundary
from core.policy.vocabulary import Formula, Size, Stage
from core.trace.compaction import Compaction
from core.window.grouped import size
from core.window.ranges import ADDED, SPACE, without
from core.window.window import Window

_ENDLESS = 1_000_000_000  # what a formula says where a limit is switched off
_WHERE = {
    "off_results": "past tool results",
    "pairs": "to where no tool pair is parted",
}


class _Amount(NamedTuple):
    """What a size keeps, in words, and how much that is beside what a message would need to be within it."""

    words: str
    keeps: float
    needs: int
    position: str

    @property
    def reaches(self) -> bool:
        """Whether the size by itself would have kept the message."""
        return self.needs <= self.keeps


@dataclass(frozen=True)
class Taking:
    """One message that a stage of a policy took out of a window, or emptied in it; `place` is that of the pool."""

    window: Window
    policy: Policy
    stage: Stage
    compaction: Compaction
    place: int

    @property
    def rule(self) -> str:
        """What the stage keeps: "keeps the newest 8 messages (keep_recent)"."""
        scope = self.stage.scope
        verb = "leaves" if self.stage.transform.kind == "clear" else "keeps"
        whole = " as they are" if verb == "leaves" else ""
        if scope.evict is not None or scope.reach is not None:
            return f"takes the oldest {self._what} first, here {self._gone:,}{self._named(scope.evict)}"
        if self._amounts and not (scope.cut and len(self._amounts) > 1):
            which = {"longest": "whichever reaches further", "shortest": "whichever is shorter"}[scope.of_tails]
            parts = " or ".join(amount.words for amount in self._amounts)
            return f"{verb} {parts}{f', {which}' if len(self._amounts) > 1 else ''}{whole}{self._beyond}"
        if scope.cut:
            return (
                f"cuts by a rule of its own{self._all_named}, here before the newest {_count(self._stayed, 'message')}"
            )
        return f"keeps no message behind its head word for word{self._protected}"

    @property
    def position(self) -> str:
        """Where the message stood: "was 57th from the end"."""
        if self.stage.scope.evict is not None or self.stage.scope.reach is not None:
            return f"was {self._from_front}"
        amounts = self._amounts
        if not amounts:
            return f"was {ordinal(len(self.window) - self._index)} from the end"
        short = [amount for amount in amounts if not amount.reaches]
        told = f"was {(short or amounts)[0].position}"
        if not short or (len(short) < len(amounts) and self.stage.scope.of_tails == "longest"):
            stayed = f"only the newest {_count(self._stayed, 'message')}" if self._stayed else "no message at the end"
            return f"{told}, but {self._moved}{stayed} stayed"
        return told

    @property
    def _from_front(self) -> str:
        """Where it stood counted from the front, in what the stage counts."""
        if self._what == "messages":
            return f"{ordinal(self._index + 1)} of {len(self.window):,} in the window"
        base = self.window.pool.base
        upto = self._among(base.results, 0, self._index + 1)
        return f"the {ordinal(max(1, upto))} of {_count(self._among(base.results, 0), 'tool result')} in the window"

    @cached_property
    def _index(self) -> int:
        """Where in the window the message stood, or the first of its kind."""
        place, first = self.place, 0
        for a, b in self.window.ranges:
            same = place if a <= place < b else self._own(a, b)
            if same is not None:
                return first + same - a
            first += b - a
        return 0

    def _own(self, a: int, b: int) -> int | None:
        """Its place in a stretch that holds it otherwise than the compaction named it, emptied or whole."""
        own = self.window.pool.origin((a, b))
        place = self.place % SPACE
        return (
            None
            if own is None or self.place in range(ADDED, SPACE) or not own[0] <= place < own[1]
            else a + place - own[0]
        )

    @property
    def _stayed(self) -> int:
        """How many of the newest messages stayed as they were."""
        taken = tuple(part for edit in self.compaction.edits for part in edit.ranges)
        count = 0
        for part in reversed(self.compaction.layout_before):
            left = without((part,), taken)
            stays = left[-1] if left and left[-1][1] == part[1] else (0, 0)
            count += stays[1] - stays[0]
            if stays != part:
                break
        return count

    @property
    def _gone(self) -> int:
        """How many messages it took or emptied in all."""
        return sum(b - a for edit in self.compaction.edits for a, b in edit.ranges)

    @property
    def _what(self) -> str:
        return "tool results" if self.stage.transform.kind == "clear" else "messages"

    @cached_property
    def _amounts(self) -> list[_Amount]:
        return list(self._sized())

    def _sized(self) -> Iterator[_Amount]:
        for one in self.policy.tail_of(self.stage.scope):
            number = self.policy.number(one.value)
            if number >= _ENDLESS or (not number and self.stage.scope.beyond is not None):
                continue
            yield self._amount(one, number)

    def _amount(self, one: Size, number: float) -> _Amount:
        named = self._named(one.value)
        if one.unit in ("tokens", "fraction"):
            keeps = int(number) if one.unit == "tokens" else max(1, int(self.policy.names["window"] * float(number)))
            least = "at least " if self.stage.scope.fit == "reach" else ""
            needs = self._tokens_from(self._index)
            return _Amount(f"{least}the newest {keeps:,} tokens{named}", keeps, needs, f"{needs:,} tokens from the end")
        keeps, unit = int(number), one.unit
        if unit == "messages":
            needs = size(self.window, self.policy.grouping, self._index)
        else:
            needs = self._count_from(self._index, unit)
        what = {"messages": "message", "turns": "turn"}.get(unit, "tool group" if self._digests else "tool result")
        of = "" if unit == "messages" else f" {what}"
        where = (
            f"{ordinal(needs)}{of} from the end" if unit == "messages" else f"in the {ordinal(needs)}{of} from the end"
        )
        if unit == "results":
            where = f"the {ordinal(needs)}{of} from the end"
        return _Amount(f"the newest {_count(keeps, what)}{named}", keeps, needs, where)

    @property
    def _digests(self) -> bool:
        return self.stage.transform.kind == "digest"

    def _tokens_from(self, index: int) -> int:
        return sum(map(self.window.pool.tokens, self.window.cut(index, len(self.window))))

    def _count_from(self, index: int, unit: str) -> int:
        """Turns or results from a message to the end, its own among them."""
        base = self.window.pool.base
        if unit == "turns":
            return self._among(base.turn_starts, index + 1) + 1
        return max(1, self._among(base.groups if self._digests else base.results, index))

    def _among(self, places: Sequence[int], start: int, stop: int | None = None) -> int:
        """How many of these places of the session stand in the window, from one index up to another."""
        part = self.window.cut(start, len(self.window) if stop is None else stop)
        own = (found for _, found in Window(self.window.pool, part).origins())
        return sum(bisect_left(places, b) - bisect_left(places, a) for a, b in own)

    @property
    def _beyond(self) -> str:
        beyond = self.stage.scope.beyond
        if beyond is None:
            return ""
        room = f"{self.policy.value(beyond):,} tokens of tool results{self._named(beyond)}"
        return f", and {room} in front of them" if self._amounts else f" {room} at the end as they are"

    @property
    def _protected(self) -> str:
        protect = self.stage.scope.protect
        if protect is None:
            return ""
        amount = self.policy.value(protect.size.value)
        if not amount or amount >= _ENDLESS:
            return " but what the user typed" if amount else ""
        room = _count(amount, protect.size.unit[:-1])
        return f" but what the user typed, the newest {room}{self._named(protect.size.value)}"

    @property
    def _moved(self) -> str:
        rule = self.stage.scope.cut_boundary
        where = "to where it may fall" if isinstance(rule, Boundary) or self.stage.scope.cut else _WHERE.get(rule, "")
        return f"the cut moved {where}, and " if where else ""

    def _named(self, formula: Formula | None) -> str:
        """The parameters that a formula speaks of, in brackets: with their values where it is more than a name."""
        names = [n for n in sorted(names_in(formula)) if n in self.policy.settings] if isinstance(formula, str) else []
        if not names:
            return ""
        if formula in names:
            return f" ({formula})"
        return f" ({', '.join(f'{n} {_number(self.policy.names[n])}' for n in names)})"

    @property
    def _all_named(self) -> str:
        own = (p for p in self.policy.parameters if p.kind == "number" and not p.session)
        known = [(p.name, self.policy.settings.get(p.name)) for p in own if p.name != self.policy.limit_name]
        told = ", ".join(f"{name} {_number(value)}" for name, value in known[:3] if isinstance(value, int | float))
        return f" ({told})" if told else ""


def ordinal(n: int) -> str:
    """The ordinal of a whole number in digits: "1st", "2nd", "11th", "1,057th"."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
