"""What would have kept a text, line by line, as the browser gets it; docs/wire.md."""

import json
from collections.abc import Iterator
from typing import Any

from core import FoldlineError
from core.summaries.summarizers import summarizers
from core.trace.trace import Trace
from core.why.fixes import Fix, Fixes
from viewer.settings.pins import pins_text
from viewer.settings.query import settings_query


def fix_lines(asked: Fixes) -> Iterator[str]:
    """Each row and how far the search is, a line of JSON each; the last one says that it is done."""
    try:
        for found in asked:
            yield _line({"row": _row(asked.trace, found)} if isinstance(found, Fix) else {"progress": list(found)})
        yield _line({"done": True, "note": "\n".join(asked.notes)})
    except FoldlineError as error:
        yield _line({"failed": f"{error}; {error.hint}" if error.hint else str(error)})


def _line(body: dict[str, Any]) -> str:
    return json.dumps(body) + "\n"


def _row(trace: Trace, fix: Fix) -> dict[str, Any]:
    change, value = fix.parts
    return {
        "change": change,
        "value": value,
        "text": fix.text,
        "about": fix.about,
        "of": fix.of.name if fix.of else "",
        "now": fix.now,
        "kept": fix.kept,
        "cure": fix.cure,
        "helps": fix.helps,
        "drawbacks": fix.drawbacks,
        "in_summary": fix.in_summary,
        "main": fix.main,
        "other": fix.other,
        "baseline": fix.baseline,
        **fix.price._asdict(),
        "query": _query(trace, fix),
    }


def _query(trace: Trace, fix: Fix) -> dict[str, str]:
    """The parameters of an address that shows this run: policy, every setting, what writes the summaries, and pins."""
    if fix.policy is None:
        return {"policy": "recorded"}
    unset = {p.name: True for p in fix.policy.parameters if p.kind in ("number", "thresholds")}
    query = {"policy": fix.policy.name, **settings_query(fix.policy, unset)}
    if fix.summaries in {known.name for known in summarizers(trace.session)}:
        query["summaries"] = fix.summaries
    if fix.pinned:
        query["pin"] = pins_text(trace.messages, fix.pinned)
    return query
