"""Changes a person asks for from any thread. The thread that drives the run makes them, between two model calls."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")
Change = Callable[[], None]


class ChangeQueue:
    """Changes that wait to be made, in the order they were asked for."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Change, Future[None]]] = SimpleQueue()

    def put(self, change: Change) -> Future[None]:
        """Ask for a change. The future is done when the change is made, and holds what it raised."""
        done: Future[None] = Future()
        self._waiting.put((change, done))
        return done

    def is_empty(self) -> bool:
        """Whether no change waits."""
        return self._waiting.empty()

    def make_all(self) -> bool:
        """Make every waiting change; whether there were any."""
        any_made = False
        while True:
            try:
                change, done = self._waiting.get_nowait()
            except Empty:
                return any_made
            settle(done, change)
            any_made = True


def settle(done: "Future[T]", work: Callable[[], T]) -> None:
    """Run `work` and put what it returns or raises into the future: an error belongs to whoever waits for it."""
    try:
        result = work()
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(result)
