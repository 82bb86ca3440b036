"""`python -m benchmarks [engine|browser|export|import|live|others|tune|why]`: the speed table, as ratios to floors.

`python -m benchmarks corpus [SESSIONS…]`: a sweep over many sessions, by default over 100 and over 1,000.
`python -m benchmarks tokens`: the errors of two meters on recorded prompts, before and after.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import corpus, engine, export, fates, fixes, importing, live, tokens, tune, why
from benchmarks.make_session import write


def main(which: str = "", *sizes: str) -> None:
    """Measure and print: what, ours, beside, ratio and bar."""
    if which == "tokens":
        for line in tokens.lines():
            print(line, flush=True)
        return
    with TemporaryDirectory() as folder:
        for row in _rows(which, Path(folder), [int(size) for size in sizes]):
            show(row)


def _rows(which: str, folder: Path, sizes: Sequence[int]) -> Iterable[engine.Row]:
    """The rows of one part as they come; of every part of the speed table where none is named."""
    if which == "corpus":
        return corpus.rows(folder, sizes)
    if which == "import":
        return importing.rows(folder)
    if which and which not in TABLE:
        sys.exit(f"no part is called {which}; there are: {', '.join([*TABLE, 'corpus', 'import', 'tokens'])}")
    parts = [TABLE[which]] if which else TABLE.values()
    return chain.from_iterable(part(folder) for part in parts)


def _why(folder: Path) -> Iterator[engine.Row]:
    return chain(why.rows(folder), fates.rows(), fixes.rows(folder))


def _engine(folder: Path) -> Iterator[engine.Row]:
    yield engine.import_row(_session(folder, 10))
    yield from engine.simulate_rows()
    yield engine.memory_row(_session(folder, 50))


def _browser(folder: Path) -> Iterator[engine.Row]:
    from benchmarks import browser

    return browser.rows(_session(folder, 10), _session(folder, 50))


def _others(folder: Path) -> Iterator[engine.Row]:
    from benchmarks import others

    return others.rows(_session(folder, 50), folder)


def _session(folder: Path, megabytes: int) -> Path:
    """A generated session of this size, written once."""
    path = folder / f"{megabytes}.jsonl"
    return path if path.exists() else write(megabytes, path)


TABLE: dict[str, Callable[[Path], Iterable[engine.Row]]] = {
    "why": _why,
    "live": lambda folder: live.rows(),
    "tune": tune.rows,
    "export": lambda folder: export.rows(_session(folder, 10)),
    "engine": _engine,
    "browser": _browser,
    "others": _others,
}


def show(row: engine.Row) -> None:
    """Print a row of the table."""
    what, ours, beside, verdict = row
    print(f"{what:<76} {ours:>14}   {beside:<28} {verdict}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
