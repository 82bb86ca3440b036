"""Events of a stream, read by a thread of their own, so that the reader can stop while nothing comes."""

import queue
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from core.errors import RunCancelledError

LOOK = 0.05
"""Seconds between two looks at whether to stop."""

_END = object()


def watched(open: Callable[[], Iterable[Any]], cancelled: Callable[[], bool]) -> Iterator[Any]:
    """The events of what `open` opens, as they come. Raises what reading them raises; RunCancelledError soon after a stop.

    On a stop the connection is shut, and the server knows. Before the first byte there is none to shut: the request is left
    to its thread, which ends it as soon as the server answers, and sends no other in its place.
    """
    reader = _Reader(open)
    threading.Thread(target=reader.run, name="model-stream", daemon=True).start()
    try:
        while True:
            if cancelled():
                raise RunCancelledError
            with suppress(queue.Empty):
                kind, value = reader.queue.get(timeout=LOOK)
                if kind is _END:
                    return
                if kind is Exception:
                    raise value
                yield value
    finally:
        reader.stop()


def refuse_if_stopped(request: Any) -> None:
    """A hook of the HTTP client: an SDK that tries again does so in vain once its stream was stopped."""
    reader = getattr(_HERE, "reader", None)
    if reader is not None and reader.stopped.is_set():
        raise RunCancelledError


_HERE = threading.local()
"""Which reader this thread is."""


class _Reader:
    """Opens a stream and puts its events into a queue, until it is told to stop."""

    def __init__(self, open: Callable[[], Iterable[Any]]) -> None:
        self.open, self.stopped = open, threading.Event()
        self.queue: queue.SimpleQueue[tuple[object, Any]] = queue.SimpleQueue()
        self.stream: Any = None
        self.ended = False

    def run(self) -> None:
        """Read to the end. Nothing is raised here: it is handed on."""
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
        """Let the thread end. One that waits for bytes is woken by shutting the connection under it."""
        self.stopped.set()
        if (
            self.stream is not None and not self.ended
        ):  # the connection of one that ended may be another request's by now
            _hang_up(self.stream)


def _close(stream: Any) -> None:
    if hasattr(stream, "close"):
        with suppress(Exception):
            stream.close()


def _hang_up(stream: Any) -> None:
    """Shut the socket of a response: to close it would neither wake a thread that reads nor tell the server."""
    with suppress(Exception):
        network = stream.response.extensions["network_stream"]
        network.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
