"""Tools of MCP servers in a live run: a server is started by its command or reached by its address, if somebody asks for it.

The protocol is spoken by the `mcp` package (https://modelcontextprotocol.io/specification), which is imported with the first
connection and never before. It is asynchronous: each server has a thread with a loop of its own, and the agent waits.
"""

import asyncio
import json
import os
import re
import tempfile
from collections.abc import Collection, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLateError
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import PureWindowsPath
from threading import Event, Thread
from typing import IO, Any
from urllib.parse import urlsplit

from pydantic import model_validator

from core.model.errors import FoldlineError, ParameterError, format_error
from core.model.session import Frozen
from core.model.text import cut
from core.toolbox.limits import limited
from core.toolbox.masking import masked, secrets_of_address, secrets_of_arguments
from core.toolbox.tools import BadCallError, Tool

START_SECONDS = 60.0  # one that is fetched first, by npx or uvx, takes its time
CALL_SECONDS = 60.0
_CLOSE_SECONDS = 10.0  # the mcp package takes up to 6 to end a process that will not go
MOST_TOOLS = 128  # of one server: more leave a model no room
MOST_CHARACTERS = 4_000  # characters of a tool's description
_MOST_PAGES = 20
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64  # what the providers take
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LOG_READ = 4_000
_LAST_LINES = 3  # of a server that does not come up: the last one alone is often but a code
_CONNECTION_CLOSED = -32000  # as the mcp package numbers it
_SHORTEST_VALUE = 4  # of a variable: a 1 or an on is in every sentence


class McpSpec(Frozen):
    """One server: a command with its arguments, run without a shell, or the address of one that speaks streamable HTTP.

    `env` are the names of environment variables the command is given beside the usual ones; values are never kept. Any of
    the arguments and any part of the address's path may be a secret: neither is printed or written down. Raises
    ParameterError unless there is exactly one of command and address, the address is http or https, and `env` holds names;
    also for what `recorded` gives, which is too little to start a server.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    url: str = ""
    env: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _not_recorded(cls, given: Any) -> Any:
        if isinstance(given, Mapping) and not {"program", "origin"}.isdisjoint(given):
            raise ParameterError(
                f"MCP server {given.get('name')!r} cannot be started from its record",
                "give its command or address again: arguments and paths are not saved, because they may be secret",
            )
        return given

    @model_validator(mode="after")
    def _one_way(self) -> "McpSpec":
        if bool(self.command) == bool(self.url):
            raise ParameterError(
                f"MCP server {self.name!r} needs either a command or an address", "give one of the two"
            )
        if self.url and not _origin(self.url):
            raise ParameterError(
                f"the address of MCP server {self.name!r} is not an http(s) address",
                "it begins with http:// or https://",
            )
        if not all(map(_VARIABLE.match, self.env)):
            raise ParameterError(
                f"`env` of MCP server {self.name!r} must be names of variables", "do not give values here"
            )
        return self

    def recorded(self) -> dict[str, Any]:
        """What may be written down: too little to start the server again.

        The name; `program`, the command's file name, how many `arguments` it has, and names of variables (`env`); or `origin`,
        the address's scheme, host and port.
        """
        if self.url:
            return {"name": self.name, "origin": _origin(self.url)}
        known = {"name": self.name, "program": _file_name(self.command), "arguments": len(self.args)}
        return known | ({"env": [*self.env]} if self.env else {})

    def secrets(self) -> Iterator[str]:
        """What a message about the server must not repeat: its variables' values, its arguments, most of its address."""
        yield from (value for name in self.env if len(value := os.environ.get(name, "")) >= _SHORTEST_VALUE)
        yield from secrets_of_arguments(self.args)
        yield from secrets_of_address(self.url)

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        yield from self.recorded().items()


def _origin(url: str) -> str:
    """Scheme, host and port of an address; "" where it is none of http or https."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}" if host and parts.scheme in ("http", "https") else ""


def _file_name(command: str) -> str:
    """The last part of a path, of either kind; its first word, as behind it somebody may have put arguments."""
    return (PureWindowsPath(command).name.split() or [""])[0]


class McpServer:
    """A server that runs: its tools, and the way to end it. `close` it when the run ends; a `with` does."""

    def __init__(self, spec: McpSpec, start_seconds: float, call_seconds: float) -> None:
        self.spec, self.call_seconds = spec, call_seconds
        self._loop = asyncio.new_event_loop()
        self._ready: Future[list[Any]] = Future()
        self._client: Any = None
        self._log: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self._task: asyncio.Task[None] | None = None
        self._closed = self._lost = False
        self.problem = ""  # what went wrong last, in words
        self._over = Event()  # the loop is closed: what is asked of it now is never done
        self._waiting: set[Future[Any]] = set()
        self._secrets = tuple(spec.secrets())  # now, as variables may have other values later
        self._thread = Thread(target=self._run, name=f"mcp {spec.name}", daemon=True)
        self._thread.start()
        self._offered = self._started(start_seconds)

    def __enter__(self) -> "McpServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def tools(self, taken: Collection[str] = ()) -> list[Tool]:
        """The server's tools, each with the schema the server gives. One whose name is in `taken` has the server's in front."""
        names, found = set(taken), list[Tool]()
        for offered in self._offered[:MOST_TOOLS]:
            name = _free_name(offered.name, self.spec.name, names)
            names.add(name)
            about = limited(offered.description or "", MOST_CHARACTERS)
            call = partial(self._call, offered.name)
            found.append(Tool(name, about, call, offered.input_schema, gone=lambda: self.ended))
        return found

    def close(self) -> None:
        """End the connection, and the process if there is one. Calls that wait fail; closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        with suppress(RuntimeError):  # the thread has ended, and closed its loop
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(_CLOSE_SECONDS)
        self._log.close()

    def _end(self) -> None:
        if self._task is not None and not self._task.cancelling():  # a second time would break off its cleaning up
            self._task.cancel()

    def _run(self) -> None:
        """The thread: a loop that lives as long as the connection."""
        asyncio.set_event_loop(self._loop)
        try:
            self._task = self._loop.create_task(self._served())
            self._loop.run_until_complete(self._task)
        except BaseException as error:  # the one who waits is told, in words
            if not self._ready.done():
                self._ready.set_exception(error if isinstance(error, Exception) else FoldlineError("it has ended"))
        finally:
            self._left_over()
            self._loop.close()
            self._over.set()
            for waiting in [*self._waiting]:
                waiting.cancel()

    def _left_over(self) -> None:
        """End the calls that still wait."""
        waiting = asyncio.all_tasks(self._loop)
        for task in waiting:
            task.cancel()
        if waiting:
            self._loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())

    async def _served(self) -> None:
        async with AsyncExitStack() as stack:
            self._client = await stack.enter_async_context(_client(self.spec, self._log))
            self._ready.set_result(await _listed(self._client))
            await asyncio.Event().wait()

    def _started(self, seconds: float) -> list[Any]:
        """The tools it offers. Raises FoldlineError, and leaves nothing running, if it does not come up in time."""
        try:
            return self._ready.result(seconds)
        except TooLateError:
            why = f"it did not answer within {seconds:g} seconds"
        except Exception as error:
            why = self._error_text(error)
        said = self._last_words(_LAST_LINES)
        self.close()
        raise FoldlineError(f"MCP server {self.spec.name!r} cannot be used: {why}{said}", _way_out(self.spec))

    def _call(self, name: str, /, **arguments: Any) -> str:
        """The text of a tool's answer. Raises BadCallError for whatever goes wrong: the model is told."""
        try:
            answer = self._answer(self._client.call_tool(name, arguments))
        except TooLateError:
            raise self._failure(f"{self._named(name)} did not answer within {self.call_seconds:g} seconds") from None
        except (Exception, asyncio.CancelledError) as error:
            if self.ended:
                self.problem = self.problem or "The server has ended."
                raise BadCallError(f"MCP server {self.spec.name!r} has ended; continue without it") from None
            self._give_up_if_closed(error)
            said = f"{self._error_text(error)}{self._last_words()}"
            raise self._failure(f"{self._named(name)} failed: {said}") from None
        text = limited(text_of_answer(answer))
        if answer.is_error:
            raise self._failure(text or f"{self._named(name)} failed without an explanation", f"{name} answered: ")
        return text

    def _failure(self, text: str, before: str = "") -> BadCallError:
        self.problem = cut(masked(before + text, self._secrets), 300)
        return BadCallError(text)

    @property
    def ended(self) -> bool:
        """Whether the connection is over: it was closed, or the server is gone."""
        return self._closed or self._lost or self._over.is_set()

    def _give_up_if_closed(self, error: BaseException) -> None:
        """Where the server has closed the connection, end it: its tools are gone."""
        if getattr(error, "code", None) == _CONNECTION_CLOSED:
            self._lost = True
            with suppress(RuntimeError):  # the thread has ended, and closed its loop
                self._loop.call_soon_threadsafe(self._end)

    def _answer(self, asked: Coroutine[Any, Any, Any]) -> Any:
        """What comes of it in the loop of the thread. Raises CancelledError where that ends first, TimeoutError."""
        if self.ended:
            asked.close()
            raise asyncio.CancelledError
        try:
            waiting = asyncio.run_coroutine_threadsafe(asked, self._loop)
        except RuntimeError:  # the loop is closed
            asked.close()
            raise asyncio.CancelledError from None
        self._waiting.add(waiting)
        try:
            if self._over.is_set():
                waiting.cancel()
            return waiting.result(self.call_seconds)
        finally:
            self._waiting.discard(waiting)
            waiting.cancel()
            if self._over.is_set():
                asked.close()  # it may never have begun

    def _named(self, name: str) -> str:
        return f"{name} of MCP server {self.spec.name!r}"

    def _error_text(self, error: BaseException) -> str:
        return cut(masked(_words(error), self._secrets), 300)

    def _last_words(self, most: int = 1) -> str:
        """The last lines that the process wrote to its log, which often say why it died; without secrets."""
        lines = [line.strip() for line in self._logged().splitlines() if line.strip()]
        said = " / ".join(cut(masked(line, self._secrets), 200) for line in lines[-most:])
        return f" (it said: {said})" if said else ""

    def _logged(self) -> str:
        """The end of the log, from the beginning of a word: half a secret would not be known as one."""
        if not hasattr(os, "pread"):  # without it, reading would move the place at which the process writes
            return ""
        try:
            begin = max(0, os.fstat(self._log.fileno()).st_size - _LOG_READ)
            text = os.pread(self._log.fileno(), _LOG_READ, begin).decode("utf-8", "replace")
        except (OSError, ValueError):
            return ""
        return re.sub(r"\A\S*", "", text) if begin else text


def connect(spec: McpSpec, start_seconds: float = START_SECONDS, call_seconds: float = CALL_SECONDS) -> McpServer:
    """The server, started and asked for its tools.

    Raises FoldlineError if it cannot be started or reached, does not answer in time or does not speak MCP; ParameterError
    if an environment variable it is to be given is not set. Nothing is left running then.
    """
    if missing := [name for name in spec.env if name not in os.environ]:
        raise ParameterError(
            f"MCP server {spec.name!r} needs {', '.join(missing)}, which is not set", "set it and try again"
        )
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise FoldlineError(f"MCP servers need the package mcp: {error}", "pip install mcp") from error
    return McpServer(spec, start_seconds, call_seconds)


def _client(spec: McpSpec, log: IO[str]) -> Any:
    """The mcp package's client, not yet connected."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    if spec.url:
        return Client(spec.url)
    given = {name: os.environ[name] for name in spec.env}
    command = StdioServerParameters(command=spec.command, args=[*spec.args], env=given or None)
    return Client(stdio_client(command, errlog=log))  # type: ignore[arg-type]


async def _listed(client: Any) -> list[Any]:
    """Every tool the server offers, page by page."""
    found, cursor = list[Any](), None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor:
            break
    return found


def _free_name(name: str, server: str, taken: Collection[str]) -> str:
    """The tool's name as a provider takes it, and as no other tool is called."""
    plain = _UNFIT.sub("_", name)[:_LONGEST_NAME] or "tool"
    fits = (plain, f"{_UNFIT.sub('_', server)}__{plain}"[:_LONGEST_NAME])
    for one in fits:
        if one not in taken:
            return one
    return next(one for i in range(2, 10_000) if (one := f"{fits[1][: _LONGEST_NAME - 5]}_{i}") not in taken)


def text_of_answer(answer: Any) -> str:
    """What a model reads of an answer: its texts; for a picture, a sound or a file that it holds, what it is."""
    parts = [_text_of_block(block) for block in answer.content]
    if not parts and answer.structured_content is not None:
        return json.dumps(answer.structured_content, ensure_ascii=False, default=str)
    return "\n".join(parts)


def _text_of_block(block: Any) -> str:
    if block.type == "text":
        return str(block.text)
    if block.type in ("image", "audio"):
        return f"[{block.type} {block.mime_type}, {len(block.data) * 3 // 4:,} bytes]"
    if block.type == "resource":
        held = block.resource
        return str(held.text) if hasattr(held, "text") else f"[resource {held.uri}, {held.mime_type or 'no type'}]"
    return f"[resource {block.uri}]" if block.type == "resource_link" else f"[{block.type}]"


def _words(error: BaseException) -> str:
    """What went wrong, of an error that may hold others."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no command {error.filename!r}"
    if isinstance(error, PermissionError):
        return f"the command {error.filename!r} cannot be run: permission denied"
    if isinstance(error, asyncio.CancelledError) or str(error) == "Connection closed":
        return "the connection was closed"
    return format_error(error)


def _way_out(spec: McpSpec) -> str:
    if spec.url:
        return "check that the server runs and that this is its address, which often ends in /mcp"
    return "try the command in a terminal: it must wait for input and write nothing else to its output"
