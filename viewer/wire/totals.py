"""The figures of a whole run as the browser gets them, those that take longest last; docs/wire.md."""

import json
from collections.abc import Iterator

from core import Trace
from core.measure.prices import price_list, prices_of
from core.tune.row import row_of
from viewer.wire.findings import finding_rows


def total_lines(trace: Trace) -> Iterator[str]:
    """A line of JSON with the figures of `core.tune.row` but for the findings, then one that counts those as Debug does."""
    prices = prices_of(trace.session.model) if trace.session.model else None
    row = row_of(trace, "", prices=prices, findings=False)
    shown = row.model_dump(mode="json", exclude={"session", "policy", "settings", "findings"})
    limit = trace.policy.limit if trace.policy else None
    yield _line(shown | {"limit": limit, "prices": price_list() if prices else ""})
    yield _line({"findings": len(finding_rows(trace))})


def _line(body: dict[str, object]) -> str:
    return json.dumps(body) + "\n"
