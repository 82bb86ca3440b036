"""Tools: schemas from type hints, arguments checked, errors the model can read."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import pytest
from pydantic import BaseModel

from core.model.errors import UnknownNameError
from core.model.session import ToolCall
from core.toolbox.tools import Tool, ToolRegistry, text_of, tool
from tests.support import awaited


@tool
def search(query: str, limit: int = 5, order: Literal["new", "old"] = "new") -> list[str]:
    """Find notes."""
    return [query] * limit + [order]


@tool(name="fail", description="Always fails.")
def failing() -> None:
    """Divide by zero."""
    raise ZeroDivisionError("division by zero")


REGISTRY = ToolRegistry([search, failing])


def test_a_tool_tells_its_name_description_and_schema() -> None:
    """The schema is read off the type hints; a parameter with a default is not required, unknown ones are not allowed."""
    spec = REGISTRY.specs()[0]
    assert (spec["name"], spec["description"]) == ("search", "Find notes.")
    assert spec["parameters"]["required"] == ["query"]
    assert spec["parameters"]["properties"]["limit"]["type"] == "integer"
    assert spec["parameters"]["additionalProperties"] is False


def test_a_tool_is_still_a_function() -> None:
    """A decorated function can be called as before."""
    assert search("a", limit=1) == ["a", "new"]


def test_a_good_call_gives_its_result_as_text() -> None:
    """Lists come as JSON, defaults are the function's own."""
    assert REGISTRY.call("search", {"query": "é", "limit": 2}) == '["é", "é", "new"]'


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("search", {}, "error: search: 'query' is missing"),
        ("search", {"query": "a", "page": 2}, "error: search: there is no argument 'page'"),
        ("search", {"query": "a", "limit": "2"}, "error: search: 'limit': Input should be a valid integer"),
        ("search", {"query": 1}, "error: search: 'query': Input should be a valid string"),
        ("search", {"query": "a", "order": "up"}, "error: search: 'order': Input should be 'new' or 'old'"),
        ("find", {}, "error: unknown tool 'find'; known: fail, search"),
        ("fail", {}, "error: fail failed: ZeroDivisionError: division by zero"),
        ("search", {"query": object()}, "error: search: the arguments are not JSON"),
    ],
)
def test_a_bad_call_is_an_error_text(name: str, arguments: dict[str, object], error: str) -> None:
    """Whatever is wrong with a call, the model is told what, and nothing is raised."""
    assert REGISTRY.call(name, arguments).startswith(error)


def test_an_answer_belongs_to_its_call() -> None:
    """The tool message carries the call's id and the tool's name, and says whether it is an error."""
    good = REGISTRY.answer(ToolCall(id="c1", name="search", arguments={"query": "a", "limit": 0}))
    bad = REGISTRY.answer(ToolCall(id="c2", name="search", raw="{broken"))
    assert (good.role, good.tool_call_id, good.name, good.content, good.is_error) == (
        "tool",
        "c1",
        "search",
        '["new"]',
        False,
    )
    assert (bad.tool_call_id, bad.is_error) == ("c2", True)
    assert bad.content == "error: the arguments of search are not a JSON object: {broken"


def test_plain_functions_can_be_registered() -> None:
    """A function that is not decorated becomes a tool when it is registered."""

    def shout(text: str) -> str:
        return text.upper()

    registry = ToolRegistry(shout)
    assert registry.call("shout", {"text": "hey"}) == "HEY"
    assert ("shout" in registry, len(registry), [t.name for t in registry]) == (True, 1, ["shout"])


def test_an_unknown_tool_cannot_be_got() -> None:
    """Asking for a tool by a name that does not exist raises an error listing the known ones."""
    with pytest.raises(UnknownNameError) as caught:
        REGISTRY.get("find")
    assert caught.value.hint == "known: fail, search"


class Place(BaseModel):
    """A nested argument."""

    city: str
    floor: int = 0


@dataclass
class Spot:
    """Another."""

    x: float


@tool
def visit(place: Place, spots: list[Spot], when: datetime | None = None, how: Literal["walk", "ride"] = "walk") -> str:
    """Go there.

    place: where to
    how (text): by what means
    """
    return f"{place.city}/{place.floor} {[s.x for s in spots]} {when and when.year} {how}"


def test_nested_arguments_become_what_the_hints_say() -> None:
    """Models, dataclasses, dates and lists of them are made of plain JSON."""
    given = {"place": {"city": "Bath"}, "spots": [{"x": 1}], "when": "2026-03-29T01:00:00", "how": "ride"}
    assert ToolRegistry(visit).call("visit", given) == "Bath/0 [1.0] 2026 ride"
    assert (
        ToolRegistry(visit).call("visit", {"place": {"city": "Bath"}, "spots": [], "when": None})
        == "Bath/0 [] None walk"
    )


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"place": {"city": 1}, "spots": []}, "'place.city': Input should be a valid string"),
        ({"place": "Bath", "spots": []}, "'place': "),
        ({"place": {"city": "Bath"}, "spots": [{}]}, "'spots.0.x' is missing"),
        ({"place": {"city": "Bath"}, "spots": None}, "'spots': Input should be a valid"),
        ({"place": {"city": "Bath"}, "spots": [], "when": "soon"}, "'when': "),
    ],
)
def test_a_nested_argument_of_the_wrong_type_is_named(given: dict[str, object], error: str) -> None:
    """The error says where in the arguments it is."""
    assert f"error: visit: {error}" in ToolRegistry(visit).call("visit", given)


def test_parameters_are_described_from_the_docstring() -> None:
    """A line `name: what it is` of the docstring describes a parameter; others go without."""
    properties = visit.spec()["parameters"]["properties"]
    assert (properties["place"]["description"], properties["how"]["description"]) == ("where to", "by what means")
    assert "description" not in properties["when"]


def test_an_asynchronous_tool_is_waited_for() -> None:
    """Also where a loop runs in this thread already."""

    async def slow(x: int) -> int:
        await asyncio.sleep(0)
        return x + 1

    async def inside() -> str:
        return ToolRegistry(slow).call("slow", {"x": 2})

    assert ToolRegistry(slow).call("slow", {"x": 1}) == "2"
    assert awaited(inside) == "3"


class SilentError(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize("error", [SystemExit(3), SilentError(), asyncio.CancelledError(), RecursionError("deep")])
def test_a_tool_cannot_end_a_run(error: BaseException) -> None:
    """Whatever a tool raises is told to the model, `sys.exit` too."""

    def leave() -> None:
        raise error

    assert ToolRegistry(leave).call("leave", {}).startswith(f"error: leave failed: {type(error).__name__}: ")


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit])
def test_what_is_no_error_of_a_tool_can_end_a_run(error: type[BaseException]) -> None:
    """Ctrl-C while a tool runs goes through, and so does what ends a generator."""

    def interrupted() -> None:
        raise error

    with pytest.raises(error):
        ToolRegistry(interrupted).call("interrupted", {})


CIRCLE: list[object] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, "None"),
        (Place(city="Bath"), '{"city": "Bath", "floor": 0}'),
        ([Spot(1.5), datetime(2026, 3, 29)], '[{"x": 1.5}, "2026-03-29 00:00:00"]'),
        ({(1, 2): "pair"}, "{(1, 2): 'pair'}"),
        (CIRCLE, "[[...]]"),
        (b"raw", "b'raw'"),
    ],
)
def test_any_result_becomes_text(result: object, text: str) -> None:
    """JSON where it can be, models and dataclasses as objects, else what `str` says."""
    assert text_of(result) == text


def test_a_tool_may_bring_its_own_schema() -> None:
    """It is passed on as it is, and the arguments are left to the tool to check."""
    schema = {"type": "object", "properties": {"self": {"type": "string"}}}
    foreign = Tool("foreign", "Elsewhere.", lambda **given: given, schema)
    assert foreign.spec() == {"name": "foreign", "description": "Elsewhere.", "parameters": schema}
    assert ToolRegistry(foreign).call("foreign", {"self": 1}) == '{"self": 1}'
