"""What a check found: one rule on one session."""

from collections.abc import Iterable
from typing import Literal

from core.model.session import Frozen

Status = Literal["passed", "failed", "known", "skipped"]


class Verdict(Frozen):
    """Whether one rule holds on one session.

    `amount` grows with how badly it is broken, and is 0 where nothing is; a baseline compares it. `known` is a rule that is
    broken, but no worse than in the baseline; `skipped` one that says nothing of this session. `text` is a sentence, `story`
    what else a person wants to know of a rule that is broken, line by line.
    """

    session: str
    rule: str
    status: Status
    text: str
    story: tuple[str, ...] = ()
    amount: float = 0


def failed(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Those that make a build fail."""
    return [found for found in verdicts if found.status == "failed"]
