"""A finding: one thing about a compaction, or a model call, that is worth attention, with its evidence."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from core.model.session import Frozen
from core.model.text import clean, cut

Severity = Literal["error", "warning", "info"]
Concern = Literal["lost", "summary", "record", "structure", "cost"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
CONCERNS: tuple[Concern, ...] = ("lost", "summary", "record", "structure", "cost")


class Finding(Frozen):
    """One thing worth attention: its severity, a title, a text of a sentence or two, and the messages and numbers behind it.

    A line of the text that begins with "•" is one of a list.

    An `error` breaks the run: every API rejects the window, or information is replaced by nothing. A `warning` costs
    something: tokens, calls, something the user asked for; or some APIs reject the window; or what is shown is not what was
    sent. An `info` may be intentional.

    `subject` is the text it is about, as a message or a summary says it, where Why can tell where that text went; else "".

    `concern` is what it is about, in the order in which a person asks: what the model `lost` of what it was told, knew or
    did; a `summary` that failed or is in doubt; what the `record` does not show of the window that was sent; its `structure`;
    the `cost` of compacting.
    """

    kind: str
    concern: Concern
    severity: Severity
    title: str
    text: str
    messages: tuple[str, ...] = ()
    numbers: dict[str, int] = Field(default_factory=dict)
    subject: str = ""


def worst_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by concern, what was lost first, of it what the user said and was needed; then by severity."""
    return tuple(sorted(found, key=weight))


def weight(finding: Finding) -> tuple[int, bool, int]:
    """What findings are sorted by, the worst least: its concern, whether nothing needed it later, its severity."""
    return CONCERNS.index(finding.concern), "needed_at" not in finding.numbers, SEVERITIES.index(finding.severity)


def quoted(text: str) -> str:
    """The beginning of a text, 90 characters at most, on one line in quotation marks."""
    return f"“{cut(clean(text[:300]), 90)}”"


def in_lines(parts: Iterable[str]) -> str:
    """Parts of a text as a list, each on a line of its own, with the line ends around it."""
    return "".join(f"\n• {part}" for part in parts) + "\n"


def listed(names: Sequence[str]) -> str:
    """The names in a sentence: at most three, and how many more there are."""
    short = [cut(clean(name), 40) for name in names[:3]]
    if len(names) > 3:
        return f"{', '.join(short)} and {len(names) - 3:,} more"
    return " and ".join(filter(None, (", ".join(short[:-1]), short[-1])))
