"""How far the opening of a transcript is, for the page that waits for it; docs/wire.md."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viewer.api.answers import as_json
from viewer.sessions.opening import opening_called


async def progress(request: Request) -> Response:
    """The stage, and the bytes that are read. An opening that is not known has ended."""
    found = opening_called(request.path_params["id"])
    if found is None:
        return as_json({"stage": "done", "read": 0, "messages": 0})
    return as_json({"stage": found.stage, "read": found.progress.read, "messages": found.messages})


ROUTES = [Route("/api/opening/{id}", progress)]
