"""Texts that an exported file follows: where each was at every step; of those asked about, what would have kept them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from core.model.errors import FoldlineError
from core.origins.ledger import ledger
from core.trace.trace import Trace
from core.why.fixes import Fixes
from core.why.runs import Runs
from viewer.export.blocks import Blocks
from viewer.export.telling import counted
from viewer.wire.fate import fate_body
from viewer.wire.fixes import fix_lines

MOST = 60
"""Texts of a run that are followed, those that were asked about among them."""

MOST_OF_LANES = 24
"""Texts that a file of lanes follows in each of them, those that were asked about among them."""

UNTOLD: dict[str, list[Any]] = {"events": [], "uses": [], "reasons": []}
"""What lanes do not show of where a text went."""

MOST_LEDGERS = 10
"""Compactions whose ledgers name texts to follow: the first ones."""


def add_fates(blocks: Blocks, tid: str, trace: Trace, asked: Sequence[str]) -> None:
    """Add the fate of the texts that were asked about, and of what the ledgers of a run list."""
    fates = {text: body for text in counted(texts_of(trace, asked), "Following texts") if (body := _fate(trace, text))}
    blocks.add(f"fate-{tid}", fates)
    wanted, runs = [text for text in asked if text in fates], Runs()
    blocks.add(
        f"fixes-{tid}",
        {text: _fixes(trace, fates[text], runs) for text in counted(wanted, "Searching what would have kept a text")},
    )


def texts_of(trace: Trace, asked: Sequence[str]) -> list[str]:
    """The texts to follow, each once: those that were asked about, then the ledgers' rows, what is gone before what is kept."""
    rows = [row for k in range(min(MOST_LEDGERS, len(trace.compactions))) for row in ledger(trace, k)[0]]
    told = sorted(rows, key=lambda row: (row.needed_at is None, row.in_summary != "gone"))
    return list(dict.fromkeys((*asked, *(row.text for row in told))))[:MOST]


def add_lane_fates(blocks: Blocks, lanes: Mapping[str, Trace], asked: Sequence[str]) -> None:
    """Add where the same texts are in each lane: those that were asked about, then what the ledgers of the lanes list."""
    listed = [texts_of(run, ()) for run in lanes.values()]
    in_turn = (text for texts in zip_longest(*listed) for text in texts if text is not None)
    texts = list(dict.fromkeys((*asked, *in_turn)))[:MOST_OF_LANES]
    for number, (tid, run) in enumerate(lanes.items(), 1):
        some = counted(texts, f"Following texts in lane {number}")
        blocks.add(f"fate-{tid}", {text: body | UNTOLD for text in some if (body := _fate(run, text))})


def _fate(trace: Trace, text: str) -> dict[str, Any] | None:
    try:
        return fate_body(trace, text)
    except FoldlineError:
        return None


def _fixes(trace: Trace, fate: dict[str, Any], runs: Runs) -> dict[str, list[Any]]:
    """What would have kept a text up to where it was first needed and up to the end, as far as it is gone there."""
    return {
        str(step): [json.loads(line) for line in _lines(trace, fate["text"], step, runs)] for step in _targets(fate)
    }


def _lines(trace: Trace, text: str, step: int, runs: Runs) -> Iterator[str]:
    """The lines that hold something: the progress of a search is of the past."""
    return (line for line in fix_lines(Fixes(trace, text, step, runs=runs)) if not line.startswith('{"progress"'))


def _targets(fate: dict[str, Any]) -> list[int]:
    """The steps that the panel asks about by itself, as viewer/frontend/why/targets.js has them."""
    if fate["common"] or not fate["lane"]:
        return []
    needed = [event["step"] for event in fate["events"] if event["kind"] == "needed"]
    end = [fate["steps"] - 1] * (fate["lane"][-1]["state"] == "gone")
    return list(dict.fromkeys((*needed[:1], *end)))
