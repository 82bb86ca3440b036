"""The routes of Share: what looks secret in a session, a file that is made ready, and the file. docs/wire.md.

A file is kept in memory until it is fetched or some others were made; nothing is written on this machine.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from secrets import token_urlsafe
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError, Session, Trace, load, meter, replay
from core.meters import bound
from core.secrets.found import Found
from viewer.api.answers import RefusedError, as_json, json_lines, json_object, refused
from viewer.api.debugger import missing
from viewer.api.looking import found_in, looking, name_of
from viewer.export.jobs import Job, LanesFile, Made, RunFile
from viewer.export.making import Making
from viewer.export.recipe import recipe_of
from viewer.export.sharing import COMPARE, HTML, NAMES
from viewer.sessions.registry import TRACES, RecentCache, digest
from viewer.sessions.runs import live_named, runs

MOST_TEXTS = MOST_LANES = 4

TICK = 0.1
"""Seconds between two looks at a file that is being made."""

_READY: RecentCache[Made] = RecentCache(3)


def _trace_asked(tid: str) -> Trace | None:
    """The trace with this id; of a live run what its file on disk says, as Debug would open it."""
    drive = live_named(tid)
    if drive is None:
        return TRACES.get(tid)
    session = load(runs().store.path(drive.id))
    return replay(session, meter=bound(meter(drive.settings.meter), session))


def keyed_session(tid: str, trace: Trace) -> tuple[str, Session]:
    """The session of a trace, and what names it among those that were searched: a live run grows under the same id."""
    return digest(tid, trace.session.title, str(len(trace.session.messages))), trace.session


async def secrets(request: Request) -> Response:
    """Lines of how far the search is, at last what looks secret or personal in a trace's session: never the secret itself."""
    return await _answer(request, lambda tid, trace, body: looking(*keyed_session(tid, trace)))


async def prepare(request: Request) -> Response:
    """Have a file made: lines of what is done now, at last where it is fetched, its name, sizes and what it does not hold."""
    return await _answer(request, lambda tid, trace, body: making(run_job(tid, trace, body)))


def run_job(tid: str, trace: Trace, body: dict[str, Any]) -> RunFile | LanesFile:
    """What is made of a run: the form, and what is masked, as the page has asked. Raises RefusedError."""
    form, masked, texts = _form(body), masked_of(found_in(*keyed_session(tid, trace)), body), tuple(_texts(body))
    beside = tuple(map(recipe_of, _others(body, trace)))
    if form == COMPARE:
        if len(beside) != len(body.get("others") or ()):
            raise RefusedError("a lane is no longer open on the server", "reload the page", 409)
        base, message = _whole(body.get("base")), _whole(body.get("message"))
        return LanesFile(trace.session, (recipe_of(trace), *beside), masked, texts, base, message)
    step, overview = _step(body, trace), body.get("overview") is True
    return RunFile(trace.session, recipe_of(trace), form, step, masked, texts, beside, overview)


def masked_of(found: list[Found], body: dict[str, Any]) -> tuple[Found, ...]:
    """What is masked: all that was found, but for what is kept of this list. Raises RefusedError for a list of others."""
    kept = _numbers(body)
    if kept and body.get("list") != name_of(found):
        raise RefusedError("what looks secret has changed since it was listed", "look through the list again", 409)
    return tuple(one for n, one in enumerate(found, 1) if n not in kept and one.times)


def making(job: Job) -> Response:
    """The lines of a file that is made."""
    return json_lines(making_lines(lambda: Making(job), len(job.masked)))


async def making_lines(start: Callable[[], Making], masked: int = 0) -> AsyncIterator[dict[str, Any]]:
    """What is done now, whenever that changes, and that the file is ready or why not; whoever closes this ends the work."""
    work, said = start(), ""
    try:
        while not work.over.is_set():
            if work.now != said:
                said = work.now
                yield {"doing": said}
            await asyncio.sleep(TICK)
        yield _ready(work.made, masked) if work.made else _failed(work)
    finally:
        work.stop()


def _ready(made: Made, masked: int) -> dict[str, Any]:
    key = token_urlsafe(12)
    _READY.put(key, made)
    about = {"name": made.name, "bytes": len(made.data), "sizes": made.sizes, "left_out": made.left_out}
    return {"ready": {"file": f"api/shared/{key}", **about, "masked": masked}}


def _failed(work: Making) -> dict[str, Any]:
    why, hint = work.failed or ("the file was not made", "prepare it again")
    return {"failed": why, "hint": hint}


async def _answer(request: Request, answer: Callable[[str, Trace, dict[str, Any]], Response]) -> Response:
    tid = request.path_params["tid"]

    def found(body: dict[str, Any]) -> Response:
        trace = _trace_asked(tid)
        return missing("this run") if trace is None else answer(tid, trace, body)

    return await answered(request, found)


async def answered(request: Request, answer: Callable[[dict[str, Any]], Response]) -> Response:
    """The answer to what was sent, worked out in a thread; a refusal says why."""
    try:
        return await run_in_threadpool(answer, json_object(await request.body()))
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)


def _form(body: dict[str, Any]) -> str:
    form, known = body.get("form") or HTML, (*NAMES, COMPARE)
    if form not in known:
        raise RefusedError(f"there is no form {str(form)[:40]!r}", f"the forms are {', '.join(known)}", 404)
    return str(form)


def _step(body: dict[str, Any], trace: Trace) -> int | None:
    step = body.get("step")
    known = isinstance(step, int) and not isinstance(step, bool) and 0 <= step < len(trace)
    return step if known else None


def _whole(value: Any) -> int:
    """A whole number of 0 or more, 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


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


def shared(request: Request) -> Response:
    """The file that was made ready, to be saved."""
    ready = _READY.get(request.path_params["key"])
    if ready is None:
        return missing("this file", closed=False)
    headers = {"Content-Disposition": f'attachment; filename="{ready.name}"', "Cache-Control": "no-store"}
    return Response(ready.data, media_type=ready.media, headers=headers)


ROUTES = [
    Route("/api/share/{tid}/secrets", secrets, methods=["POST"]),
    Route("/api/share/{tid}", prepare, methods=["POST"]),
    Route("/api/shared/{key}", shared),
]
