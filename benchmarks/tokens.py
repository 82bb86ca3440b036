"""How far o200k_base and the meter calibrated are off from the prompts that were sent: `make bench ARGS=tokens`.

A row for each family of models and format, over all shared transcripts (FOLDLINE_SHARED), else over the samples. *Window*: a
prompt is predicted from the first one since the last compaction and the meter's count of what arrived since. *Next*: from the
prompt before, and what arrived since. Errors are shares of the prompt: the median, and what one prompt in ten exceeds. The
last column is the meter that sessions open with.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from core import FoldlineError, Session, load_all
from core.engine.default_meter import CALIBRATED, PLAIN, default_meter, meter_error
from core.model.agent_windows import agent_windows
from core.trace.prompt_error import PromptError, ninth_decile

SAMPLES = Path(__file__).parents[1] / "sample_sessions"
FAMILIES = re.compile(r"claude|gpt|gemini|llama|kimi")
HEAD = ("models, format", "sessions", "calls", "window: o200k", "calibrated", "next: o200k", "calibrated", "by default")
WIDTHS = (28, 8, 6, 15, 13, 13, 13, 0)


@dataclass
class Group:
    """The sessions of one family and format: their errors by both meters, and how many are calibrated by default."""

    plain: list[PromptError] = field(default_factory=list)
    calibrated: list[PromptError] = field(default_factory=list)
    default: int = 0

    def add(self, other: "Group") -> None:
        """Take in the sessions of another group."""
        self.plain += other.plain
        self.calibrated += other.calibrated
        self.default += other.default

    def cells(self, name: str) -> tuple[str, ...]:
        """The row of the table."""
        both = (self.plain, self.calibrated)
        windows = (_spread([error for one in found for error in one.windows]) for found in both)
        nexts = (_spread([error for one in found for error in one.nexts]) for found in both)
        calls, n = sum(one.calls for one in self.plain), len(self.plain)
        used = f"calibrated in {self.default} of {n}" if self.default else PLAIN
        return (name, f"{n:,}", f"{calls:,}", *windows, *nexts, used)


def lines() -> Iterator[str]:
    """The table, line by line: formats of each family, the family as a whole, and the sessions that are calibrated."""
    yield _line(HEAD)
    families, used = dict[str, Group](), Group()
    for (family, format), group in sorted(_groups(used).items()):
        families.setdefault(family, Group()).add(group)
        yield _line(group.cells(f"{family}, {format}"))
    for family, group in families.items():
        yield _line(group.cells(f"{family}, all"))
    if used.plain:
        yield _line(used.cells("all calibrated by default"))


def _line(cells: tuple[str, ...]) -> str:
    first, *rest = zip(cells, WIDTHS, strict=True)
    return f"{first[0]:<{first[1]}}" + "".join(f"  {cell:>{width}}" for cell, width in rest)


def _groups(used: Group) -> dict[tuple[str, str], Group]:
    """The sessions by family and format; `used` takes those that are calibrated by default."""
    found: dict[tuple[str, str], Group] = {}
    for session in _sessions():
        plain, calibrated = meter_error(session, PLAIN), meter_error(session, CALIBRATED)
        if plain:
            one = Group([plain], [calibrated] if calibrated else [], int(default_meter(session) == CALIBRATED))
            found.setdefault((_family(session), session.format), Group()).add(one)
            if one.default:
                used.add(one)
    return found


def _sessions() -> Iterator[Session]:
    """Every session and sub-agent with recorded usage, once: some files hold what another holds too."""
    known = set[tuple[tuple[str, int], ...]]()
    for session in _all():
        for window in agent_windows(session):
            calls = tuple((m.content, m.usage.prompt) for m in window.session.messages if m.usage)
            if calls and calls not in known:
                known.add(calls)
                yield window.session


def _all() -> Iterator[Session]:
    shared = os.environ.get("FOLDLINE_SHARED")
    for path in sorted((Path(shared) / "transcripts" if shared else SAMPLES).rglob("*")):
        try:
            yield from load_all(path) if path.is_file() else ()
        except FoldlineError:
            continue


def _family(session: Session) -> str:
    model = next((m.model for m in session.messages if m.usage and m.model), session.model)
    named = FAMILIES.search(model.lower())
    return named.group() if named else "other"


def _spread(errors: list[float]) -> str:
    """Median and ninth decile, in per cent; a dash where there are none."""
    if not errors:
        return "-"
    return f"{100 * median(errors):.1f} {100 * ninth_decile(tuple(errors)):7.1f} %"
