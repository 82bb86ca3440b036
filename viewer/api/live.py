"""What the Live page asks for and tells: news of a run as it happens, and commands to it. docs/wire.md.

Only for the user of this machine, and only from a page of this server: a command costs money, and a tool reads files.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError
from core.drive import Breakpoint, Drive
from core.errors import BrokenPairError, RunError
from viewer.answers import as_json
from viewer.live_pack import Seen, news
from viewer.origin import RefusedError, local, own_page
from viewer.runs import Live, runs

PATIENCE = 20.0
"""Seconds that a question for news waits for some."""

LOOK = 0.04
"""Seconds between two looks meanwhile."""

MOST_BODY = 1 << 20

Said = Mapping[str, Any]
Command = Callable[[Live, Said], dict[str, Any] | None]


def _live(request: Request) -> Live:
    """The run that the address names. Raises RefusedError."""
    if not local():
        raise RefusedError("agents are driven only when foldline listens on 127.0.0.1", "start it on this machine", 403)
    return runs().get(request.path_params["run"]) or _taken_up(request.path_params["run"])


def _taken_up(id: str) -> Live:
    """A run that this server does not hold, as after a restart: taken up from its file; nothing is started for it."""
    try:
        return runs().open(id)
    except FoldlineError as error:
        raise RefusedError(
            f"this run is not open any more: {error}", error.hint or "choose it from Runs…", 404
        ) from None


async def what_is_new(request: Request) -> Response:
    """What is new since the browser last asked; waits for something up to 20 s."""
    try:
        live = await run_in_threadpool(_live, request)
    except RefusedError as refused:
        return _refused(refused)
    asked = {name: _number(request.query_params.get(name, "")) for name in ("life", "messages", "compactions", "steps")}
    version, tab = _number(request.query_params.get("version", "")), request.query_params.get("tab", "")[:80]
    until = time.monotonic() + PATIENCE
    while live.drive.version == version and asked["life"] == live.life and time.monotonic() < until:
        if not runs().holds(live):  # let go of meanwhile, or taken up anew
            return await what_is_new(request)
        live.heard(tab)
        if await request.is_disconnected():
            live.left(tab)
            return as_json({})
        await asyncio.sleep(LOOK)
    seen = Seen(asked["messages"], asked["compactions"], asked["steps"]) if asked["life"] == live.life else Seen()
    live.heard(tab)
    return await run_in_threadpool(_news, live, seen, tab)


def _news(live: Live, seen: Seen, tab: str) -> Response:
    with live.drive.lock:
        version = live.drive.version
        told = news(live.drive, seen)
    told["state"] |= {"drives": live.drives(tab), "driven": live.driven}
    return as_json({"run": live.drive.id, "life": live.life, "version": version, **told})


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 24 else -1


async def command(request: Request) -> Response:
    """Do what the page says."""
    try:
        own_page(request, "use the page of this foldline")
        live = await run_in_threadpool(_live, request)
        said = _said(await request.body())
        done = await run_in_threadpool(_follow, live, said)
        return as_json({"ok": True, **(done or {})})
    except RefusedError as refused:
        return _refused(refused)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)


def _refused(refused: RefusedError) -> Response:
    return as_json({"error": str(refused), "hint": refused.hint}, refused.status)


def _said(body: bytes) -> dict[str, Any]:
    try:
        said = json.loads(body) if len(body) <= MOST_BODY else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("do"), str):
        raise RefusedError("the command is damaged", "reload the page")
    return said


def _follow(live: Live, said: Said) -> dict[str, Any] | None:
    name, tab = str(said["do"]), str(said.get("tab", ""))[:80]
    if name == "take":
        live.take(tab)
        live.drive.set()
        return None
    if live.driven_by_another(tab):
        raise RunError("another tab drives this run", "take over to drive it from here")
    live.take(tab)
    if name not in COMMANDS:
        raise RefusedError(f"there is no command {name!r}", "reload the page")
    return COMMANDS[name](live, said)


def _say(live: Live, said: Said) -> dict[str, Any] | None:
    text = str(said.get("text", "")).strip()
    if not text:
        raise RefusedError("nothing was typed", "type what the agent is to do")
    typed = {"/compact": _compact, "/reset": _reset, "/stop": _stop}
    if text.casefold() in typed:
        return typed[text.casefold()](live, said)
    if re.fullmatch(r"/[A-Za-z][\w-]*", text):
        raise RefusedError(
            f"there is no command {text}",
            f"there are {', '.join(typed)}; with more words behind it, it goes to the agent",
        )
    live.drive.say(text)
    return None


def _compact(live: Live, said: Said) -> dict[str, Any]:
    return {"later": not live.drive.compact()}


def _reset(live: Live, said: Said) -> dict[str, Any]:
    return {"run": runs().again(live).drive.id}


def _stop(live: Live, said: Said) -> None:
    live.drive.stop()


def _drop(live: Live, said: Said) -> dict[str, Any]:
    return {"later": not live.drive.drop(_whole(said.get("places")), _whole(said.get("added")))}


def _pin(live: Live, said: Said) -> dict[str, Any]:
    return {"later": not live.drive.pin(_whole(said.get("places")), bool(said.get("on", True)))}


def _set(live: Live, said: Said) -> None:
    drive: Drive = live.drive
    stepping, pace = said.get("stepping"), said.get("pace")
    if "breakpoints" in said:
        drive.break_on(_points(said["breakpoints"]))
    drive.set(
        stepping=stepping if isinstance(stepping, bool) else None,
        pace=float(pace) if isinstance(pace, int | float) else None,
    )


def _points(given: Any) -> list[Breakpoint]:
    try:
        return [Breakpoint.model_validate(one) for one in list(given)[:100]]
    except (ValueError, TypeError):
        raise RefusedError("a breakpoint is damaged", "make it again") from None


def _whole(given: Any) -> list[int]:
    """The whole numbers of a list; those beyond any session are none."""
    listed = given if isinstance(given, list) else []
    return [n for n in listed[:10_000] if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 40]


COMMANDS: dict[str, Command] = {
    "say": _say,
    "go": lambda live, said: live.drive.go_on(),
    "retry": lambda live, said: live.drive.go_on(),
    "step": lambda live, said: live.drive.step(),
    "pause": lambda live, said: live.drive.pause(),
    "stop": _stop,
    "without": lambda live, said: _without(live),
    "compact": _compact,
    "reset": _reset,
    "drop": _drop,
    "pin": _pin,
    "set": _set,
}


def _without(live: Live) -> None:
    live.drive.without_orphans()


async def request_body(request: Request) -> Response:
    """The exact JSON that the provider would be sent next."""
    try:
        live = await run_in_threadpool(_live, request)
        body, note = await run_in_threadpool(_request_of, live.drive)
    except RefusedError as refused:
        return _refused(refused)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)
    text = json.dumps(body, indent=2, ensure_ascii=False, default=str)
    return as_json({"body": body, "text": text, "note": note})


def _request_of(drive: Drive) -> tuple[dict[str, Any], str]:
    """The body of the next request, and a word on it; the window as it is where it would not be sent."""
    try:
        return drive.request(), "no key is in it: that goes into a header"
    except BrokenPairError as broken:
        return drive.window_as_json(), f"this window is not sent: {broken}"


ROUTES = [
    Route("/api/live/{run}/news", what_is_new),
    Route("/api/live/{run}/do", command, methods=["POST"]),
    Route("/api/live/{run}/request", request_body),
]
