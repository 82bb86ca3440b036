"""Which records of a Claude Code session were left behind: going back (/rewind) makes a second branch from one parent."""

from collections import defaultdict
from collections.abc import Iterable, Mapping


def abandoned(parents: Mapping[str, str], prompts: Iterable[str]) -> set[str]:
    """The uuids under all but the newest of several typed prompts with the same parent.

    `parents` gives each record's parent (across a compaction: its logical parent) in the order of the file, `prompts`
    the uuids of what was typed. The newest branch is the one that holds the latest record. Linear in the records.
    """
    rivals = defaultdict(list)
    for prompt in prompts:
        if parents.get(prompt):
            rivals[parents[prompt]].append(prompt)
    contested = [group for group in rivals.values() if len(group) > 1]
    if not contested:
        return set()
    newest = _newest_below(parents)
    left = {p for group in contested for p in group if p != max(group, key=newest.__getitem__)}
    for uuid, parent in parents.items():
        if parent in left:
            left.add(uuid)
    return left


def _newest_below(parents: Mapping[str, str]) -> dict[str, int]:
    """For each record, the place in the file of the latest record that descends from it."""
    newest = {uuid: place for place, uuid in enumerate(parents)}
    for uuid in reversed(list(parents)):
        parent = parents[uuid]
        if parent in newest:
            newest[parent] = max(newest[parent], newest[uuid])
    return newest


def between(parents: Mapping[str, str], head: str, tail: str, most: int) -> tuple[list[str], int]:
    """The uuids from `tail` back to `head`, none where the one does not lead to the other, and the steps it took.

    `most` are the steps to go at most.
    """
    path: list[str] = []
    at = tail
    while at in parents and len(path) < most:
        path.append(at)
        if at == head:
            return path, len(path)
        at = parents[at]
    return [], len(path)
