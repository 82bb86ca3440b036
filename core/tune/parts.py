"""The Parquet files in the folder of a sweep, read with DuckDB: one with every row in order, and what came since.

    rows.parquet         written when a sweep ends; the same rows make the same bytes
    part-000001.parquet  written while one runs, each under another name first, so that none is half there

Where two have a row of the same session and setting, that of the later file counts.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from core.tune.columns import schema

ROWS = "rows.parquet"
MEMORY = "256MB"
"""What DuckDB takes at most; what it sorts beyond that is on disk meanwhile."""

GROUP = 50_000
"""So many rows stand together in a file."""

_PART = re.compile(r"part-(\d{6,})\.parquet")
_NEWEST = r"""
    SELECT * EXCLUDE (filename) FROM {source} QUALIFY 1 = row_number() OVER (
        PARTITION BY session, policy, asked
        ORDER BY coalesce(try_cast(regexp_extract(parse_filename(filename), '\d+') AS BIGINT), 0) DESC)
"""


def parts(folder: Path) -> list[Path]:
    """The files in the order in which they count."""
    found = sorted((path for path in folder.glob("part-*.parquet") if _PART.fullmatch(path.name)), key=_number)
    return [path for path in (folder / ROWS, *found) if path.exists()]


def new_part(folder: Path) -> Path:
    """The name of the next part."""
    return folder / f"part-{max(map(_number, parts(folder)), default=0) + 1:06}.parquet"


def _number(path: Path) -> int:
    found = _PART.fullmatch(path.name)
    return int(found[1]) if found else 0


@contextmanager
def temporary(path: Path) -> Iterator[Path]:
    """A name to write a file under; in the end it has the right one, at once and for good."""
    hidden = path.with_name(f".{path.name}")
    yield hidden
    with hidden.open("rb") as file:
        os.fsync(file.fileno())
    hidden.replace(path)


def connect(folder: Path) -> duckdb.DuckDBPyConnection:
    """DuckDB with the rows of a folder that has some as the view `found`. It loads no extension, so it asks no network."""
    offline = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    room = {"memory_limit": MEMORY, "temp_directory": str(folder / ".sorting")}
    connection = duckdb.connect(":memory:", config={**offline, **room})
    files = parts(folder)
    listed = ", ".join(_quoted(_escaped(str(path))) for path in files)
    source = f"read_parquet([{listed}], filename = {len(files) > 1})"
    connection.execute(f"CREATE VIEW found AS {_NEWEST.format(source=source) if len(files) > 1 else f'FROM {source}'}")
    return connection


def count(folder: Path) -> int:
    """How many rows a folder has."""
    if not parts(folder):
        return 0
    with connect(folder) as connection:
        found = connection.execute("SELECT count(*) FROM found").fetchone()
    return int(found[0]) if found else 0


def merge(folder: Path) -> None:
    """Make one file of all parts, in order of session, policy and setting."""
    files = parts(folder)
    if files in ([], [folder / ROWS]):
        return
    with temporary(folder / ROWS) as hidden, connect(folder) as connection:
        found = connection.sql("FROM found ORDER BY session, policy, asked")
        _write(found.to_arrow_reader(GROUP), hidden)
    for path in files:
        if path.name != ROWS:
            path.unlink()


def _write(batches: pa.RecordBatchReader, path: Path) -> None:
    """Write rows in groups of a fixed size: the same rows then make the same bytes, however they come."""
    waiting = schema().empty_table()
    with pq.ParquetWriter(path, schema(), compression="zstd") as file:
        for batch in batches:
            waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch]).cast(schema())])
            while waiting.num_rows >= GROUP:
                file.write_table(waiting.slice(0, GROUP).combine_chunks(), GROUP)
                waiting = waiting.slice(GROUP)
        if waiting.num_rows:
            file.write_table(waiting.combine_chunks(), GROUP)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _escaped(path: str) -> str:
    """A path in which nothing stands for other names."""
    return re.sub(r"([*?\[])", r"[\1]", path)
