"""The routes of Why: the fate of a text. JSON, same origin; docs/wire.md."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError
from viewer.api.answers import as_json
from viewer.api.debugger import missing, trace_asked
from viewer.wire.fate import fate_body


def fate(request: Request) -> Response:
    """Where a text was at every step of a trace, and what happened to it."""
    trace = trace_asked(request)
    if trace is None:
        return missing("this trace")
    try:
        return as_json(fate_body(trace, request.query_params.get("text", "")))
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 400)


ROUTES = [Route("/api/fate/{tid}", fate)]
