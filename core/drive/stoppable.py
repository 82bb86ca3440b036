"""Waits that can be stopped: for a tool that hangs, for a count that does not come."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from core.drive.changes import settle
from core.model.errors import RunCancelledError
from core.model.session import Message, ToolCall
from core.toolbox.tools import ToolRegistry

T = TypeVar("T")

CHECK = 0.05
"""Seconds between two checks of whether to stop."""


def stoppable(work: Callable[[], T], cancelled: Callable[[], bool]) -> T:
    """What `work` returns or raises. RunCancelledError soon after `cancelled()` is true; the work then goes on unwatched."""
    done: Future[T] = Future()
    threading.Thread(target=settle, args=(done, work), name="foldline-work", daemon=True).start()
    while True:
        try:
            return done.result(CHECK)
        except TimeoutError:
            if done.done():
                return done.result()
            if cancelled():
                raise RunCancelledError from None


class StoppableTools(ToolRegistry):
    """Tools whose answer is awaited only until the run is stopped."""

    def __init__(self, tools: ToolRegistry, cancelled: Callable[[], bool]) -> None:
        super().__init__(tools)
        self._wrapped, self._cancelled = tools, cancelled

    def answer(self, call: ToolCall) -> Message:
        """The tool message that answers a call. Raises RunCancelledError where the run is stopped meanwhile."""
        return stoppable(lambda: self._wrapped.answer(call), self._cancelled)
