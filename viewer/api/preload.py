"""What can be begun before it is asked for: the page's modules while Streamlit's load, the session while the server starts."""

import threading
from pathlib import Path

from starlette.middleware import Middleware

from viewer.security import AddHeaders

FRONTEND = Path(__file__).parent / "frontend"


def links() -> str:
    """The Link header that names every module of the page, relative to it.

    https://developer.mozilla.org/docs/Web/HTML/Reference/Attributes/rel/modulepreload
    """
    names = sorted(path.name for path in FRONTEND.glob("*.js"))
    return ", ".join(f"<viewer-assets/{name}>; rel=modulepreload" for name in names)


MODULES = Middleware(AddHeaders, {"Link": links()}, "text/html")  # fetched along with the page itself


def read_ahead() -> None:
    """Open and count, in a thread of its own, what the first page will show; what is wrong with it the page will say.

    The policies are read there as well.
    """
    threading.Thread(target=_open_first, daemon=True).start()


def _open_first() -> None:
    from core import FoldlineError
    from viewer.catalogue import catalogue
    from viewer.registry import opened
    from viewer.sources import first_source, open_source

    try:
        loaded = open_source(first_source(), local=True)
        _ = opened(loaded.key, loaded.session, "o200k_base").packed
    except FoldlineError:
        pass
    catalogue()  # every policy is read and its rule drawn: a third of a second
