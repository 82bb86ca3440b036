"""A baseline: the sessions of an earlier check, and the rules they broke. Only what is worse since then fails."""

import json
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from core.check.verdict import Verdict
from core.model.errors import FoldlineError, format_error

_VERSION = 2
_NEARLY = 1e-9  # of an amount: sums of floats may differ in their last digits
_TOLD = 5  # names in a sentence


@dataclass(frozen=True)
class Baseline:
    """How badly each session broke which rules; one that broke none is there too.

    A session is known by its path from the folder of the baseline, so that it is the same from any working folder, and whether
    its own folder was given or the file itself. One that is alone in its file has an id beside that path, by which it is known
    among others that came into the file; one of several is known by its id when the others have left the file.
    """

    folder: str
    sessions: dict[str, dict[str, float]]
    ids: dict[str, str] = field(default_factory=dict)

    def key(self, verdict: Verdict) -> str:
        """What the session of a verdict is called in the file."""
        key = _key(self.folder, verdict.session)
        if key in self.sessions or not verdict.id:
            return key
        was_alone, is_alone = key.removesuffix(f"#{verdict.id}"), f"{key}#{verdict.id}"
        if self.ids.get(was_alone) == verdict.id:
            return was_alone
        return is_alone if is_alone in self.sessions else key

    def beside(self, verdict: Verdict) -> Verdict:
        """The verdict in view of the baseline: "known" where the rule is broken no worse than it was."""
        was = self.sessions.get(self.key(verdict), {}).get(verdict.rule)
        if verdict.status != "failed" or was is None or verdict.amount > was * (1 + _NEARLY):
            return verdict
        return verdict.model_copy(update={"status": "known"})

    def new(self, verdicts: Iterable[Verdict]) -> list[str]:
        """The names of the sessions that it does not know."""
        keys = {found.session: self.key(found) for found in verdicts}
        return [name for name, key in keys.items() if name and key not in self.sessions]

    def gone(self, verdicts: Iterable[Verdict], paths: Iterable[str]) -> list[str]:
        """Its sessions that were not found, though their file or a folder above it was given; and those whose file is gone."""
        seen, given = {self.key(found) for found in verdicts}, [_key(self.folder, path) for path in paths]
        missing = [name for name in self.sessions if name and name not in seen]
        return [name for name in missing if any(_is_at(name, path) for path in given) or self._is_away(name)]

    def _is_away(self, name: str) -> bool:
        place = Path(self.folder, name)
        whole = Path(self.folder, name.rpartition("#")[0] or name)
        return not (place.exists() or whole.exists() or any(above.is_file() for above in place.parents))


def _key(folder: str, session: str) -> str:
    if not session:
        return ""
    try:
        return os.path.relpath(session, folder).replace(os.sep, "/")
    except ValueError:  # on another drive
        return os.path.abspath(session).replace(os.sep, "/")


def _is_at(name: str, path: str) -> bool:
    return name == path or name.startswith((f"{path}/", f"{path}#")) or (path == "." and not name.startswith("../"))


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises FoldlineError for a file that is not there, or is no baseline."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["version"] != _VERSION:
            raise ValueError(f"its version is {found['version']!r}, not {_VERSION}")
        sessions = {str(s): {str(r): float(a) for r, a in rules.items()} for s, rules in found["sessions"].items()}
        ids = {str(s): str(id) for s, id in found.get("ids", {}).items()}
        return Baseline(_folder(path), sessions, ids)
    except FileNotFoundError:
        raise FoldlineError(f"there is no baseline {path}", "write it with --update-baseline") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise FoldlineError(
            f"{path} is no baseline: {format_error(error)}", "write it again with --update-baseline"
        ) from None


def write_baseline(path: Path, verdicts: Iterable[Verdict]) -> None:
    """Write what was checked and what is broken now; all in order, so that two versions can be compared by eye."""
    sessions: dict[str, dict[str, float]] = {}
    ids: dict[str, str] = {}
    for found in verdicts:
        key = _key(_folder(path), found.session)
        broken = sessions.setdefault(key, {})
        if found.status in ("failed", "known"):
            broken[found.rule] = found.amount
        if found.id and f"#{found.id}" not in key:
            ids[key] = found.id
    written = {"version": _VERSION, "sessions": sessions, "ids": ids}
    path.write_text(json.dumps(written, indent=1, sort_keys=True) + "\n", "utf-8")


def _folder(path: Path) -> str:
    return os.path.dirname(os.path.abspath(path))


def changes(new: Collection[str], gone: Collection[str]) -> list[str]:
    """Which sessions the baseline does not know, and which of its own are gone, as sentences; none where all are the same."""
    told = [f"{_counted(new)} new since the baseline: {_names(new)}"] if new else []
    return told + ([f"{_counted(gone, ' of the baseline')} gone: {_names(gone)}"] if gone else [])


def _counted(names: Collection[str], of: str = "") -> str:
    return f"{len(names):,} session{'s' * (len(names) != 1)}{of} {'is' if len(names) == 1 else 'are'}"


def _names(names: Collection[str]) -> str:
    shown, rest = list(names)[:_TOLD], len(names) - _TOLD
    return ", ".join(shown) + (f" and {rest:,} more (--json has all)" if rest > 0 else "")
