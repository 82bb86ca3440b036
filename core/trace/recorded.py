"""A run as a session: its messages, and its compactions with the new window message by message."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.model.session import Message, RecordedCompaction, Session
from core.trace.compaction import Compaction
from core.window.ranges import originals
from core.window.window import Pool


def session_of(pool: Pool, compactions: Sequence[Compaction], meter: str, model: str) -> Session:
    """The messages of a run, with those that compactions added where they came in."""
    return Session(
        model=model,
        messages=tuple(_with_added(pool, compactions)),
        compactions=tuple(recorded_of(found, pool, found.put_in, found.left, meter) for found in compactions),
        records=len(pool.base.messages),
    )


def _with_added(pool: Pool, compactions: Sequence[Compaction]) -> Iterable[Message]:
    at = 0
    for found in compactions:
        yield from pool.base.messages[at : found.at]
        yield from (m for m in found.added if m.id not in pool.base.places)
        at = found.at
    yield from pool.base.messages[at:]


def recorded_of(
    found: Compaction, pool: Pool, put_in: Iterable[Message], left: Iterable[Message], meter: str, **known: Any
) -> RecordedCompaction:
    """What a session says of this compaction.

    `put_in` are the messages it added, `left` those that stand otherwise than they came, as they were left; `meter` is what
    counted its tokens.
    """
    window = tuple(dict.fromkeys(m.id for m in pool.listed(originals(found.layout_after))))
    put_in, left = tuple(put_in), tuple(left)
    gone = {*found.removed, *(m.id for m in found.added)}
    summary = next((m.id for m in put_in if m.injected == "summary"), None)
    return RecordedCompaction(
        at=found.at,
        trigger=found.trigger,
        tokens_before=found.window_before,
        tokens_after=found.window_after,
        before_from=f"counted by {meter}",
        after_from=f"counted by {meter}",
        summary=summary,
        edit="summarised" if summary else "dropped",
        kept=tuple(id for id in window if id not in gone),
        cleared=found.cleared,
        fidelity="exact",
        policy=found.policy,
        reason=found.reason,
        window=window,
        added=tuple(m.id for m in put_in),
        left=left,
        **known,
    )
