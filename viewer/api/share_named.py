"""The routes of Share on the Library and on Runs: one session, as Debug would open it, and the list. docs/wire.md.

Both are for the user of this machine alone.
"""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import Session, Trace
from core.exports.columns import WRITERS
from viewer.api.access import local
from viewer.api.answers import RefusedError
from viewer.api.lists import LISTS
from viewer.api.looking import found_in, looking
from viewer.api.share import answered, keyed_session, making, masked_of, run_job
from viewer.export.jobs import ListFile
from viewer.export.listed import Listed, session_of
from viewer.sessions.registry import digest, opened
from viewer.sessions.runs import runs
from viewer.sessions.simulated import recorded_run
from viewer.sessions.sources import Source, open_source


async def session_secrets(request: Request) -> Response:
    """Lines of how far the search is, at last what looks secret or personal in the session that is named."""
    return await _here(request, lambda body: looking(*keyed_session(*_named(body))))


async def session_file(request: Request) -> Response:
    """Have a file of that session made, in any form of a run."""
    return await _here(request, lambda body: making(run_job(*_named(body), body)))


async def list_secrets(request: Request) -> Response:
    """Lines of how far the search is, at last what looks secret or personal in the words of a list."""
    return await _here(request, lambda body: looking(*_keyed_words(_listed(request, body))))


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


def _keyed_words(listed: Listed) -> tuple[str, Session]:
    """The words of a list as a session, and what names it among those that were searched."""
    words = session_of(listed)
    return digest(*(message.content for message in words.messages)), words


def _list_job(listed: Listed, body: dict[str, Any]) -> ListFile:
    kind = str(body.get("form"))
    if kind not in WRITERS:
        raise RefusedError(f"there is no form {kind[:40]!r}", f"the forms are {', '.join(WRITERS)}", 404)
    return ListFile(listed, kind, masked_of(found_in(*_keyed_words(listed)), body))


ROUTES = [
    Route("/api/share/session/secrets", session_secrets, methods=["POST"]),
    Route("/api/share/session", session_file, methods=["POST"]),
    Route("/api/share/list/{name}/secrets", list_secrets, methods=["POST"]),
    Route("/api/share/list/{name}", list_file, methods=["POST"]),
]
