"""Work that somebody may want to stop waiting for: a tool that hangs, a count that does not come."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from core.errors import RunCancelledError
from core.model import Message, ToolCall
from core.tools import ToolRegistry

T = TypeVar("T")

LOOK = 0.05
"""Seconds between two looks at whether it is to be stopped."""


def stoppable(work: Callable[[], T], cancelled: Callable[[], bool]) -> T:
    """What the work gives, or raises; RunCancelledError soon after `cancelled()` is true: the work is then left to itself."""
    done: Future[T] = Future()
    threading.Thread(target=_do, args=(work, done), name="foldline-work", daemon=True).start()
    while True:
        try:
            return done.result(LOOK)
        except TimeoutError:
            if done.done():
                return done.result()
            if cancelled():
                raise RunCancelledError from None


def _do(work: Callable[[], T], done: "Future[T]") -> None:
    try:
        found = work()
    except BaseException as error:  # told to whoever waits, if somebody still does
        done.set_exception(error)
    else:
        done.set_result(found)


class StoppableTools(ToolRegistry):
    """Tools whose answer is not waited for once the run is stopped."""

    def __init__(self, tools: ToolRegistry, cancelled: Callable[[], bool]) -> None:
        super().__init__(tools)
        self._own, self._cancelled = tools, cancelled

    def answer(self, call: ToolCall) -> Message:
        """The tool message that answers a call. Raises RunCancelledError where the run is stopped meanwhile."""
        return stoppable(lambda: self._own.answer(call), self._cancelled)
