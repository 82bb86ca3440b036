"""Tools: schemas from type hints, arguments checked, errors the model can read."""

from typing import Literal

import pytest

from core.errors import UnknownNameError
from core.model import ToolCall
from core.tools import ToolRegistry, tool


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
