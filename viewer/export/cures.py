"""What would have kept a text, for a file: of the texts that were asked about, and of losses that its overview names."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from core.trace.trace import Trace
from core.why.fixes import Fixes
from core.why.runs import Runs
from viewer.export.blocks import Blocks
from viewer.export.lost import Lost
from viewer.export.telling import counted
from viewer.wire.fixes import fix_lines

MOST, MESSAGES, LONGEST = 40, 20_000, 2_500
"""Losses of which a file says what would have kept them: the first ones, of a long session as many as it fits into so many
messages, and of one that is longer than the last none.

The first takes as long as all policies take to run over the session, each other one about a tenth of that.
"""


def most_of(trace: Trace, runs: int) -> int:
    """So many losses of a run are answered in a file with so many such runs."""
    messages = runs * len(trace.messages)
    return min(MOST, MESSAGES // max(1, messages)) if messages <= LONGEST else 0


def add_cures(
    blocks: Blocks, tid: str, trace: Trace, fates: Mapping[str, Any], asked: Lost, lost: Lost, most: int, known: Runs
) -> list[str]:
    """Add what would have kept the texts that were asked about, and as many of the losses; returns what is left out.

    `fates` are those that the file holds; `known` are runs that other questions about the session have made.
    """
    wanted = {
        text: [*asked.get(text, ()), *lost.get(text, ())] for text in (*asked, *islice(lost, most)) if text in fates
    }
    blocks.add(
        f"fixes-{tid}",
        {
            text: _up_to(trace, fates[text], wanted[text], known)
            for text in counted(list(wanted), "Searching what would have kept a text")
        },
    )
    out = sum(text not in wanted for text in lost)
    return [f"what would have kept {out:,} of the {len(lost):,} losses that the overview lists."] if out else []


def _up_to(trace: Trace, fate: dict[str, Any], steps: Iterable[int], known: Runs) -> dict[str, list[Any]]:
    """The lines of an answer by the step that they are about; how far a search had come is of the past."""
    return {
        str(step): [
            json.loads(line)
            for line in fix_lines(Fixes(trace, fate["text"], step, runs=known))
            if not line.startswith('{"progress"')
        ]
        for step in dict.fromkeys(_targets(fate, steps))
    }


def _targets(fate: dict[str, Any], steps: Iterable[int]) -> Iterator[int]:
    """The steps that the panel asks about, as viewer/frontend/why/targets.js has them: of these as far as it is gone there."""
    if fate["common"]:
        return
    gone = [row for row in fate["lane"] if row["state"] == "gone"]
    needed = [event["lacked_at"] for event in fate["events"] if event["kind"] == "needed"]
    yield from needed[:1]
    for step in (*steps, fate["steps"] - 1):
        if any(row["from"] <= step <= row["to"] for row in gone):
            yield step
