"""How large a session is, in the same words and by the same meter wherever it is told: header, choosers, Library, CLI."""

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass

from core.engine.default_meter import default_meter
from core.engine.replay import replay
from core.meters import Meter
from core.meters import meter as meter_called
from core.model.session import Session
from core.trace.compaction import Compaction
from core.trace.trace import Trace


@dataclass(frozen=True)
class Counts:
    """What is counted of a session: the messages that arrived, as the cursor walks them, and the `added` ones that recorded
    compactions wrote, most of them summaries. The tokens are those of both.

    `edits` are what a person removed from the window of a live run: they are no compactions.
    """

    messages: int
    added: int
    turns: int
    tokens: int
    compactions: int
    microcompactions: int
    edits: int

    @property
    def all_compactions(self) -> int:
        """Those of both kinds, as a list of sessions has them."""
        return self.compactions + self.microcompactions


def counts(session: Session, meter: Meter | None = None) -> Counts:
    """The counts of a session, its tokens by a meter (None: the one that counts it by default)."""
    return counts_of(replay(session, meter=meter or meter_called(default_meter(session))))


def counts_of(trace: Trace) -> Counts:
    """The counts of a session that was replayed, its tokens by the meter of the trace."""
    session = trace.session
    kinds = Counter(c.counted_as for c in session.compactions)
    return Counts(
        messages=len(trace.measured.messages),
        added=len(session.messages) - len(trace.measured.messages),
        turns=session.turns,
        tokens=trace.measured.running[-1] + added_tokens(trace.compactions, trace.measured.places),
        compactions=kinds["compaction"],
        microcompactions=kinds["microcompaction"],
        edits=kinds["edit"],
    )


def added_tokens(compactions: Iterable[Compaction], places: Container[str]) -> int:
    """The tokens of the messages that compactions added; of none that also arrived, and of each once."""
    added = {
        message.id: tokens
        for event in compactions
        for message, tokens in zip(event.added, event.added_tokens, strict=True)
        if message.id not in places
    }
    return sum(added.values())
