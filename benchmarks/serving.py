"""Servers for the browser figures: ours, and that of the empty app."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

FIRST = "[data-opening], [data-rendered]:not([data-rendered=''])"
"""On our page once messages of the transcript are on it: its first ones while it is opened, else the debugger."""

ROOT = Path(__file__).parent.parent
SHOWN = "[data-rendered]:not([data-rendered=''])"
"""On our page once the debugger has painted."""


@contextmanager
def served(command: list[str], port: int) -> Iterator[str]:
    """A server for as long as it is needed; gives its address."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(f"http://127.0.0.1:{port}/_stcore/health")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _wait(url: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(url).read()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"no answer from {url}")


def free() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ours(file: Path | None, port: int) -> list[str]:
    """The command that serves a file; without one, the first sample."""
    given = [str(file)] if file else []
    return [sys.executable, "-m", "viewer.serve", *given, "--port", str(port), "--no-token", "--no-browser"]


def empty(port: int) -> list[str]:
    """The command that serves the empty app."""
    options = ["--server.port", str(port), "--server.headless", "true", "--browser.gatherUsageStats", "false"]
    return [sys.executable, "-m", "streamlit", "run", "benchmarks/empty_app.py", *options]


def processor() -> dict[int, float]:
    """Milliseconds of the processor that each server and browser begun here has used, whatever else the machine does."""
    used = {}
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            times = process.cpu_times()
            used[process.pid] = 1000 * (times.user + times.system)
    return used


def used_since(before: dict[int, float]) -> float:
    """Milliseconds of the processor since then, of those that still run."""
    return sum(now - before.get(pid, 0.0) for pid, now in processor().items())
