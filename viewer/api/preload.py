"""Starts early what the first page needs: its modules while Streamlit's load, its session while the server starts."""

import threading
from pathlib import Path

from starlette.middleware import Middleware

from viewer.api.security import AddHeaders

FRONTEND = Path(__file__).parent.parent / "frontend"


def links() -> str:
    """The Link header that names every module of the page, relative to it.

    https://developer.mozilla.org/docs/Web/HTML/Reference/Attributes/rel/modulepreload
    """
    names = sorted(path.relative_to(FRONTEND).as_posix() for path in FRONTEND.rglob("*.js"))
    return ", ".join(f"<viewer-assets/{name}>; rel=modulepreload" for name in names)


MODULES = Middleware(AddHeaders, {"Link": links()}, "text/html")  # fetched along with the page itself


def read_ahead() -> None:
    """Open and count the first session, and read the policies, in a thread. The page itself reports errors."""
    threading.Thread(target=_open_first, daemon=True).start()


def _open_first() -> None:
    from core import FoldlineError
    from core.engine.default_meter import default_meter
    from viewer.sessions.registry import opened
    from viewer.sessions.sources import first_source, open_source
    from viewer.wire.catalogue import catalogue

    try:
        loaded = open_source(first_source(), local=True)
        _ = opened(loaded.key, loaded.session, default_meter(loaded.session)).packed
    except FoldlineError:
        pass
    catalogue()  # reads every policy and draws its rule: a third of a second
