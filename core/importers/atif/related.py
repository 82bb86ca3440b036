"""Trajectories that belong to one: what continues in the next file, and the sub-agents, beside the file or inside it."""

import glob
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from core.importers._files.source import Source
from core.importers._shapes.blocks import string
from core.importers.atif.steps import is_copied, is_step
from core.model.errors import TranscriptError

_MOST = 500
"""So many files beside one are looked for."""

_SIBLINGS = 20
"""So many files in a folder are looked at for the one that another goes on from."""


def is_trajectory(value: Any) -> bool:
    """Whether it is a trajectory: steps under a version of the schema, which one writer gives as "1.4" alone."""
    if not isinstance(value, dict) or not isinstance(value.get("steps"), list):
        return False
    version = string(value.get("schema_version"))
    if version.upper().startswith("ATIF"):
        return True
    bare = version.removeprefix("v")[:2] == "1." and isinstance(value.get("agent"), (dict, str))
    return bare and (not value["steps"] or any(map(is_step, value["steps"])))


Found = tuple[dict[str, Any], Source]


@dataclass
class Files:
    """Finds trajectories in files beside one. Each is given once, so that files that name each other come to an end."""

    given: set[str] = field(default_factory=set)
    looked: int = 0

    def named(self, source: Source | None, path: str) -> Found | None:
        """The trajectory in the file that a path names."""
        return self._once(self._matching(source, glob.escape(_near(path)))) if path.strip() else None

    def continuation(self, source: Source | None, ref: Any) -> Found | None:
        """What goes on under that name, or under one that ends so and is the only one."""
        path = string(ref)
        if not path.strip():
            return None
        like = self._matching(source, glob.escape(_near(path))) or self._matching(
            source, f"*{glob.escape(PurePosixPath(path).name)}"
        )
        return self._once(like) if len(like) == 1 else None

    def _once(self, found: list[Found]) -> Found | None:
        if not found or found[0][1].name in self.given:
            return None
        self.given.add(found[0][1].name)
        return found[0]

    def _matching(self, source: Source | None, pattern: str) -> list[Found]:
        """The trajectories in files that match, except this one."""
        self.looked += 1
        if source is None or self.looked > _MOST:
            return []
        try:
            near = [s for s in source.near(pattern) if s.name != source.name]
        except NotImplementedError:  # what Path.glob says to a pattern that it takes for an absolute path
            return []
        return [(value, s) for s in near[:_SIBLINGS] if is_trajectory(value := _value(s))]


def _value(source: Source) -> Any:
    try:
        return source.parsed()
    except TranscriptError:
        return None


@dataclass
class RelatedTrajectories:
    """The trajectories that one names: those inside it, and those in the files beside it."""

    source: Source | None
    files: Files
    embedded: dict[str, dict[str, Any]] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, trajectory: dict[str, Any], source: Source | None, files: Files) -> "RelatedTrajectories":
        """The trajectories that a trajectory holds inside itself, with the files beside it."""
        inside = trajectory.get("subagent_trajectories")
        found = [t for t in (inside if isinstance(inside, list) else ()) if _has_steps(t)]
        return cls(source, files, {_names(t)[0] if _names(t) else f"inside-{n}": t for n, t in enumerate(found)})

    def child(self, ref: dict[str, Any]) -> tuple[dict[str, Any], Source | None] | None:
        """The trajectory of a sub-agent, with the file it lies in; None where it is not at hand, or was given before."""
        inside = next((i for i in _names(ref) if i in self.embedded), "")
        if not inside:
            return self.files.named(self.source, string(ref.get("trajectory_path")))
        if inside in self.given:
            return None
        self.given.add(inside)
        return self.embedded[inside], self.source

    def rest(self) -> Iterator[dict[str, Any]]:
        """The sub-agents inside that no result named."""
        yield from (t for id, t in self.embedded.items() if id not in self.given)


def _has_steps(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("steps"), list)


def is_continued_from(source: Source, steps: list[Any]) -> bool:
    """Whether another file of the folder continues in this one, so that it opens as part of that."""
    if source.folder is None or not (steps and is_step(steps[0]) and is_copied(steps[0])):
        return False
    here = source.place.rpartition("/")[0]
    beside = [n for n in source.folder.names if n != source.place and n.rpartition("/")[0] == here]
    return any(_goes_on(_sibling(source, n), source) for n in beside[:_SIBLINGS])


def _sibling(source: Source, name: str) -> Source:
    top = source.name.removesuffix(source.place).rstrip("/")
    return Source(f"{top}/{name}", folder=source.folder, place=name, depth=source.depth)


def _goes_on(other: Source, source: Source) -> bool:
    value = _value(other)
    found = Files().continuation(other, value.get("continued_trajectory_ref")) if is_trajectory(value) else None
    return found is not None and found[1].place == source.place


def _near(path: str) -> str:
    """A path that starts where the file lies; of any other, its name: it was another machine's."""
    plain = path.replace("\\", "/")
    outside = plain.startswith("/") or ":" in plain or ".." in plain.split("/")
    return PurePosixPath(plain).name if outside else str(PurePosixPath(plain))


def _names(value: dict[str, Any]) -> list[str]:
    """The ids something goes by; that of the document counts before that of the run, which siblings may share."""
    return [i for i in (string(value.get("trajectory_id")), string(value.get("session_id"))) if i]
