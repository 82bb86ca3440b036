"""`foldline tune PATHS… --policy P --grid budget=…,… keep_recent=…,…`: what each setting would have cost and lost."""

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from core.cli.terminal import print_json, print_table
from core.engine.default_meter import session_meter
from core.engine.pins import pins
from core.engine.simulate import simulate
from core.importers import load_all
from core.measure.cost import Prices
from core.measure.prices import price_list, prices_in, prices_of
from core.model.session import Session
from core.policy.policy import Policy
from core.summaries.summarizers import summarizer
from core.tune.grid import grid, parse_grid
from core.tune.row import Row, row_of

CAVEAT = "Every row replays what the recorded agent did: with less in its window it would have acted otherwise."
_HEADS = ("session", "settings", "compactions", "peak", "sent", "misses", "miss rate", "faults", "cost")


def run(options: argparse.Namespace) -> int:
    """Print a row for each session and each setting; returns 0."""
    rules = grid(options.policy, dict(options.set), parse_grid(options.grid))
    given = prices_in(options.prices) if options.prices else None
    rows = list(_noted(_rows(options, rules, given)))
    if options.json:
        print_json({"rows": [row.model_dump(mode="json") for row in rows]})
    elif options.csv:
        _print_csv(rows)
    else:
        _print(rows, given)
    return 0


def _rows(options: argparse.Namespace, rules: Sequence[Policy], given: Prices | None) -> Iterator[Row]:
    for name, session in _sessions(options.files):
        prices = given or prices_of(session.model)
        write = summarizer(options.summaries, tokens=options.summary_tokens, session=session)
        counter, pinned = session_meter(options.meter, session, rules[0]), pins(session, options.pin)
        for rule in rules:
            yield row_of(simulate(session, rule, counter, write, pinned), name, prices=prices)


def _sessions(paths: Sequence[str]) -> Iterator[tuple[str, Session]]:
    """Every session of the paths, by its path, and its number where the path has several."""
    for path in paths:
        for number, session in enumerate(load_all(path)):
            yield f"{path}#{number}" if number else path, session


def _noted(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows, with how many there are so far on stderr where a person looks on."""
    for count, row in enumerate(rows, 1):
        if sys.stderr.isatty():
            print(f"\r{count:,} runs", end="", file=sys.stderr, flush=True)
        yield row
    if sys.stderr.isatty():
        print("\r" + " " * 20 + "\r", end="", file=sys.stderr)


def _print_csv(rows: Sequence[Row]) -> None:
    table = csv.writer(sys.stdout)
    table.writerow(Row.model_fields)
    for row in rows:
        values = row.model_dump(mode="json")
        table.writerow([json.dumps(v) if isinstance(v, dict) else v for v in values.values()])


def _print(rows: Sequence[Row], given: Prices | None) -> None:
    print_table(_HEADS, [_cells(row) for row in rows])
    print(f"\n{CAVEAT}")
    if any(row.cost is not None for row in rows):
        print(f"Prices: {'as given' if given else price_list()}.")


def _cells(row: Row) -> list[Any]:
    settings = " ".join(f"{name}={value}" for name, value in row.settings.items())
    front = [row.session.rsplit("/", 1)[-1], settings, row.compactions, row.peak_tokens, row.tokens_sent, row.misses]
    rate = "-" if row.miss_rate is None else f"{100 * row.miss_rate:.1f} %"
    cost = "-" if row.cost is None else f"${row.cost:,.2f}"
    return [*front, rate, row.faults, cost]
