"""What a summary says the task is, and what was being done: the beginnings of its own sections with such a heading.

Agents ask their models for sections of these names (Claude Code "Primary Request and Intent" and "Current Work", pi and
opencode "Goal" and "In Progress", Gemini CLI `<overall_goal>`); a summary of another form gives neither.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.entities.texts import texts
from core.model.session import Message
from core.model.text import ELLIPSIS, unmarked
from core.origins.follow import ends_open, whole_sentences
from core.origins.sentences import claims_of

_GOALS = (
    "primary request and intent",
    "goal",
    "overall goal",
    "original task",
    "original request",
    "task context",
    "task overview",
    "task",
)
_WORKS = ("current work", "current task", "in progress", "current state", "current status")

_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?(?:\d{1,2}[.)][ \t]+)?[*<]{0,2}(?P<title>[A-Za-z][A-Za-z_ ]{2,40}?)"
    r"(?:[ \t]*(?P<mark>[:*>]{1,4})[ \t]*|[ \t]*$)(?P<rest>.*)"
)
_BULLET = r"(?:[-*+•]|\d{1,2}[.)]|[a-z][.)])[ \t]+"
_MARK = re.compile(rf"[ \t]*(?:{_BULLET})?(?:\[[ xX]\][ \t]*)?")  # of an item of a list
_ITEM = re.compile(rf"(?P<level>[ \t]*){_BULLET}\S")
_ENDS = re.compile(r"[ \t]*(?:</|#|```|\*\*[^*\n]{1,60}\*\*:?[ \t]*$)")  # what is not the section's own prose
_LONGEST = 220  # characters of a section's beginning


@dataclass(frozen=True)
class Gist:
    """The beginning of what a summary says of the task, and of the work at hand; "" where it has no such section.

    `points` is how many items the list has whose first one is the task; 0 where that is no list of several.
    """

    goal: str = ""
    work: str = ""
    points: int = 0


def gist(summary: Message) -> Gist:
    """What a summary says of the two, in its own words without marks, each to the end of a sentence where one ends in time."""
    lines = [line for text in texts(summary) for line in text.splitlines()]
    begins = {title: at for at in reversed(range(len(lines))) if (title := _title(lines[at]))}
    (goal, at), (work, _) = (_first(lines, begins, titles) for titles in (_GOALS, _WORKS))
    return Gist(goal, work, _points(lines, at) if goal else 0)


def opening(summary: Message) -> str:
    """The first sentences of a summary that are no boilerplate, for one that names no such section."""
    said = " ".join(one.text for text in texts(summary) for one in claims_of(text))
    return whole_sentences(unmarked(said), _LONGEST)


def _title(line: str) -> str:
    """The words of a heading in small letters; "" of another line."""
    found = _HEADING.fullmatch(line)
    if not found or (found["rest"] and not found["mark"]):
        return ""
    return found["title"].replace("_", " ").strip().lower()


def _first(lines: Sequence[str], begins: dict[str, int], titles: Sequence[str]) -> tuple[str, int]:
    """The beginning of the first section that has words, and the line of its heading."""
    found = (begins[title] for title in titles if title in begins)
    return next(((said, at) for at in found if (said := _beginning(lines, at))), ("", 0))


def _points(lines: Sequence[str], at: int) -> int:
    """How many items of the first one's level a section's list has; 0 where it begins with none, or with the only one."""
    items = list(takewhile(lambda line: not _ends(lines[at], line), lines[at + 1 :]))
    said = (line for line in items if line.strip() and (_ITEM.match(line) or not line.rstrip().endswith(":")))
    first = _ITEM.match(next(said, ""))
    same = [item for line in items if first and (item := _ITEM.match(line)) and item["level"] == first["level"]]
    return len(same) if len(same) > 1 else 0


def _ends(heading: str, line: str) -> bool:
    """Whether a line is behind the section of a heading: a heading itself, or no prose."""
    return bool(_ENDS.match(line)) or (heading[:1].isdigit() and line[:1].isdigit())


def _beginning(lines: Sequence[str], at: int) -> str:
    """What stands behind a heading: on its line, else the first line with words, and the next one where that introduces it.

    Words on the line of a Markdown heading that are no sentence are a title: what stands under them says more.
    """
    heading = _HEADING.fullmatch(lines[at])
    rest = heading["rest"].strip() if heading else ""
    titled = lines[at].lstrip().startswith("#") and not rest.endswith((".", "!", "?"))
    said = [rest] if rest and not titled else []
    for line in lines[at + 1 :]:
        if (said and not said[-1].endswith(":")) or _ends(lines[at], line):
            break
        if words := _MARK.sub("", line, count=1).strip():
            said.append(words)
    whole = unmarked(" ".join(said) or rest)
    cut = whole_sentences(whole, _LONGEST)
    return f"{cut.rstrip(' ,;:')} {ELLIPSIS}" if cut != whole and ends_open(cut) else cut.removesuffix(":")
