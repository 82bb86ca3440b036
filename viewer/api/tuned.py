"""The routes of the Tune page: sessions, proposed ranges, sweeps as they run, prices. JSON and JSON Lines; docs/wire.md."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any

from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError, policy
from core.measure.cost import Prices
from core.measure.prices import MILLION, price_list, prices_of
from core.model.errors import ParameterError
from core.policy.window_needed import window_needed
from core.tune.priced import prices_each
from core.tune.proposals import propose
from core.tune.sized import models_of
from viewer.api.access import local
from viewer.api.answers import as_json, json_lines, json_object
from viewer.api.kept import kept_picture, result_facts
from viewer.api.tuned_rows import FORMS, values_of
from viewer.sessions.results import open_result, result_named
from viewer.sessions.sweeps import Running, Sweep, sweep_named, sweep_of
from viewer.sessions.tuned import MOST, SessionSet, Wanted, find_sessions, session_id, set_named
from viewer.settings.query import settings_query
from viewer.wire.preview import one_line
from viewer.wire.tuned import SessionPrices, Standing, proposal_facts, session_facts

OWN = "own"
"""In place of prices: each session at those of its own model."""

TICK = 0.3
"""Seconds between two lines of a sweep that runs."""

Asked = Mapping[str, Any]


async def sessions(request: Request) -> Response:
    """The sessions of a sweep: how far the reading is, a line each, and at last all of them."""
    try:
        wanted = Wanted.of(await _asked(request))
    except FoldlineError as error:
        return _refused(error)
    steps = iterate_in_threadpool(find_sessions(wanted, local()))
    return json_lines(_session_lines(steps))


async def _session_lines(steps: AsyncIterator[Any]) -> AsyncIterator[dict[str, Any]]:
    try:
        async for step in steps:
            yield {"found": set_facts(step)} if isinstance(step, SessionSet) else {"read": list(step)}
    except FoldlineError as error:
        yield {"failed": str(error), "hint": error.hint}


def set_facts(found: SessionSet) -> dict[str, Any]:
    """All sessions of a set, what could not be read, and their models, the most frequent first."""
    return {
        "set": found.id,
        "meter": found.meter,
        "sessions": [session_facts(one, session_id(one)) for one in found.sessions],
        "failures": [
            [one_line(one.name, 300), one_line("; ".join(filter(None, (one.why, one.hint))), 400)]
            for one in found.failures[:200]
        ],
        "models": models_of(found.sessions),
    }


def proposals(asked: Asked) -> dict[str, Any]:
    """The ranges of a policy's parameters that suit some sessions, those worth sweeping first in front."""
    found, without, least = set_asked(asked), set(map(str, asked.get("without") or ())), asked.get("least") or 0
    sizes = [one.size for one in found.sessions if one.tokens >= least and session_id(one) not in without]
    rule = policy(str(asked.get("policy")))
    return {
        "policy": rule.name,
        "parameters": [proposal_facts(one, rule) for one in propose(rule, sizes)],
        "window": window_needed(rule),
        "defaults": settings_query(rule, {p.name: True for p in rule.parameters}),
    }


def prices(asked: Asked) -> dict[str, Any]:
    """The prices of some models, in dollars a million tokens, and the list they are from; null for one that is not in it."""
    models = [str(one)[:200] for one in asked["models"]][:MOST]
    return {"prices": [amounts_of(prices_of(model)) for model in models], "list": price_list()}


def amounts_of(found: Prices | None) -> list[float] | None:
    """Prices as the browser gets them."""
    if found is None:
        return None
    return [round(one * MILLION, 6) for one in (found.input, found.read, found.write, found.output)]


async def run(request: Request) -> Response:
    """Have a sweep made: a line that names it, then how far it is, until it is done. It ends when its page goes away."""
    try:
        asked = await _asked(request)
        found = await run_in_threadpool(lambda: sweep_of(set_asked(asked), asked))
    except (FoldlineError, KeyError, TypeError, ValueError) as error:
        return _refused(error)
    begun = await run_in_threadpool(_begun, found)
    if asked.get("look"):  # what is known of it, without a run
        return json_lines(_once(begun))
    return json_lines(run_lines(lambda: Running(found), begun))


async def _once(line: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    yield line


def _begun(found: Sweep) -> dict[str, Any]:
    sessions = [session_id(one) for one in found.sessions]
    return {"sweep": found.id, "sessions": sessions, "runs": found.runs, "done": found.done}


async def run_lines(start: Callable[[], Running], begun: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    """What has begun, how far it is, and that it is done; whoever closes this stops it."""
    yield begun
    running = start()
    try:
        while not running.over.is_set():
            await asyncio.sleep(TICK)
            yield await run_in_threadpool(_news, running)
        yield {"failed": running.failure} if running.failure else {"finished": True}
    finally:
        running.stop()


def _news(running: Running) -> dict[str, Any]:
    return {"done": running.sweep.done, "runs": running.sweep.runs, "part": running.part, "left": running.left}


def picture(asked: Asked) -> dict[str, Any]:
    """A sweep as it stands, at the prices and the limit that are asked for."""
    found, limit = _sweep_asked(asked), _number(asked.get("limit"), 0.05)
    chosen, shown = (one if isinstance(one, int) else None for one in (asked.get("chosen"), asked.get("shown")))
    return _standing(found).picture(_session_prices(found, asked), limit, chosen, shown, bool(asked.get("running")))


def result(asked: Asked) -> dict[str, Any]:
    """The kept rows of `foldline tune --parquet` in a folder. Raises FoldlineError."""
    if not local():
        raise FoldlineError("results are opened only when foldline listens on 127.0.0.1", "")
    return result_facts(open_result(str(asked.get("path") or "")))


def kept(asked: Asked) -> dict[str, Any]:
    """A kept result at the prices and the limit that are asked for, with the sessions that have most of a figure."""
    found, limit = result_named(str(asked.get("sweep") or "")), _number(asked.get("limit"), 0.05)
    chosen, shown = (one if isinstance(one, int) else None for one in (asked.get("chosen"), asked.get("shown")))
    return kept_picture(found, _prices(asked), limit, chosen, shown, asked.get("figure") or "misses")


def _standing(found: Sweep) -> Standing:
    *rows, before, never = map(dict, found.rows)  # as they are now: a run goes on adding to them
    return Standing(found.settings, rows, before, never, len(found.sessions), dict(found.failed))


def _session_prices(found: Sweep, asked: Asked) -> SessionPrices | None:
    """The prices of each session of a sweep: those of its own model for "own", else those that are given for all."""
    if asked.get("prices") == OWN:
        each = [one for one in prices_each([one.model for one in found.sessions]) if one]
        return each or None
    given = _prices(asked)
    return [given] * len(found.sessions) if given else None


def _prices(asked: Asked) -> Prices | None:
    """The prices that a request gives, in dollars a million tokens: input, read, write, output. Raises ParameterError."""
    given = asked.get("prices")
    if not given:
        return None
    amounts = [_number(one, -1) for one in given] if isinstance(given, list) else []
    if len(amounts) != 4 or min(amounts) < 0:
        raise ParameterError("four prices of 0 or more are needed", "give input, cache read, cache write and output")
    return Prices(*(one / MILLION for one in amounts))


def _number(value: Any, otherwise: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e12:
        return otherwise
    return float(value)


def table(form: str, request: Request) -> Response:
    """The rows of a sweep as a file, at the prices of the page."""
    try:
        said = request.query_params.get("prices", "")
        amounts = said if said == OWN else [float(one) for one in said.split(",") if one]
        asked = {"sweep": request.query_params.get("sweep", ""), "prices": amounts}
        found = _sweep_asked(asked)
        at = _session_prices(found, asked)
    except (FoldlineError, ValueError) as error:
        return _refused(error)
    media, write = FORMS[form]
    *made, before, _ = map(dict, found.rows)
    own = amounts == OWN
    data = write([values_of(row, at[k] if at else None, own) for kept in (before, *made) for k, row in kept.items()])
    headers = {"Content-Disposition": f'attachment; filename="foldline-tune.{form}"', "Cache-Control": "no-store"}
    return Response(data, media_type=media, headers=headers)


def set_asked(asked: Asked) -> SessionSet:
    """The sessions that a request names. Raises FoldlineError."""
    found = set_named(str(asked.get("set") or ""))
    if found is None:
        raise FoldlineError("these sessions are no longer open", "choose them again")
    return found


def _sweep_asked(asked: Asked) -> Sweep:
    found = sweep_named(str(asked.get("sweep") or ""))
    if found is None:
        raise FoldlineError("this sweep is no longer there", "run it again")
    return found


async def _asked(request: Request) -> Asked:
    """The JSON object that a request sends. Raises RefusedError."""
    return json_object(await request.body())


def _refused(error: Exception) -> Response:
    hint = error.hint if isinstance(error, FoldlineError) else "reload the page"
    return as_json({"error": one_line(str(error), 400), "hint": hint}, 400)


def _route(path: str, make: Callable[[Asked], dict[str, Any]]) -> Route:
    """A route that answers what `make` makes of a request's JSON, in a thread of its own."""

    async def answer(request: Request) -> Response:
        try:
            asked = await _asked(request)
            return as_json(await run_in_threadpool(make, asked))
        except (FoldlineError, KeyError, TypeError, ValueError) as error:
            return _refused(error)

    return Route(path, answer, methods=["POST"])


ROUTES = [
    Route("/api/tune/sessions", sessions, methods=["POST"]),
    Route("/api/tune/run", run, methods=["POST"]),
    *(Route(f"/api/tune/rows.{form}", partial(table, form)) for form in FORMS),
    _route("/api/tune/proposals", proposals),
    _route("/api/tune/picture", picture),
    _route("/api/tune/prices", prices),
    _route("/api/tune/result", result),
    _route("/api/tune/kept", kept),
]
