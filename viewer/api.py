"""What the page asks for while it is looked at: whole bodies, compaction cards, find. JSON, same origin; docs/wire.md."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viewer import present
from viewer.registry import OPENED, TRACES


def _json(body: dict[str, Any], status: int = 200) -> Response:
    """JSON in ASCII: a lone surrogate of a damaged transcript cannot break the encoding."""
    return Response(json.dumps(body), status, media_type="application/json", headers={"Cache-Control": "no-store"})


def _missing(what: str) -> Response:
    return _json({"error": f"{what} is not held any more", "hint": "reload the page"}, 404)


def message(request: Request) -> Response:
    """One message of a session, whole or from a character on."""
    opened, index = OPENED.get(request.path_params["sid"]), request.path_params["i"]
    if opened is None or not 0 <= index < len(opened.measured.messages):
        return _missing("this message")
    start = request.query_params.get("from", "0")
    return _json(present.message_of(opened.measured, index, int(start) if start.isdecimal() else 0))


def added(request: Request) -> Response:
    """One message that a compaction put in."""
    trace, j, m = (TRACES.get(request.path_params["tid"]), request.path_params["j"], request.path_params["m"])
    if trace is None or not (0 <= j < len(trace.compactions) and 0 <= m < len(trace.compactions[j].added)):
        return _missing("this message")
    start = request.query_params.get("from", "0")
    compaction = trace.compactions[j]
    return _json(
        present.message_body(
            compaction.added[m], compaction.added_tokens[m], -1, int(start) if start.isdecimal() else 0
        )
    )


def compaction(request: Request) -> Response:
    """The card of one compaction."""
    trace, j = TRACES.get(request.path_params["tid"]), request.path_params["j"]
    if trace is None or not 0 <= j < len(trace.compactions):
        return _missing("this compaction")
    return _json(present.compaction_card(trace, j))


def find(request: Request) -> Response:
    """Where a text occurs in a session."""
    opened = OPENED.get(request.path_params["sid"])
    if opened is None:
        return _missing("this session")
    return _json(present.find(opened.measured.messages, request.query_params.get("q", "")))


ROUTES = [
    Route("/api/message/{sid}/{i:int}", message),
    Route("/api/added/{tid}/{j:int}/{m:int}", added),
    Route("/api/compaction/{tid}/{j:int}", compaction),
    Route("/api/find/{sid}", find),
]
