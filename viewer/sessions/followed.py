"""The open files that pages follow: a page asks by a name whether its file was written to since it was read."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from viewer.sessions.entries import stamp
from viewer.sessions.registry import RecentCache
from viewer.sessions.sources import Loaded

POLL_SECONDS = 1.5
"""Seconds between two looks at an open file."""

POLL_FACTOR = 6
"""A file that takes long to read is looked at less often: after this many times the seconds that reading it takes."""


class _Followed(NamedTuple):
    paths: tuple[Path, ...]
    stamp: str


_followed: RecentCache[_Followed] = RecentCache(64)


def follow(loaded: Loaded) -> str:
    """Follow the file of a session from what was read of it on. Returns the name to ask by; "" if it came from no file."""
    if not loaded.paths or not loaded.stamp:
        return ""
    followed = _Followed(loaded.paths, loaded.stamp)
    name = hashlib.sha256(repr(followed).encode("utf-8", "backslashreplace")).hexdigest()[:32]
    _followed.put(name, followed)
    return name


def changed(name: str) -> str:
    """The new stamp of a file that was written to since it was read; "" if it was not, is gone, or is not followed."""
    followed = _followed.get(name)
    if followed is None:
        return ""
    try:
        now = " ".join(map(stamp, followed.paths))
    except OSError:
        return ""
    return now if now != followed.stamp else ""


def pause(loaded: Loaded) -> float:
    """Seconds from one look at the file of a session to the next."""
    return max(POLL_SECONDS, POLL_FACTOR * loaded.seconds)
