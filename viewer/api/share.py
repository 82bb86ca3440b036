"""The routes of Share: what looks secret in a session, a file that is made ready, and the file. docs/wire.md.

A file is kept in memory until it is fetched or some others were made; nothing is written on this machine.
"""

import re
from dataclasses import dataclass
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from core import FoldlineError, Trace, load, meter, replay
from core.cli.redact import row
from core.meters import bound
from core.secrets.found import Found, find_secrets
from viewer.api.answers import RefusedError, as_json, json_object, refused
from viewer.api.debugger import missing
from viewer.export.handed import Handed
from viewer.export.sharing import HTML, NAMES, ending, handed, masked_trace, media_type, simulator_of
from viewer.sessions.registry import TRACES, RecentCache, digest
from viewer.sessions.runs import live_named, runs

MOST_TEXTS = MOST_LANES = 4


@dataclass(frozen=True)
class _Ready:
    """A file that was made ready, and what it is called."""

    made: Handed
    name: str
    form: str


_READY: RecentCache[_Ready] = RecentCache(3)
_FOUND: RecentCache[list[Found]] = RecentCache(8)
_ONE = Lock()
"""One file is made at a time: a large one takes seconds of the processor."""


def _trace_asked(tid: str) -> Trace | None:
    """The trace with this id; of a live run what its file on disk says, as Debug would open it."""
    drive = live_named(tid)
    if drive is None:
        return TRACES.get(tid)
    session = load(runs().store.path(drive.id))
    return replay(session, meter=bound(meter(drive.settings.meter), session))


def _found_in(tid: str, trace: Trace) -> list[Found]:
    """What looks secret or personal in the session of a trace."""
    key = digest(tid, trace.session.title, str(len(trace.session.messages)))
    return _FOUND.get_or_make(key, lambda: find_secrets(trace.session))


async def secrets(request: Request) -> Response:
    """What looks secret or personal in the session of a trace: a row each, never the secret itself."""
    return await _answer(request, lambda tid, trace, body: _listed(_found_in(tid, trace)))


def _listed(found: list[Found]) -> dict[str, Any]:
    """A row each, and what names the whole list: the numbers that are kept are of one list."""
    return {"found": [row(number, secret, set()) for number, secret in enumerate(found, 1)], "list": _name_of(found)}


def _name_of(found: list[Found]) -> str:
    return digest(*(f"{secret.kind} {secret.text}" for secret in found))


async def prepare(request: Request) -> Response:
    """Make a file ready: where it is fetched, what it is called, its sizes, and what it does not hold."""
    return await _answer(request, _prepared)


def _prepared(tid: str, trace: Trace, body: dict[str, Any]) -> dict[str, Any]:
    form, step, kept = _form(body), _step(body, trace), _numbers(body)
    found = _found_in(tid, trace)
    if kept and body.get("list") != _name_of(found):
        raise RefusedError("what looks secret has changed since it was listed", "look through the list again", 409)
    masked = [one for n, one in enumerate(found, 1) if n not in kept and one.times]
    with _ONE:
        again = masked_trace(trace, masked)
        beside = [masked_trace(other, masked) for other in _others(body, trace)]
        others = simulator_of(again, again.session) if again.kind == "simulate" and again.policy else None
        made = handed(again, form, step, masked, others, _texts(body), beside)
    key = token_urlsafe(12)
    ready = _READY.put(key, _Ready(made, _name(again) + ending(form), form))
    return {
        "file": f"api/shared/{key}",
        "name": ready.name,
        "bytes": sum(made.sizes.values()),
        "sizes": made.sizes,
        "left_out": made.left_out,
        "masked": len(masked),
    }


async def _answer(request: Request, answer: Any) -> Response:
    tid = request.path_params["tid"]
    try:
        body = json_object(await request.body())

        def found() -> Response:
            trace = _trace_asked(tid)
            return missing("this run") if trace is None else as_json(answer(tid, trace, body))

        return await run_in_threadpool(found)
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)


def _form(body: dict[str, Any]) -> str:
    form = body.get("form") or HTML
    if form not in NAMES:
        raise RefusedError(f"there is no form {str(form)[:40]!r}", f"the forms are {', '.join(NAMES)}", 404)
    return str(form)


def _step(body: dict[str, Any], trace: Trace) -> int | None:
    step = body.get("step")
    known = isinstance(step, int) and not isinstance(step, bool) and 0 <= step < len(trace)
    return step if known else None


def _numbers(body: dict[str, Any]) -> set[int]:
    kept = body.get("keep")
    return {n for n in kept if isinstance(n, int)} if isinstance(kept, list) else set()


def _others(body: dict[str, Any], trace: Trace) -> list[Trace]:
    """The other runs of the same session that come along; it may have been read again since one of them was made."""
    named = body.get("others")
    found = [_trace_asked(tid) for tid in named if isinstance(tid, str)] if isinstance(named, list) else []
    return [run for run in found if run is not None and run.session == trace.session][:MOST_LANES]


def _texts(body: dict[str, Any]) -> list[str]:
    texts = body.get("texts")
    return [text for text in texts if isinstance(text, str)][:MOST_TEXTS] if isinstance(texts, list) else []


def _name(trace: Trace) -> str:
    """What the file is called, without its ending: the session's title in letters that every file system takes."""
    words = re.findall(r"[A-Za-z0-9]+", trace.session.title.replace("'", ""))
    name = "-".join(words).lower()[:48].strip("-") or "session"
    return f"{name}-{trace.policy.name.replace('.', '-')}" if trace.kind == "simulate" and trace.policy else name


def shared(request: Request) -> Response:
    """The file that was made ready, to be saved."""
    ready = _READY.get(request.path_params["key"])
    if ready is None:
        return missing("this file")
    headers = {"Content-Disposition": f'attachment; filename="{ready.name}"', "Cache-Control": "no-store"}
    return StreamingResponse(ready.made.pieces(), media_type=media_type(ready.form), headers=headers)


ROUTES = [
    Route("/api/share/{tid}/secrets", secrets, methods=["POST"]),
    Route("/api/share/{tid}", prepare, methods=["POST"]),
    Route("/api/shared/{key}", shared),
]
