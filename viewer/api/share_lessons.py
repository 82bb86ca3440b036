"""The routes of Share on Learn: what looks secret in the session of the last step, and the lesson as a file. docs/wire.md."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError, Session
from core.lessons import lesson
from viewer.api.access import local
from viewer.api.answers import RefusedError
from viewer.api.looking import found_in, looking
from viewer.api.share import answered, making, masked_of
from viewer.export.jobs import LessonFile
from viewer.sessions.registry import opened
from viewer.sessions.sources import Loaded, Source, open_source
from viewer.wire.preview import one_line


async def secrets(request: Request) -> Response:
    """Lines of how far the search is, at last what looks secret or personal in the session that is named."""
    return await answered(request, lambda body: looking(*_keyed_session(_named(body))))


async def prepare(request: Request) -> Response:
    """Have the file of a lesson made: of the session that is named in its last step, or of a sample where none is."""
    return await answered(request, lambda body: making(_job(request.path_params["number"], body)))


def _job(number: int, body: dict[str, Any]) -> LessonFile:
    try:
        lesson(number)
    except FoldlineError as error:
        raise RefusedError(str(error), error.hint, 404) from None
    if not body.get("source"):
        return LessonFile(number)
    loaded = _named(body)
    counted = opened(loaded.key, loaded.session).recorded.meter
    return LessonFile(number, loaded.session, counted, masked_of(found_in(*_keyed_session(loaded)), body))


def _named(body: dict[str, Any]) -> Loaded:
    """The session that the page names. Raises FoldlineError for one that cannot be opened."""
    name, session = str(body.get("source") or ""), str(body.get("session") or "")
    source = Source.parse(name)
    if source is None:
        raise RefusedError(f"{one_line(name)!r} is no source", "open a file in the app first")
    return open_source(source, local(), session)


def _keyed_session(loaded: Loaded) -> tuple[str, Session]:
    return loaded.key, loaded.session


ROUTES = [
    Route("/api/share/lesson/secrets", secrets, methods=["POST"]),
    Route("/api/share/lesson/{number:int}", prepare, methods=["POST"]),
]
