"""The rows of a sweep as a file: CSV as `foldline tune --csv` writes it, JSON, or Parquet."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from core.measure.cost import Prices
from core.tune.row import Row, cost_of

Values = dict[str, Any]


def values_of(row: Row, at: Prices | None, own: bool = False) -> Values:
    """The figures of a row at these prices: what is repaid at other prices than its own it does not tell.

    With `own` they are those of its own model, where that has some.
    """
    if own and row.cost is not None:
        return row.model_dump(mode="json")
    costs = {"cost": cost_of(row, at), "cost_shared": cost_of(row, at, shared=True)} if at else {}
    return row.model_dump(mode="json") | {"cost": None, "cost_shared": None, "repaid": None} | costs


def _flat(row: Values) -> Values:
    """With settings as JSON."""
    return {name: json.dumps(value) if isinstance(value, dict) else value for name, value in row.items()}


def _csv(rows: Sequence[Values]) -> bytes:
    written = io.StringIO()
    table = csv.DictWriter(written, list(Row.model_fields))
    table.writeheader()
    table.writerows(map(_flat, rows))
    return written.getvalue().encode("utf-8", "replace")


def _json(rows: Sequence[Values]) -> bytes:
    return json.dumps(rows, indent=1).encode()


def _parquet(rows: Sequence[Values]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from core.tune.columns import schema

    kept = [field for field in schema() if field.name in Row.model_fields]
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([_flat(row) for row in rows], pa.schema(kept)), sink)
    return sink.getvalue()


FORMS: dict[str, tuple[str, Callable[[Sequence[Values]], bytes]]] = {
    "csv": ("text/csv", _csv),
    "json": ("application/json", _json),
    "parquet": ("application/vnd.apache.parquet", _parquet),
}
"""The media type of each form, and what writes it."""
