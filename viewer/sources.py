"""Where a session comes from: a sample, an upload, a path, and what was opened before. Loading happens here alone.

A source is named in the address bar as `sample:…`, `path:…` or `upload:…`. Paths are opened only when the server listens
on the loopback address: then whoever types one owns the machine.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_state_path

from core import FoldlineError, Session, TranscriptError, load
from viewer.registry import Recent

Kind = Literal["sample", "path", "upload"]
KEPT_PATHS = 12
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_sessions: Recent[Session] = Recent(6)
_uploads: Recent[tuple[str, bytes]] = Recent(4)


@dataclass(frozen=True)
class Source:
    """What is to be opened: its kind, and the name that finds it again."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Source | None":
        """The source an address names, or None."""
        kind, _, name = text.partition(":")
        return cls(kind, name) if kind in ("sample", "path", "upload") and name else None  # type: ignore[arg-type]


@dataclass(frozen=True)
class Sample:
    """A session that ships with foldline, and the settings that show it well."""

    path: str
    title: str
    about: str
    policy: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    meter: str = "o200k_base"
    summaries: str = ""


@dataclass(frozen=True)
class Loaded:
    """A session, the key it is held under (it changes with the file), the name to show, and a line about it."""

    key: str
    session: Session
    shown: str
    about: str = ""
    note: str = ""


@cache
def samples() -> tuple[Sample, ...]:
    """The samples, the first of which the app opens on."""
    text = resources.files("sample_sessions").joinpath("samples.json").read_text("utf-8")
    return tuple(Sample(**row) for row in json.loads(text))


def sample_named(path: str) -> Sample | None:
    """The sample at this path below `sample_sessions`, or None."""
    return next((s for s in samples() if s.path == path), None)


def open_source(source: Source, local: bool) -> Loaded:
    """The session a source names. Raises FoldlineError, in one line with a way out, on whatever cannot be opened."""
    if source.kind == "sample":
        return _open_sample(source.name)
    if source.kind == "upload":
        return _open_upload(source.name)
    if not local:
        raise FoldlineError("paths are opened only when foldline listens on 127.0.0.1", "upload the file instead")
    return _open_path(source.name)


def _open_sample(name: str) -> Loaded:
    sample = sample_named(name)
    if sample is None:
        raise FoldlineError(f"no sample is called {name!r}", "choose one from the list")
    session = _sessions.take(f"sample:{name}", lambda: _read_sample(sample))
    return Loaded(f"sample:{name}", session, name.rpartition("/")[2], sample.about)


def _read_sample(sample: Sample) -> Session:
    """The sample's session, under the sample's title."""
    data = resources.files("sample_sessions").joinpath(*sample.path.split("/")).read_bytes()
    return load(name=sample.path.rpartition("/")[2], data=data).model_copy(update={"title": sample.title})


def _open_upload(digest: str) -> Loaded:
    held = _uploads.get(digest)
    session = _sessions.get(f"upload:{digest}")
    if held is None and session is None:
        raise FoldlineError("the uploaded file is not held any more", "upload it again, or open it by its path")
    name = held[0] if held else "upload"
    if session is None and held is not None:
        session = _sessions.put(f"upload:{digest}", load(name=held[0], data=held[1]))
    assert session is not None
    return Loaded(f"upload:{digest}", session, name)


def _open_path(name: str) -> Loaded:
    path, last = Path(name), f"path:{name}"
    try:
        path = path.expanduser()
        stat = path.stat()
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a ~ that is nobody's
        return _gone(path, last, error)
    key = f"{last}:{stat.st_mtime_ns}:{stat.st_size}"
    session = _sessions.take(key, lambda: load(path))
    _sessions.put(last, session)
    remember(path)
    return Loaded(key, session, path.name)


def _gone(path: Path, last: str, error: Exception) -> Loaded:
    """What was loaded from a path that cannot be reached now; raises TranscriptError if nothing was."""
    session = _sessions.get(last)
    if session is None:
        load(path)  # names what is wrong in its own words
        raise TranscriptError(f"{path}: {error}", "check the path")
    return Loaded(last, session, path.name, note="The file is gone; this is what was read from it.")


def hold_upload(name: str, data: bytes) -> Source:
    """Keep an uploaded file in memory so that its address works while the server lives."""
    digest = hashlib.sha256(data).hexdigest()[:16]
    _uploads.put(digest, (name, data))
    return Source("upload", digest)


def first_source() -> Source:
    """What the app opens on: the file it was started with, else the first sample."""
    given = os.environ.get("FOLDLINE_FILE")
    return Source("path", given) if given else Source("sample", samples()[0].path)


def _recent_file() -> Path:
    return user_state_path("foldline", appauthor=False) / "recent.json"


def recent() -> list[str]:
    """The paths opened before, newest first; empty if the list cannot be read."""
    try:
        found = json.loads(_recent_file().read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [str(path) for path in found if isinstance(path, str)] if isinstance(found, list) else []


def remember(path: Path) -> None:
    """Put the path first in the list of recent ones. A list that cannot be written is no reason to fail."""
    absolute = str(path.absolute())
    paths: Sequence[str] = recent()
    if paths[:1] == [absolute]:
        return
    kept = [absolute, *(p for p in paths if p != absolute)][:KEPT_PATHS]
    try:
        _recent_file().parent.mkdir(parents=True, exist_ok=True)
        _recent_file().write_text(json.dumps(kept), "utf-8")
    except OSError:
        return
