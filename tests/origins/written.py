"""Sentences written about shared transcripts that recorded no summary: true ones with their sources, and false ones.

Each is looked for in what the first compaction of `agentkit.memory` folds, at a budget of 60 % of the session. The sources are
places in the trace's pool. Each false sentence is wrong in one thing, or invented. The rules were made better by those that are
seen; the unseen ones were written afterwards, and of them only one was looked at since: a word in quotes counts as a name.
"""

import json
from pathlib import Path
from typing import Literal, NamedTuple


class Written(NamedTuple):
    """True sentences as (file, sentence, places of its sources), false ones as (file, what is wrong, sentence)."""

    true: list[tuple[str, str, list[int]]]
    false: list[tuple[str, str, str]]


def written(which: Literal["seen", "unseen"]) -> Written:
    """The sentences of one of the two sets."""
    data = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    files, rows = data["files"], data[which]
    return Written(
        [(files[name], text, places) for name, text, places in rows["true"]],
        [(files[name], kind, text) for name, kind, text in rows["false"]],
    )
