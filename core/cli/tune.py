"""`foldline tune PATHS… --policy P --grid budget=…,… keep_recent=…,…`: what each setting would have cost and lost."""

import argparse
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from core.cli.tune_output import print_csv, print_json_rows, print_results, print_rows
from core.cli.tune_progress import Progress
from core.engine.default_meter import PLAIN
from core.measure.prices import prices_in
from core.policy.policy import Policy
from core.tune.cluster import sweep_on
from core.tune.files import Failure, File
from core.tune.grid import grid, parse_grid
from core.tune.named import files_named
from core.tune.order import in_order
from core.tune.parts import count
from core.tune.results import results_in
from core.tune.split import seconds, split
from core.tune.store import opened
from core.tune.sweep import Sweeping, sweep
from core.tune.task import RECORDED, Result, Setting, Task, Terms, settings_of

BRIEF = 2.0
"""Seconds of work below which starting other processes takes longer."""


def run(options: argparse.Namespace) -> int:
    """Print or keep a row for each session and each setting; returns 0, or 1 where there is none because nothing was read."""
    rules = grid(options.policy, dict(options.set), parse_grid(options.grid))
    settings, terms, progress = settings_of(rules), _terms(options, rules), Progress()
    if not (options.parquet or options.json or options.csv):  # a recommendation is beside what was recorded
        settings = (*settings, Setting(RECORDED))
    tasks = [task for file, number in _files(options.files, progress) for task in split(file, settings, terms, number)]
    if options.parquet:
        rows = _keep(options, terms, tasks, progress)
    else:
        _print(options, terms, tasks, progress)
        rows = progress.rows
    progress.end()
    return 1 if progress.failed and not rows else 0


def _terms(options: argparse.Namespace, rules: Sequence[Policy]) -> Terms:
    prices = prices_in(options.prices) if options.prices else None
    size, pin = options.summary_tokens, options.pin
    meter = options.meter or _one_meter(options.files, {rule.meter for rule in rules})
    return Terms(meter, options.summaries, size, pin, prices, not options.no_findings, options.window)


def _one_meter(paths: Sequence[str], own: set[str]) -> str | None:
    """The meter of a sweep for which none was chosen: never two in one comparison.

    One file under one policy is counted as `foldline simulate` counts it, which is None here.
    """
    if len(own) > 1:
        return PLAIN
    return None if own != {PLAIN} or (len(paths) == 1 and not Path(paths[0]).is_dir()) else PLAIN


def _files(paths: Sequence[str], progress: Progress) -> Iterator[tuple[File, int | None]]:
    for path in paths:
        for found in files_named(path):
            if isinstance(found, Failure):
                progress.leave(found)
            else:
                yield found


def _print(options: argparse.Namespace, terms: Terms, tasks: Sequence[Task], progress: Progress) -> None:
    results = in_order(tasks, _swept(options, tasks, progress))
    if options.json or options.csv:
        (print_json_rows if options.json else print_csv)(row for result in results for row in result.rows)
    else:
        print_rows([both for result in results for both in zip(result.asked, result.rows, strict=True)], terms.prices)


def _keep(options: argparse.Namespace, terms: Terms, tasks: Sequence[Task], progress: Progress) -> int:
    """Write what is missing in the folder; returns how many rows are there then."""
    with opened(options.parquet, terms) as store:
        for result in _swept(options, [left for task in tasks if (left := store.missing(task))], progress):
            store.add(result)
    rows = count(options.parquet)
    print(f"{options.parquet}: {rows:,} rows, {progress.rows:,} of them new")
    if rows:
        with results_in(options.parquet) as results:
            print_results(results)
    return rows


def _swept(options: argparse.Namespace, tasks: Sequence[Task], progress: Progress) -> Iterator[Result]:
    progress.expect(tasks)
    results: Sweeping | Generator[Result, None, None]
    if options.cluster:
        results = sweep_on(options.cluster, tasks)
    else:
        brief = sum(seconds(task.file, len(task.settings)) for task in tasks) < BRIEF
        results = sweep(tasks, 0 if brief and options.workers is None else options.workers)
    with closing(results):
        for result in results:
            progress.take(result)
            yield result
