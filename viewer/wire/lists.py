"""The sessions of a file, and the agents of a session, as rows to choose from."""

from collections.abc import Sequence
from functools import lru_cache

from core import Session, meters
from core.engine.counts import counts
from core.engine.default_meter import CALIBRATED, PLAIN
from core.engine.meter_text import error_text
from core.meters import approximate
from core.model.agent_windows import MAIN, AgentWindow
from core.model.text import counted
from core.trace.trace import conversation
from viewer.wire.preview import one_line

Row = tuple[int | None, str, int, int, int, str, str]
"""A session, or a file not read yet: number, title, messages, tokens, compactions, address, and what is said instead."""


@lru_cache(maxsize=4)
def session_rows(sessions: Sequence[Session]) -> list[Row]:
    """A row for each session of a file, addressed by its number."""
    return [session_row(number, session, str(number)) for number, session in enumerate(sessions)]


def session_row(number: int | None, session: Session, address: str) -> Row:
    """A session: its number where that is known, title, messages, tokens by the default meter, compactions, address."""
    found = counts(session)
    title = one_line(session.title or session.id)
    return (number, title, found.messages, found.tokens, found.all_compactions, address, "")


def file_row(name: str, size: int, broken: str, address: str) -> Row:
    """A file of a folder that gave no session yet: its path, and its size, or why it gives none."""
    about = f"left out: {one_line(broken)}" if broken else f"{size_text(size)}, not read yet"
    return (None, one_line(name), 0, 0, 0, address, about)


def size_text(size: int) -> str:
    """ "812 bytes", "54 KB", "1.2 MB"."""
    if size < 1000:
        return counted(size, "byte")
    return f"{size / 1e6:,.1f} MB" if size >= 999_500 else f"{size / 1000:.0f} KB"


def meter_title(name: str, session: Session) -> str:
    """A meter in the list: "reported · recorded"; the two that can be the default with their error here, where it is known.

    The tokenizer of another model than the session's only estimates.
    """
    error = error_text(name, session).replace("±", "off by ") if name in (CALIBRATED, PLAIN) else ""
    how = next(info.how for info in meters() if info.name == name)
    return f"{name} · {error or ('estimated' if how == 'counted' and approximate(name, session.model) else how)}"


def lane_title(lane: AgentWindow) -> str:
    """A lane in the list: "main · 486 messages", "2.1 · Explore · 33 messages"; name and task run in their own direction."""
    count = counted(len(conversation(lane.session)), "message")
    indent = "\u2003" * lane.name.count(".")
    name = "main" if lane.name == MAIN else f"{indent}{lane.name} · {_isolated_name(lane)}"
    return f"{name} · {count}"


def _isolated_name(lane: AgentWindow) -> str:
    name, text = f"{one_line(lane.title)}: ", agent_name(lane.title, lane.session)
    task = text.removeprefix(name)
    return isolated(text) if task == text else f"{isolated(name)}{isolated(task)}"


def isolated(text: str) -> str:
    """Text that does not turn what stands around it, where there is no element of its own for it.

    https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
    """
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def agent_name(name: str, session: Session) -> str:
    """A sub-agent by its name and its task, which tells apart several of one kind."""
    return one_line(f"{name}: {session.title}" if session.title and session.title != name else name, 60)


def started_here(session: Session) -> dict[str, list[tuple[int, str, int]]]:
    """The sub-agents that each message started, by its id: their number from 1, name and count of messages."""
    found: dict[str, list[tuple[int, str, int]]] = {}
    for number, child in enumerate(session.children, 1):
        name = agent_name(child.name or child.id, child.session)
        found.setdefault(child.message, []).append((number, name, len(conversation(child.session))))
    return found
