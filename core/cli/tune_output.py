"""The rows of a sweep, printed: as a table, as CSV or as JSON."""

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from core.cli.terminal import print_table
from core.measure.cost import Prices
from core.measure.prices import price_list
from core.tune.row import Row

CAVEAT = "Every row replays what the recorded agent did: with less in its window it would have acted otherwise."
_HEADS = ("session", "settings", "compactions", "peak", "sent", "misses", "miss rate", "faults", "cost")


def print_json_rows(rows: Iterable[Row]) -> None:
    """Print an object with the rows, each as soon as it is there."""
    print('{"rows": [', end="")
    for number, row in enumerate(rows):
        print(",\n" if number else "\n", json.dumps(row.model_dump(mode="json"), default=str), sep="", end="")
    print("\n]}")


def print_csv(rows: Iterable[Row]) -> None:
    """Print a line for each row as soon as it is there, under the names of the figures; settings are JSON."""
    table = csv.writer(sys.stdout)
    table.writerow(Row.model_fields)
    for row in rows:
        values = row.model_dump(mode="json")
        table.writerow([json.dumps(v) if isinstance(v, dict) else v for v in values.values()])


def print_rows(rows: Sequence[Row], given: Prices | None) -> None:
    """Print a table, what its figures take as given, and where the prices are from; nothing for no rows."""
    if not rows:
        return
    several = len({row.policy for row in rows}) > 1
    print_table(_HEADS, [_cells(row, several) for row in rows])
    print(f"\n{CAVEAT}")
    if any(row.cost is not None for row in rows):
        print(f"Prices: {'as given' if given else price_list()}.")


def _cells(row: Row, several: bool) -> list[Any]:
    """One row of the table; where there are several policies, with its own in front of its settings."""
    named = [row.policy] if several else []
    settings = " ".join([*named, *(f"{name}={value}" for name, value in row.settings.items())])
    front = [row.session.rsplit("/", 1)[-1], settings, row.compactions, row.peak_tokens, row.tokens_sent, row.misses]
    rate = "-" if row.miss_rate is None else f"{100 * row.miss_rate:.1f} %"
    cost = "-" if row.cost is None else f"${row.cost:,.2f}"
    return [*front, rate, row.faults, cost]
