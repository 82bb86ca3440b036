"""A simulation as far as one moment, to see whether a text is still in the window there."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

from core.engine.compaction import pool_over
from core.engine.policies_used import for_session_model
from core.engine.policy_run import PolicyRun
from core.engine.removal import with_pairs
from core.engine.simulate import compactions_of
from core.entities.search import Wanted, says
from core.meters import Meter
from core.model.gc_pause import gc_paused
from core.model.session import Session
from core.policy.policy import Policy
from core.policy.vocabulary import Phase
from core.summaries.summarizers import OFFLINE, Summarizer
from core.trace.compaction import Compaction
from core.why.price import Price, price
from core.why.target import Target
from core.window.measured import Measured
from core.window.ranges import ADDED, SPACE, Range, Ranges
from core.window.window import Pool

ENDLESS = 1 << 60


class TooLongError(Exception):
    """A simulation that compacts so often that it is not worth its time."""


@dataclass(frozen=True)
class Question:
    """A text, the places of the messages that have it, and the moment at which it should be in the window.

    With `verbatim` a summary that says it does not count.
    """

    wanted: Wanted
    places: Sequence[int]
    target: Target
    verbatim: bool = False

    @property
    def first(self) -> int:
        """The place of the first message that has it."""
        return self.places[0]

    def kept(self, pool: Pool, compactions: Sequence[Compaction]) -> bool:
        """Whether the window of a run at that moment has the text; the layout says so, no window is built."""
        return self.in_layout(pool, self.target.layout(compactions), {})

    def in_layout(self, pool: Pool, layout: Ranges, known: dict[int, bool]) -> bool:
        """Whether a message of this layout has it; `known` holds what is known of those that were put in."""
        return any(self._has_one(pool, part, known) for part in layout)

    def comes_again(self, after: int) -> bool:
        """Whether a message that has it arrives between `after` messages and the moment of the question."""
        return bisect_left(self.places, after) < bisect_left(self.places, self.target.arrived)

    def _has_one(self, pool: Pool, part: Range, known: dict[int, bool]) -> bool:
        a, b = part
        if a < ADDED:
            return bisect_left(self.places, a) < bisect_left(self.places, b)
        if a >= SPACE:
            shift = a - a % SPACE
            low, high = bisect_left(self.places, a - shift), bisect_left(self.places, b - shift)
            return any(self._says(pool, place + shift, known) for place in self.places[low:high])
        return any(self._says(pool, i, known) for i in range(a, b))

    def _says(self, pool: Pool, i: int, known: dict[int, bool]) -> bool:
        """Whether a message that was put in has it, or what is left of one that had it."""
        if i not in known:
            message = pool.message(i)
            summary = message.injected in ("summary", "ack")
            known[i] = not (self.verbatim and summary) and says(message, self.wanted)
        return known[i]


@dataclass(frozen=True)
class Ground:
    """What all trials of one question share: the session, its measured messages, the meter, and how often one may look."""

    session: Session
    base: Measured
    meter: Meter
    most: int


class Trial:
    """A session under a policy, simulated as far as a question's moment; further for its price. Raises TooLongError."""

    def __init__(
        self, ground: Ground, policy: Policy, summarizer: Summarizer | None, pinned: Sequence[int] = ()
    ) -> None:
        self.ground, self.policy, self.summarizer = ground, for_session_model(policy, ground.session), summarizer
        pool = pool_over(ground.base, self.policy, ground.meter)
        pool.pinned = with_pairs(ground.base, pinned)
        self._run = _CountedRun(pool, self.policy, ground.meter, summarizer)
        self._run.most = ground.most
        self._coming: Iterator[Compaction] = compactions_of(self._run)
        self.compactions: list[Compaction] = []
        self.complete = False  # whether it came to the moment that was asked about
        self._known: dict[int, bool] = {}

    @property
    def pinned(self) -> frozenset[int]:
        """The places of the messages that are pinned."""
        return self._run.pool.pinned

    def keeps(self, question: Question) -> bool:
        """Whether the text is in the window at the moment of the question; of one question only."""
        pool = self._run.pool
        while self._go_on(question.target):
            if self._is_lost(question, self.compactions[-1]):
                return False
        self.complete = True
        return question.in_layout(pool, question.target.layout(self.compactions), self._known)

    def answers(self, question: Question) -> bool:
        """Whether the text is in the window at the moment of a question, of a run that has come there."""
        return question.kept(self._run.pool, self.compactions)

    def _is_lost(self, question: Question, last: Compaction) -> bool:
        """Whether the text has left the window and cannot be there again; a view may bring it back."""
        if self.policy.effect == "view" or question.target.passed_by(last) or question.comes_again(last.at):
            return False
        return not question.in_layout(self._run.pool, last.layout_after, self._known)

    @cached_property
    def price(self) -> Price:
        """What the whole run costs."""
        self._run.most = ENDLESS  # it was not too long as far as the moment
        while self._go_on(None):
            pass
        return price(self.compactions, self.ground.base)

    def _go_on(self, target: Target | None) -> bool:
        """Simulate the next compaction; False where there is none, or the last one comes later than the target."""
        if target is not None and self.compactions and target.passed_by(self.compactions[-1]):
            return False
        offline = self.summarizer is None or isinstance(self.summarizer, OFFLINE)
        with gc_paused() if offline else nullcontext():
            found = next(self._coming, None)
        if found is not None:
            self.compactions.append(found)
        return found is not None


class _CountedRun(PolicyRun):
    """A run of a policy that may be asked only so often."""

    most = 0
    attempts = 0

    def attempt(
        self, at: int, phase: Phase | None = None, rules: Policy | None = None, force: bool = False
    ) -> Compaction:
        """The same as ever, as long as it is not too often."""
        self.attempts += 1
        if self.attempts > self.most:
            raise TooLongError
        return super().attempt(at, phase, rules, force)
