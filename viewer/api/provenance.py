"""The route that says where the sentences of a summary come from. JSON, same origin; docs/wire.md."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viewer.api.answers import as_json
from viewer.api.debugger import missing, trace_asked
from viewer.wire.provenance import provenance_body


def origins(request: Request) -> Response:
    """The sentences of a compaction's summary with their sources, and its ledger."""
    trace, k = trace_asked(request), request.path_params["k"]
    if trace is None or not 0 <= k < len(trace.compactions):
        return missing("this compaction")
    return as_json(provenance_body(trace, k))


ROUTES = [Route("/api/provenance/{tid}/{k:int}", origins)]
