"""What happened to a text: where it was said, what took it, and whether the summaries kept it."""

from collections.abc import Iterator, Sequence, Set
from typing import Literal, NamedTuple

from core.trace.trace import Trace
from core.why.hits import Slice, TextHits
from core.why.lane import Change, Lane
from core.window.ranges import ADDED
from core.window.window import Pool

Kind = Literal["said", "read_again", "taken", "in_summary", "left_out", "needed"]
By = Literal["", "text", "name", "words", "against", "asked", "repeated", "pasted"]
PUTS_BACK: tuple[By, ...] = ("repeated", "pasted")
"""How a user puts back what was needed: by saying it again, or by pasting what the model wrote."""
BY_USER: tuple[By, ...] = ("asked", *PUTS_BACK)
"""How a user tells what was needed: by asking for it again, or by putting it back."""


class Event(NamedTuple):
    """One thing that happened to the text at a step.

    `place` is the message in the pool and `message` its id; `compaction` counts from 1 as people count, 0 where it is none.
    `tokens` are those of the message, of what was taken those of all messages that had the text. Of what is needed `match` says
    how it was told: by what the model wrote, "against" by words of one that does what the text forbids, or one of BY_USER;
    `words` of the message tell it, the most telling first.
    """

    step: int
    kind: Kind
    message: str
    place: int
    compaction: int = 0
    tokens: int = 0
    match: By = ""
    words: tuple[str, ...] = ()

    @property
    def evidence(self) -> str:
        """The word of the message that tells most; "" where none does."""
        return self.words[0] if self.words else ""

    @property
    def lacked_at(self) -> int:
        """Of a need the step whose window should have had it: the one before a user puts it back."""
        return self.step - (self.match in PUTS_BACK)


def arrivals(trace: Trace, lane: Lane, needed: Set[int]) -> Iterator[Event]:
    """Every message that arrives with the text, but for the places where the model needed it."""
    messages, tokens, first = trace.messages, trace.tokens, lane.first_said
    for place, step in lane.arrivals():
        if place not in needed:
            message = messages[place]
            again = message.role == "tool" and step > first
            yield Event(step, "read_again" if again else "said", message.id, place, 0, tokens[place])


def compacted(trace: Trace, lane: Lane) -> Iterator[Event]:
    """What the compactions did to the text, in order."""
    put, hits, pool = 0, lane.hits, trace.pool
    for k in range(len(trace.compactions)) if pool.added else sorted(lane.changes):
        found = trace.compactions[k]
        put, added = put + len(found.added), put
        if k in lane.changes:
            yield from _taken(pool, hits, lane.changes[k], k, found.at + k)
        if put > added:
            has = hits.inside((ADDED + added, ADDED + put))
            if has or lane.before(k):
                yield from _put_in(trace, hits, k, range(added, put), has)


def _taken(pool: Pool, hits: TextHits, change: Change, k: int, step: int) -> Iterator[Event]:
    """That compaction k, at a step, took messages which had the text."""
    stays = set(change.came)
    places = [place for a, b in change.before for place in hits.places[a:b]]
    gone = [place for place, own in zip(places, change.gone, strict=True) if own not in stays]
    if gone:
        tokens = sum(pool.tokens((place, place + 1)) for place in gone)
        yield Event(step, "taken", pool.message(gone[0]).id, gone[0], k + 1, tokens)


def _put_in(trace: Trace, hits: TextHits, k: int, added: range, has: Slice | None) -> Iterator[Event]:
    """What the messages that compaction k put in say of the text; `has` are the hits among them."""
    found, step = trace.compactions[k], trace.compaction_step(k)
    said = [place - ADDED - added.start for place in hits.places[slice(*has)]] if has else []
    summary = next((i for i, message in enumerate(found.added) if message.injected == "summary"), -1)
    if summary >= 0 and (summary in said or _summarised(hits, trace, k)):
        kind: Kind = "in_summary" if summary in said else "left_out"
        yield _added(kind, step, trace, k, summary, added)
    for i in said:
        if found.added[i].injected not in ("summary", "ack", "cleared"):
            yield _added("said", step, trace, k, i, added)


def _added(kind: Kind, step: int, trace: Trace, k: int, i: int, added: Sequence[int]) -> Event:
    found = trace.compactions[k]
    return Event(step, kind, found.added[i].id, ADDED + added[i], k + 1, found.added_tokens[i])


def _summarised(hits: TextHits, trace: Trace, k: int) -> bool:
    """Whether compaction k summarized a message that has the text."""
    return bool(hits.cut(trace.compactions[k].ranges_of("summarised")))
