"""The meter that corrects a tokenizer's counts by what the session's provider recorded.

A message costs its o200k_base count, multiplied by the scale learned from the model calls made before it arrived (see
`learned_scale.py`). So its size is a fixed number that no later call changes, and sizes add up as those of any other meter.
How far they can be trusted is measured on the session itself: see `core/engine/default_meter.py`.
"""

from collections.abc import Sequence
from copy import copy

from core.meters.base import Meter, MeterInfo, Tally
from core.meters.learned_scale import learned_scales
from core.meters.openai_models import is_openai
from core.model.errors import ParameterError
from core.model.session import Message, Session
from core.window.measured import Measured

NO_USAGE = "the transcript records no usage, so the meter calibrated has nothing to learn from"
INSTEAD = "use the meter o200k_base, which counts every transcript"


def hindrance(session: Session) -> str:
    """Why no scale is learned from this session: it records no usage, or only calls of OpenAI's models; "" where one is."""
    models = {m.model or session.model for m in session.messages if m.usage}
    if not models:
        return NO_USAGE
    own = all(map(is_openai, models))
    return (
        f"the meter calibrated is not for {', '.join(sorted(models))}: use o200k_base, which counts the same way"
        if own
        else ""
    )


class Calibrated:
    """Tokens by o200k_base times a learned scale; `bound(meter, session)` gives the meter that can count."""

    info = MeterInfo(
        name="calibrated",
        how="calibrated",
        about="OpenAI's tokenizer o200k_base, times a scale per model, learned from earlier calls of the same session",
        source="the usage in the transcript itself",
    )

    def count(self, message: Message) -> int:
        """Raises ParameterError: a scale is learned from a session, not from a message."""
        raise ParameterError("the meter calibrated counts only the messages of a session", INSTEAD)

    def bind(self, session: Session, base: Measured, other: Meter, notes: tuple[str, ...] = ()) -> "CalibratedHere":
        """The meter for this session; `base` is its conversation, counted by `other`, with the notes of that count.

        Raises ParameterError if there is nothing to learn from: `hindrance`.
        """
        if why := hindrance(session):
            raise ParameterError(why, INSTEAD)
        return CalibratedHere(session, base, other, notes)


class CalibratedHere:
    """The calibrated tokens of the messages of one session.

    A message that it does not know is one that a compaction puts in: it is scaled by what was known then, which `after` says;
    else by the newest scale. A summary of the transcript costs the same wherever a simulation puts it in. What is left of an
    emptied message keeps the scale of the message.
    """

    info = Calibrated.info

    def __init__(self, session: Session, base: Measured, other: Meter, notes: tuple[str, ...]) -> None:
        self._learned, self._other, self._notes = learned_scales(session, base), other, notes
        self._now = self._learned.at[-1]
        self._scales = {m.id: scale for m, scale in zip(base.messages, self._learned.at, strict=False)}
        self._tokens = {
            m.id: (m, round(scale * tokens))
            for m, tokens, scale in zip(base.messages, base.tokens, self._learned.at, strict=False)
        }
        for event in session.compactions:
            put_in = dict.fromkeys((*event.added, event.summary or ""), self._learned.before(event.at))
            self._scales = put_in | self._scales
        summaries = {event.summary for event in session.compactions}
        self._summaries = {m.content: self._scales[m.id] for m in session.messages if m.id in summaries}

    def after(self, arrived: int) -> "CalibratedHere":
        """The same meter, for what is put in once so many messages had arrived."""
        found = copy(self)
        found._now = self._learned.before(arrived)
        return found

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        original, tokens = self._tokens.get(message.id, (None, 0))
        if original is message or original == message:
            return tokens
        scale = self._scales.get(message.id) or self._summaries.get(message.content) or self._now
        return round(scale * self._other.count(message))

    def tally(self, messages: Sequence[Message]) -> Tally:
        """Tokens of each message, with the notes of the count that is scaled."""
        return Tally([self.count(m) for m in messages], self._notes)
