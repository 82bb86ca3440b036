"""Starts the app: `python -m viewer.serve [FILE] [--port N]`. On 127.0.0.1, port 8501 or the next free one."""

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

FIRST_PORT, TRIED_PORTS = 8501, 100
FILE_VARIABLE = "FOLDLINE_FILE"
NO_BROWSER_VARIABLE = "FOLDLINE_NO_BROWSER"
NO_TOKEN_VARIABLE = "FOLDLINE_NO_TOKEN"
PAGE_VARIABLE = "FOLDLINE_PAGE"

# The same as .streamlit/config.toml says for `streamlit run app.py`; an installed app has no such file beside it.
OPTIONS: dict[str, Any] = {
    "server.address": "127.0.0.1",
    "server.headless": True,
    "server.allowedHosts": ["localhost", "127.0.0.1", "::1"],
    "server.maxUploadSize": 200,
    "server.enableXsrfProtection": True,
    "server.enableCORS": True,
    "server.enableStaticServing": False,
    "server.enableAgentApi": False,
    "server.fileWatcherType": "none",
    "logger.hideWelcomeMessage": True,
    "browser.gatherUsageStats": False,
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "theme.light.primaryColor": "#2f52c9",
    "theme.light.backgroundColor": "#fbfbfa",
    "theme.light.secondaryBackgroundColor": "#ffffff",
    "theme.light.textColor": "#1d1f24",
    "theme.light.borderColor": "#e1e2dd",
    "theme.light.linkColor": "#2f52c9",
    "theme.light.sidebar.backgroundColor": "#f3f4f0",
    "theme.dark.primaryColor": "#8ea6ff",
    "theme.dark.backgroundColor": "#131418",
    "theme.dark.secondaryBackgroundColor": "#1c1d23",
    "theme.dark.textColor": "#e7e8ec",
    "theme.dark.borderColor": "#2f313a",
    "theme.dark.linkColor": "#9db2ff",
    "theme.dark.sidebar.backgroundColor": "#0f1013",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped; returns 0, or 1 with one line on stderr when no port is free."""
    parser = argparse.ArgumentParser(prog="foldline serve", description="Start the debugger in the browser.")
    parser.add_argument("file", nargs="?", help="a transcript, or a folder of them, to open")
    parser.add_argument("--port", type=int, help=f"default: {FIRST_PORT} or the next free one")
    parser.add_argument("--lesson", type=int, help="open this lesson of Learn; FILE is then your own session in it")
    parser.add_argument("--play", action="store_true", help="with --lesson, play it by itself, as at a booth")
    parser.add_argument("--no-browser", action="store_true", help="only print the link")
    parser.add_argument("--no-token", action="store_true", help="open it to every user of this machine")
    given = parser.parse_args(arguments)
    port = free_port() if given.port is None else given.port
    if port is None:
        return _refused(f"no free port from {FIRST_PORT} on", "choose one with --port")
    if not is_free(port):
        return _refused(
            f"port {port} is not free", "choose another from 1 to 65535, or leave --port out to use a free one"
        )
    if given.file and not Path(given.file).expanduser().exists():
        return _refused(f"{given.file}: no such file", "run foldline serve without a file to open a sample")
    if given.lesson is None and given.play:
        return _refused("--play needs a lesson", "give --lesson 1 as well")
    if given.lesson is not None and (wrong := _unknown_lesson(given.lesson)):
        return _refused(*wrong)
    file = str(Path(given.file).expanduser().absolute()) if given.file else ""
    if file:
        os.environ[FILE_VARIABLE] = file  # opened first; the Library lists the sessions of a folder
    if given.lesson is not None:
        os.environ[PAGE_VARIABLE] = lesson_page(given.lesson, file, given.play)
    for name, on in ((NO_BROWSER_VARIABLE, given.no_browser), (NO_TOKEN_VARIABLE, given.no_token)):
        if on:
            os.environ[name] = "1"
    with suppress(KeyboardInterrupt):
        serve(port)
    return 0


def _unknown_lesson(number: int) -> tuple[str, str] | None:
    """What is wrong with the number of a lesson, and the hint; None for one that there is."""
    from core import FoldlineError  # takes all of core: only for a lesson
    from core.lessons import lesson

    try:
        lesson(number)
    except FoldlineError as error:
        return str(error), error.hint
    return None


def lesson_page(number: int, file: str, play: bool) -> str:
    """The address of a lesson below that of the server, with a person's own file, or playing by itself."""
    query = {"lesson": number, "step": 1} | ({"source": f"path:{file}"} if file else {})
    return f"/learn?{urlencode(query | ({'present': 1, 'play': 1} if play else {}))}"


def _refused(why: str, hint: str) -> int:
    print(f"error: {why}\nhint: {hint}", file=sys.stderr)
    return 1


def free_port() -> int | None:
    """The first port from 8501 on that nobody listens on, or None."""
    return next((port for port in range(FIRST_PORT, FIRST_PORT + TRIED_PORTS) if is_free(port)), None)


def is_free(port: int) -> bool:
    """Whether this port can be bound on 127.0.0.1."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):  # in use, not allowed, or no port
            return False
    return port > 0


def serve(port: int) -> None:
    """Run the app on this port until it is stopped."""
    from core.model.import_name import IMPORT_ROOT  # takes all of core: only now, to print the link first

    root = str(IMPORT_ROOT)
    if root not in sys.path:
        sys.path.insert(0, root)
    from app import app
    from viewer.api.preload import read_ahead

    read_ahead()
    app.run(config={**OPTIONS, "server.port": port})


if __name__ == "__main__":
    raise SystemExit(main())
