"""What the server holds open."""

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

from core import Message
from core.trace.trace import as_session
from viewer.sessions.registry import RecentCache, opened


def test_the_newest_are_held_and_made_once() -> None:
    """Beyond its size the least used is forgotten; what is held is not made again."""
    made: list[str] = []
    held: RecentCache[str] = RecentCache(2)
    for key in ("a", "b", "a", "c", "a"):
        held.get_or_make(key, lambda key=key: made.append(key) or key)  # type: ignore[func-returns-value,misc]

    assert made == ["a", "b", "c"]
    assert (held.get("a"), held.get("b"), held.get("c")) == ("a", None, "c")


def test_what_two_threads_want_is_made_by_one() -> None:
    """The other waits for it; where making it fails, the other makes it."""
    held, begun, made = RecentCache[str](2), Event(), list[str]()

    def slowly() -> str:
        begun.set()
        waiting.wait(20)
        made.append("first")
        raise ValueError

    def again() -> str:
        made.append("second")
        return "found"

    waiting = Event()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(held.get_or_make, "a", slowly)
        begun.wait(20)
        second = pool.submit(held.get_or_make, "a", again)
        assert not wait([second], 0.2).done
        waiting.set()
        assert second.result(20) == "found"
        assert isinstance(first.exception(20), ValueError)

    assert made == ["first", "second"]
    assert not held._turns


def test_a_session_under_another_meter_is_another() -> None:
    """The key names source and meter; the same pair gives the same thing."""
    session = as_session([Message(role="user", content="hello")])

    assert opened("here", session, "agentkit") is opened("here", session, "agentkit")
    assert opened("here", session, "agentlib").sid != opened("here", session, "agentkit").sid
