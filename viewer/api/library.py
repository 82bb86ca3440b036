"""The library's answers to its page, and the process that builds its index. Paths of this machine: for its own user only."""

import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import astuple
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.library import Index, Listing, Progress, damaged
from core.library.build import ALIVE
from viewer.answers import as_json
from viewer.origin import local
from viewer.preview import one_line

MOST = 5000
"""Rows that are sent at once."""

_building: list[subprocess.Popen[bytes]] = []
_waiting: list[bool] = []
_lock = threading.Lock()


def start_build() -> None:
    """Bring the index up to date in a process of its own, so that the page does not wait.

    One at a time: what is asked for meanwhile begins when that one is over, as it may look into a folder added just now.
    """
    with _lock:
        if _at_work():
            _waiting[:] = [True]
        else:
            _start()


def running() -> bool:
    """Whether a build that was started here is at work."""
    with _lock:
        if _waiting and not _at_work():
            _waiting.clear()
            _start()
        return _at_work()


def _at_work() -> bool:
    return bool(_building) and _building[-1].poll() is None


def _start() -> None:
    root = str(Path(__file__).parent.parent)
    command = [sys.executable, "-m", "core", "library", "--build"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    _building[:] = [subprocess.Popen(command, cwd=root, **quiet)]  # type: ignore[call-overload]


def listing(request: Request) -> Response:
    """The sessions that match, the newest first: `q`, `agent`; and how far the build is."""
    if not local():
        return as_json({"error": "the library is there only when foldline listens on 127.0.0.1"}, 403)
    index, query = Index(), request.query_params.get("q", "")[:500]
    try:
        found = index.listing(query, request.query_params.get("agent", "")[:100], MOST)
        progress = index.progress()
    except (sqlite3.Error, OSError) as error:
        if not isinstance(error, sqlite3.Error) or not damaged(error):
            return as_json({"error": f"the index cannot be read: {error}", "hint": f"delete {index.path}"}, 500)
        start_build()  # it is gone, and made anew
        found, progress = Listing((), 0, ()), Progress()
    rows = [_row(astuple(row)) for row in found.rows]
    snippets = [one_line(text, 200) for text in found.found]
    return as_json(
        {"rows": rows, "found": snippets, "total": found.total, "agents": found.agents, "progress": _told(progress)}
    )


def _row(values: tuple[Any, ...]) -> list[Any]:
    """What is shown, on one line each; the path is as it is."""
    return [values[0], *(one_line(value, 200) if isinstance(value, str) else value for value in values[1:])]


def progress(request: Request) -> Response:
    """How far the build is."""
    if not local():
        return as_json({"error": "the library is there only when foldline listens on 127.0.0.1"}, 403)
    try:
        return as_json(_told(Index().progress()))
    except (sqlite3.Error, OSError) as error:
        return as_json({"error": f"the index cannot be read: {error}"}, 500)


def _told(progress: Progress) -> dict[str, Any]:
    alive = running() or (progress.pid != 0 and time.time() - progress.beat < ALIVE)
    return {"done": progress.done, "total": progress.total, "now": one_line(progress.now), "building": alive}


ROUTES = [Route("/api/library", listing), Route("/api/library/progress", progress)]
