"""The sessions of a file and the lanes of a session as the plain rows that are chosen from. No Streamlit."""

from collections.abc import Sequence
from functools import lru_cache

from core import Session
from core.lanes import MAIN, Lane
from viewer.preview import one_line

Row = tuple[int, str, int, int, int]


@lru_cache(maxsize=4)
def session_rows(sessions: Sequence[Session]) -> list[Row]:
    """A row for each session: its number, title, messages, tokens (a quarter of its characters), compactions."""
    return [(n, one_line(_title(s)), len(s.messages), _tokens(s), len(s.compactions)) for n, s in enumerate(sessions)]


def _title(session: Session) -> str:
    return session.title or session.id


def _tokens(session: Session) -> int:
    """A guess that costs next to nothing: there may be thousands of sessions."""
    return sum(len(m.content) + len(m.thinking) for m in session.messages) // 4


def lane_title(lane: Lane) -> str:
    """What a lane is called where it is chosen: "main · 486 messages", "2.1 · Explore · 33 messages"."""
    number = len(lane.session.messages)
    count = f"{number:,} message" + ("" if number == 1 else "s")
    indent = "\u2003" * lane.name.count(".")
    return (
        f"main · {count}"
        if lane.name == MAIN
        else f"{indent}{lane.name} · {called(lane.title, lane.session)} · {count}"
    )


def called(name: str, session: Session) -> str:
    """A sub-agent by its name and what it was asked to do: several of one kind are told apart so."""
    return one_line(f"{name}: {session.title}" if session.title and session.title != name else name, 60)


def started_here(session: Session) -> dict[str, list[tuple[int, str, int]]]:
    """The sub-agents that each message started, by its id: their number from 1, what they are called, their messages."""
    found: dict[str, list[tuple[int, str, int]]] = {}
    for number, child in enumerate(session.children, 1):
        name = called(child.name or child.id, child.session)
        found.setdefault(child.message, []).append((number, name, len(child.session.messages)))
    return found
