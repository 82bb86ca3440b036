"""The routes of the Runs page: the runs on this machine, and commands to rename and delete them; docs/wire.md."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError
from core.demo import provider as demo
from core.drive import RunInfo, State
from core.drive.run_facts import RunFacts
from viewer.api.access import local
from viewer.api.answers import RefusedError, as_json, json_object, refused
from viewer.sessions.runs import runs
from viewer.wire.live_pack import fork_words, server_words
from viewer.wire.preview import one_line

MOST = 10_000
"""Runs of one answer, and of one command."""


def listing(request: Request) -> Response:
    """Every run on this machine, the newest first."""
    if not local():
        return refused(_elsewhere())
    known = runs().store.runs()
    return as_json({"rows": rows_of(known[:MOST]), "total": len(known)})


def rows_of(known: Sequence[RunInfo]) -> list[dict[str, Any]]:
    """These runs as they are listed."""
    open_now = {live.drive.id: live.drive.state for live in runs().all()}
    return [_row(info, open_now.get(info.id)) for info in known]


def _row(info: RunInfo, state: State | None) -> dict[str, Any]:
    facts = info.facts
    return {
        "id": info.id,
        "title": one_line(info.title, 200),
        **_standing(facts, state),
        "open": state is not None,
        "agent": one_line(server_words(info.provider, facts.base_url)),
        "model": one_line(info.model),
        "policy": facts.policy,
        "settings": _settings(facts.parameters),
        "compactions": facts.compactions,
        "messages": facts.messages,
        "calls": facts.calls,
        "prompt": facts.usage.prompt,
        "output": facts.usage.output,
        "cost": facts.usage.cost,
        "free": info.provider == demo.PROVIDER.name,
        "priced": facts.priced,
        "began": info.began,
        "changed": datetime.fromtimestamp(info.changed, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "fork": one_line(fork_words(info.fork)) if info.fork else "",
        "parent": info.fork.run if info.fork else "",
        "parent_title": one_line(info.fork.title or info.fork.run, 200) if info.fork else "",
        "forked_at": one_line(info.fork.at or f"step {info.fork.step:,}") if info.fork else "",
    }


def _settings(parameters: Mapping[str, Any]) -> str:
    """The numbers that the policy was given: "budget 6,000, keep_recent 6"."""
    numbers = [f"{name} {value:,}" for name, value in parameters.items() if type(value) in (int, float)]
    return one_line(", ".join(numbers), 200)


def _standing(facts: RunFacts, state: State | None) -> dict[str, str]:
    """The status and why, of an open run as it is now, of any other as it would be opened."""
    if state is None:
        return {"status": facts.status, "why": one_line(facts.reason, 400), "problem": facts.problem}
    problem = state.problem.kind if state.problem else ""
    return {"status": state.status, "why": one_line(state.reason, 400), "problem": problem}


async def delete(request: Request) -> Response:
    """Delete runs, with `stop` also those in the middle of a turn; those that are refused are named with the reason."""
    return await _of_each(request, "deleted", lambda body: partial(runs().delete, stop=body.get("stop") is True))


async def put_back(request: Request) -> Response:
    """Undo the deletion of runs, alike."""
    return await _of_each(request, "restored", lambda _: runs().put_back)


async def _of_each(request: Request, done: str, do: Callable[[dict[str, Any]], Callable[[str], None]]) -> Response:
    try:
        body = await _body(request)
        ids = _ids(body)
    except RefusedError as error:
        return refused(error)
    return as_json(await run_in_threadpool(_done, ids, done, do(body)))


def _ids(body: dict[str, Any]) -> list[str]:
    ids = body.get("ids")
    if not isinstance(ids, list) or len(ids) > MOST:
        raise RefusedError("the command cannot be read", "reload the page")
    return [id for id in ids if isinstance(id, str)]


def _done(ids: list[str], name: str, do: Callable[[str], None]) -> dict[str, Any]:
    """The runs for which that could be done, under this name, and those for which it could not, with the reason."""
    done, kept = list[str](), list[list[str]]()
    for id in ids:
        try:
            do(id)
            done.append(id)
        except FoldlineError as error:
            kept.append([id, f"{error}: {error.hint}" if error.hint else str(error)])
    return {name: done, "kept": kept}


async def rename(request: Request) -> Response:
    """Give a run a name."""
    try:
        body = await _body(request)
        id, title = str(body.get("id", "")), str(body.get("title", "")).strip()[:200]
        await run_in_threadpool(runs().rename, id, title)
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)
    return as_json({"ok": True})


async def _body(request: Request) -> dict[str, Any]:
    if not local():
        raise _elsewhere()
    return json_object(await request.body())


def _elsewhere() -> RefusedError:
    return RefusedError("live runs are available only on 127.0.0.1", "start foldline on this machine", 403)


ROUTES = [
    Route("/api/runs", listing),
    Route("/api/runs/delete", delete, methods=["POST"]),
    Route("/api/runs/restore", put_back, methods=["POST"]),
    Route("/api/runs/rename", rename, methods=["POST"]),
]
