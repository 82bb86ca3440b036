"""The files of an OpenHands conversation: one for each event, the state beside them, sub-agents below."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.importers._files.source import Source
from core.importers._shapes.blocks import object_of
from core.importers._shapes.notes import pluralize
from core.importers.openhands.events import is_event, is_old
from core.importers.openhands.session import session
from core.model.errors import TranscriptError
from core.model.session import Session

_EVENT = re.compile(r"(?:event-(\d{1,12})[^/]*|(\d{1,12}))\.json$")
_STATE = "base_state.json"
_AGENTS = "subagents/"
_OWN = ("TASKS.json", "meta.json", "metadata.json", "agent_state.json", "llm_registry.json", "conversation-stats.json")
_KEPT = ("event_cache", "observations")
_DEEP = 5
"""How deep the folders of sub-agents may lie in each other."""

_ALONE = "this is one event; open its folder for the whole conversation"


def _number(name: str) -> int:
    """The number of an event by the name of its file; -1 for other files."""
    found = _EVENT.match(re.split(r"[/\\]", name)[-1])
    return int(found[1] or found[2]) if found else -1


def _folders(names: Sequence[str]) -> dict[str, list[str]]:
    """The files of events in each folder, in order."""
    found: dict[str, list[str]] = {}
    for name in names:
        if _number(name) >= 0:
            found.setdefault(name.rpartition("/")[0], []).append(name)
    return {folder: sorted(files, key=_number) for folder, files in found.items()}


def _home(folder: str) -> str:
    """The folder of the conversation whose events lie in a folder, with a slash behind it; empty for the top."""
    above, _, last = folder.rpartition("/")
    home = above if last == "events" else folder
    return f"{home}/" if home else ""


def conversation(source: Source) -> str | None:
    """The folder with the events, where all of a folder is one conversation."""
    assert source.folder is not None
    names = source.folder.names
    folders = _folders(names)
    outer = next(iter(folders), None)  # names come sorted: what lies in another comes later
    if outer is None:
        return None
    home = _home(outer)
    below = (f"{home}{_AGENTS}", f"{home}event_cache/")
    strays = [folder for folder in folders if folder != outer and not f"{folder}/".startswith(below)]
    if strays or not all(name.startswith(home) for name in names):
        return None
    return outer if any(is_event(_value(source.inside(name))) for name in folders[outer][:3]) else None


def _value(source: Source) -> Any:
    """The JSON value of a file, or None where it cannot be read."""
    try:
        return source.parsed()
    except TranscriptError:
        return None


def of_folder(source: Source) -> Session:
    """The session of a folder that is one conversation."""
    assert source.folder is not None
    files = _Files(source.inside, source.folder.names)
    found = files.read(conversation(source) or "")
    left = [name for name in files.names if name not in files.opened and _may_be_more(name)]
    notes = (f"{pluralize(len(left), 'file')} beside the events not read, the first one: {left[0]}",) if left else ()
    return found.model_copy(update={"notes": (*found.notes, *notes)})


def _may_be_more(name: str) -> bool:
    """Whether a file may be a transcript too: what OpenHands keeps beside the events is none."""
    own = name.rpartition("/")[2] in _OWN or any(f"/{name}".rpartition("/")[0].endswith(f"/{f}") for f in _KEPT)
    return name.endswith((".json", ".jsonl")) and not own


def lone(source: Source) -> Session:
    """The session that one event belongs to: with the events that lie beside it, or by itself."""
    named = _number(source.place or source.name) >= 0
    beside = source.near("[0-9]*.json" if is_old(source.value) else "event-*.json") if named else []
    if len(beside) < 2:
        return session([(1, source.value)], notes=(_ALONE, *source.damage.notes()))
    folder = source.folder
    if folder is None:
        files = {f"events/{Path(one.name).name}": one for one in beside}
        files.update((_STATE, state) for state in source.near(_STATE))
        return _Files(lambda name: files[name], list(files)).read("events")
    top = source.name.removesuffix(source.place).rstrip("/")
    here = source.place.rpartition("/")[0]
    names = [name for name in folder.names if name.startswith(_home(here))]
    found = _Files(lambda n: Source(f"{top}/{n}", folder=folder, place=n, depth=source.depth), names)
    value = found.read(here)
    folder.read_with_others.update(found.opened)
    return value


@dataclass
class _Files:
    """Opens files by name; `opened` are those that were part of the conversation."""

    open: Callable[[str], Source]
    names: Sequence[str]
    opened: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.folders = _folders(self.names)

    def read(self, folder: str, task: bool = False, depth: int = 0) -> Session:
        """The session whose events lie in a folder."""
        home, events, notes = _home(folder), [], []
        for number, name in enumerate(self.folders[folder], 1):
            file = self._opened(name)
            try:
                events.append((number, file.parsed()))
            except TranscriptError as error:
                notes.append(f"a file could not be read and was skipped: {error}")
            notes += [f"{name}: {note}" for note in file.damage.notes()]
        state = object_of(_value(self._opened(f"{home}{_STATE}"))) if f"{home}{_STATE}" in set(self.names) else {}
        agents = [self.read(below, task=True, depth=depth + 1) for below in self._agents(home, depth)]
        lost = len(self.folders[folder]) - len(events)
        return session(events, state=state, task=task, agents=agents, lost=lost, notes=_few(notes))

    def _opened(self, name: str) -> Source:
        self.opened.add(name)
        return self.open(name)

    def _agents(self, home: str, depth: int) -> list[str]:
        """The folders with the events of sub-agents, not those of their own sub-agents."""
        below = [folder for folder in self.folders if _home(folder).startswith(f"{home}{_AGENTS}")]
        return [f for f in below if _AGENTS not in _home(f).removeprefix(f"{home}{_AGENTS}")] if depth < _DEEP else []


def _few(notes: list[str]) -> tuple[str, ...]:
    """The first notes, with how many more there are."""
    return (*notes[:5], f"and {pluralize(len(notes) - 5, 'more note')}") if len(notes) > 5 else tuple(notes)
