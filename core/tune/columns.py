"""Rows of a sweep as an Arrow table: a column for each figure, `settings` as JSON. No text of a transcript is in it."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args, get_origin

import pyarrow as pa

from core.tune.row import Row
from core.tune.task import Setting

KEY, ASKED = "key", "asked"
"""What says which file, in which version, and which setting a row is of; and that setting as it was asked for, as JSON.

A row's own `settings` may have more: the context window of the session's model.
"""

_TYPES = {int: pa.int64(), float: pa.float64(), str: pa.string()}


@cache
def schema() -> pa.Schema:
    """The columns: `key`, `asked`, and those of `Row` in its order."""
    fields = [pa.field(name, _type(info.annotation)) for name, info in Row.model_fields.items()]
    return pa.schema([pa.field(KEY, pa.int64()), pa.field(ASKED, pa.string()), *fields])


def _type(annotation: Any) -> pa.DataType:
    """Numbers and texts as they are, missing or not; settings as text."""
    if get_origin(annotation) is dict:
        return pa.string()
    return next(_TYPES[kind] for kind in (annotation, *get_args(annotation)) if kind in _TYPES)


def table_of(rows: Iterable[tuple[int, Setting, Row]]) -> pa.Table:
    """A table of rows, each with its key and the setting that was asked for."""
    given = list(rows)
    columns = {name: [_value(getattr(row, name)) for _, _, row in given] for name in Row.model_fields}
    front = {KEY: [key for key, _, _ in given], ASKED: [settings_json(asked.settings) for _, asked, _ in given]}
    return pa.table({**front, **columns}, schema=schema())


def _value(value: Any) -> Any:
    return settings_json(value) if isinstance(value, Mapping) else value


def settings_json(settings: Mapping[str, Any]) -> str:
    """Settings as JSON, the same for the same values."""
    return json.dumps(settings, sort_keys=True, default=str)
