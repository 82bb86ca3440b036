"""Finds the importers beside it: `load(path)` or `load(name=…, data=…)` gives the session in a transcript.

An importer is one module in this folder with

    LABEL        what people call the format
    DOCS         where it is described
    recognises   (head) -> whether the file is of this format, by its content alone
    read         (source) -> Session; raises TranscriptError

Adding a format is adding a module. Exactly one importer may claim a file; names with a leading _ are helpers.
"""

import importlib
import os
import pkgutil
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from core.collecting import no_collecting
from core.errors import TranscriptError
from core.importers._others import other_format
from core.importers._source import Head, Source, head_of
from core.model import Frozen, Session


class Importer(Protocol):
    """What a module here must have."""

    LABEL: str
    DOCS: str

    def recognises(self, head: Head) -> bool:
        """Whether a file that begins so is of this format."""
        ...

    def read(self, source: Source) -> Session:
        """The session in it. Raises TranscriptError."""
        ...


class FormatInfo(Frozen):
    """A format that can be read: its name here, what people call it, where it is described."""

    name: str
    label: str
    docs: str


@cache
def importers() -> dict[str, Importer]:
    """Every importer by the name of its format, in order of name."""
    found = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return {n.replace("_", "-"): cast(Importer, importlib.import_module(f"{__name__}.{n}")) for n in found}


def formats() -> list[FormatInfo]:
    """What can be read, in order of name."""
    return [FormatInfo(name=n, label=m.LABEL, docs=m.DOCS) for n, m in importers().items()]


def load(path: str | os.PathLike[str] | None = None, *, name: str = "", data: bytes | str | None = None) -> Session:
    """The session in the file at `path`, or in `data`; `name` is shown in errors. The content decides the format.

    Raises TranscriptError where the file cannot be read, is damaged beyond use, or is of a format nobody here reads.
    """
    source = _given(path, name, data)
    try:
        with no_collecting():
            head = head_of(source)
            session = _reader(source, head).read(source)
    except (RecursionError, MemoryError) as error:
        raise source.fail(f"too much to be read ({type(error).__name__})") from None
    if not session.messages and source.value != []:  # an empty list is what a run begins with; a file is damaged
        raise source.fail("holds no messages", "is it the beginning of a session, or its settings only?")
    return session


def claimed_by(head: Head) -> list[str]:
    """The names of the importers that recognise a file beginning so."""
    return [name for name, importer in importers().items() if importer.recognises(head)]


def _given(path: str | os.PathLike[str] | None, name: str, data: bytes | str | None) -> Source:
    if data is not None:
        return Source(name or "transcript", data=data.encode("utf-8", "replace") if isinstance(data, str) else data)
    if path is None:
        raise TranscriptError("no transcript given", "load(path) or load(name=…, data=…)")
    if "\0" in str(path):
        raise TranscriptError(f"{str(path)!r} is not a path")
    return Source(name or str(path), path=Path(path))


def _reader(source: Source, head: Head) -> Importer:
    claims = claimed_by(head)
    if len(claims) == 1:
        return importers()[claims[0]]
    if claims:
        raise source.fail(f"could be {' or '.join(claims)}", "please report it: only one importer may claim a file")
    known = f"formats read here: {', '.join(info.label for info in formats())}"
    other = other_format(head)
    if other:
        raise source.fail(f"looks like {other}, which is not read yet", known)
    if not head.records and not isinstance(head.value, (dict, list)):
        raise source.fail("is JSON, but no list of messages and no session", known)
    raise source.fail("is of no format known here", known)
