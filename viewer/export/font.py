"""The font of an exported file: the one that the app's pages have from Streamlit, so that the file looks as they do."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

FILE = "static/static/media/SourceSansVF-Upright*.woff2"
"""Where Streamlit keeps Source Sans, of every weight; its name has a digest in it."""


@cache
def font() -> bytes:
    """The font as it is; nothing where Streamlit does not have it: the page then takes one of the system."""
    streamlit = find_spec("streamlit")
    folders = streamlit.submodule_search_locations if streamlit else None
    found = [path for folder in folders or () for path in Path(folder).glob(FILE)]
    return found[0].read_bytes() if found else b""
