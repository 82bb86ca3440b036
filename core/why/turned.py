"""A parameter turned until a text is kept."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import NamedTuple

from core.model.errors import FoldlineError
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer
from core.why.inquiry import Inquiry
from core.why.knobs import Knob
from core.why.least import least, settled
from core.why.runs import TooLongError
from core.why.same_run import only_triggers, same_run
from core.why.trial import Question, Trial

_REACH = 6  # doublings: how far above a guess the truth is sought


class Found(NamedTuple):
    """The index of a value that keeps the text, its trial, and whether all values nearer to today's were found not to."""

    nearest: int
    trial: Trial
    proved: bool


class Turned:
    """The trials of one knob, each made once: first with stand-ins for summaries where a run is long."""

    def __init__(self, inquiry: Inquiry, policy: Policy, knob: Knob) -> None:
        self._inquiry, self._rule, self._knob = inquiry, policy, knob
        self._real = _Trials(self, inquiry.question, None)

    def search(self) -> "Found | None":
        """The value nearest to today's that is found to keep the text; None where none does."""
        inquiry, real = self._inquiry, self._real
        if inquiry.quick(self._rule):
            found = least(len(self._knob.values), real.keeps, inquiry.scan, real.same)
        else:
            found = self._guessed()
        if found is None or real.trial(found) is None:
            return None
        nearest, proved = self._nearest(found)
        trial = real.trial(nearest)
        assert trial is not None
        return Found(nearest, trial, proved)

    def _nearest(self, found: int) -> tuple[int, bool]:
        """The nearest value of all up to one that keeps the text, and whether each before it is known not to.

        The effect of a value need not be monotone. So each is tried of which no run before tells, as many as may be scanned.
        """
        real, left, k = self._real, self._inquiry.scan, 0
        while k < found:
            left -= not real.knows(k)
            if left < 0 or (real.keeps(k) and real.trial(k) is None):
                return found, False
            if real.keeps(k):
                return k, True
            k = real.same(k)[1] + 1
        return found, True

    def _guessed(self) -> int | None:
        """The same by a guess that is proved: where a guess at a summary is wrong, by what stays word for word."""
        inquiry, count, real, guess = self._inquiry, len(self._knob.values), self._real, 0
        loose = _Trials(self, inquiry.question, inquiry.late)
        for trials in (loose, _Strict(loose, replace(inquiry.question, verbatim=True))):
            first = least(count, trials.keeps, min(inquiry.scan, 8), trials.same) if self._matters(trials) else None
            if first is None:
                return None
            guess = first
            if real.keeps(guess):
                break
        return settled(guess, count, real.keeps, real.same, _REACH)

    def trial(self, k: int, write: Summarizer | None) -> Trial:
        """A run with one of the values. Raises FoldlineError where the policy refuses it."""
        settings = {**self._rule.settings, self._knob.name: self._knob.values[k]}
        return self._inquiry.trial(self._rule.with_settings(settings), write)

    def same(self, k: int, trial: Trial) -> tuple[int, int]:
        """The first and the last value that give the very same run as one of them."""
        values = self._knob.values
        if not (isinstance(values, range) and values.step == 1 and self._is_limit):
            return k, k
        found = same_run(trial.policy, values[k], trial.compactions, self._upto(trial), self._inquiry.base)
        return max(0, found.start - values.start), min(len(values) - 1, found.stop - 1 - values.start)

    def _upto(self, trial: Trial) -> int:
        """As far as the run is known: to the moment of the question, or to where the text was lost."""
        arrived = self._inquiry.question.target.arrived
        return arrived if trial.complete else min(arrived, trial.compactions[-1].at)

    @property
    def _is_limit(self) -> bool:
        return self._knob.name == self._rule.limit_name and only_triggers(self._rule, self._knob.name)

    def _matters(self, trials: "_Asked") -> bool:
        """Whether the farthest value makes any difference to the run."""
        far = trials.trial(len(self._knob.values) - 1)
        return far is None or [c.layout_after for c in far.compactions] != self._inquiry.layouts_now


class _Asked(ABC):
    """Whether the values of a knob keep a text, by index, each tried once; None for a trial that is too long, or refused."""

    def __init__(self, turned: Turned, question: Question) -> None:
        self._turned, self._question = turned, question
        self._made = dict[int, tuple[bool, Trial | None]]()

    def trial(self, k: int) -> Trial | None:
        """The trial of one value."""
        self.keeps(k)
        return self._made[k][1]

    def knows(self, k: int) -> bool:
        """Whether a value was tried."""
        return k in self._made

    def same(self, k: int) -> tuple[int, int]:
        """The first and last value whose run is the same."""
        trial = self.trial(k)
        return self._turned.same(k, trial) if trial else (k, k)

    def keeps(self, k: int) -> bool:
        """Whether a value keeps the text, or takes too long: then no larger one is of use either."""
        if k not in self._made:
            self._made[k] = self._tried(k)
        return self._made[k][0]

    @abstractmethod
    def _tried(self, k: int) -> tuple[bool, Trial | None]: ...


class _Trials(_Asked):
    """The trials of one question with one way to write summaries."""

    def __init__(self, turned: Turned, question: Question, write: Summarizer | None) -> None:
        super().__init__(turned, question)
        self._write = write

    def _tried(self, k: int) -> tuple[bool, Trial | None]:
        try:
            trial = self._turned.trial(k, self._write)
            return trial.keeps(self._question), trial
        except TooLongError:
            return True, None
        except FoldlineError:
            return False, None


class _Strict(_Asked):
    """The same trials, asked a question that no more windows answer than the one they were made for: none runs again."""

    def __init__(self, loose: _Trials, question: Question) -> None:
        super().__init__(loose._turned, question)
        self._loose = loose

    def _tried(self, k: int) -> tuple[bool, Trial | None]:
        kept, trial = self._loose.keeps(k), self._loose.trial(k)
        return kept and (trial is None or trial.answers(self._question)), trial
