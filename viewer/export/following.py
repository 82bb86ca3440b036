"""Texts that an exported file follows: where each was at every step."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from core.model.errors import FoldlineError
from core.origins.ledger import ledger
from core.trace.trace import Trace
from viewer.export.blocks import Blocks
from viewer.export.telling import counted
from viewer.wire.fate import fate_body

MOST = 60
"""Texts of a run that are followed beside those that are asked about: what its ledgers list."""

MOST_OF_LANES = 24
"""Texts that a file of lanes follows in each of them, those that were asked about among them."""

UNTOLD: dict[str, list[Any]] = {"events": [], "uses": [], "reasons": []}
"""What lanes do not show of where a text went."""

MOST_LEDGERS = 10
"""Compactions whose ledgers name texts to follow: the first ones."""


def add_fates(blocks: Blocks, tid: str, trace: Trace, asked: Iterable[str]) -> dict[str, Any]:
    """Add the fate of the texts that are asked about, and of what the ledgers of a run list; returns them by their texts."""
    texts = counted(texts_of(trace, asked), "Following texts")
    fates = {text: body for text in texts if (body := _fate(trace, text))}
    blocks.add(f"fate-{tid}", fates)
    return fates


def texts_of(trace: Trace, asked: Iterable[str]) -> list[str]:
    """The texts to follow, each once: those that are asked about, then the ledgers' rows, what is gone before what is kept."""
    rows = [row for k in range(min(MOST_LEDGERS, len(trace.compactions))) for row in ledger(trace, k)[0]]
    told = sorted(rows, key=lambda row: (row.needed_at is None, row.in_summary != "gone"))
    listed = list(dict.fromkeys(row.text for row in told))[:MOST]
    return list(dict.fromkeys((*asked, *listed)))


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
