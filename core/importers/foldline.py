"""foldline's own files: a session, or a trace, which opens as its session. `save` writes them.

The JSON of the models in core/model/session.py and core/trace/trace.py, with `"foldline": "session"` or `"trace"` in front;
what `Trace.model_dump_json()` gives, without that mark, is read too.
"""

import json
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.importers._files.source import Head, Source
from core.model.saved_messages import with_messages
from core.model.session import SESSION_VERSION, Session
from core.trace.trace import TRACE_VERSION, Trace, conversation

LABEL = "foldline session or trace"
DOCS = "core/README.md"
GROUP = "foldline"
RECORDS_COMPACTIONS = True  # what was worked out was saved

_TRACE = {"kind", "session", "meter", "tokens"}
_SESSION = {"version", "messages", "malformed_lines"}


def recognises(head: Head) -> bool:
    """Whether the file is a session or a trace of ours, marked or by its keys."""
    return kind_of(head.value) != ""


def kind_of(value: Any) -> str:
    """ "session", "trace", or empty for what is neither."""
    if not isinstance(value, dict):
        return ""
    if value.get("foldline") in ("session", "trace"):
        return str(value["foldline"])
    return "trace" if value.keys() >= _TRACE else "session" if value.keys() >= _SESSION else ""


def read(source: Source) -> Session:
    """The session. Raises TranscriptError for a version from the future or values that cannot be."""
    value, kind = source.value, kind_of(source.value)
    known = TRACE_VERSION if kind == "trace" else SESSION_VERSION
    version = value.get("version", known)
    if not isinstance(version, int):
        raise source.fail(f"is a foldline {kind} whose version is not a number", "save it again with foldline")
    if version > known:
        newer = version if version < 1_000_000 else "over a million"
        raise source.fail(f"is a foldline {kind} of version {newer}; this one reads up to {known}", "update foldline")
    try:
        session = Session.model_validate(with_messages(value.get("session") if kind == "trace" else value))
    except ValidationError as error:
        raise source.fail(_first(kind, error), "save it again with foldline") from None
    if misfit := _misfit(session):
        raise source.fail(f"is not a foldline {kind}: {misfit}", "save it again with foldline")
    notes = tuple(dict.fromkeys((*session.notes, *source.damage.notes())))
    return session.model_copy(update={"format": session.format or "foldline", "notes": notes})


def _misfit(session: Session) -> str:
    """What in a session, or in those below it, names messages that it does not have; empty if nothing does."""
    if not session.compactions and not session.children:
        return ""
    ids, arrived = {m.id for m in session.messages}, len(conversation(session))
    summaries: set[str | None] = set()
    for k, found in enumerate(session.compactions):
        if not 0 <= found.at <= arrived:
            return f"compactions.{k}: happened outside of its {arrived} messages"
        named = {*found.kept, *found.cleared, *found.window, *found.added, *(m.id for m in found.left)}
        if not {*named, *([found.summary] if found.summary else [])} <= ids:
            return f"compactions.{k}: names messages that do not exist"
        if found.summary in summaries:
            return f"compactions.{k}: names the summary of another compaction"
        summaries |= {found.summary} - {None, ""}
    for k, child in enumerate(session.children):
        lost = bool(child.message) and child.message not in ids
        if below := "names a message that does not exist" if lost else _misfit(child.session):
            return f"children.{k}: {below}"
    return ""


def _first(kind: str, error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the file"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"is not a foldline {kind}: {place}: {first['msg']}{more}"


def save(what: Session | Trace, path: str | os.PathLike[str]) -> None:
    """Write a session or a trace as JSON to `path`; `load` opens it again. Raises OSError where it cannot be written."""
    kind = "trace" if isinstance(what, Trace) else "session"
    text = json.dumps({"foldline": kind, **what.model_dump(mode="json")}, ensure_ascii=False, indent=1)
    Path(path).write_text(text + "\n", encoding="utf-8")
