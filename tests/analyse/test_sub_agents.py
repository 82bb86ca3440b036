"""What sub-agents did is told beside what their session did."""

from typing import Any

from core import Message, Session, replay
from core.analyse.sub_agents import SubAgents, sub_agents
from core.analyse.sums import Sums
from core.model.session import SubAgent
from core.trace.trace import as_session
from tests.support import assistant, calls, result, user
from viewer.wire.overview import session_overview


def agent(id: str, *messages: Message, children: tuple[SubAgent, ...] = ()) -> SubAgent:
    """A sub-agent with these messages."""
    return SubAgent(id=id, name=id, session=as_session(list(messages), children=children))


def started(*children: SubAgent, subagents: int = 0) -> Session:
    """A session that started these, and as many in all."""
    return as_session([user("go"), assistant("done")], children=children, subagents=subagents)


def wrote(path: str) -> tuple[Message, Message]:
    """A call that writes a file, with its result."""
    return assistant("", calls(path, "edit_file", path=path)), result(path, "done")


def agents_of(session: Session) -> Any:
    """What the page is sent of a session's sub-agents."""
    return session_overview(replay(session))["agents"]


def test_they_are_counted_with_those_they_started() -> None:
    """A file that two of them wrote is one."""
    inner = agent("inner", user("write"), *wrote("a.py"))
    found = sub_agents(replay(started(agent("outer", user("plan"), *wrote("a.py"), *wrote("b.py"), children=(inner,)))))
    assert found == SubAgents(1, 1, Sums(2, 3, 0, 0, {}, 0, 2, 0, 0))


def test_each_window_at_hand_has_its_number_name_and_length() -> None:
    """Of others it is known that they were started."""
    one, two = agent("plan", user("p"), assistant("q")), agent("code", user("r"))
    found = agents_of(started(one, two, subagents=5))
    assert (found["started"], found["known"], found["windows"]) == (5, 2, [(1, "plan", 2), (2, "code", 1)])
    assert agents_of(started(subagents=3))["sums"]["calls"] == 0


def test_without_sub_agents_nothing_is_told() -> None:
    """Nor are there sums of nothing."""
    assert agents_of(started()) is None
