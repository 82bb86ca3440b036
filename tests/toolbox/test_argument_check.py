"""Arguments that a person edits, against the schema of a tool, which may be somebody else's."""

from typing import Any

import pytest

from core.model.errors import ParameterError
from core.toolbox.argument_check import check_arguments

Schema = dict[str, Any]


def checked(schema: Schema, **arguments: Any) -> str:
    """What is wrong with the arguments, "" for nothing."""
    try:
        check_arguments({"name": "t", "description": "", "parameters": schema}, arguments)
    except ParameterError as error:
        return str(error)
    return ""


def of(**properties: Any) -> Schema:
    """A schema of an object with these properties."""
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "arguments", "said"),
    [
        (of(n={"type": "integer", "minimum": 3}), {"n": 2}, "n: 2 is less than the minimum of 3"),
        ({**of(), "required": ["n"]}, {}, "'n' is a required property"),
        (of(n={"enum": ["a", "b"]}), {"n": "c"}, "n: 'c' is not one of ['a', 'b']"),
        (of(n={"items": {"type": "string"}}), {"n": ["a", 1]}, "n[1]: 1 is not of type 'string'"),
        (of(n={"pattern": "^a+$"}), {"n": "b"}, "n: 'b' does not match '^a+$'"),
        ({**of(n={"$ref": "#/$defs/n"}), "$defs": {"n": {"type": "null"}}}, {"n": 1}, "n: 1 is not of type 'null'"),
        (of(n={"type": "integer"}), {"n": 2}, ""),
    ],
)
def test_what_breaks_a_rule_is_named(schema: Schema, arguments: dict[str, Any], said: str) -> None:
    """The value, where it stands, and the rule."""
    assert checked(schema, **arguments) == (f"t does not accept these arguments: {said}" if said else "")


@pytest.mark.parametrize(
    "schema",
    [
        of(n={"type": "strange"}),
        of(n={"$ref": "#/nowhere"}),
        of(n={"$ref": "https://example.org/schema.json"}),
        of(n={"pattern": "(?=a)"}),
        {"$ref": "#"},
        {"type": 7},
    ],
)
def test_a_schema_that_cannot_be_used_checks_nothing(schema: Schema) -> None:
    """Nothing is fetched, no pattern takes more than linear time, no loop hangs: the tool itself checks."""
    assert checked(schema, n="a" * 40) == ""


def test_references_that_multiply_end_soon() -> None:
    """Each of 25 parts refers to the next twice: 33 million references, of which so many are followed as are allowed."""
    parts = {f"p{n}": {"allOf": [{"$ref": f"#/$defs/p{n + 1}"}] * 2} for n in range(25)}
    assert checked({**of(n={"$ref": "#/$defs/p0"}), "$defs": {**parts, "p25": {"type": "null"}}}, n=1) == ""


def test_a_part_that_names_its_dialect_keeps_to_these_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a hostile schema with a `$schema` of its own: nothing is fetched, and its pattern takes linear time."""
    asked = list[object]()
    monkeypatch.setattr("urllib.request.urlopen", lambda *given, **more: asked.append(given))
    dialect = {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert checked(of(n={**dialect, "$ref": "http://127.0.0.1:9/schema.json"}), n="a") == ""
    assert (
        checked(of(n={**dialect, "pattern": "(?=a)"}), n="b") == ""
    )  # Python's own rules would say: it does not match
    assert not asked


def test_many_complaints_are_cut() -> None:
    """The first three are told, and how many more there are."""
    schema = of(**{name: {"type": "null"} for name in "abcde"})
    assert checked(schema, **dict.fromkeys("abcde", 1)).endswith("c: 1 is not of type 'null'; and 2 more")
