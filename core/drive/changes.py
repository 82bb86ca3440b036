"""What a person changes in a run: put by any thread, done by the one that drives, between two model calls."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue

Change = Callable[[], None]


class Edits:
    """Changes that wait to be made, in the order they were asked for."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Change, Future[None]]] = SimpleQueue()

    def put(self, change: Change) -> Future[None]:
        """Ask for a change; what comes back is done when it is, or holds what it raised."""
        done: Future[None] = Future()
        self._waiting.put((change, done))
        return done

    @property
    def none(self) -> bool:
        """Whether none waits."""
        return self._waiting.empty()

    def make(self) -> bool:
        """Make those that wait; whether there were any."""
        any_made = False
        while (found := self._next()) is not None:
            _make(*found)
            any_made = True
        return any_made

    def _next(self) -> tuple[Change, Future[None]] | None:
        try:
            return self._waiting.get_nowait()
        except Empty:
            return None


def _make(change: Change, done: "Future[None]") -> None:
    try:
        change()
    except BaseException as error:  # it belongs to whoever asked, not to the thread that drives
        done.set_exception(error)
    else:
        done.set_result(None)
