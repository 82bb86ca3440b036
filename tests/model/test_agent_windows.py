"""The windows of one session: its own and its sub-agents'."""

import pytest

from core.model.agent_windows import agent_window, agent_windows
from core.model.errors import UnknownNameError
from core.model.session import Message, Session, SubAgent


def run(id: str, *children: SubAgent) -> Session:
    """A session of one message, with sub-agents."""
    return Session(id=id, title=f"about {id}", messages=(Message(role="user", content=id),), children=children)


DEEP = SubAgent(id="b1", name="Explore", message="m4", call="c4", session=run("b1"))
PARENT = run("p", SubAgent(id="a", session=run("a")), SubAgent(id="b", name="Plan", session=run("b", DEEP)))


def test_lanes_are_numbered_in_a_tree() -> None:
    """Main first; a sub-agent's own ones come behind it, and say who started them."""
    found = [(one.name, one.title, one.parent, one.session.id) for one in agent_windows(PARENT)]
    assert found == [
        ("main", "about p", "", "p"),
        ("1", "a", "main", "a"),
        ("2", "Plan", "main", "b"),
        ("2.1", "Explore", "2", "b1"),
    ]
    assert (agent_windows(PARENT)[3].message, agent_windows(PARENT)[3].call) == ("m4", "c4")


def test_a_lane_is_named_by_number_or_id() -> None:
    """No name is the main lane; one that does not exist lists those that do."""
    assert [agent_window(PARENT, name).session.id for name in ("", "main", "2.1", "b1")] == ["p", "p", "b1", "b1"]
    with pytest.raises(UnknownNameError) as caught:
        agent_window(PARENT, "3")
    assert caught.value.hint == "known: 1, 2, 2.1, main"


def test_sub_agents_are_kept_when_a_session_is_saved() -> None:
    """A session with sub-agents goes through JSON unchanged."""
    assert Session.model_validate_json(PARENT.model_dump_json()) == PARENT
