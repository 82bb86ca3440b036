"""The routes of Share on the Library and on Runs: one session, as Debug would open it, and the list. docs/wire.md.

Both are for the user of this machine alone.
"""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import Trace
from core.exports.columns import WRITERS
from core.secrets.found import Found, find_secrets
from viewer.api.access import local
from viewer.api.answers import RefusedError
from viewer.api.lists import LISTS
from viewer.api.looking import Tell, looking, quiet
from viewer.api.share import answered, found_in, making, masked_of, run_job
from viewer.export.jobs import ListFile
from viewer.export.listed import Listed, session_of
from viewer.sessions.registry import RecentCache, digest, opened
from viewer.sessions.runs import runs
from viewer.sessions.simulated import recorded_run
from viewer.sessions.sources import Source, open_source

_FOUND: RecentCache[list[Found]] = RecentCache(4)


async def session_secrets(request: Request) -> Response:
    """Lines of how far the search is, at last what looks secret or personal in the session that is named."""

    def look(body: dict[str, Any]) -> Response:
        named = _named(body)
        return looking(lambda tell: found_in(*named, tell))

    return await _here(request, look)


async def session_file(request: Request) -> Response:
    """Have a file of that session made, in any form of a run."""
    return await _here(request, lambda body: making(run_job(*_named(body), body)))


async def list_secrets(request: Request) -> Response:
    """Lines of how far the search is, at last what looks secret or personal in the words of a list."""

    def look(body: dict[str, Any]) -> Response:
        rows = _listed(request, body)
        return looking(lambda tell: _found_in(rows, tell))

    return await _here(request, look)


async def list_file(request: Request) -> Response:
    """Have the file of a list made."""
    return await _here(request, lambda body: making(_list_job(_listed(request, body), body)))


async def _here(request: Request, answer: Callable[[dict[str, Any]], Response]) -> Response:
    def if_local(body: dict[str, Any]) -> Response:
        if not local():
            raise RefusedError("what is on this machine is shared only from 127.0.0.1", "start foldline there", 403)
        return answer(body)

    return await answered(request, if_local)


def _named(body: dict[str, Any]) -> tuple[str, Trace]:
    """The run that Debug opens the named session with, and its id. Raises FoldlineError where it does not open."""
    run = body.get("run")
    path = str(runs().store.path(str(run))) if run else str(body.get("path") or "")
    if not path:
        raise RefusedError("no session is named", "reload the page")
    loaded = open_source(Source("path", path), True, str(body.get("number") or ""))
    return recorded_run(opened(loaded.key, loaded.session))


def _listed(request: Request, body: dict[str, Any]) -> Listed:
    """The rows that the page shows, in its order. Raises RefusedError where one is there no more."""
    name, ids = request.path_params["name"], body.get("ids")
    if name not in LISTS or not isinstance(ids, list):
        raise RefusedError("there is no such list", "reload the page", 404)
    try:
        return LISTS[name](ids)
    except (KeyError, TypeError):
        raise RefusedError("the list has changed since it was shown", "close this, and share it again", 409) from None


def _found_in(listed: Listed, tell: Tell = quiet) -> list[Found]:
    words = (str(row[name]) for row in listed.rows for name in listed.words)
    return _FOUND.get_or_make(digest(*words), lambda: find_secrets(session_of(listed), tell=tell))


def _list_job(listed: Listed, body: dict[str, Any]) -> ListFile:
    kind = str(body.get("form"))
    if kind not in WRITERS:
        raise RefusedError(f"there is no form {kind[:40]!r}", f"the forms are {', '.join(WRITERS)}", 404)
    return ListFile(listed, kind, masked_of(_found_in(listed), body))


ROUTES = [
    Route("/api/share/session/secrets", session_secrets, methods=["POST"]),
    Route("/api/share/session", session_file, methods=["POST"]),
    Route("/api/share/list/{name}/secrets", list_secrets, methods=["POST"]),
    Route("/api/share/list/{name}", list_file, methods=["POST"]),
]
