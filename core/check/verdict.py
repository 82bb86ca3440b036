"""What a check found: one rule on one session."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from core.model.session import Frozen

Status = Literal["passed", "failed", "known", "skipped"]


class Verdict(Frozen):
    """Whether one rule holds on one session.

    `amount` grows with how badly it is broken, and is 0 where nothing is; a baseline compares it. `known` is a rule that is
    broken, but no worse than in the baseline; `skipped` one that says nothing of this session. `text` is a sentence, `story`
    what else a person wants to know of a rule that is broken, line by line. `id` is the session's own, "" of a file that cannot
    be read and of all sessions together.
    """

    session: str
    rule: str
    status: Status
    text: str
    story: tuple[str, ...] = ()
    amount: float = 0
    id: str = ""


def failed(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Those that make a build fail."""
    return [found for found in verdicts if found.status == "failed"]


def counted(verdicts: Sequence[Verdict]) -> str:
    """How many checks hold or failed, in words: a rule that says nothing of a session is no check of it."""
    found = Counter(one.status for one in verdicts)
    judged = len(verdicts) - found["skipped"]
    rest = [f"{found['known']:,} broken as in the baseline"] * bool(found["known"])
    rest += [f"{found['skipped']:,} skipped"] * bool(found["skipped"])
    if found["failed"]:
        return ", ".join((f"{found['failed']:,} of {_checks(judged)} failed", *rest))
    whole = "all " * (found["passed"] == judged > 1)
    held = f"{whole}{_checks(found['passed'])}" if found["passed"] else "no check"
    return ", ".join((f"{held} {'hold' if found['passed'] > 1 else 'holds'}", *rest))


def _checks(count: int) -> str:
    return f"{count:,} check{'s' * (count != 1)}"
