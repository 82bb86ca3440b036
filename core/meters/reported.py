"""The meter that reads the recorded usage: the output of each reply, the growth of the prompt between two.

A reply has the recorded tokens of its output. The prompt of the next reply is longer by that output and by the messages
that arrived between, so the rest of the growth is the tokens of those messages together; each gets a share in proportion
to its o200k_base count. Where usage tells nothing, o200k_base counts: for messages before the first reply, whose prompt
also holds tools and instructions, and where the prompt shrank or a compaction lies between.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from core.meters.base import MeterInfo, Tally
from core.meters.counted import O200kBase
from core.model.errors import ParameterError
from core.model.session import Message, Session, Usage
from core.trace.trace import conversation

NO_USAGE = "the transcript records no usage, so the meter reported cannot count it"
INSTEAD = "use the meter o200k_base, which counts every transcript"


class Reported:
    """Tokens as the provider reported them; `bound(meter, session)` gives the meter that can count."""

    info = MeterInfo(
        name="reported",
        how="recorded",
        about="the recorded output of each reply and the growth of the prompt between replies; the rest by o200k_base",
        source="the usage in the transcript itself",
    )

    def count(self, message: Message) -> int:
        """Raises ParameterError: usage is recorded for a session, not for a message."""
        raise ParameterError("the meter reported counts only the messages of a session", INSTEAD)

    def bind(self, session: Session, counted: Sequence[int]) -> "ReportedHere":
        """The meter for this session; `counted` are the o200k_base tokens of its conversation.

        Raises ParameterError if the session records no usage.
        """
        if not any(m.usage for m in session.messages):
            raise ParameterError(NO_USAGE, INSTEAD)
        messages, tokens = conversation(session), list(counted)
        recorded = sorted(c.at for c in session.compactions)
        known = dict(_recorded(messages, tokens, recorded))
        return ReportedHere(messages, [known.get(i, t) for i, t in enumerate(tokens)], len(known), session.model)


class ReportedHere:
    """The recorded tokens of the messages of one session; any other message is counted by o200k_base."""

    info = Reported.info

    def __init__(self, messages: Sequence[Message], tokens: list[int], known: int, model: str = "") -> None:
        self._known = {m.id: (m, t) for m, t in zip(messages, tokens, strict=True)}
        self._without = len(messages) - known
        self._other = O200kBase(model)

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        original, tokens = self._known.get(message.id, (None, 0))
        return tokens if original is message or original == message else self._other.count(message)

    def tally(self, messages: Sequence[Message]) -> Tally:
        """Tokens of each message, with a note on how many of the session's are not recorded."""
        note = f"{self._without:,} of {len(self._known):,} messages have no recorded tokens: counted by o200k_base"
        return Tally([self.count(m) for m in messages], (note,) if self._without else ())


def _recorded(
    messages: Sequence[Message], counted: Sequence[int], compactions: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Index and tokens of every message whose tokens are recorded."""
    replies = [(i, m.usage) for i, m in enumerate(messages) if m.role == "assistant" and m.usage]
    yield from ((i, usage.output) for i, usage in replies)
    for (i, one), (j, other) in pairwise(replies):
        if bisect_right(compactions, i) == bisect_right(compactions, j):
            yield from zip(range(i + 1, j), _shares(growth(one, other), counted[i + 1 : j]), strict=False)


def growth(one: Usage, other: Usage) -> int:
    """How many tokens longer the prompt of the reply `other` is than the prompt and the output of `one`."""
    return other.prompt - one.prompt - one.output


def _shares(total: int, weights: Sequence[int]) -> list[int]:
    """`total` in whole shares that sum to it, in proportion to the weights; none if there is nothing to share."""
    whole = sum(weights)
    if total <= 0 or not whole:
        return []
    edges = [total * passed // whole for passed in accumulate(weights, initial=0)]
    return [b - a for a, b in pairwise(edges)]
