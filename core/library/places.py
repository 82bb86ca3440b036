"""The folders where agents keep their sessions, and those a user has added.

Claude Code https://docs.claude.com/en/docs/claude-code/settings
Codex https://github.com/openai/codex/blob/main/docs/config.md
Gemini CLI https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/session-management.md
opencode https://opencode.ai/docs/ · pi https://github.com/badlogic/pi-mono
Copilot CLI https://docs.github.com/en/copilot/concepts/agents/about-copilot-cli
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from platformdirs import user_config_path

from core.drive.store import runs_folder
from core.importers._files.folder import MOST_FILES, OnDisk
from core.model import private
from core.model.errors import FoldlineError
from core.model.paths import check_place

VARIABLE = "FOLDLINE_LIBRARY"
"""The environment variable that names more folders, separated like the paths of PATH."""

OPENED = "FOLDLINE_FILE"
"""The environment variable that names the file or folder that foldline is started on."""


def _is_text(path: str) -> bool:
    """Whether a path can be written as UTF-8: the index holds no other."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_more(_: Path) -> Iterator[Path]:
    return iter(())


@dataclass(frozen=True)
class Looked:
    """The files of a place that may be transcripts, and whether they are from the `whole` place: a very large one is cut."""

    files: tuple[Path, ...]
    whole: bool = True


@dataclass(frozen=True)
class Place:
    """A folder with sessions of an agent, and the patterns of its files; without patterns, a folder of any transcripts.

    Files whose name begins with `aside` are not sessions of their own. `kept` is whether a user added the place, and may remove
    it. `also` gives other files that change when a session continues; `parts` is whether some files belong to others' sessions.
    """

    agent: str
    root: Path
    patterns: tuple[str, ...] = ()
    kept: bool = False
    aside: str = "\0"
    also: Callable[[Path], Iterator[Path]] = _no_more
    parts: bool = False

    def look(self) -> Looked:
        """The files that may be transcripts; none if the folder cannot be read."""
        looked = Looked(tuple(self._matching())) if self.patterns else self._walked()
        return replace(looked, files=tuple(path for path in looked.files if _is_text(str(path))))

    def _matching(self) -> Iterator[Path]:
        for pattern in self.patterns:
            try:
                yield from (
                    p for p in self.root.glob(pattern) if os.path.isfile(p) and not p.name.startswith(self.aside)
                )
            except OSError:
                continue

    def _walked(self) -> Looked:
        """As when the folder is opened: no links, no hidden folders, at most MOST_FILES files. It may be somebody's home."""
        names = list(islice(OnDisk(self.root).names(), MOST_FILES + 1))
        found = (self.root / name for name in names[:MOST_FILES] if name.endswith(_ENDS))
        return Looked(tuple(found), whole=len(names) <= MOST_FILES)


_ENDS = (".jsonl", ".json", ".eval", ".traj", ".zip", ".jsonl.gz", ".jsonl.zst", "history.md")


def places() -> list[Place]:
    """The known places, whether or not they exist, then those that were added."""
    home, kept = Path.home(), _kept()
    claude = _folder_from("CLAUDE_CONFIG_DIR", home / ".claude")
    codex = _folder_from("CODEX_HOME", home / ".codex")
    data = _folder_from("XDG_DATA_HOME", home / ".local" / "share")
    rollouts = ("sessions/**/rollout-*.jsonl*", "archived_sessions/**/rollout-*.jsonl*")
    return [
        Place("Claude Code", claude / "projects", ("*/*.jsonl",), aside="agent-"),
        Place("Codex CLI", codex, rollouts),
        Place("Gemini CLI", home / ".gemini" / "tmp", ("*/chats/session-*.json", "*/chats/session-*.jsonl")),
        _opencode(data / "opencode"),
        Place("pi", home / ".pi" / "agent" / "sessions", ("*/*.jsonl",)),
        Place("foldline run", runs_folder(), ("*.jsonl",)),
        Place("GitHub Copilot CLI", home / ".copilot" / "session-state", ("*/events.jsonl", "*.jsonl")),
        *(Place("", root, kept=str(root) in kept) for root in _added(kept)),
    ]


def _opencode(root: Path) -> Place:
    """The database of opencode, or, without one, the files of older versions, which the database takes over."""
    databases = ("opencode.db", "opencode-*.db")
    older = () if os.path.isfile(root / "opencode.db") else ("storage/session/*/ses_*.json",)
    return Place("opencode", root, (*databases, *older), also=_changing_files, parts=True)


def _changing_files(path: Path) -> Iterator[Path]:
    """What opencode writes while a session continues: the log of a database, or the newest message and part of a file."""
    if path.suffix != ".json":
        yield path.with_name(f"{path.name}-wal")
        return
    storage = path.parent.parent.parent
    messages = storage / "message" / path.stem
    if last := _last(messages):
        parts = storage / "part" / last.stem
        yield from (found for found in (messages, last, parts, _last(parts)) if found)


def _last(folder: Path) -> Path | None:
    """The last file of a folder by its name: ids rise with time."""
    try:
        return folder / max(name for name in os.listdir(folder) if name.endswith(".json"))
    except (OSError, ValueError):
        return None


def _folder_from(variable: str, default: Path) -> Path:
    chosen = os.environ.get(variable)
    return Path(chosen).expanduser() if chosen else default


def _added(kept: list[str]) -> Iterator[Path]:
    """The folder that foldline is started on, those from the environment and from the settings, each once."""
    opened = os.environ.get(OPENED, "")
    chosen = [opened] if os.path.isdir(opened) else []
    named = [part for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    yield from dict.fromkeys(Path(part).expanduser() for part in (*chosen, *named, *kept))


def _file() -> Path:
    return user_config_path("foldline", appauthor=False) / "library.json"


def _kept() -> list[str]:
    try:
        found = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [part for part in found if isinstance(part, str)] if isinstance(found, list) else []


def add_place(folder: str) -> Path:
    """Add a folder to the library. Raises FoldlineError if it is not a folder, or the list cannot be written."""
    check_place(folder)
    path = Path(folder).expanduser()
    if "\0" in folder or not os.path.isdir(path):
        raise FoldlineError(f"{folder} is not a folder", "choose the folder that contains the transcripts")
    _keep([*(part for part in _kept() if part != str(path)), str(path)])
    return path


def remove_place(folder: str) -> None:
    """Remove a folder from the library. Raises FoldlineError if the list cannot be written."""
    _keep([part for part in _kept() if part != folder])


def _keep(folders: list[str]) -> None:
    try:
        private.write(_file(), json.dumps(folders, indent=1))
    except OSError as error:
        raise FoldlineError(f"{_file()} cannot be written ({error.strerror})", f"set {VARIABLE} instead") from None
