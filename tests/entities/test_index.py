"""The index of names: what each message uses and shows, and where each name stands."""

import pytest

from core import Message
from core.entities.entity import Entity
from core.entities.index import EntityIndex, index_of
from core.trace.trace import as_session
from tests.support import assistant, calls, result, system, user

WORKED = [
    system("You are a coding agent."),
    user("Fix the crash in src/app/main.py. Ticket OPS-4821."),
    assistant("", calls("a", "read_file", path="src/app/main.py")),
    result("a", "def parse_config(): retry_limit = 48213"),
    assistant("", calls("b", "bash", command="pytest -q tests/test_app.py")),
    result("b", "FAILED tests/test_app.py KeyError"),
    assistant("tests/test_app.py fails in parse_config.", calls("c", "bash", command="ls -la src")),
    result("c", "total 4"),
    assistant("Where does 48213 stand?", calls("d", "read_file", path="src/app/main.py")),
    result("d", "def parse_config(): retry_limit = 48213"),
    assistant("retry_limit in parse_config was 48213."),
]
"""The session by which the measures are explained."""

MAIN, TEST = Entity("path", "app/main.py"), Entity("path", "tests/test_app.py")
PARSE, RETRY, NUMBER = (
    Entity("identifier", "parse_config"),
    Entity("identifier", "retry_limit"),
    Entity("number", "48213"),
)


def test_the_worked_session_has_eight_uses() -> None:
    """A use is a name in a reply that an earlier message shows; the same names as worked out by hand."""
    index = index_of(WORKED)
    replies = [place for place, message in enumerate(WORKED) if message.role == "assistant"]
    uses = [{name for name in index.uses(place) if index.where(name)[0] < place} for place in replies]

    assert uses == [{MAIN}, set(), {TEST, PARSE}, {MAIN, NUMBER}, {RETRY, PARSE, NUMBER}]
    assert index.uses(5) == (Entity("identifier", "KeyError"), TEST)


def test_a_path_shows_the_file_without_its_folder() -> None:
    """`src/app/main.py` answers for a later `main.py`, not the other way round."""
    index = index_of(WORKED)
    name = Entity("path", "main.py")

    assert index.uses(1) == (Entity("identifier", "OPS-4821"), MAIN)
    assert index.shows(1) == (Entity("identifier", "OPS-4821"), MAIN, name)
    assert (index.where(name), index.where(MAIN)) == (index.where(MAIN), index.where(name))
    assert list(EntityIndex([user("main.py")]).where(MAIN)) == []


def test_where_a_name_stands() -> None:
    """The places of the messages that show it, in order."""
    index = index_of(as_session(WORKED))

    assert list(index.where(NUMBER)) == [3, 8, 9, 10]
    assert list(index.where(Entity("identifier", "OPS-4821"))) == [1]
    assert list(index.where(Entity("number", "77777"))) == []


def test_carried_on_as_the_session_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message is read once; a session that ends earlier knows nothing of what follows."""
    whole = [message.model_copy() for message in WORKED]
    before = index_of(whole[:4])
    seen = list[Message]()
    read = before._said._read.read
    monkeypatch.setattr(before._said._read, "read", lambda message: seen.append(message) or read(message))
    after = index_of(whole)

    assert seen == whole[4:]
    assert (list(before.where(NUMBER)), list(after.where(NUMBER))) == ([3], [3, 8, 9, 10])
    assert [after.uses(i) for i in range(11)] == [EntityIndex(whole).uses(i) for i in range(11)]
    assert (len(before), len(after)) == (4, 11)
    with pytest.raises(IndexError, match="no message 4 among 4"):
        before.uses(4)


def test_an_empty_session_names_nothing() -> None:
    """No message, no name."""
    assert (len(index_of(())), list(index_of(()).where(MAIN))) == (0, [])
