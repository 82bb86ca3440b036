"""The routes of the Live page: commands to a run, and what it would send next. docs/wire.md.

Only for the user of this machine: a command costs money, and a tool reads files.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError
from core.analyse import kinds
from core.drive import Breakpoint, Drive
from core.drive.restore import waiting_calls
from core.model.errors import BrokenPairError, RunError
from viewer.api.access import local
from viewer.api.answers import RefusedError, as_json, json_object, refused
from viewer.sessions.runs import OpenRun, runs
from viewer.wire.live_pack import compacts_first

Body = Mapping[str, Any]
Command = Callable[[OpenRun, Body], dict[str, Any] | None]


def live_run(request: HTTPConnection) -> OpenRun:
    """The run that the address names, reopened from its file if need be. Raises RefusedError."""
    if not local():
        raise RefusedError("live runs are available only on 127.0.0.1", "start foldline on this machine", 403)
    try:
        return runs().open(request.path_params["run"])
    except FoldlineError as error:
        hint = error.hint or "choose it on the Runs page"
        raise RefusedError(f"this run is no longer open: {error}", hint, 404) from None


async def command(request: Request) -> Response:
    """Carry out a command of the page."""
    try:
        live = await run_in_threadpool(live_run, request)
        body = _body(await request.body())
        done = await run_in_threadpool(_carry_out, live, body)
        return as_json({"ok": True, **(done or {})})
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)


def _body(data: bytes) -> dict[str, Any]:
    body = json_object(data)
    if not isinstance(body.get("do"), str):
        raise RefusedError("the command cannot be read", "reload the page")
    return body


def _carry_out(live: OpenRun, body: Body) -> dict[str, Any] | None:
    name, tab = str(body["do"]), str(body.get("tab", ""))[:80]
    if name == "leave":
        live.leave(tab)
        return None
    if name != "take" and live.driven_by_another(tab):
        raise RunError("another tab drives this run", "take over to drive it from here")
    live.take_over(tab)
    if name not in COMMANDS:
        raise RefusedError(f"there is no command {name!r}", "reload the page")
    return COMMANDS[name](live, body)


def _say(live: OpenRun, body: Body) -> dict[str, Any] | None:
    text = str(body.get("text", "")).strip()
    if not text:
        raise RefusedError("the message is empty", "type a task for the agent")
    typed = {"/compact": _compact, "/reset": _reset, "/stop": _stop}
    if text.casefold() in typed:
        return typed[text.casefold()](live, body)
    if re.fullmatch(r"/[A-Za-z][\w-]*", text):
        hint = f"the commands are {', '.join(typed)}; text with a slash and more than one word goes to the agent"
        raise RefusedError(f"there is no command {text}", hint)
    live.drive.send(text, one_step=body.get("step") is True)
    return None


def _compact(live: OpenRun, body: Body) -> dict[str, Any]:
    return {"later": not live.drive.compact()}


def _reset(live: OpenRun, body: Body) -> dict[str, Any]:
    return {"run": runs().restart(live).drive.id}


def _reconnect(live: OpenRun, body: Body) -> dict[str, Any] | None:
    """Start the MCP servers of the run again; of one that has no file yet, in a new run that takes its place."""
    if not live.servers:
        raise RunError("the commands and addresses of MCP servers are not saved", "name them in a new run")
    if not runs().store.path(live.drive.id).exists():
        return {"run": runs().restart(live).drive.id}
    runs().restart_servers(live)
    return None


def _stop(live: OpenRun, body: Body) -> None:
    live.drive.stop()


def _drop(live: OpenRun, body: Body) -> dict[str, Any]:
    return {"later": not live.drive.drop(_whole(body.get("places")), _whole(body.get("added")))}


def _pin(live: OpenRun, body: Body) -> dict[str, Any]:
    return {"later": not live.drive.pin(_whole(body.get("places")), bool(body.get("on", True)))}


def _set(live: OpenRun, body: Body) -> None:
    stepping, pace = body.get("stepping"), body.get("pace")
    if "breakpoints" in body:
        live.drive.set_breakpoints(_points(body["breakpoints"]))
    live.drive.set_pace(
        stepping=stepping if isinstance(stepping, bool) else None,
        seconds=float(pace) if isinstance(pace, int | float) else None,
    )


def _run_to(live: OpenRun, body: Body) -> None:
    target = body.get("target")
    live.drive.run_to(None if target is None else _points([target])[0])


def _edit_call(live: OpenRun, body: Body) -> None:
    live.drive.edit_call(
        str(body.get("call", "")), _arguments(str(body.get("arguments", ""))), then_pause=_pauses(body)
    )


def _arguments(text: str) -> dict[str, Any]:
    """The arguments that a person typed. Raises RefusedError for what is no JSON object, naming the place."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RefusedError(f"this is not JSON: {error.msg}, {where}", "correct it there") from None
    except RecursionError:
        raise RefusedError("these arguments are nested too deeply", "use fewer levels") from None
    if not isinstance(found, dict):
        kind = {list: "a list", str: "a text", type(None): "null"}.get(type(found), "a number or true/false")
        raise RefusedError(f"arguments must be a JSON object, not {kind}", 'write them as {"name": value}')
    return found


def _answer_call(live: OpenRun, body: Body) -> None:
    text, is_error = str(body.get("text", "")), bool(body.get("error"))
    live.drive.answer_call(str(body.get("call", "")), text, is_error, then_pause=_pauses(body))


def _pauses(body: Body) -> bool:
    """Whether the run is to pause again once the tool call has its result."""
    return body.get("pause") is True


def _fork(live: OpenRun, body: Body) -> dict[str, Any]:
    step, edit = body.get("step"), body.get("edit")
    if not isinstance(step, int) or isinstance(step, bool):
        raise RefusedError("a fork needs a step", "choose one on the timeline")
    return {"run": runs().fork(live, step, edit if isinstance(edit, str) else None).drive.id}


def _points(given: Any) -> list[Breakpoint]:
    try:
        return [Breakpoint.model_validate(one) for one in list(given)[:100]]
    except (ValueError, TypeError):
        raise RefusedError("a breakpoint cannot be read", "create it again") from None


def _whole(given: Any) -> list[int]:
    """The whole numbers in a list, without those beyond the size of any session."""
    listed = given if isinstance(given, list) else []
    return [n for n in listed[:10_000] if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 40]


def _without(live: OpenRun, body: Body) -> None:
    live.drive.drop_orphans()


COMMANDS: dict[str, Command] = {
    "say": _say,
    "go": lambda live, body: live.drive.resume(),
    "retry": lambda live, body: live.drive.resume(),
    "step": lambda live, body: live.drive.step(),
    "pause": lambda live, body: live.drive.pause(),
    "stop": _stop,
    "without": _without,
    "compact": _compact,
    "reset": _reset,
    "reconnect": _reconnect,
    "to": _run_to,
    "cancel_to": lambda live, body: live.drive.cancel_run_to(),
    "edit": _edit_call,
    "answer": _answer_call,
    "fork": _fork,
    "drop": _drop,
    "undo": lambda live, body: {"later": not live.drive.undo()},
    "pin": _pin,
    "set": _set,
    "take": lambda live, body: live.drive.status.bump(),
}


async def request_body(request: Request) -> Response:
    """The JSON that the provider would be sent next."""
    try:
        live = await run_in_threadpool(live_run, request)
        body, note = await run_in_threadpool(_next_request, live.drive)
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)
    return as_json({"body": body, "text": _indented(body), "note": note})


async def waiting_call(request: Request) -> Response:
    """The tool call that comes next, with the schema of its tool, as texts."""
    try:
        live = await run_in_threadpool(live_run, request)
    except RefusedError as error:
        return refused(error)
    drive, call = live.drive, live.drive.next_tool
    if call is None:
        return as_json({"error": "no tool is about to run", "hint": "pause before the next one"}, 409)
    schema = drive.tools.get(call.name).spec()["parameters"] if call.name in drive.tools else None
    arguments = call.raw if call.raw is not None else _indented(call.arguments)
    return as_json({"id": call.id, "name": call.name, "arguments": arguments, "schema": schema and _indented(schema)})


def _indented(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


async def conditions(request: Request) -> Response:
    """What breakpoints can be on: the tools with the names of their arguments, and the kinds of finding."""
    try:
        live = await run_in_threadpool(live_run, request)
    except RefusedError as error:
        return refused(error)
    tools = {spec["name"]: _argument_names(spec["parameters"]) for spec in live.drive.tools.specs()}
    return as_json({"tools": tools, "findings": list(kinds())})


def _argument_names(schema: Mapping[str, Any]) -> list[str]:
    """The arguments that a schema names; one of an MCP server may be anything."""
    properties = schema.get("properties")
    return [str(name) for name in properties] if isinstance(properties, dict) else []


def _next_request(drive: Drive) -> tuple[dict[str, Any], str]:
    """The body of the next request with a note on it; the bare window where it would not be sent."""
    try:
        return drive.next_request(), f"{_comes_first(drive)}The key is not part of it: it is sent as a header."
    except BrokenPairError as broken:
        return drive.window_as_json(), f"This window cannot be sent: {broken}"


def _comes_first(drive: Drive) -> str:
    """What is done to this window before it is sent, as a sentence."""
    with drive.lock:
        waiting = len(waiting_calls(drive.context.base.messages))
        compacts = compacts_first(drive)
    if waiting:
        return f"{'A tool result comes' if waiting == 1 else f'{waiting} tool results come'} in before it is sent. "
    return "The policy compacts this window before it is sent. " if compacts else ""


async def calls(request: Request) -> Response:
    """Every model call of the run that is over, in order."""
    try:
        live = await run_in_threadpool(live_run, request)
    except RefusedError as error:
        return refused(error)
    with live.drive.lock:
        made = [*live.drive.exchanges]
    return as_json({"calls": [call.model_dump(exclude={"seq", "kind"}) for call in made]})


async def call(request: Request) -> Response:
    """The request and the reply of one model call, as they were sent."""
    try:
        live = await run_in_threadpool(live_run, request)
        kept = await run_in_threadpool(live.drive.kept_call, request.path_params["number"])
    except RefusedError as error:
        return refused(error)
    except FoldlineError as error:
        return as_json({"error": str(error), "hint": error.hint}, 409)
    return as_json(kept.model_dump())


ROUTES = [
    Route("/api/live/{run}/do", command, methods=["POST"]),
    Route("/api/live/{run}/request", request_body),
    Route("/api/live/{run}/calls", calls),
    Route("/api/live/{run}/calls/{number:int}", call),
    Route("/api/live/{run}/tool", waiting_call),
    Route("/api/live/{run}/conditions", conditions),
]
