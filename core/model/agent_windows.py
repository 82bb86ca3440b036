"""The windows of a session: its own, and one for each sub-agent, in a tree. `--lane` and the key `lanes` name them."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.model.errors import UnknownNameError
from core.model.session import Session


@dataclass(frozen=True)
class AgentWindow:
    """One window of a session: `name` is "main", or "1", "2", "2.1" … in the order in which sub-agents started.

    `title` is the sub-agent's name for people, or its id where it has none; `message` and `call` are the parent's message and
    tool call that started it.
    """

    name: str
    title: str
    session: Session
    parent: str = ""
    message: str = ""
    call: str = ""


MAIN = "main"


def agent_windows(session: Session) -> list[AgentWindow]:
    """The windows of a session: the main one first, each sub-agent after the one that started it."""
    return [AgentWindow(MAIN, session.title, session), *_below(session, MAIN)]


def _below(session: Session, parent: str) -> Iterator[AgentWindow]:
    for number, child in enumerate(session.children, 1):
        name = str(number) if parent == MAIN else f"{parent}.{number}"
        yield AgentWindow(name, child.name or child.id, child.session, parent, child.message, child.call)
        yield from _below(child.session, name)


def agent_window(session: Session, name: str) -> AgentWindow:
    """The window of that name, or of the sub-agent with that id. Raises UnknownNameError."""
    known = agent_windows(session)
    wanted = name or MAIN
    found = next((one for one in known if one.name == wanted), None)
    found = found or next((one for one in known if one.session.id and one.session.id == wanted), None)
    if found is None:
        raise UnknownNameError("lane", name, (one.name for one in known))
    return found
