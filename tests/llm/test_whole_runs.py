"""Whole runs against servers that others wrote: they were made for the providers' SDKs, and know nothing of this project.

fakellm (PyPI) answers as Anthropic and as Chat Completions, aimock (npm) as the Responses API too.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core import Memory, Message, run_agent, tool
from core.llm import ToolSpec, check_pairs, connect
from core.llm.adapter import Adapter
from core.model.errors import ModelError
from tests.serving import PATIENCE, ROOT, end, free_port

DATA = ROOT / "tests" / "data" / "llm"
GOAL = "Add the pairs (1, 2) and (10, 20)."

runs = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Streamed:
    """A model that is asked by `stream` only."""

    def __init__(self, model: Adapter) -> None:
        self.model, self.heard = model, ""

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        """The reply of a stream, whose text is what was heard."""
        pieces: list[str] = []
        reply = self.model.stream(messages, tools, pieces.append, lambda: False)
        assert "".join(pieces) == reply.content
        return reply


def started(command: list[str], port: int, log: Path) -> Iterator[str]:
    """The address of a server in a process of its own."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, cwd=log.parent, start_new_session=True)
    try:
        until = time.monotonic() + PATIENCE
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"{command} gives no server: {log.read_text(errors='replace')[-300:]}")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        end(process)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def fakellm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """fakellm's address."""
    port, folder = free_port(), tmp_path_factory.mktemp("fakellm")
    command = [sys.executable, "-c", "from fakellm.cli import main; main()", "serve", "--port", str(port)]
    yield from started([*command, "--config", str(DATA / "fakellm.yaml")], port, folder / "log")


@pytest.fixture(scope="module")
def aimock(node: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """aimock's address."""
    port, folder = free_port(), tmp_path_factory.mktemp("aimock")
    command = [node, str(ROOT / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js")]
    options = ["-p", str(port), "-f", str(DATA / "aimock.json"), "--strict", "--log-level", "warn"]
    yield from started([*command, *options], port, folder / "log")


def a_run(provider: str, base_url: str, streamed: bool) -> list[Any]:
    """What came of a run with two calls at once: its answer, turns, and the messages without their ids."""
    model = connect(provider, key="sk-none-of-yours", base_url=base_url, max_retries=0)
    assert isinstance(model, Adapter)
    memory = Memory(budget=10_000)
    goal = f"{GOAL} For {provider}, streamed: {streamed}."  # fakellm knows a conversation by its first message
    result = run_agent(goal, Streamed(model) if streamed else model, [add], system="Be exact.", memory=memory)
    check_pairs(result.messages)
    calls = [(call.name, call.arguments) for message in result.messages for call in message.tool_calls]
    results = [m.content for m in result.messages if m.role == "tool"]
    return [result.answer, result.turns, [m.role for m in result.messages], calls, results]


EXPECTED = [
    "The sums are 3 and 30.",
    2,
    ["system", "user", "assistant", "tool", "tool", "assistant"],
    [("add", {"a": 1, "b": 2}), ("add", {"a": 10, "b": 20})],
    ["3", "30"],
]


@runs
@pytest.mark.parametrize(("provider", "path"), [("anthropic", ""), ("openai-chat", "/v1")])
def test_a_run_with_fakellm(fakellm: str, provider: str, path: str, streamed: bool) -> None:
    """Two calls at once, their results, and the answer."""
    assert a_run(provider, fakellm + path, streamed) == EXPECTED


@runs
@pytest.mark.parametrize(("provider", "path"), [("anthropic", ""), ("openai-chat", "/v1"), ("openai-responses", "/v1")])
def test_a_run_with_aimock(aimock: str, provider: str, path: str, streamed: bool) -> None:
    """Two calls at once, their results, and the answer."""
    assert a_run(provider, aimock + path, streamed) == EXPECTED


@pytest.mark.parametrize("provider", ["anthropic", "openai-chat"])
def test_a_server_that_is_busy(fakellm: str, provider: str) -> None:
    """Its own words are told."""
    model = connect(provider, key="k", base_url=fakellm + ("/v1" if provider == "openai-chat" else ""), max_retries=0)
    with pytest.raises(ModelError, match="Rate limit exceeded") as caught:
        model.complete([Message(role="user", content="Too often")], [])
    assert caught.value.kind == "rate_limit"


def test_a_server_without_counts(fakellm: str) -> None:
    """fakellm has no such endpoint: said as an error, not as a crash."""
    model = connect("anthropic", key="k", base_url=fakellm, max_retries=0)
    with pytest.raises(ModelError) as caught:
        model.count_tokens([Message(role="user", content="Hi")], [])
    assert caught.value.kind == "not_found"
