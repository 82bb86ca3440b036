"""The route that streams what would have kept a text, as it is found. JSON Lines, same origin; docs/wire.md."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from core import FoldlineError
from core.why.fixes import Fixes
from viewer.api.answers import as_json
from viewer.api.debugger import missing, trace_asked
from viewer.sessions.urgent import URGENT
from viewer.wire.fixes import fix_lines


def fixes(request: Request) -> Response:
    """Each change that would have kept a text in the window of a step; a closed connection ends the search."""
    trace, asked = trace_asked(request), request.query_params.get("step", "")[:15]
    if trace is None:
        return missing("this trace")
    step = int(asked) if asked.isascii() and asked.isdecimal() else None
    try:
        found = Fixes(trace, request.query_params.get("text", ""), step)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 400)
    lines = _giving_way(fix_lines(found))
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


def _giving_way(lines: Iterator[str]) -> Iterator[str]:
    """The lines, each worked out while nobody waits for anything more urgent."""
    for line in lines:
        yield line
        URGENT.wait()


ROUTES = [Route("/api/fixes/{tid}", fixes)]
