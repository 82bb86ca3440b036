"""A simulation as far as one moment, to see whether a text is still in the window there."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.engine.policies_used import for_session_model
from core.entities.search import Wanted, says
from core.meters import Meter
from core.model.session import Session
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Compaction
from core.why.price import Price
from core.why.runs import Runs, Simulated
from core.why.target import Target
from core.window.measured import Measured
from core.window.ranges import ADDED, SPACE, Range, Ranges
from core.window.window import Pool


@dataclass(frozen=True)
class Question:
    """A text, the places of the messages that have it, and the moment at which it should be in the window.

    With `verbatim` a summary that says it does not count. With `throughout` it should never leave from where it is first said.
    """

    wanted: Wanted
    places: Sequence[int]
    target: Target
    verbatim: bool = False
    throughout: bool = False

    @property
    def first(self) -> int:
        """The place of the first message that has it."""
        return self.places[0]

    def kept(self, pool: Pool, compactions: Sequence[Compaction]) -> bool:
        """Whether the window of a run at that moment has the text; the layout says so, no window is built."""
        known: dict[int, bool] = {}
        if self.throughout and self.left_by(pool, compactions, self.first, known) is not None:
            return False
        return self.in_layout(pool, self.target.layout(compactions), known)

    def left_by(
        self, pool: Pool, compactions: Sequence[Compaction], since: int, known: dict[int, bool]
    ) -> Compaction | None:
        """The first of these compactions, behind so many messages, that leaves nothing of it."""
        later = (c for c in compactions if c.at > since)
        return next((c for c in later if not self.in_layout(pool, c.layout_after, known)), None)

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
    """What all trials of one question share: the session, its measured messages, the meter, and how often one may look.

    With `runs` they look at those that other questions have made.
    """

    session: Session
    base: Measured
    meter: Meter
    most: int
    runs: Runs | None = None


class Trial:
    """A session under a policy, simulated as far as a question's moment; further for its price. Raises TooLongError."""

    def __init__(
        self, ground: Ground, policy: Policy, summarizer: Summarizer | None, pinned: Sequence[int] = ()
    ) -> None:
        self.ground, self.policy = ground, for_session_model(policy, ground.session)
        made = Simulated if ground.runs is None else ground.runs.of
        self._run = made(ground.base, ground.meter, self.policy, summarizer, pinned)
        self._seen = 0  # compactions of the run that this trial has looked at
        self.complete = False  # whether it came to the moment that was asked about
        self._known: dict[int, bool] = {}

    @property
    def pinned(self) -> frozenset[int]:
        """The places of the messages that are pinned."""
        return self._run.pool.pinned

    @property
    def compactions(self) -> Sequence[Compaction]:
        """The compactions as far as it has looked."""
        return self._run.compactions[: self._seen]

    def keeps(self, question: Question) -> bool:
        """Whether the text is in the window at the moment of the question; of one question only."""
        while self._go_on(question.target):
            if self._is_lost(question, self._last):
                return False
        self.complete = True
        return question.in_layout(self._run.pool, question.target.layout(self.compactions), self._known)

    def until(self, question: Question) -> int | None:
        """Which compaction behind the moment of a question, from 0, leaves nothing of a text that is kept up to there."""
        _ = self.price  # so that the whole run is known
        later = [c for c in self.compactions if question.target.passed_by(c)]
        lost = question.left_by(self._run.pool, later, 0, {})
        return next((k for k, c in enumerate(self.compactions) if c is lost), None)

    def falls_next(self, question: Question) -> bool:
        """Whether a text that is kept to the end would go with the next compaction, if that came there.

        That is what the policy does when it is asked to act. Where it does something else than at its last compaction, when
        it is asked there, nobody knows what the next one does.
        """
        _, arrived = self.price, len(self.ground.base.messages)
        if not self.compactions:
            return False
        last, end = self.compactions[-1], Target(arrived, after=True).layout(self.compactions)
        again, _ = self._run.forced(last.layout_before, last.at)
        if [edit.ranges for edit in again.edits] != [edit.ranges for edit in last.edits]:
            return False
        coming, pool = self._run.forced(end, arrived)
        return coming.acted and not question.in_layout(pool, coming.layout_after, {})

    def answers(self, question: Question) -> bool:
        """Whether the text is in the window at the moment of a question, of a run that has come there."""
        return question.kept(self._run.pool, self.compactions)

    def _is_lost(self, question: Question, last: Compaction) -> bool:
        """Whether the text has left the window and cannot be there again; a view may bring it back."""
        if question.target.passed_by(last) or (question.throughout and last.at <= question.first):
            return False
        if not question.throughout and (self.policy.effect == "view" or question.comes_again(last.at)):
            return False
        return not question.in_layout(self._run.pool, last.layout_after, self._known)

    @cached_property
    def price(self) -> Price:
        """What the whole run costs."""
        found = self._run.price
        self._seen = len(self._run.compactions)
        return found

    @property
    def _last(self) -> Compaction:
        return self._run.compactions[self._seen - 1]

    def _go_on(self, target: Target) -> bool:
        """Look at the next compaction; False where there is none, or the last one comes later than the target."""
        if (self._seen and target.passed_by(self._last)) or self._run.compaction(self._seen, self.ground.most) is None:
            return False
        self._seen += 1
        return True
