"""The rows of a sweep, printed: as a table, as CSV or as JSON."""

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.cli.terminal import print_table
from core.measure.cost import Prices
from core.measure.prices import price_list
from core.tune.advice import advice, point_of
from core.tune.recommendation import Outcome
from core.tune.results import Percentiles, Results
from core.tune.row import Row
from core.tune.task import RECORDED, Setting
from core.tune.totals import Totals, totals

CAVEAT = "Every row replays what the recorded agent did: with less in its window it would have acted otherwise."
_HEADS = ("session", "settings", "compactions", "peak", "sent", "misses", "miss rate", "faults", "cost")
_OVER_ALL = ("policy", "settings", "sessions", "compactions", "sent", "misses", "miss rate", "median", "p10–p90")


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


def print_rows(found: Sequence[tuple[Setting, Row]], given: Prices | None) -> None:
    """Print a table, a recommendation, what the figures take as given, and where the prices are from; nothing for no rows.

    The runs as recorded are what the recommendation compares with; they are not in the table.
    """
    rows = [row for setting, row in found if setting.policy != RECORDED]
    if not rows:
        return
    several = len({row.policy for row in rows}) > 1
    print_table(_HEADS, [_cells(row, several) for row in rows])
    print(f"\n{_recommended(found)}")
    print(f"\nTokens by {' and '.join(sorted({row.meter for row in rows}))}. {CAVEAT}")
    if any(row.cost is not None for row in rows):
        print(f"Prices: {'as given' if given else price_list()}.")


def _recommended(found: Sequence[tuple[Setting, Row]]) -> str:
    """The sentence of the Tune page, at the prices of each session's own model: in tokens where one of them has none."""
    before = {row.session: row for setting, row in found if setting.policy == RECORDED}
    by_setting: dict[str, tuple[Setting, dict[str, Row]]] = {}
    for setting, row in found:
        if setting.policy != RECORDED and row.session in before:
            by_setting.setdefault(repr(setting), (setting, {}))[1][row.session] = row
    settings, rows = [setting for setting, _ in by_setting.values()], [by for _, by in by_setting.values()]
    money = all(row.cost is not None for _, row in found)
    whole = {k: by for k, by in enumerate(rows) if len(by) == len(before)}
    sums = {k: totals(by.values()) for k, by in whole.items()}
    points = {
        k: point_of(sums[k], sum(row.cost or 0.0 for row in by.values()) if money else None) for k, by in whole.items()
    }
    if not points:
        return "No setting could be tried on every session, so none is recommended."

    def outcomes(k: int) -> list[Outcome]:
        return [_outcome(row, before[session], money) for session, row in whole[k].items()]

    said = advice(settings, points, lambda k: sums[k].miss_rate, outcomes, len(before), money=money)
    return "".join(part.text for part in said)


def _outcome(row: Row, before: Row, money: bool) -> Outcome:
    after, earlier = ((one.cost or 0.0) if money else float(one.tokens_sent) for one in (row, before))
    return Outcome(after, earlier, row.miss_rate, before.miss_rate)


def print_results(results: Results) -> None:
    """Print what each setting comes to over all sessions, and which sessions miss most under the one that misses least."""
    spread = {_name(setting): found for setting, found in results.percentiles("miss_rate")}
    totals = results.totals()
    print_table(_OVER_ALL, [_total_cells(setting, found, spread.get(_name(setting))) for setting, found in totals])
    best, _ = min(totals, key=lambda found: found[1].misses)
    print(
        f"\nThe sessions that miss most under the setting that misses least, {best.policy} {_settings(best.settings)}:"
    )
    print_table(_HEADS, [_cells(row) for row in results.worst(best, most=5)])
    print(f"\n{CAVEAT}")


def _total_cells(setting: Setting, totals: Totals, spread: Percentiles | None) -> list[Any]:
    front = [setting.policy, _settings(setting.settings), totals.sessions, totals.compactions, totals.tokens_sent]
    range_ = f"{100 * spread.p10:.1f}–{100 * spread.p90:.1f} %" if spread else "-"
    return [*front, totals.misses, _percent(totals.miss_rate), _percent(spread.median if spread else None), range_]


def _name(setting: Setting) -> tuple[str, str]:
    return setting.policy, _settings(setting.settings)


def _settings(settings: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"


def _cells(row: Row, several: bool = False) -> list[Any]:
    """One row of the table; where there are several policies, with its own in front of its settings."""
    name, settings = row.session.rsplit("/", 1)[-1], _settings(row.settings)
    front = [
        name,
        f"{row.policy} {settings}" if several else settings,
        row.compactions,
        row.peak_tokens,
        row.tokens_sent,
        row.misses,
    ]
    cost = "-" if row.cost is None else f"${row.cost:,.2f}"
    return [*front, _percent(row.miss_rate), row.faults, cost]
