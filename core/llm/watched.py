"""Reads the events of a stream in a thread of its own, so that the caller can stop while no event comes."""

import queue
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from core.model.errors import RunCancelledError

CHECK = 0.05
"""Seconds between two checks of whether to stop."""

_END = object()


def watched(open: Callable[[], Iterable[Any]], cancelled: Callable[[], bool]) -> Iterator[Any]:
    """The events of the stream that `open` opens. Raises what reading raises, and RunCancelledError soon after a stop.

    A stop shuts the connection, which the server notices. Before the first byte there is none to shut: the thread then ends
    the request as soon as the server answers, and sends no retry.
    """
    reader = _Reader(open)
    threading.Thread(target=reader.run, name="model-stream", daemon=True).start()
    try:
        while True:
            if cancelled():
                raise RunCancelledError
            with suppress(queue.Empty):
                kind, value = reader.queue.get(timeout=CHECK)
                if kind is _END:
                    return
                if kind is Exception:
                    raise value
                yield value
    finally:
        reader.stop()


def refuse_if_stopped(request: Any) -> None:
    """A hook of the HTTP client that refuses the retries of a stream that was stopped."""
    reader = getattr(_HERE, "reader", None)
    if reader is not None and reader.stopped.is_set():
        raise RunCancelledError


_HERE = threading.local()
"""The reader that this thread runs."""


class _Reader:
    """Opens a stream and puts its events into a queue, until it is stopped."""

    def __init__(self, open: Callable[[], Iterable[Any]]) -> None:
        self.open, self.stopped = open, threading.Event()
        self.queue: queue.SimpleQueue[tuple[object, Any]] = queue.SimpleQueue()
        self.stream: Any = None
        self.ended = False

    def run(self) -> None:
        """Read to the end. Errors go into the queue."""
        _HERE.reader = self
        try:
            self.stream = self.open()
            for event in () if self.stopped.is_set() else self.stream:
                self.queue.put((None, event))
                if self.stopped.is_set():
                    break
            self.ended = True
            self.queue.put((_END, None))
        except Exception as error:
            self.queue.put((Exception, error))
        finally:
            self.ended = True
            _close(self.stream)

    def stop(self) -> None:
        """Let the thread end. One that waits for bytes wakes up when its connection is shut."""
        self.stopped.set()
        if self.stream is not None and not self.ended:  # another request may use the connection of one that has ended
            _hang_up(self.stream)


def _close(stream: Any) -> None:
    if hasattr(stream, "close"):
        with suppress(Exception):
            stream.close()


def _hang_up(stream: Any) -> None:
    """Shut the socket of a response: closing it would neither wake a reading thread nor notify the server."""
    with suppress(Exception):
        network = stream.response.extensions["network_stream"]
        network.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
