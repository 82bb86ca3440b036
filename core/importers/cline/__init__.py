"""Cline and its fork Roo Code: sessions of Cline's SDK, and tasks of the extensions.

SDK (2026): <id>.messages.json, one object with `sessionId` and `messages` as the next request will have them; what was removed
by a compaction is gone. Sub-agents have files beside it, whose `sessionId` begins with the session's.
Extension: <global storage>/tasks/<id>/ with api_conversation_history.json (the messages, of which none is ever removed),
ui_messages.json (what was shown: tokens of each request, what is no longer sent) and task_metadata.json; Roo Code adds
history_item.json, and marks in the messages what it hid. One file of these does, where it can be told apart; the others are
looked for beside it. User messages hold results of tools and <environment_details> beside what a person typed.
"""

import re
from collections.abc import Callable
from posixpath import basename, dirname
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._shapes.blocks import string
from core.importers.cline.sdk import session_of
from core.importers.cline.task import ROLES, Files, Task
from core.importers.cline.text import has_details
from core.model.advice import Advice
from core.model.errors import TranscriptError
from core.model.session import Session, SubAgent

LABEL = AGENT = "Cline or Roo Code"
DOCS = "https://docs.cline.bot/"
GROUP = "coding agents"
RECORDS_COMPACTIONS = True
TOGETHER = r".*/(?:api_conversation_history|claude_messages|ui_messages)\.json"
KEEPS = Advice(
    "Put it into a file in `.clinerules/`, of Roo Code in `.roo/rules/`: it becomes part of the system prompt, which no "
    "compaction takes.",
    "https://docs.cline.bot/features/cline-rules",
)

_HISTORY = ("api_conversation_history.json", "claude_messages.json")
_SHOWN, _METADATA, _ENTRY = "ui_messages.json", "task_metadata.json", "history_item.json"
_MARKS = {"condenseId", "condenseParent", "truncationParent", "truncationId", "isSummary", "isTruncationMarker"}
_AGENTS = re.compile(r"agent|team|spawn", re.IGNORECASE)
_LOOKED_AT = 50
_MOST_BESIDE = 200
"""Sub-agents are looked for among as many files: a session has a folder of its own."""


def recognises(head: Head) -> bool:
    """Whether the file is a session of the SDK, an API history with marks of its own, or what was shown; or a task's folder."""
    if head.names:
        return bool(_history_in(head.names))
    value = head.value
    return _is_sdk(value) or _is_history(value) or _is_shown(value)


def _history_in(names: Any) -> str:
    """The path of the one API history among files that all lie with it; else empty."""
    found = [name for name in names if basename(name) in _HISTORY]
    below = dirname(found[0]) + "/" if found and "/" in found[0] else ""
    return found[0] if len(found) == 1 and all(name.startswith(below) for name in names) else ""


def _is_sdk(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list) or "projectHash" in value:
        return False
    return isinstance(value.get("sessionId"), str) and bool(value.keys() & {"agent", "system_prompt", "updated_at"})


def _listed(value: Any) -> list[Any]:
    """The messages of an API history: a list, or in Roo Code's second version an object with one."""
    if isinstance(value, dict) and value.keys() == {"version", "messages"} and value["version"] == 2:
        value = value["messages"]
    return value if isinstance(value, list) else []


def _is_history(value: Any) -> bool:
    """Whether these are messages, and one has a mark that only Cline and Roo Code make."""
    found = _listed(value)[:_LOOKED_AT]
    items = [
        item for item in found if isinstance(item, dict) and string(item.get("role")) in ROLES and "content" in item
    ]
    return bool(items) and len(items) * 2 >= len(found) and any(map(_is_marked, items))


def _is_marked(item: dict[str, Any]) -> bool:
    if item.keys() & _MARKS:
        return True
    content = item["content"]
    blocks = content if isinstance(content, list) else []
    texts = [string(block.get("text")) for block in blocks if isinstance(block, dict)]
    typed = item["role"] == "user" and texts and texts[0].startswith(("<task>\n", "<user_message>\n"))
    return any(map(has_details, texts)) or bool(typed and type(item.get("ts")) is int)


def _is_shown(value: Any) -> bool:
    """Whether this is what was shown while a task ran."""
    items = value[:_LOOKED_AT] if isinstance(value, list) else []
    return bool(items) and all(
        isinstance(item, dict) and "ts" in item and item.get("type") in ("say", "ask") and "role" not in item
        for item in items
    )


def read(source: Source) -> Session:
    """The session of a file or of a task's folder."""
    if source.is_folder:
        assert source.folder is not None
        return _task_in(source, _history_in(source.folder.names))
    value = source.value
    if _is_sdk(value):
        return _with_children(session_of(value, tuple(source.damage.notes())), source)
    if _is_shown(value):
        return _shown(source)
    files = _files(lambda name: next(iter(source.near(name)), None))
    return _task(files, value).session(tuple(source.damage.notes()))


def _task(files: Files, given: Any) -> Task:
    """A task, of which every message is read; an object with a list of them is Roo Code's."""
    return Task(files, roo=isinstance(given, dict)).read(_listed(given))


def _task_in(folder: Source, name: str) -> Session:
    below, names = dirname(name), set(folder.folder.names if folder.folder else ())

    def beside(other: str) -> Source | None:
        path = f"{below}/{other}" if below else other
        return folder.inside(path) if path in names else None

    history = folder.inside(name)
    given = history.parsed()
    if not isinstance(given, list) and not _listed(given):
        raise history.fail("is not a list of messages")
    return _task(_files(beside), given).session(tuple(history.damage.notes()))


def _shown(source: Source) -> Session:
    """The task of what was shown: its messages must lie beside it."""
    history = next(iter(source.near(_HISTORY[0])), None)
    if history is None:
        hint = f"open the task's folder, or {_HISTORY[0]} beside it: that is what the model saw"
        raise source.fail("is only what Cline or Roo Code showed on the screen", hint)
    files = _files(lambda name: next(iter(source.near(name)), None) if name != _SHOWN else None)
    files.shown = source.value
    return _task(files, history.parsed()).session(tuple(history.damage.notes()))


def _files(beside: Callable[[str], Source | None]) -> Files:
    """What the other files of the task hold; one that cannot be read is said in a note."""
    found: dict[str, Any] = {}
    notes: list[str] = []
    for key, name in (("shown", _SHOWN), ("metadata", _METADATA), ("entry", _ENTRY)):
        source = beside(name)
        try:
            found[key] = source.parsed() if source else None
        except TranscriptError as error:
            notes.append(f"{name} was skipped: {str(error).removeprefix(source.name + ': ') if source else error}")
    return Files(**found, notes=notes)


def _with_children(session: Session, source: Source) -> Session:
    """The session with its sub-agents: files beside it whose session's id is this one's, two underscores, and a name."""
    if not session.id or "__" in session.id:
        return session
    taken = set(source.folder.read_with_others) if source.folder else set()
    beside = [
        other for other in source.near("*.messages.json") if (other.path, other.place) != (source.path, source.place)
    ]
    starts, found = _starts(session), []
    for other in beside if len(beside) <= _MOST_BESIDE else ():
        child = _sdk_in(other, f"{session.id}__")
        if child is not None:
            found.append(_child(child, starts))
            taken.add(other.place)
    if source.folder is not None:
        source.folder.read_with_others.difference_update({other.place for other in beside} - taken)
    return session.model_copy(update={"children": tuple(found), "subagents": len(found)})


def _sdk_in(source: Source, prefix: str) -> dict[str, Any] | None:
    """The session in a file, if its id begins so."""
    try:
        value = source.parsed()
    except TranscriptError:
        return None
    return value if _is_sdk(value) and value["sessionId"].startswith(prefix) else None


def _starts(session: Session) -> list[tuple[str, str, str]]:
    """(what came back, message, call) of each call of a tool that starts agents."""
    callers = {call.id: (m.id, call.id) for m in session.messages for call in m.tool_calls if _AGENTS.search(call.name)}
    results = [m for m in session.messages if m.role == "tool" and m.tool_call_id in callers]
    return [(m.content, *callers[m.tool_call_id or ""]) for m in results]


def _child(value: dict[str, Any], starts: list[tuple[str, str, str]]) -> SubAgent:
    """A sub-agent, with the call whose result names it."""
    session = session_of(value, ())
    name = session.id.rpartition("__")[2]
    message, call = next(((m, c) for text, m, c in starts if name and name in text), ("", ""))
    return SubAgent(id=session.id, name=name, message=message, call=call, session=session)
