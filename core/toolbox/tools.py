"""Tools a model can call: plain functions, with a schema from their type hints and checked arguments."""

import inspect
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import cached_property
from typing import Annotated, Any, NotRequired, get_type_hints, overload

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from core.llm.protocol import ToolSpec
from core.model.errors import UnknownNameError, named
from core.model.session import Frozen, Message, ToolCall

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class BadCallError(Exception):
    """A call that the tool cannot do; the text goes to the model."""


class Family(Frozen):
    """Tools that belong together: `name` identifies them, `label` and `about` are for people.

    `needs_folder` is whether they work in a folder that a person must choose.
    """

    name: str
    label: str
    about: str
    needs_folder: bool = False


@dataclass(frozen=True)
class Tool:
    """A function a model can call, with a name and a description for the model.

    `parameters` is the JSON schema of a tool that checks its arguments itself, such as one of an MCP server. With None the
    schema comes from the type hints of the function, and arguments are checked against it. While `gone` says so the tool is
    not offered to the model.
    """

    name: str
    description: str
    function: Callable[..., Any]
    parameters: Mapping[str, Any] | None = field(default=None, hash=False)
    gone: Callable[[], bool] = field(default=lambda: False, compare=False, repr=False)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function: a tool can be called like the function it was made from."""
        return self.function(*args, **kwargs)

    @cached_property
    def _arguments(self) -> TypeAdapter[Any]:
        return TypeAdapter(_shape(self.function))

    def spec(self) -> ToolSpec:
        """Name, description and parameters (a JSON schema)."""
        if self.parameters is not None:
            return {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"name": self.name, "description": self.description, "parameters": dict(self._schema)}

    @cached_property
    def _schema(self) -> dict[str, Any]:
        """Cached: every model call needs it."""
        return {k: v for k, v in self._arguments.json_schema().items() if k != "title"}

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the function takes them. Raises BadCallError, naming each that is missing, unknown or mistyped."""
        if self.parameters is not None:
            return dict(arguments)
        try:
            found: dict[str, Any] = self._arguments.validate_json(json.dumps(dict(arguments)), strict=True)
        except ValidationError as error:
            raise BadCallError(f"{self.name}: {'; '.join(map(_complaint, error.errors()))}") from None
        except (TypeError, ValueError, RecursionError) as error:
            raise BadCallError(f"{self.name}: the arguments are not JSON ({error})") from None
        return found


def _shape(function: Callable[..., Any]) -> Any:
    """A typed dict with the function's parameters; those with a default need not be given."""
    hints, fields = get_type_hints(function, include_extras=True), {}
    parameters, described = (
        inspect.signature(function).parameters.values(),
        _parameter_docs(inspect.getdoc(function) or ""),
    )
    for parameter in (p for p in parameters if p.kind in _NAMED):
        hint = hints.get(parameter.name, Any)
        if parameter.name in described:
            hint = Annotated[hint, Field(description=described[parameter.name])]
        fields[parameter.name] = hint if parameter.default is parameter.empty else NotRequired[hint]
    typed_dict: Any = TypedDict  # made at run time, so mypy must not look
    shape = typed_dict(function.__name__, fields)
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters)
    shape.__pydantic_config__ = ConfigDict(extra="allow" if open_ended else "forbid")
    return shape


_PARAMETER = re.compile(r"^\s*(?::param )?(\w+)(?: \([^)\n]*\))?: +(\S.*)$", re.MULTILINE)


def _parameter_docs(doc: str) -> dict[str, str]:
    """The descriptions of parameters in a docstring: lines `name: …`, `name (type): …` or `:param name: …`."""
    return {name: about.strip() for name, about in _PARAMETER.findall(doc)}


def _complaint(error: Mapping[str, Any]) -> str:
    where = ".".join(map(str, error["loc"]))
    return {"missing": f"{where!r} is missing", "extra_forbidden": f"there is no argument {where!r}"}.get(
        error["type"], f"{where!r}: {error['msg']}"
    )


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(*, name: str = "", description: str = "") -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None, /, *, name: str = "", description: str = ""
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a function a tool: `@tool`, or `@tool(name=…, description=…)`; else both are the function's own."""

    def make(function: Callable[..., Any]) -> Tool:
        return Tool(name or function.__name__, description or inspect.getdoc(function) or "", function)

    return make if function is None else make(function)


class ToolRegistry:
    """The tools of a run, by name."""

    def __init__(self, *tools: Tool | Callable[..., Any] | Iterable[Tool | Callable[..., Any]]) -> None:
        self._tools: dict[str, Tool] = {}
        for given in tools:
            for one in given if isinstance(given, Iterable) else (given,):
                self.register(one)

    def register(self, function: Tool | Callable[..., Any]) -> Tool:
        """Add a tool, or a function as one; one of the same name is replaced. Returns the tool."""
        made = function if isinstance(function, Tool) else tool(function)
        self._tools[made.name] = made
        return made

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def get(self, name: str) -> Tool:
        """The tool of that name. Raises UnknownNameError, listing the known ones."""
        return named("tool", name, self._tools)

    def specs(self) -> list[ToolSpec]:
        """The description of every tool that there is now, for the model."""
        return [made.spec() for made in self if not made.gone()]

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The tool's result as text; for a call that cannot be done, a text that begins with "error:"."""
        return self._run(name, arguments)[0]

    def answer(self, call: ToolCall) -> Message:
        """The tool message that answers a call; `is_error` where it could not be done."""
        if call.raw is not None:
            text, failed = f"error: the arguments of {call.name} are not a JSON object: {call.raw}", True
        else:
            text, failed = self._run(call.name, call.arguments)
        return Message(role="tool", content=text, tool_call_id=call.id, name=call.name, is_error=failed)

    def _run(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        try:
            found = self.get(name)
            return text_of(_finished(found(**found.checked(arguments)))), False
        except UnknownNameError as error:
            return f"error: {error}; {error.hint}", True
        except BadCallError as error:
            return f"error: {error}", True
        # a tool is foreign code: the model gets the error and may try again; Ctrl-C and the like are raised
        except BaseException as error:
            if (
                not isinstance(error, (Exception, SystemExit)) and type(error).__name__ != "CancelledError"
            ):  # of asyncio
                raise
            return f"error: {name} failed: {type(error).__name__}: {_error_text(error) or '(no error text)'}", True


def _finished(result: Any) -> Any:
    """The result of a tool; an `async def` tool is awaited, also where a loop runs already."""
    if not inspect.isawaitable(result):
        return result
    import asyncio  # only here: with TLS it takes 3 MB of every process that imports foldline

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_awaited(result))
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _awaited(result)).result()


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _error_text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # an error whose text raises
        return "(no error text)"


def text_of(result: Any) -> str:
    """A tool's result as text: strings unchanged, lists and objects as JSON, everything else by `str`."""
    if isinstance(result, str):
        return result
    if _is_noun(result):
        result = _plain(result)
    if isinstance(result, dict | list | tuple):
        try:
            return json.dumps(result, ensure_ascii=False, default=_plain)
        except (TypeError, ValueError, RecursionError):  # keys that are not text, a cycle, or too deep
            return str(result)
    return str(result)


def _is_noun(value: Any) -> bool:
    return isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type))


def _plain(value: Any) -> Any:
    """A model or a dataclass as an object; anything else that is not JSON as text."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return asdict(value) if _is_noun(value) else str(value)
