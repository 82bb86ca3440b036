"""The routes of a fork on the Debug page: what the run would be made of, and the fork itself. docs/wire.md.

Only for the user of this machine: a run can cost money, and its tools read files.
"""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError
from core.llm.directory import provider
from viewer.api.access import local
from viewer.api.answers import RefusedError, as_json, json_object, refused
from viewer.sessions.forks import NewFork, new_fork
from viewer.sessions.registry import TRACES
from viewer.sessions.runs import runs
from viewer.wire.compared import settings_text
from viewer.wire.live_pack import title_of
from viewer.wire.preview import one_line


async def plan(request: Request) -> Response:
    """What a fork at this step would be made of."""
    return await _answer(request, lambda found: _plan(found))


async def fork(request: Request) -> Response:
    """Fork at this step; answers with the id of the new run."""
    return await _answer(request, lambda found: {"run": found.begin(runs()).drive.id})


async def _answer(request: Request, answer: Any) -> Response:
    try:
        body = _body(await request.body())
        return as_json(await run_in_threadpool(lambda: answer(_fork(request.path_params["tid"], body))))
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)


def _body(data: bytes) -> dict[str, Any]:
    if not local():
        raise RefusedError("live runs are available only on 127.0.0.1", "start foldline on this machine", 403)
    return json_object(data)


def _fork(tid: str, body: dict[str, Any]) -> NewFork:
    step, settings, trace = body.get("step"), body.get("settings"), TRACES.get(tid)
    if trace is None:
        raise RefusedError("this transcript is no longer open", "reload the page", 404)
    if not isinstance(step, int) or isinstance(step, bool):
        raise RefusedError("a fork needs a step", "choose one on the timeline")
    name = str(body.get("policy") or "")
    return new_fork(runs(), trace, step, name, settings if isinstance(settings, dict) else {})


def _plan(found: NewFork) -> dict[str, Any]:
    settings, like, rule = found.settings, found.like, found.rule
    return {
        "agent": provider(settings.provider).label,
        "model": one_line(settings.model),
        "like": one_line(title_of(like.drive), 80) if like else "",
        "tools": [one_line(name) for name in found.tools],
        "missing": [one_line(name) for name in found.missing],
        "folder": one_line(settings.folder, 300),
        "policy": rule.name,
        "settings": settings_text(rule),
        "simulated": found.trace.kind == "simulate",
        "governed": found.trace.policy_at(found.step) is not None,
        "meter": settings.meter,
        "recounted": settings.meter != found.trace.meter,
    }


ROUTES = [
    Route("/api/fork/{tid}/plan", plan, methods=["POST"]),
    Route("/api/fork/{tid}", fork, methods=["POST"]),
]
