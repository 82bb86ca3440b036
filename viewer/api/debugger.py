"""What the page asks for while it is looked at: whole bodies, compaction cards, find. JSON, same origin; docs/wire.md."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError, Trace
from viewer import present
from viewer.answers import as_json
from viewer.compared import DEFAULT_POLICY, comparison
from viewer.findings import finding_list, finding_marks
from viewer.registry import OPENED, TRACES, Opened
from viewer.runs import OpenedLive, live_named, trace_of


def _missing(what: str) -> Response:
    return as_json({"error": f"{what} is not held any more", "hint": "reload the page"}, 404)


def _opened(request: Request) -> Opened | OpenedLive | None:
    """The session that the address names, of a file or a live run, if it is held."""
    drive = live_named(request.path_params["sid"])
    return OpenedLive(drive) if drive else OPENED.get(request.path_params["sid"])


def _trace(request: Request) -> Trace | None:
    """The trace that the address names, of a file or a live run, if it is held."""
    drive = live_named(request.path_params["tid"])
    return trace_of(drive) if drive else TRACES.get(request.path_params["tid"])


def _start(request: Request) -> int:
    """Where in a long answer to begin; 0 for what is no number."""
    start = request.query_params.get("from", "0")[:15]  # no answer is that long
    return int(start) if start.isdecimal() else 0


def message(request: Request) -> Response:
    """One message of a session, whole or from a character on."""
    opened, index = _opened(request), request.path_params["i"]
    if opened is None or not 0 <= index < len(opened.measured.messages):
        return _missing("this message")
    body = present.message_of(opened.measured, index, _start(request))
    return as_json(body | {"lanes": opened.started.get(body["id"], [])})


def added(request: Request) -> Response:
    """One message that a compaction put in."""
    trace, j, m = (_trace(request), request.path_params["j"], request.path_params["m"])
    if trace is None or not (0 <= j < len(trace.compactions) and 0 <= m < len(trace.compactions[j].added)):
        return _missing("this message")
    compaction = trace.compactions[j]
    return as_json(present.message_body(compaction.added[m], compaction.added_tokens[m], -1, _start(request)))


def shadow(request: Request) -> Response:
    """What is left of a message where a stage of the policy empties it."""
    trace, s, i = _trace(request), request.path_params["s"], request.path_params["i"]
    start = request.query_params.get("from", "0")
    found = trace and present.shadow_of(trace, s, i, int(start) if start.isdecimal() else 0)
    return as_json(found) if found else _missing("this message")


def compaction(request: Request) -> Response:
    """The card of one compaction."""
    trace, j = _trace(request), request.path_params["j"]
    if trace is None or not 0 <= j < len(trace.compactions):
        return _missing("this compaction")
    return as_json(present.compaction_card(trace, j))


def compared(request: Request) -> Response:
    """A recorded compaction beside what a policy would have done to the same window."""
    opened, k = _opened(request), request.path_params["k"]
    if opened is None or not 0 <= k < len(opened.recorded.compactions):
        return _missing("this compaction")
    said = dict(request.query_params)
    try:
        return as_json(comparison(opened.recorded, k, said.pop("policy", "") or DEFAULT_POLICY, said))
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 400)


def findings(request: Request) -> Response:
    """What deserves attention in a trace: a page of the list, and with the first of all kinds the marks of its compactions."""
    trace = _trace(request)
    if trace is None:
        return _missing("this trace")
    kind = request.query_params.get("kind", "")
    listed = finding_list(trace, kind, _start(request))
    marks = finding_marks(trace) if not kind and not listed["from"] else None
    return as_json(listed | {"marks": marks})


def find(request: Request) -> Response:
    """Where a text occurs in a session."""
    opened = _opened(request)
    if opened is None:
        return _missing("this session")
    return as_json(present.find(opened.measured.messages, request.query_params.get("q", "")))


ROUTES = [
    Route("/api/message/{sid}/{i:int}", message),
    Route("/api/added/{tid}/{j:int}/{m:int}", added),
    Route("/api/shadow/{tid}/{s:int}/{i:int}", shadow),
    Route("/api/compaction/{tid}/{j:int}", compaction),
    Route("/api/compared/{sid}/{k:int}", compared),
    Route("/api/findings/{tid}", findings),
    Route("/api/find/{sid}", find),
]
