"""The routes of the Library page, and the process that builds the index. They show paths: for this machine's user only."""

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
from viewer.api.access import local
from viewer.api.answers import as_json
from viewer.wire.preview import one_line

MOST = 5000
"""Rows of one answer."""

_building: list[subprocess.Popen[bytes]] = []
_build_again: list[bool] = []
_lock = threading.Lock()


def start_build() -> None:
    """Bring the index up to date in a process of its own, so that the page does not wait.

    One at a time: a build that is requested meanwhile starts when that one is over, as a folder may have been added.
    """
    with _lock:
        if _is_running():
            _build_again[:] = [True]
        else:
            _start()


def running() -> bool:
    """Whether a build of this server is running."""
    with _lock:
        if _build_again and not _is_running():
            _build_again.clear()
            _start()
        return _is_running()


def _is_running() -> bool:
    return bool(_building) and _building[-1].poll() is None


def _start() -> None:
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "core", "library", "--build"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    _building[:] = [subprocess.Popen(command, cwd=root, **quiet)]  # type: ignore[call-overload]


def listing(request: Request) -> Response:
    """The sessions that match `q` and `agent`, the newest first, and the progress of the build."""
    if not local():
        return _refused()
    index, query = Index(), request.query_params.get("q", "")[:500]
    try:
        found = index.listing(query, request.query_params.get("agent", "")[:100], MOST)
        progress = index.progress()
    except (sqlite3.Error, OSError) as error:
        if not isinstance(error, sqlite3.Error) or not damaged(error):
            return as_json({"error": f"the index cannot be read: {error}", "hint": f"delete {index.path}"}, 500)
        start_build()  # the damaged file was removed
        found, progress = Listing((), 0, ()), Progress()
    rows = [_row(astuple(row)) for row in found.rows]
    snippets = [one_line(text, 200) for text in found.found]
    return as_json(
        {"rows": rows, "found": snippets, "total": found.total, "agents": found.agents, "progress": _progress(progress)}
    )


def _refused() -> Response:
    return as_json({"error": "the library is available only on 127.0.0.1"}, 403)


def _row(values: tuple[Any, ...]) -> list[Any]:
    """The columns, one line each; the path unchanged."""
    return [values[0], *(one_line(value, 200) if isinstance(value, str) else value for value in values[1:])]


def progress(request: Request) -> Response:
    """The progress of the build."""
    if not local():
        return _refused()
    try:
        return as_json(_progress(Index().progress()))
    except (sqlite3.Error, OSError) as error:
        return as_json({"error": f"the index cannot be read: {error}"}, 500)


def _progress(progress: Progress) -> dict[str, Any]:
    alive = running() or (progress.pid != 0 and time.time() - progress.beat < ALIVE)
    return {"done": progress.done, "total": progress.total, "now": one_line(progress.now), "building": alive}


ROUTES = [Route("/api/library", listing), Route("/api/library/progress", progress)]
