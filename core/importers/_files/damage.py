"""What was wrong with a file of many sessions: each piece of damage is told once, by the session that follows it."""

from collections.abc import Iterable, Iterator

from core.importers._source import Source
from core.importers._text import Damage
from core.model import Session


def with_damage(session: Session, damage: Damage) -> Session:
    """The session with the damage that no session has told of yet."""
    news = damage.untold()
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


def once_told(sessions: Iterable[Session], source: Source) -> Iterator[Session]:
    """Each session with the damage there was up to its end; the last one with what came behind it, too."""
    held: Session | None = None
    for session in sessions:
        if held is not None:
            yield held
        held = with_damage(session, source.damage)
    if held is not None:
        yield with_damage(held, source.damage)
