"""Rows of named columns as a file: CSV, Parquet or JSON."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from core.exports.form import utf8

Row = Mapping[str, Any]
Columns = Mapping[str, type]
"""The columns in order, each with what its values are: `str`, `int`, `float` or `bool`; a value may also be None."""


class Writer(NamedTuple):
    """A kind of file: what it is called, its media type, and what writes rows so."""

    label: str
    media: str
    write: Callable[[Columns, Iterable[Row]], bytes]


def _csv(columns: Columns, rows: Iterable[Row]) -> bytes:
    out = io.StringIO()
    written = csv.writer(out)
    written.writerow(columns)
    for row in rows:
        written.writerow([_cell(row[name]) for name in columns])
    return utf8(out.getvalue())


def _cell(value: Any) -> Any:
    """A text that a spreadsheet would run as a formula begins with an apostrophe.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _parquet(columns: Columns, rows: Iterable[Row]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    out = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(list(map(_storable, rows)), schema=schema), out, compression="zstd")
    return bytes(out.getvalue().to_pybytes())


def _storable(row: Row) -> dict[str, Any]:
    """The row with texts that have UTF-8."""
    return {name: utf8(value).decode() if isinstance(value, str) else value for name, value in row.items()}


def _json(columns: Columns, rows: Iterable[Row]) -> bytes:
    return utf8(json.dumps([{name: row[name] for name in columns} for row in rows], ensure_ascii=False, indent=1))


WRITERS = {
    "csv": Writer("CSV", "text/csv", _csv),
    "parquet": Writer("Parquet", "application/vnd.apache.parquet", _parquet),
    "json": Writer("JSON", "application/json", _json),
}
