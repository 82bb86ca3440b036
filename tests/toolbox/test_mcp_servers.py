"""MCP servers: real ones, made with the mcp package, over a process and over HTTP."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import enumerate as threads
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from core.model.errors import FoldlineError, ParameterError
from core.model.session import ToolCall
from core.toolbox.mcp_servers import McpServer, McpSpec, connect
from core.toolbox.tools import ToolRegistry
from tests.serving import free_port

SCRIPT = str(Path(__file__).parents[1] / "data" / "mcp_server.py")
BY_COMMAND = McpSpec(name="tests", command=sys.executable, args=(SCRIPT,))


@pytest.fixture(scope="module")
def server() -> Iterator[McpServer]:
    """A server as a process, which is given one of two variables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOLDLINE_TEST_TOKEN", "abc")
        patch.setenv("FOLDLINE_TEST_OTHER", "def")
        with connect(BY_COMMAND.model_copy(update={"env": ("FOLDLINE_TEST_TOKEN",)})) as made:
            yield made


@pytest.fixture(scope="module")
def over_http() -> Iterator[McpServer]:
    """A server over HTTP."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, SCRIPT, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with _reached(McpSpec(name="web", url=f"http://127.0.0.1:{port}/mcp"), process) as made:
            yield made
    finally:
        process.kill()
        process.wait()


def _reached(spec: McpSpec, process: "subprocess.Popen[bytes]") -> McpServer:
    """The server once it listens; what it said last, if it never does."""
    for _ in range(200):
        try:
            return connect(spec)
        except FoldlineError:
            assert process.poll() is None, "the server has died"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.1)
    return connect(spec)


@pytest.mark.parametrize("way", ["server", "over_http"])
def test_a_servers_tools_are_tools(way: str, request: pytest.FixtureRequest) -> None:
    """Both ways: name, description and schema as the server gives them, a call's result as text, texts cut at a limit."""
    registry = ToolRegistry(request.getfixturevalue(way).tools())
    assert [t.name for t in registry] == [
        *("add", "variable", "picture", "refuse", "sleep", "flood", "odd_name", "die")
    ]
    spec = registry.specs()[0]
    assert (spec["description"], spec["parameters"]["required"]) == ("Add two numbers.", ["a", "b"])
    assert registry.call("add", {"a": 2, "b": 3}) == "5"
    assert registry.call("odd_name", {}) == "odd"
    assert registry.call("picture", {}) == "[image image/png, 30 bytes]"
    assert "[cut: the first " in registry.call("flood", {"characters": 20_000})


def test_the_server_checks_arguments(server: McpServer) -> None:
    """A wrong argument, and a tool that fails, are tool errors in the server's words."""
    registry = ToolRegistry(server.tools())
    wrong = registry.answer(ToolCall(id="c1", name="add", arguments={"a": "x", "b": 1}))
    assert (wrong.is_error, "Input should be a valid integer" in wrong.content) == (True, True)
    assert registry.call("refuse", {}).startswith("error: Error executing tool refuse")


def test_names_that_clash_get_the_servers_in_front(server: McpServer) -> None:
    """No tool hides another one."""
    assert [t.name for t in server.tools(taken=["add"])][:2] == ["tests__add", "variable"]
    assert [t.name for t in server.tools(taken=["add", "tests__add"])][:2] == ["tests__add_2", "variable"]


def test_a_call_that_hangs_is_given_up(server: McpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is told."""
    monkeypatch.setattr(server, "call_seconds", 0.2)
    registry = ToolRegistry(server.tools())
    assert registry.call("sleep", {"seconds": 1}) == (
        "error: sleep of MCP server 'tests' did not answer within 0.2 seconds"
    )


def test_a_server_that_dies_is_a_tool_error() -> None:
    """With what it said last; so is every later call, and nothing is left running."""
    server = connect(BY_COMMAND.model_copy(update={"name": "dying"}))
    registry = ToolRegistry(server.tools())
    told = registry.call("die", {})
    assert told.startswith("error: die of MCP server 'dying' failed: ")
    assert "(it said: out of memory, said the server)" in told or sys.platform == "win32"
    assert registry.call("add", {"a": 1, "b": 2}) == "error: MCP server 'dying' has ended; continue without it"
    assert (server.ended, registry.specs()) == (True, [])
    server.close()
    server.close()
    assert registry.call("add", {"a": 1, "b": 2}) == "error: MCP server 'dying' has ended; continue without it"
    assert "mcp dying" not in {thread.name for thread in threads()}


def test_a_thread_that_ends_meanwhile_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It closes its loop a moment before it is gone: a call is told that the server has ended, and `close` works."""
    with connect(BY_COMMAND) as server:
        registry = ToolRegistry(server.tools())
        server._loop.call_soon_threadsafe(server._end)
        server._thread.join()
        monkeypatch.setattr(server._thread, "is_alive", lambda: True)
        assert registry.call("add", {"a": 1, "b": 2}) == "error: MCP server 'tests' has ended; continue without it"
    assert server._log.closed


def test_a_call_that_is_never_begun_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends between a call and its loop: nobody waits for an answer that cannot come."""
    with connect(BY_COMMAND) as server:
        registry = ToolRegistry(server.tools())

        def lost(asked: Any, loop: Any) -> "Future[Any]":
            loop.call_soon_threadsafe(server._end)
            return Future()

        monkeypatch.setattr("asyncio.run_coroutine_threadsafe", lost)
        assert registry.call("add", {"a": 1, "b": 2}) == "error: MCP server 'tests' has ended; continue without it"


@pytest.mark.parametrize(
    ("command", "args", "seconds", "error"),
    [
        ("no-such-command-at-all", (), 60, "there is no command 'no-such-command-at-all'"),
        (sys.executable, ("-c", "import sys; sys.exit('no config')"), 60, "(it said: no config)"),
        (
            sys.executable,
            ("-c", "import sys; sys.exit('a\\nusage: x\\nno y\\ncode 2')"),
            60,
            "(it said: usage: x / no y / code 2)",
        ),
        (sys.executable, ("-c", "import time; time.sleep(600)"), 1, "it did not answer within 1 seconds"),
    ],
    ids=["unknown", "ends", "ends with lines", "hangs"],
)
def test_a_command_that_does_not_come_up_is_an_error(
    command: str, args: tuple[str, ...], seconds: int, error: str
) -> None:
    """The error says what happened and what to try."""
    with pytest.raises(FoldlineError) as caught:
        connect(McpSpec(name="x", command=command, args=args), start_seconds=seconds)
    assert str(caught.value).startswith("MCP server 'x' cannot be used: ")
    assert error in str(caught.value)
    assert caught.value.hint.startswith("try the command in a terminal")


def test_an_address_that_nobody_answers_is_an_error_without_its_secrets() -> None:
    """Neither password nor query of the address is repeated."""
    with pytest.raises(FoldlineError) as caught:
        connect(McpSpec(name="x", url=f"http://me:hunter2@127.0.0.1:{free_port()}/mcp?key=abc123"), start_seconds=10)
    assert "hunter2" not in str(caught.value)
    assert "abc123" not in str(caught.value)
    assert caught.value.hint.startswith("check that the server runs")


def test_a_command_is_given_the_variables_that_are_named(server: McpServer) -> None:
    """And no other of ours; one that is not set is an error."""
    registry = ToolRegistry(server.tools())
    assert registry.call("variable", {"name": "FOLDLINE_TEST_TOKEN"}) == "abc"
    assert registry.call("variable", {"name": "FOLDLINE_TEST_OTHER"}) == "not set"
    with pytest.raises(ParameterError, match="needs FOLDLINE_TEST_NONE, which is not set"):
        connect(BY_COMMAND.model_copy(update={"env": ("FOLDLINE_TEST_NONE",)}))


SECRETS = ("hunter2", "sk-ant-Zq7h2VxN0pD4", "ghp_0123456789abcdef", "s3cr3t-path", "me-myself")
SECRET_ARGUMENTS = [
    ("-H", "Authorization: Bearer sk-ant-Zq7h2VxN0pD4"),
    ("-e", "OPENAI=sk-ant-Zq7h2VxN0pD4"),
    ("--pat", "ghp_0123456789abcdef"),
    ("--pat=ghp_0123456789abcdef",),
    ("-p", "hunter2"),
    ("-phunter2",),
    ("sk-ant-Zq7h2VxN0pD4",),
    ("https://me-myself:hunter2@tools.example/s3cr3t-path/mcp?key=ghp_0123456789abcdef",),
]


@pytest.mark.parametrize("args", SECRET_ARGUMENTS)
def test_no_argument_is_written_down(args: tuple[str, ...]) -> None:
    """Of a command its file name and how many arguments there are, whatever they look like; the same is printed."""
    spec = McpSpec(name="x", command="/home/me-myself/bin/serve", args=args, env=("API_KEY",))
    assert spec.recorded() == {"name": "x", "program": "serve", "arguments": len(args), "env": ["API_KEY"]}
    assert repr(spec) == f"McpSpec(name='x', program='serve', arguments={len(args)}, env=['API_KEY'])"
    assert not [one for one in SECRETS if one in f"{spec!r} {spec} {[spec]} {spec.recorded()}"]


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://me-myself:hunter2@Tools.example:8443/s3cr3t-path/mcp?key=hunter2#x", "https://tools.example:8443"),
        ("http://[::1]:80/s3cr3t-path", "http://[::1]:80"),
        ("https://tools.example", "https://tools.example"),
    ],
)
def test_of_an_address_scheme_and_host_are_written_down(url: str, origin: str) -> None:
    """No user, no password, no path, no query."""
    spec = McpSpec(name="web", url=url)
    assert spec.recorded() == {"name": "web", "origin": origin}
    assert (repr(spec), str(spec)) == (f"McpSpec(name='web', origin={origin!r})", f"name='web' origin={origin!r}")


@pytest.mark.parametrize("command", ["npx", "/usr/bin/npx", r"C:\tools\npx", "npx --token hunter2"])
def test_of_a_command_the_file_name_is_written_down(command: str) -> None:
    """The last part of a path of either kind, without what somebody put behind it."""
    assert McpSpec(name="x", command=command).recorded() == {"name": "x", "program": "npx", "arguments": 0}


@pytest.mark.parametrize("ways", [{"command": "npx", "args": ("-y", "server")}, {"url": "https://tools.example/mcp"}])
def test_what_was_recorded_starts_nothing(ways: dict[str, Any]) -> None:
    """It is refused as a server, by name and with the reason."""
    kept = McpSpec(name="files", **ways).recorded()
    with pytest.raises(ParameterError, match="'files' cannot be started from its record") as caught:
        McpSpec.model_validate(kept)
    assert caught.value.hint.startswith("give its command or address again: arguments and paths are not saved")


@pytest.mark.parametrize("given", ["OPENAI=hunter2", "", "a b"])
def test_variables_are_given_by_name(given: str) -> None:
    """A value among the names is refused, and not repeated."""
    with pytest.raises(ParameterError) as caught:
        McpSpec(name="x", command="npx", env=(given,))
    assert str(caught.value) == "`env` of MCP server 'x' must be names of variables"


DYING = """
import os, sys
print(sys.argv[1:], os.environ.get("FOLDLINE_TEST_TOKEN"), "and " + 20 * "0a1b2c3d", "no config", file=sys.stderr)
"""


@pytest.mark.skipif(not hasattr(os, "pread"), reason="a log cannot be read here while a process writes to it")
@pytest.mark.parametrize("args", SECRET_ARGUMENTS)
def test_the_last_words_of_a_server_hold_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    """Neither arguments, nor values of its variables, nor what looks like a key; the rest is told, as it says why."""
    monkeypatch.setenv("FOLDLINE_TEST_TOKEN", "swordfish")
    script = tmp_path / "dying.py"
    script.write_text(DYING)
    spec = McpSpec(name="x", command=sys.executable, args=(str(script), *args), env=("FOLDLINE_TEST_TOKEN",))
    with pytest.raises(FoldlineError) as caught:
        connect(spec)
    told = str(caught.value)
    assert told.endswith("and … no config)")
    assert not [one for one in (*SECRETS, "swordfish", "0a1b") if one in told]


@pytest.mark.skipif(not hasattr(os, "pread"), reason="a log cannot be read here while a process writes to it")
def test_last_words_are_few(tmp_path: Path) -> None:
    """A long line is cut, and where it is longer than what is read, a word that is not whole is left out."""
    script = tmp_path / "dying.py"
    script.write_text('import sys; sys.stderr.write("x" * 90 + "ab" * 1945 + " was the end " + "of it. " * 30)')
    with pytest.raises(FoldlineError) as caught:
        connect(McpSpec(name="x", command=sys.executable, args=(str(script),)))
    said = str(caught.value).partition("(it said: ")[2]
    assert said.startswith("was the end of it. of it.")
    assert len(said) <= 201


def test_an_address_is_not_repeated_where_it_fails(httpserver: HTTPServer) -> None:
    """The mcp package names the address that a server redirects to: its host alone is told."""
    moved = {"location": "/s3cr3t-path/elsewhere?key=hunter2"}
    httpserver.expect_request("/s3cr3t-path/mcp").respond_with_data("", 302, moved)
    with pytest.raises(FoldlineError) as caught:
        connect(McpSpec(name="x", url=httpserver.url_for("/s3cr3t-path/mcp")), start_seconds=10)
    assert f"Redirect to http://{httpserver.host}:{httpserver.port}/… not followed" in str(caught.value)
    assert not [one for one in SECRETS if one in str(caught.value)]


@pytest.mark.parametrize(
    "ways", [{}, {"command": "x", "url": "http://x"}, {"url": "file:///etc"}, {"url": "http://"}, {"url": "http://[a"}]
)
def test_a_spec_has_one_way_to_a_server(ways: dict[str, str]) -> None:
    """A command, or an address of http or https."""
    with pytest.raises(ParameterError):
        McpSpec(name="x", **ways)  # type: ignore[arg-type]


def test_mcp_is_not_imported_before_it_is_asked_for() -> None:
    """Neither with core nor with the module itself: it is off by default, and takes its time."""
    code = "import sys, core, core.toolbox, core.toolbox.mcp_servers; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
