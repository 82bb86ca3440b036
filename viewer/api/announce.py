"""Says where the server is once it can answer, and opens the link in a browser where a person would see it."""

import os
import sys
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from html import escape
from pathlib import Path
from typing import Any

from viewer.api.access import NO_TOKEN_VARIABLE, link, token

NO_BROWSER_VARIABLE = "FOLDLINE_NO_BROWSER"


@asynccontextmanager
async def announced(app: Any) -> AsyncIterator[None]:
    """For as long as the server runs: its link was printed, and opened."""
    print(f"\n  foldline is at {link()}\n  (Ctrl+C stops it)\n", flush=True)
    if not token():
        print(
            "warning: without a token every user of this machine can open it, read your files and use your keys",
            file=sys.stderr,
        )
    elif os.environ.get(NO_TOKEN_VARIABLE):
        print("warning: --no-token is ignored: other machines can reach this server", file=sys.stderr)
    with ExitStack() as stack:
        if has_browser():
            page = _page(stack.enter_context(tempfile.TemporaryDirectory(prefix="foldline-")))
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()  # it may wait for the browser
        yield


def _page(folder: str) -> str:
    """The address of a page that leads to the link. Other users can read what a browser is started with, but not this file."""
    page = Path(folder, "foldline.html")  # a temporary folder is for its user alone
    page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(link())}">', "utf-8")
    return page.as_uri()


def has_browser() -> bool:
    """Whether somebody sits before a browser here: a terminal, a screen, and no connection from afar."""
    if os.environ.get(NO_BROWSER_VARIABLE) or os.environ.get("SSH_CONNECTION") or not sys.stdout.isatty():
        return False
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(screen) or sys.platform in ("win32", "darwin")
