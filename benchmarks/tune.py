"""A sweep of 1,000 settings over a session of 10,000 messages, beside one import of its file."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.engine import Row, beside, timed
from benchmarks.make_session import write
from core import load, meter, policy, simulate
from core.measure.misses import misses
from core.measure.prices import prices_of
from core.measure.prompts import prompts_of
from core.meters import measured
from core.model.session import Session
from core.policy.policy import Policy
from core.summaries.summarizers import FixedSize
from core.trace.trace import Trace
from core.tune.row import row_of

MEGABYTES = 25  # of either generator: some 10,000 messages
BUDGETS = range(20_000, 200_001, 3_673)
KEEPS = (*range(2, 33, 2), 40, 48, 56, 64)
METER = meter("agentkit")


def rows(folder: Path) -> Iterator[Row]:
    """The table. What takes long is measured over a share of the settings, every so-many-th of them."""
    path = _made(folder)
    session = load(path)
    rules = [policy("agentkit.memory", budget=b, keep_recent=k) for b, k in product(BUDGETS, KEEPS)]
    fixed, prices = FixedSize(300), prices_of(session.model)

    def whole(trace: Trace, findings: bool = False) -> Any:
        return row_of(trace, path.name, prices=prices, findings=findings)

    def missed(trace: Trace) -> Any:
        return misses(prompts_of(trace))

    cases: tuple[tuple[str, Any, int, Callable[[Trace], Any], str], ...] = (
        ("simulated, fixed size", fixed, 10, len, ""),
        ("with misses, fixed size", fixed, 10, missed, "   bar 20 x"),
        ("with misses, structural", None, 25, missed, "   bar 30 x"),
        ("every figure but findings, fixed size", fixed, 10, whole, ""),
        ("every figure, fixed size", fixed, 50, lambda trace: whole(trace, True), ""),
    )
    for what, summarizer, share, look, bar in cases:
        yield _row(what, path, session, rules[::share], _worked(session, summarizer, look), share, bar)


def _worked(session: Session, summarizer: Any, look: Callable[[Trace], Any]) -> Callable[[Policy], Any]:
    """What is done for each setting."""
    return lambda rule: look(simulate(session, rule, METER, summarizer))


def _row(
    what: str, path: Path, session: Session, rules: list[Policy], work: Callable[[Policy], Any], share: int, bar: str
) -> Row:
    first = timed(lambda: work(rules[0]), 1)  # what does not depend on the setting is worked out here, once

    def ours() -> None:
        for rule in rules:
            work(rule)

    took, imported, ratio = beside(ours, lambda: measured(load(path), METER), 3)
    took, ratio = took * share + first, ratio * share + first / imported
    name = f"tune {len(rules) * share:,} settings x {len(session.messages):,} messages, {what}"
    return name, f"{took:.2f} s", f"{imported:.2f} s import + count", f"{ratio:.1f} x{bar}"


def _made(folder: Path) -> Path:
    """A session by the generator of FOLDLINE_SHARED where there is one, else by ours."""
    script, path = (
        Path(os.environ.get("FOLDLINE_SHARED") or "/nowhere") / "bench/make_claude_session.py",
        folder / "tune.jsonl",
    )
    if not script.is_file():
        return write(MEGABYTES, path)
    subprocess.run([sys.executable, str(script), str(MEGABYTES), str(path)], check=True, capture_output=True)
    return path
