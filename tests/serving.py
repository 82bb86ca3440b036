"""Starting the app in a process of its own, and ending it."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest

Case = TypeVar("Case")
ROOT = Path(__file__).parent.parent
PATIENCE = float(os.environ.get("FOLDLINE_PATIENCE", "180"))  # seconds to wait for what comes: long, for a busy machine
RETRY = PATIENCE / 12  # seconds to wait for what is tried again when it does not come
EXAMPLES = int(os.environ.get("FOLDLINE_EXAMPLES", "2"))  # of a property, for each policy; CI tries 6, a long look more
OURS = ("XDG_", "STREAMLIT_", "FOLDLINE_", "CLAUDE_", "CODEX_")  # variables that change what the app does
TOKEN = "for-the-tests"
RULES = "TESTS_KINGFISHER"  # names the folder where Kingfisher keeps the rules that it made ready
COOKIES: dict[str, str] = {}  # of each app that was started, by its address
FOR_TESTS = tuple(f"FOLDLINE_{n}" for n in ["SHARED", "CHROMIUM", "NODE", "EXAMPLES", "PATIENCE", "SLOW", "LATE"])


def share(cases: Sequence[Case]) -> Sequence[Case]:
    """Every second case; all of them from 6 examples on, as CI has it.

    Policies go through an odd number of histories, so that each policy and each history is among the half.
    """
    return cases if EXAMPLES >= 6 else cases[::2]


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def share_rules(home: Path) -> None:
    """Give a home the rules that Kingfisher made ready once for all tests: that takes it seconds."""
    (home / ".cache").mkdir(exist_ok=True)
    with suppress(FileExistsError):
        (home / ".cache" / "kingfisher").symlink_to(os.environ[RULES])


def at_home(home: Path) -> dict[str, str]:
    """The environment with another home, so that no test reads or writes what the user keeps."""
    share_rules(home)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
    return kept | {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "FOLDLINE_TOKEN": TOKEN}


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once the app has given a cookie for its token; fail with its output if it ends or takes too long."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            if cookie := _let_in(url):
                COOKIES[url] = cookie
                return
        except OSError:
            time.sleep(0.1)
    end(process)
    pytest.fail(f"the app did not start:\n{log.read_text(errors='replace')[-4000:]}")


def _let_in(url: str) -> str:
    """The cookie, `name=value`, that a browser gets which opens the link."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=RETRY)) as connection:
        connection.request("GET", f"/?token={TOKEN}")
        return connection.getresponse().headers.get("set-cookie", "").partition(";")[0]


def cookies() -> list[Any]:
    """The cookies of all servers that were started, as Playwright takes them."""
    pairs = ((url, cookie.partition("=")) for url, cookie in COOKIES.items())
    return [{"url": url, "name": name, "value": value, "sameSite": "Strict"} for url, (name, _, value) in pairs]


def fetched(url: str, path: str = "/", **headers: str) -> tuple[int, HTTPMessage, bytes]:
    """Status, headers and body of what the app at this address answers to its user."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers={"Cookie": COOKIES[url]} | headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that this file started, and those it started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, sign)
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                continue
