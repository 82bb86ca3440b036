"""How a large transcript begins, and how far its opening is, for the page that waits for it; docs/wire.md."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viewer.api.answers import as_json
from viewer.sessions.opening import opening_called, opening_of
from viewer.sessions.sources import Source
from viewer.wire.pack import opening_payload

MOST_WAIT = 0.5
"""Seconds that a request waits for the first bytes of a transcript. A page that gets no answer by then does without."""


def beginning(request: Request) -> Response:
    """The first messages of the transcript that the query names, while it is being opened; else {}, also for a small one."""
    source = Source.parse(request.query_params.get("source", ""))
    named = (request.query_params.get(name, "") for name in ("session", "lane", "meter"))
    found = opening_of(source, *named) if source else None
    if found is None or not found.begins(MOST_WAIT):
        return as_json({})
    return as_json(opening_payload(found.id, found.name, found.size, found.beginning))


async def progress(request: Request) -> Response:
    """The stage, and the bytes that are read. An opening that is not known has ended."""
    found = opening_called(request.path_params["id"])
    if found is None:
        return as_json({"stage": "done", "read": 0, "messages": 0})
    return as_json({"stage": found.stage, "read": found.progress.read, "messages": found.messages})


ROUTES = [Route("/api/beginning", beginning), Route("/api/opening/{id}", progress)]
