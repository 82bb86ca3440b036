"""What a page shows without Streamlit: a session under a policy, by name, and its messages as packed for a store."""

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError
from viewer.api.access import local
from viewer.api.answers import as_json
from viewer.api.debugger import missing
from viewer.sessions.registry import OPENED, opened
from viewer.sessions.simulated import trace_key, trace_of
from viewer.sessions.sources import Source, open_source
from viewer.settings.lanes import NONE, RECORDED
from viewer.settings.pins import pins
from viewer.wire.compared import chosen_policy
from viewer.wire.preview import one_line

Asked = dict[str, str]


async def scene(request: Request) -> Response:
    """Open a session under a policy: the ids of its store and of its trace."""
    try:
        return as_json(await run_in_threadpool(ids_of, dict(request.query_params)))
    except (FoldlineError, ValueError) as error:
        hint = error.hint if isinstance(error, FoldlineError) else "give them as JSON"
        return as_json({"error": one_line(str(error), 400), "hint": hint}, 400)


def ids_of(asked: Asked) -> dict[str, Any]:
    """`sid` for /api/store, `tid` for /api/view. Raises FoldlineError, and ValueError where the settings are no JSON object."""
    source = Source.parse(asked.get("source", ""))
    if source is None:
        raise FoldlineError(f"{asked.get('source', '')!r} is no source", "sample:…, path:… and upload:… are")
    loaded = open_source(source, local(), asked.get("session", ""), asked.get("lane", ""))
    session = opened(loaded.key, loaded.session, asked.get("meter", ""))
    name, summaries = asked.get("policy") or RECORDED, asked.get("summaries") or "structural"
    rule = None if name in (RECORDED, NONE) else chosen_policy(name, _settings(asked.get("settings", "")))
    pinned = pins(session.session, asked.get("pin", "")) if rule else ()
    trace_of(session, name, rule, summaries, pinned)
    return {"sid": session.sid, "tid": trace_key(session, name, rule, summaries, pinned)}


def _settings(text: str) -> dict[str, Any]:
    found = json.loads(text or "{}")
    if not isinstance(found, dict):
        raise ValueError("the settings are no object")
    return found


def store(request: Request) -> Response:
    """The messages of a session: the bytes that the store component gets."""
    session = OPENED.get(request.path_params["sid"])
    if session is None:
        return missing("this session")
    return Response(session.packed, media_type="application/octet-stream", headers={"Cache-Control": "no-store"})


ROUTES = [Route("/api/scene", scene), Route("/api/store/{sid}", store)]
