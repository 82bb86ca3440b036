"""`python -m benchmarks [engine|browser|export|import|live|tune|why]`: the figures of the speed table, as ratios to floors.

`python -m benchmarks corpus [SESSIONS…]`: a sweep over many sessions, by default over 100 and over 1,000.
`python -m benchmarks tokens`: the errors of two meters on recorded prompts, before and after.
"""

import sys
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import corpus, engine, export, fates, fixes, importing, live, tokens, tune, why
from benchmarks.make_session import write


def main(which: str, *more: str) -> None:
    """Measure and print: what, ours, beside, ratio and bar."""
    if which == "tokens":
        for line in tokens.lines():
            print(line)
        return
    with TemporaryDirectory() as folder:
        if which == "corpus":
            for row in corpus.rows(Path(folder), [int(size) for size in more]):
                show([row])
            return
        if which == "import":
            for row in importing.rows(Path(folder)):
                show([row])
            return
        if which in ("", "why"):
            for row in chain(why.rows(Path(folder)), fates.rows(), fixes.rows(Path(folder))):
                show([row])
        if which == "why":
            return
        if which in ("", "live"):
            for row in live.rows():
                show([row])
        if which == "live":
            return
        if which in ("", "tune"):
            for row in tune.rows(Path(folder)):
                show([row])
        if which == "tune":
            return
        small = write(10, Path(folder) / "10.jsonl")
        if which in ("", "export"):
            for row in export.rows(small):
                show([row])
        if which == "export":
            return
        large = write(50, Path(folder) / "50.jsonl")
        if which in ("", "engine"):
            show([engine.import_row(small)])
            for row in engine.simulate_rows():  # shown as they come: all of them take minutes
                show([row])
            show([engine.memory_row(large)])
        if which in ("", "browser"):
            from benchmarks import browser

            for row in browser.rows(small, large):
                show([row])


def show(rows: list[engine.Row]) -> None:
    """Print the rows as a table."""
    for what, ours, beside, verdict in rows:
        print(f"{what:<76} {ours:>14}   {beside:<28} {verdict}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
