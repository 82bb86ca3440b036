"""Damage in a file of many sessions: each piece is reported once, by the session that follows it."""

from collections.abc import Iterable, Iterator

from core.importers._files.source import Source
from core.importers._files.text import Damage
from core.model.session import Session


def with_damage(session: Session, damage: Damage) -> Session:
    """The session with the damage that no session has reported yet: counted, and in its notes."""
    news = damage.unreported()
    notes = tuple(news.notes())
    if not notes:
        return session
    return session.model_copy(
        update={
            "malformed_lines": session.malformed_lines + news.malformed_lines,
            "recovered_records": session.recovered_records + news.recovered,
            "notes": (*session.notes, *notes),
        }
    )


def with_damage_once(sessions: Iterable[Session], source: Source) -> Iterator[Session]:
    """Each session with the damage up to its end; the last one also with the damage after it."""
    held: Session | None = None
    for session in sessions:
        if held is not None:
            yield held
        held = with_damage(session, source.damage)
    if held is not None:
        yield with_damage(held, source.damage)
