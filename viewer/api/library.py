"""The routes of the Library page, and the process that builds the index. They show paths: for this machine's user only."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import astuple
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.importers._files.folder import MOST_FILES
from core.library import Index, Progress, Row, damaged, places
from core.library.build import ALIVE
from core.library.query import literal
from core.meters import approximate
from core.model.import_name import IMPORT_ROOT, import_name
from viewer.api.access import local
from viewer.api.answers import as_json
from viewer.wire.preview import one_line

MOST = 20_000
"""Rows of one answer."""

MOST_SNIPPETS = 100
"""Sessions of which one answer says where they hold the words: those in view."""

MOST_UNREAD = 20
"""Files that could not be read, of which one answer has the names."""

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
    command = [sys.executable, "-m", import_name("core"), "library", "--build"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    _building[:] = [subprocess.Popen(command, cwd=IMPORT_ROOT, **quiet)]  # type: ignore[call-overload]


def listing(request: Request) -> Response:
    """Every session, the newest first, and the progress of the build."""
    return _answered(_everything)


def _everything(index: Index) -> dict[str, Any]:
    among = places()
    found, progress = index.listing(most=MOST, among=among), index.progress()
    rows = [_row(id, row) for id, row in zip(found.ids, found.rows, strict=True)]
    return {
        "rows": rows,
        "total": found.total,
        "cut": {"folders": index.cut(among), "most": MOST_FILES},
        "unread": _unread(index.problems(among)),
        "progress": _progress(progress),
    }


def _unread(problems: list[tuple[str, str]]) -> dict[str, Any]:
    """How many files could not be read, and of the first ones the name and why."""
    first = ((path, why.removeprefix(f"{path}: ")) for path, why in problems[:MOST_UNREAD])
    named = [[one_line(os.path.basename(path), 100), one_line(why, 200)] for path, why in first]
    return {"count": len(problems), "files": named}


def search(request: Request) -> Response:
    """The ids of the sessions that hold every term of `q`, and of those that hold its words in a row."""
    query = _query(request)
    return _answered(lambda index: {"ids": index.matches(query), "phrase": index.with_phrase(query)})


def snippets(request: Request) -> Response:
    """Where the sessions named in `ids` hold the words of `q`, and in how many messages the text that Find would look for."""
    query, ids = _query(request), [int(id) for id in request.query_params.get("ids", "").split(",") if id.isdecimal()]
    return _answered(lambda index: {"found": _snippets(index, query, ids[:MOST_SNIPPETS]), "text": literal(query)})


def _snippets(index: Index, query: str, ids: list[int]) -> dict[int, list[str | int]]:
    found = index.snippets(query, ids)
    counts = index.holding(query, list(found))
    return {id: [one.part, one_line(one.text, 200), counts.get(id, 0)] for id, one in found.items()}


def _query(request: Request) -> str:
    return request.query_params.get("q", "")[:500]


def _answered(answer: Callable[[Index], dict[str, Any]]) -> Response:
    """The answer from the index; after a build is started, from an empty one where it was damaged."""
    if not local():
        return _refused()
    index = Index()
    try:
        try:
            return as_json(answer(index))
        except sqlite3.Error as error:
            if not damaged(error):
                raise
        start_build()  # the damaged file was removed
        return as_json(answer(index))
    except (sqlite3.Error, OSError) as error:
        return as_json({"error": f"the index cannot be read: {error}", "hint": f"delete {index.path}"}, 500)


def _refused() -> Response:
    return as_json({"error": "the library is available only on 127.0.0.1"}, 403)


def _row(id: int, row: Row) -> list[Any]:
    """The id, the columns, one line each, the path unchanged, and whether the tokens are an estimate."""
    path, *values = astuple(row)
    shown = (one_line(value, 200) if isinstance(value, str) else value for value in values)
    return [id, path, *shown, approximate(row.meter, row.model)]


def progress(request: Request) -> Response:
    """The progress of the build."""
    return _answered(lambda index: _progress(index.progress()))


def _progress(progress: Progress) -> dict[str, Any]:
    alive = running() or (progress.pid != 0 and time.time() - progress.beat < ALIVE)
    return {"done": progress.done, "total": progress.total, "now": one_line(progress.now), "building": alive}


ROUTES = [
    Route("/api/library", listing),
    Route("/api/library/search", search),
    Route("/api/library/snippets", snippets),
    Route("/api/library/progress", progress),
]
