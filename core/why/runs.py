"""Simulations that one or more questions look at: each is made once, and only as far as somebody looked."""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import nullcontext
from functools import cached_property
from itertools import count, islice

from core.engine.compaction import compact_window, pool_over
from core.engine.policy_run import PolicyRun
from core.engine.removal import with_pairs
from core.engine.simulate import compactions_of
from core.meters import Meter
from core.model.gc_pause import gc_paused
from core.policy.policy import Policy
from core.policy.vocabulary import Phase
from core.summaries.summarizers import OFFLINE, Summarizer
from core.trace.compaction import Compaction
from core.why.price import Price, price
from core.window.measured import Measured
from core.window.ranges import Ranges
from core.window.window import Pool, Window

_ENDLESS = 1 << 60


class TooLongError(Exception):
    """A simulation that compacts so often that it is not worth its time."""


class Simulated:
    """The compactions of a policy over these messages, found one by one as somebody asks for them."""

    def __init__(
        self, base: Measured, meter: Meter, policy: Policy, write: Summarizer | None, pinned: Sequence[int]
    ) -> None:
        self._base, self._meter, self._policy, self._write, self._pinned = base, meter, policy, write, pinned
        self.compactions: list[Compaction] = []
        self._attempts: list[int] = []  # that the policy had made by each of them, then by the end
        self._over = False
        self._given_up = 0  # after so many attempts; 0 where it may go on
        self._begin()

    def _begin(self) -> None:
        """Begin anew; what is known already comes out the same."""
        pool = pool_over(self._base, self._policy, self._meter)
        pool.pinned = with_pairs(self._base, self._pinned)
        self._run = _CountedRun(pool, self._policy, self._meter, self._write)
        self._coming: Iterator[Compaction] = islice(compactions_of(self._run), len(self.compactions), None)
        self._given_up = 0

    @property
    def pool(self) -> Pool:
        """The messages, and what the compactions put in."""
        return self._run.pool

    def compaction(self, k: int, most: int) -> Compaction | None:
        """Compaction k, None where there are fewer. Raises TooLongError where it takes more than so many attempts."""
        while k >= len(self.compactions) and not self._over:
            self._go_on(most)
        if self._attempts[min(k, len(self.compactions))] > most:
            raise TooLongError
        return self.compactions[k] if k < len(self.compactions) else None

    def forced(self, layout: Ranges, at: int) -> tuple[Compaction, Pool]:
        """What the policy does to a window where it is asked to act, over a pool of its own."""
        pool = self.pool.copy()
        window = Window(pool, layout)
        return compact_window(window, self._policy, meter=self._meter, summarizer=self._write, force=True, at=at), pool

    def _go_on(self, most: int) -> None:
        """Find the next one, or that there is none."""
        if self._given_up >= most:
            raise TooLongError
        if self._given_up:
            self._begin()
        self._run.most = most
        offline = self._write is None or isinstance(self._write, OFFLINE)
        try:
            with gc_paused() if offline else nullcontext():
                found = next(self._coming, None)
        except BaseException as error:  # which ends what was coming
            self._given_up = most if isinstance(error, TooLongError) else 1
            raise
        self._attempts.append(self._run.attempts)
        self._over = found is None
        self.compactions += [found] if found else []

    @cached_property
    def price(self) -> Price:
        """What the whole run costs, however often it compacts."""
        next(k for k in count() if self.compaction(k, _ENDLESS) is None)
        return price(self.compactions, self._base)


class Runs:
    """The simulations of one session under one meter, for whoever asks next."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Simulated] = {}

    def of(
        self, base: Measured, meter: Meter, policy: Policy, write: Summarizer | None, pinned: Sequence[int]
    ) -> Simulated:
        """The run of a policy with what writes its summaries and with pins."""
        key = policy, write, tuple(sorted(pinned))
        if key not in self._made:
            self._made[key] = Simulated(base, meter, policy, write, pinned)
        return self._made[key]


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
