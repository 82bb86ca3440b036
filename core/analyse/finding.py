"""The noun: one thing about a compaction that is worth a person's attention, with what it rests on."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from core.model import Frozen
from core.text import clean, cut

Severity = Literal["error", "warning", "info"]
_ORDER = ("error", "warning", "info")


class Finding(Frozen):
    """One thing worth attention: how bad, in a few words and in a sentence or two, the ids and numbers it rests on.

    An `error` breaks the run: every API refuses the window, or what was known is replaced by nothing. A `warning` costs
    something: tokens, calls, something asked for; or some APIs refuse the window. `info` is good to know and may be meant.
    """

    kind: str
    severity: Severity
    title: str
    text: str
    messages: tuple[str, ...] = ()
    numbers: dict[str, int] = Field(default_factory=dict)


def worst_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings with errors first and what is only good to know last; else in the order they came."""
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))


def quoted(text: str) -> str:
    """The beginning of a text on one line, in quotation marks."""
    return f"“{cut(clean(text[:300]), 90)}”"


def listed(names: Sequence[str]) -> str:
    """The names in a sentence, three at most and how many more there are."""
    short = [cut(clean(name), 40) for name in names[:3]]
    if len(names) > 3:
        return f"{', '.join(short)} and {len(names) - 3:,} more"
    return " and ".join(filter(None, (", ".join(short[:-1]), short[-1])))


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 message", "2,000 messages"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
