"""The sessions on this machine: the places where agents keep them, and an index to list and search them.

The index is a SQLite database in the user's cache folder. It holds only copies of titles and texts: it may be deleted at any
time, and is rebuilt if it is damaged. Transcripts are only read.
"""

from core.library.build import build
from core.library.index import Index, Listing, Progress, Row, SearchText, damaged, default_path
from core.library.places import Place, add_place, places, remove_place
from core.library.snippets import Snippet

__all__ = [
    "Index",
    "Listing",
    "Place",
    "Progress",
    "Row",
    "SearchText",
    "Snippet",
    "add_place",
    "build",
    "damaged",
    "default_path",
    "places",
    "remove_place",
]
