"""The routes of Compare: a trace as packed for a view, and the figures of its whole run; docs/wire.md."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from core import Trace
from viewer.api.debugger import missing, trace_asked
from viewer.sessions.registry import RecentCache
from viewer.wire.pack import packed, view_of_trace
from viewer.wire.totals import total_lines

_TOTALS: RecentCache[list[str]] = RecentCache(64)


def view(request: Request) -> Response:
    """A trace, packed: what the view component gets of one, as bytes."""
    trace, tid = trace_asked(request), request.path_params["tid"]
    if trace is None:
        return missing("this trace")
    body = packed(view_of_trace("", tid, trace, ()))
    return Response(body, media_type="application/octet-stream", headers={"Cache-Control": "no-store"})


def totals(request: Request) -> Response:
    """The figures of the whole run, each line as soon as it is known. JSON Lines."""
    trace = trace_asked(request)
    if trace is None:
        return missing("this trace")
    lines = _kept(request.path_params["tid"], trace)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


def _kept(tid: str, trace: Trace) -> Iterator[str]:
    """The lines, kept for the next time once all are known."""
    if known := _TOTALS.get(tid):
        yield from known
        return
    lines = []
    for line in total_lines(trace):
        lines.append(line)
        yield line
    _TOTALS.put(tid, lines)


ROUTES = [Route("/api/view/{tid}", view), Route("/api/totals/{tid}", totals)]
