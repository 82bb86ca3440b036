"""Which files belong to a Claude Code session: those of its sub-agents, wherever its version puts them.

`<session>/subagents/agent-<id>.jsonl`, those of workflows one folder deeper, each with a `.meta.json` beside it; in older
versions `agent-<id>.jsonl` beside the session, where the agents of all sessions of a project lie together: which session
one belongs to stands in its records.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.importers._files.source import Head, Source, head_of
from core.importers._shapes.blocks import string
from core.model.errors import TranscriptError

_OWN = (
    "subagents/*.jsonl*",
    "subagents/*.meta.json",
    "subagents/workflows/*/*.jsonl*",
    "subagents/workflows/*/*.meta.json",
)
_BESIDE = ("agent-*.jsonl*", *_OWN)
_SAFE = re.compile(r"[\w-]{1,100}", re.ASCII)
_MOST_IDS = 50
"""A file may hold records of several sessions; of more than these nobody has seen one."""


def files_of(source: Source, sessions: Iterable[str]) -> list[Source]:
    """The files of a session's sub-agents, and what is said of them; none twice."""
    ids = [id for id in sessions if _SAFE.fullmatch(id)][:_MOST_IDS]
    own = [file for id in ids for pattern in _OWN for file in source.near(f"{id}/{pattern}")]
    found = {file.name: file for file in (*own, *_beside(source, ids))}
    return list(found.values())


def name_of(file: Source) -> str:
    """The file's name, without the folders."""
    return re.split(r"[/\\]", file.name)[-1]


def flow_of(file: Source) -> str:
    """The name of the folder that the file lies in: a workflow's is its run."""
    return ["", *re.split(r"[/\\]", file.name)][-2]


def _beside(source: Source, ids: Sequence[str]) -> list[Source]:
    """Files beside the session whose records name it, and what is said of those."""
    if source.folder is None:
        return [file for id in ids for file in _by_session(_all_beside(source)).get(id, ())]
    key = f"claude-code agents in {source.place.rpartition('/')[0]}"
    if key not in source.folder.known:
        source.folder.known[key] = _by_session(_all_beside(source))
    found = [file for id in ids for file in source.folder.known[key].get(id, ())]
    source.folder.read_with_others.update(file.place for file in found)
    return found


def _all_beside(source: Source) -> list[Source]:
    """Every file of a sub-agent beside this one. Looking at it does not make it this session's."""
    taken = set(source.folder.read_with_others) if source.folder else set()
    found = [file for pattern in _BESIDE for file in source.near(pattern)]
    if source.folder:
        source.folder.read_with_others.intersection_update(taken)
    return found


def _by_session(files: Iterable[Source]) -> dict[str, list[Source]]:
    """The files by the session that their first record names; what is said of one goes with it."""
    found: defaultdict[str, list[Source]] = defaultdict(list)
    owners: dict[str, str] = {}
    for file in sorted(files, key=lambda f: f.name.endswith(".meta.json")):
        stem = re.sub(r"\.(meta\.json|jsonl.*)$", "", file.name)
        owner = owners.setdefault(stem, "" if file.name.endswith(".meta.json") else _session_of(file))
        if owner:
            found[owner].append(file)
    return found


def _session_of(file: Source) -> str:
    try:
        return next((string(r.get("sessionId")) for _, r in file.records() if "sessionId" in r), "")
    except TranscriptError:
        return ""


def is_sidechain(records: Iterable[dict[str, Any]]) -> bool:
    """Whether they are of a sub-agent alone."""
    sidechains = [bool(r.get("isSidechain")) for r in records if r.get("type") in ("user", "assistant")]
    return bool(sidechains) and all(sidechains)


def main_of(names: Sequence[str]) -> str:
    """The session among the files of a folder, where there is one and all others are its own; else the empty text."""
    lines = [n for n in names if ".jsonl" in n.rpartition("/")[2]]
    agents = set(filter(_is_agent, lines))
    mains = [n for n in lines if n not in agents]
    if len(mains) != 1 or not agents:
        return ""
    folder, _, name = mains[0].rpartition("/")
    own = f"{folder}/".lstrip("/") + name.partition(".jsonl")[0] + "/"
    rest = [n for n in names if n not in (mains[0], *agents) and not n.startswith(own)]
    return mains[0] if all(n.endswith(".meta.json") for n in rest) else ""


def _is_agent(name: str) -> bool:
    return "/subagents/" in f"/{name}" or name.rpartition("/")[2].startswith("agent-")


def is_session_folder(head: Head, recognises: Any) -> bool:
    """Whether a folder is one session with its sub-agents: the names say so, and the session's file is of this format."""
    name = main_of(head.names) if head.source else ""
    if not name or head.source is None:
        return False
    try:
        return bool(recognises(head_of(head.source.inside(name))))
    except TranscriptError:
        return False


def left_over(source: Source) -> Iterator[Source]:
    """The files of sub-agents in a folder that belong to no session in it."""
    assert source.folder is not None
    yield from (
        source.inside(n)
        for n in source.folder.names
        if _is_agent(n) and n not in source.folder.read_with_others and ".jsonl" in n
    )
