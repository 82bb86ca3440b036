"""What an exported file of lanes holds: two to four runs of one session beside each other, as the Compare page has them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.model.errors import FoldlineError
from core.policy.policy import Policy
from core.trace.trace import Trace
from viewer.export import page
from viewer.export.blocks import Blocks
from viewer.export.exported import Exported
from viewer.export.file import SID, file_title, not_here
from viewer.export.following import add_lane_fates
from viewer.export.telling import counted, tell
from viewer.settings.lanes import LETTERS, NONE, RECORDED
from viewer.wire.pack import packed, store_bytes, view_of_trace
from viewer.wire.totals import total_lines

BEGINNINGS = "more of each message than its beginning."


def export_lanes(
    lanes: Sequence[Trace],
    recorded: Trace,
    texts: Sequence[str] = (),
    base: int = 0,
    message: int = 0,
    notes: Sequence[str] = (),
) -> Exported:
    """The file of two to four runs of the session that `recorded` is of, all under its meter.

    It opens where `message` messages have arrived, by default where the lanes first differ; `texts` are followed in it, and
    the others are measured against lane `base`. Raises FoldlineError for another number of lanes.
    """
    if not 2 <= len(lanes) <= len(LETTERS):
        raise FoldlineError(f"there are {len(lanes)} lanes", f"give two to {len(LETTERS)}")
    blocks, runs = Blocks(), {f"lane-{letter}": run for letter, run in zip(LETTERS, lanes, strict=False)}
    page.add_program(blocks, page.LANES)
    tell("Reading messages")
    blocks.add_bytes(f"store-{SID}", store_bytes(SID, recorded))
    _add_lanes(blocks, runs)
    add_lane_fates(blocks, runs, texts)
    left = [BEGINNINGS, *not_here(recorded)]
    said = [*notes, *(f"Not in this file: {sentence}" for sentence in left)]
    opens = {"base": base if base < len(lanes) else 0, "message": message, "why": list(texts), "notes": said}
    blocks.add("head", {"version": 1, "sid": SID, "lanes": [_lane(*lane) for lane in runs.items()], **opens})
    return Exported(file_title(recorded), page.LANES, blocks, left)


def _add_lanes(blocks: Blocks, runs: Mapping[str, Trace]) -> None:
    """Add the view of each lane, and the figures of its whole run."""
    for tid in counted(list(runs), "Measuring lanes"):
        blocks.add_packed(f"view-{tid}", packed(view_of_trace(SID, tid, runs[tid], ())))
        blocks.add(f"totals-{tid}", {"": [json.loads(line) for line in total_lines(runs[tid])]})


def _lane(tid: str, run: Trace) -> dict[str, Any]:
    """A lane as the page gets it; of a policy its settings."""
    rule = run.policy if run.kind == "simulate" else None
    if rule is None:
        return {"tid": tid, "name": RECORDED if run.kind == "replay" else NONE, "text": ""}
    summaries = {"name": "summaries", "kind": "choice", "unit": "", "value": run.summarizer}
    params = [*_settings(rule), summaries]
    panel = {"policy": rule.name, "params": params}
    return {"tid": tid, "name": rule.name, "text": "", "panel": panel, "pinned": list(run.pinned)}


def _settings(rule: Policy) -> list[dict[str, Any]]:
    known = [parameter.model_dump(mode="json", include={"name", "kind", "unit"}) for parameter in rule.parameters]
    return [row | {"value": rule.settings.get(row["name"])} for row in known]
