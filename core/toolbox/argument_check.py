"""Checks the arguments of a tool call against the tool's schema, before a person has it run with them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]
from referencing import Registry

from core.llm.protocol import ToolSpec
from core.model.errors import ParameterError
from core.model.text import cut
from core.toolbox.patterns import matcher

LONGEST_COMPLAINT = 200  # characters
MOST_COMPLAINTS = 3
DEEPEST = 30  # references within each other
MOST_REFERENCES = 10_000


def check_arguments(spec: ToolSpec, arguments: Mapping[str, Any]) -> None:
    """Raises ParameterError where the arguments break the schema: it names the values and the rules.

    A schema that cannot be used, as one of an MCP server may be, checks nothing: the tool itself does.
    """
    try:
        validator = _checker()(_in_one_dialect(spec["parameters"]), registry=Registry())
        found = sorted(validator.iter_errors(dict(arguments)), key=lambda error: error.json_path)
    except Exception:  # the schema is of somebody else: a type that does not exist, a reference to nowhere, a loop
        return
    if found:
        more = f"; and {len(found) - MOST_COMPLAINTS} more" if len(found) > MOST_COMPLAINTS else ""
        what = "; ".join(map(_complaint, found[:MOST_COMPLAINTS]))
        hint = "change the arguments to fit the schema, or run the call as the model wrote it"
        raise ParameterError(f"{spec['name']} does not accept these arguments: {what}{more}", hint)


def _in_one_dialect(schema: Any) -> Any:
    """A schema without `$schema`: where a part of it names a dialect, jsonschema goes on with that one's own rules."""
    if isinstance(schema, list):
        return [_in_one_dialect(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: part for name, part in schema.items() if name != "$schema" or not isinstance(part, str)}
    return {name: _in_one_dialect(part) for name, part in kept.items()}


def _complaint(error: ValidationError) -> str:
    where = error.json_path.removeprefix("$").removeprefix(".")
    said = cut(error.message, LONGEST_COMPLAINT)
    return f"{where}: {said}" if where else said


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    """The rule `pattern`, in linear time; one that is no RE2 expression checks nothing."""
    try:
        matches = matcher(pattern)
    except ParameterError:
        return
    if isinstance(value, str) and not matches(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _references() -> Callable[..., Iterator[ValidationError]]:
    """The rule `$ref` for one check: within the schema; one to anywhere else checks nothing, as it would be fetched from there.

    It raises RecursionError where references lead in a circle, or to ever more of them, before Python's stack is at its end.
    """
    open_ones: list[str] = []
    followed: list[str] = []

    def follow(validator: Any, reference: str, value: Any, schema: Any) -> Iterator[ValidationError]:
        if not reference.startswith("#"):
            return
        followed.append(reference)
        if len(open_ones) >= DEEPEST or len(followed) > MOST_REFERENCES:
            raise RecursionError(reference)
        open_ones.append(reference)
        try:
            yield from Draft202012Validator.VALIDATORS["$ref"](validator, reference, value, schema)
        finally:  # "anyOf" asks for the first complaint alone
            open_ones.pop()

    return follow


def _checker() -> Any:
    """The class of a validator for one check."""
    nothing: Callable[..., Iterator[ValidationError]] = lambda *given: iter(())  # noqa: E731
    rules = {"$ref": _references(), "$dynamicRef": nothing, "pattern": _pattern, "patternProperties": nothing}
    return extend(Draft202012Validator, rules)
