"""Summaries that are written only once they may say a text: what stands in for them before takes no time."""

from collections.abc import Mapping, Sequence

from core.model.session import Message
from core.summaries.summarizers import FixedSize, Summarizer, structural
from core.trace.trace import Trace
from core.why.trial import Question
from core.window.measured import Measured


class Late:
    """A summarizer that puts a placeholder for messages that come before the first one with a text.

    What it leaves out would compete for room with the text, and so the text lives a little longer: a first guess, no proof.
    """

    name = "late"

    def __init__(self, write: Summarizer | None, base: Measured, question: Question, tokens: int) -> None:
        self._write, self._places, self._first = write or structural, base.places, question.first
        self._verbatim, self._placeholder = question.verbatim, FixedSize(tokens)
        self._key = self._write, self._first, self._verbatim, tokens

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        """Of one session: two that begin at the same message write the same, whatever moment is asked about."""
        return isinstance(other, Late) and self._key == other._key

    def __call__(self, messages: Sequence[Message], prior: str | None) -> str:
        """The summary, or what stands in for it."""
        early = self._verbatim or _newest(messages, self._places) < self._first
        return (self._placeholder if early else self._write)(messages, prior)


def mean_summary(trace: Trace) -> int:
    """The tokens of the trace's summaries on average; 300 where it has none."""
    sizes = [c.summary_tokens for c in trace.compactions if c.summary and not c.unreadable]
    return max(1, sum(sizes) // len(sizes)) if sizes else 300


def _newest(messages: Sequence[Message], places: Mapping[str, int]) -> int:
    """The place of the newest of these that is a message of the session."""
    return next((places[m.id] for m in reversed(messages) if m.id in places), -1)
