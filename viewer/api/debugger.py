"""The routes of the debugger: whole messages, compaction cards, findings, find. JSON, same origin; docs/wire.md."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError, Trace
from core.analyse import findings_at
from core.analyse.findings import are_found
from core.model.give_way import giving_way
from core.model.session import Message
from viewer.api.answers import as_json
from viewer.sessions.read_ahead import LONG
from viewer.sessions.registry import OPENED, TRACES, Opened, RecentCache
from viewer.sessions.runs import OpenedRun, live_named, trace_of
from viewer.sessions.turns import Turns
from viewer.sessions.urgent import URGENT
from viewer.wire import present
from viewer.wire.card import attempt_findings, card_findings, compaction_card
from viewer.wire.compared import comparison, rival_of
from viewer.wire.findings import finding_list, finding_marks
from viewer.wire.losses import loss_list
from viewer.wire.overview import called_body, session_overview
from viewer.wire.search import find_added, find_messages, snippet

_TURNS: RecentCache[Turns] = RecentCache(16)
"""For each session: one thread at a time works out its losses, a card's findings and those of all, the list of all last."""


def missing(what: str, *, closed: bool = True) -> Response:
    """That what was asked for is not there any more: as the server has `closed` its session, which may be opened again."""
    return as_json({"error": f"{what} is no longer open", "hint": "reload the page", "closed": closed}, 404)


def _opened(request: Request) -> Opened | OpenedRun | None:
    """The session that the address names, of a file or a live run, or None."""
    drive = live_named(request.path_params["sid"])
    return OpenedRun(drive) if drive else OPENED.get(request.path_params["sid"])


def trace_asked(request: Request) -> Trace | None:
    """The trace that the address names, or None."""
    return _trace_called(request.path_params["tid"])


def _trace_called(tid: str) -> Trace | None:
    """The trace with this id, of a file or a live run, or None."""
    drive = live_named(tid)
    return trace_of(drive) if drive else TRACES.get(tid)


def _start(request: Request) -> int:
    """Where a long answer begins; 0 if the parameter is not a number."""
    start = request.query_params.get("from", "0")[:15]  # longer than any answer
    return int(start) if start.isdecimal() else 0


def overview(request: Request) -> Response:
    """What happened in a session. It is what a person reads first, so that no finding is worked out meanwhile."""
    opened = _opened(request)
    if opened is None:
        return missing("this session")
    with URGENT.first():
        return as_json(session_overview(opened.recorded))


def called(request: Request) -> Response:
    """The messages behind what the overview counts: Find goes through them."""
    opened = _opened(request)
    return as_json(called_body(opened.recorded)) if opened else missing("this session")


def message(request: Request) -> Response:
    """One message of a session, from a character on."""
    opened, index = _opened(request), request.path_params["i"]
    if opened is None or not 0 <= index < len(opened.measured.messages):
        return missing("this message")
    body = present.message_of(opened.measured, index, _start(request))
    return as_json(body | {"lanes": opened.started.get(body["id"], [])})


def added(request: Request) -> Response:
    """One message that a compaction added."""
    trace, j, m = (trace_asked(request), request.path_params["j"], request.path_params["m"])
    if trace is None or not (0 <= j < len(trace.compactions) and 0 <= m < len(trace.compactions[j].added)):
        return missing("this message")
    compaction = trace.compactions[j]
    return as_json(present.message_body(compaction.added[m], compaction.added_tokens[m], -1, _start(request)))


def shadow(request: Request) -> Response:
    """What is left of a message that a stage of the policy clears."""
    trace, s, i = trace_asked(request), request.path_params["s"], request.path_params["i"]
    found = trace and present.shadow_of(trace, s, i, _start(request))
    return as_json(found) if found else missing("this message", closed=trace is None)


def compaction(request: Request) -> Response:
    """The card of one compaction; of a long session without findings that are not known yet: a person reads the rest first."""
    trace, j = trace_asked(request), request.path_params["j"]
    if trace is None or not 0 <= j < len(trace.compactions):
        return missing("this compaction")
    return as_json(compaction_card(trace, j, len(trace.messages) < LONG or are_found(trace, j)))


def compaction_findings(request: Request) -> Response:
    """The findings of one compaction, which its card came without."""
    trace, j = trace_asked(request), request.path_params["j"]
    if trace is None or not 0 <= j < len(trace.compactions):
        return missing("this compaction")
    with _turns(trace).first(), giving_way(URGENT.wait):
        return as_json({"findings": card_findings(trace, j)})


def attempt(request: Request) -> Response:
    """The findings of an attempt to compact that failed."""
    trace, f = trace_asked(request), request.path_params["f"]
    if trace is None or not 0 <= f < len(trace.failed):
        return missing("this attempt")
    return as_json({"findings": attempt_findings(trace, f)})


def compared(request: Request) -> Response:
    """A recorded compaction beside what a policy would have done to the same window."""
    opened, k = _opened(request), request.path_params["k"]
    if opened is None or not 0 <= k < len(opened.recorded.compactions):
        return missing("this compaction")
    parameters = dict(request.query_params)
    try:
        return as_json(
            comparison(opened.recorded, k, parameters.pop("policy", "") or rival_of(opened.recorded), parameters)
        )
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 400)


def findings(request: Request) -> Response:
    """A page of the findings of a trace; with the first page of all kinds, the marks of its compactions."""
    trace = trace_asked(request)
    if trace is None:
        return missing("this trace")
    kind = request.query_params.get("kind", "")
    with giving_way(URGENT.wait):
        _work_out(trace)
        with _turns(trace).later():
            listed = finding_list(trace, kind, _start(request))
            marks = finding_marks(trace) if not kind and not listed["from"] else None
    return as_json(listed | {"marks": marks})


def _work_out(trace: Trace) -> None:
    """The findings of every compaction, each in a turn of its own: the overview waits for one of them, not for all."""
    turns = _turns(trace)
    for k in range(len(trace.compactions)):
        with turns.later():
            findings_at(trace, k)


def _turns(trace: Trace) -> Turns:
    return _TURNS.get_or_make(str(id(trace.measured)), Turns)


def losses(request: Request) -> Response:
    """What the compactions of a trace lost, some at a time."""
    trace = trace_asked(request)
    if trace is None:
        return missing("this trace")
    with _turns(trace).first(), giving_way(URGENT.wait):
        return as_json(loss_list(trace, _start(request)))


def find(request: Request) -> Response:
    """Where a text occurs in a session, and in what the compactions of the trace `tid` put into the window."""
    opened, q = _opened(request), request.query_params.get("q", "")
    if opened is None:
        return missing("this session")
    trace = _trace_called(request.query_params.get("tid", ""))
    added = find_added(trace, q) if trace else []
    return as_json(find_messages(opened.measured.messages, q) | {"added": added})


def snippet_of(request: Request) -> Response:
    """What a message says around a text: one of the session (`at=12`), or one that a compaction of `tid` added (`at=3/0`)."""
    opened, query = _opened(request), request.query_params
    if opened is None:
        return missing("this session")
    at = [int(part) for part in query.get("at", "")[:31].split("/") if part.isdecimal()]
    message = _message_at(opened.measured.messages, _trace_called(query.get("tid", "")), at)
    found = snippet(message, query.get("q", "")) if message else None
    return as_json(found) if found else missing("this match", closed=False)


def _message_at(messages: Sequence[Message], trace: Trace | None, at: list[int]) -> Message | None:
    """A message of the session, by its place, or one that a compaction added, by the compaction and its place there."""
    if len(at) == 1:
        return messages[at[0]] if at[0] < len(messages) else None
    if len(at) != 2 or trace is None or at[0] >= len(trace.compactions):
        return None
    added = trace.compactions[at[0]].added
    return added[at[1]] if at[1] < len(added) else None


ROUTES = [
    Route("/api/overview/{sid}", overview),
    Route("/api/called/{sid}", called),
    Route("/api/message/{sid}/{i:int}", message),
    Route("/api/added/{tid}/{j:int}/{m:int}", added),
    Route("/api/shadow/{tid}/{s:int}/{i:int}", shadow),
    Route("/api/compaction/{tid}/{j:int}", compaction),
    Route("/api/compaction/{tid}/{j:int}/findings", compaction_findings),
    Route("/api/attempt/{tid}/{f:int}", attempt),
    Route("/api/compared/{sid}/{k:int}", compared),
    Route("/api/findings/{tid}", findings),
    Route("/api/losses/{tid}", losses),
    Route("/api/find/{sid}", find),
    Route("/api/snippet/{sid}", snippet_of),
]
