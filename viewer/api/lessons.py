"""The routes of Learn: the lessons, a step with its figures, the check of a task. JSON, same origin; docs/wire.md."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import FoldlineError, Session, policy
from core.engine.policies_used import model_of
from core.lessons import lesson, lessons
from core.lessons.run import NONE, RECORDED, Yours
from core.lessons.show import Tried, checked, controls_of, listed, shown, step_of
from core.lessons.solutions import nearest
from core.model.errors import ParameterError, UnknownParameterError
from viewer.api.access import local
from viewer.api.answers import as_json
from viewer.sessions.registry import opened
from viewer.sessions.sources import Source, open_source, sample_named
from viewer.settings.query import parse_value
from viewer.settings.suggest import suggested
from viewer.wire.preview import one_line

NO_SETTING = ("source", "session", "lane", "policy", "cut", "keep", "cached")
"""The parameters of a check that are no settings of a policy."""

MOST_KEPT = 4_000
"""So many messages may be kept in an attempt."""


def index(_: Request) -> dict[str, Any]:
    """All lessons, by number."""
    return {"lessons": [listed(one) for one in lessons()]}


def step(request: Request) -> dict[str, Any]:
    """A step with its figures; `source` is the person's own session, for the step that takes one."""
    found, number = lesson(request.path_params["number"]), request.path_params["step"]
    yours = _yours(request) if step_of(found, number).yours else None
    return shown(found, number, yours, _sample)


def check(request: Request) -> dict[str, Any]:
    """Whether an attempt at a task passes, and what is missing."""
    found, number = lesson(request.path_params["number"]), request.path_params["step"]
    wanted = step_of(found, number)
    yours = _yours(request) if wanted.yours else None
    tried = _tried(request, _policy_named(request) or found.scene_of(wanted).policy)
    return checked(found, number, tried, yours, _sample)


def solution(request: Request) -> dict[str, Any]:
    """The controls of a task as they solve it, with the fewest moves; `controls` is null where nothing does."""
    found, number = lesson(request.path_params["number"]), request.path_params["step"]
    wanted = step_of(found, number)
    if wanted.task is None:
        raise FoldlineError(f"step {number} of lesson {found.number} has no task", "its answer comes with the step")
    tried = nearest(found, number, _yours(request) if wanted.yours else None, _sample)
    return {"controls": tried and controls_of(tried)}


def _policy_named(request: Request) -> str:
    """The policy that an attempt names, or ""."""
    return request.query_params.get("policy", "")


def _sample(name: str) -> Session:
    """The sample that the debugger shows, too: what is counted of it for one is there for the other."""
    return open_source(Source("sample", name), local()).session


def _yours(request: Request) -> Yours | None:
    """The session that a person opened, or None. Raises FoldlineError for one that cannot be opened."""
    query = request.query_params
    given = query.get("source", "")
    source = Source.parse(given)
    if source is None:
        if given:
            raise FoldlineError(f"{one_line(given)} is no source", "open a file in the app and choose it here")
        return None
    loaded = open_source(source, local(), query.get("session", ""), query.get("lane", ""))
    known = opened(loaded.key, loaded.session)
    sample = sample_named(source.name) if source.kind == "sample" else None

    def suits(name: str) -> dict[str, Any]:
        own = dict(sample.parameters) if sample and sample.policy == name else {}
        return suggested(policy(name), known.measured, model_of(loaded.session)) | own

    return Yours(str(source), loaded.session, known.recorded.meter, suits)


def _tried(request: Request, name: str) -> Tried:
    query = request.query_params
    kept = tuple(id for id in query.get("keep", "").split(",") if id)[:MOST_KEPT]
    return Tried(
        settings=_settings(request, name),
        policy=_policy_named(request),
        cut=_number("cut", query.get("cut"), int),
        keep=kept,
        cached=_number("cached", query.get("cached"), float),
    )


def _settings(request: Request, name: str) -> dict[str, Any]:
    """The settings that an attempt names. Raises FoldlineError for one that the policy does not have or take."""
    given = {key: text for key, text in request.query_params.items() if key not in NO_SETTING}
    known = {} if name in (NONE, RECORDED) else {one.name: one for one in policy(name).parameters}
    for key in given:
        if key not in known:
            raise UnknownParameterError(name, key, known)
    return {key: parse_value(known[key], text) for key, text in given.items()}


def _number(name: str, text: str | None, kind: Callable[[str], Any]) -> Any:
    """The number in a text; None where there is none. Raises ParameterError for a text that is no number of this kind."""
    if text is None:
        return None
    with suppress(ValueError):
        found = kind(text[:30])
        if abs(found) < 1e12:  # neither infinite nor no number
            return found
    raise ParameterError(f"{name}={one_line(text)} is no number", "give one, such as 3")


def _route(path: str, make: Callable[[Request], dict[str, Any]]) -> Route:
    def answer(request: Request) -> Response:
        try:
            return as_json(make(request))
        except FoldlineError as error:
            return as_json({"error": one_line(str(error), 400), "hint": error.hint}, 400)

    return Route(path, answer)


ROUTES = [
    _route("/api/lessons", index),
    _route("/api/lessons/{number:int}/{step:int}", step),
    _route("/api/lessons/{number:int}/{step:int}/check", check),
    _route("/api/lessons/{number:int}/{step:int}/solution", solution),
]
