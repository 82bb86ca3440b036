"""The windows of one session: its own, and one for every sub-agent it started, in a tree."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import UnknownNameError
from core.model import Session, SubAgent


@dataclass(frozen=True)
class Lane:
    """One window of a session: `name` is "main", or "1", "2", "2.1" … in the order in which sub-agents were started.

    `title` is what people call the sub-agent, `message` and `call` are the parent's message and tool call that started it.
    """

    name: str
    title: str
    session: Session
    parent: str = ""
    message: str = ""
    call: str = ""


MAIN = "main"


def lanes(session: Session) -> list[Lane]:
    """The lanes of a session, the main one first, each sub-agent behind the one that started it."""
    return [Lane(MAIN, session.title, session), *_below(session, MAIN)]


def _below(session: Session, parent: str) -> Iterator[Lane]:
    for number, child in enumerate(session.children, 1):
        name = str(number) if parent == MAIN else f"{parent}.{number}"
        yield Lane(name, title_of(child), child.session, parent, child.message, child.call)
        yield from _below(child.session, name)


def title_of(child: SubAgent) -> str:
    """What a sub-agent is called: its name, or its id where it has none."""
    return child.name or child.id


def lane(session: Session, name: str) -> Lane:
    """The lane of that name, or of the sub-agent with that id. Raises UnknownNameError."""
    known = lanes(session)
    wanted = name or MAIN
    found = next((one for one in known if one.name == wanted), None)
    found = found or next((one for one in known if one.session.id and one.session.id == wanted), None)
    if found is None:
        raise UnknownNameError("lane", name, (one.name for one in known))
    return found
