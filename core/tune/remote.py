"""Files at URLs, by fsspec: listed, and read whole. Only URLs that somebody typed. https://filesystem-spec.readthedocs.io"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from core.model.errors import TranscriptError, format_error
from core.tune.extra import extra

_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_url(path: str) -> bool:
    """Whether a path is a URL, such as `s3://bucket/sessions`."""
    return _URL.match(path) is not None


def remote_files(url: str) -> Iterator[tuple[str, int, str]]:
    """The URL of every file at or below a URL, its size in bytes, and what is another one when the file has changed.

    Raises FoldlineError where nothing can be listed there.
    """
    with extra(url):
        from fsspec.core import url_to_fs
    with _named(url):
        system, path = url_to_fs(url)
        found: dict[str, dict[str, Any]] = system.find(path, detail=True)
    if not found:
        raise TranscriptError(f"{url}: there is no file", "give the URL of a file, or of a folder with files below it")
    for name, facts in sorted(found.items()):
        version = blake2b(repr(sorted(facts.items(), key=str)).encode(), digest_size=8).hexdigest()
        yield system.unstrip_protocol(name), int(facts.get("size") or 0), version


def read_url(url: str) -> bytes:
    """The bytes of the file at a URL. Raises FoldlineError."""
    with extra(url):
        from fsspec import open as open_url
    with _named(url), open_url(url, "rb") as file:
        data: bytes = file.read()
    return data


@contextmanager
def _named(url: str) -> Iterator[None]:
    """Errors as ours, with the URL: each storage that fsspec knows has exceptions of its own."""
    try:
        yield
    except Exception as error:
        raise TranscriptError(f"{url}: {format_error(error)}", "is the address right, and may you read it?") from error
