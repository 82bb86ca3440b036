"""The sentences of a summary: of prose, lists and tables in Markdown, and of structural summaries. Headings are none."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.entities.denials import denies
from core.model.text import is_abbreviated
from core.origins.terms import UNSPACED

LONGEST = 1500  # characters: a longer stretch without an end is cut


class Sentence(NamedTuple):
    """Where a sentence stands in the summary, and its text there, as written."""

    start: int
    end: int
    text: str


_LINE = re.compile(r"[^\n]+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_MARKER = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•–]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+(?:\[[ xX]\]\s+)?)*")
_HEADING = re.compile(r"\s*#{1,6}\s")
_RULE = re.compile(r"[\s|:=*_+-]+$")
_TAG = re.compile(r"\s*</?[A-Za-z][\w:-]{0,40}(?: [^<>]{0,80})?/?>\s*")
_LABEL = re.compile(r"[^.!?。！？]{0,120}[:：]\s*[*_]*\s*$")
_BOLD = re.compile(r"\s*(\*\*|__)[^*_]{1,120}\1\s*$")
_TITLE = re.compile(r"\s*(?:\d{1,2}[.)]\s+)?[^\W\d_a-z][^\W_]*(?:[ /&'-]{1,3}[^\W_]+){0,3}\s*$")
_OVER_LIST = re.compile(r"[^\S\n]*\n\s*[-*+•–]\s")
_COMMAND = re.compile(
    r"(?:always|ask|avoid|do|ensure|keep|leave|make|must|only|please|prefer|respect|stay|stop|use|wait|write)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"…? ?(?:and )?~?[\d,]{1,12} more\.?$")
_END = re.compile(r"(?<=[.!?])[\"')\]*_`”’]*\s+(?=[\"'(\[*_`“‘«]*[^\Wa-z_])|(?<=[。！？])[」』”’）]*\s*")
_NUMBERED = re.compile(r"\W*\d{1,3}\.")
_NOTHING = re.compile(r"\W*(?:none|n/?a|nothing|nil|empty|not applicable|-)\W*$", re.IGNORECASE)
_BOILERPLATE = re.compile(
    r"\[[^\]\n]{0,80}(?:summary|earlier messages)[^\]\n]{0,80}\]$"
    r"|this session is being continued from a previous conversation"
    r"|the summary below covers the earlier portion"
    r"|the conversation (?:history )?(?:before this point )?(?:was|has been|is) (?:compacted|summari[sz]ed)"
    r"|(?:here is|this is|below is) (?:a|the) (?:\w+ )?summary\b"
    r"|please continue the conversation from where"
    r"|continue (?:the conversation|with the last task) (?:from where|that you)"
    r"|recent messages are preserved verbatim"
    r"|resume directly\b[^.]{0,80}do not acknowledge the summary"
    r"|if you need specific details from before compaction"
    r"|let me (?:chronologically )?(?:analy[sz]e|summari[sz]e|review|go through) (?:the|this|our) conversation"
    r"|(?:analysis|summary|context checkpoint)\b[^.]{0,40}:?$",
    re.IGNORECASE,
)


def sentences_of(text: str) -> list[Sentence]:
    """The sentences of a text in order, each list line or row of a table at least one, a block of code one."""
    return [one for one in _units(text) if _says(one.text)]


def claims_of(summary: str) -> list[Sentence]:
    """The sentences of a summary that have a source: not the few words over a list ("In progress") that are its title."""
    return [one for one in sentences_of(summary) if not _is_title(summary, one)]


def _is_title(text: str, one: Sentence) -> bool:
    """Whether a sentence is the title of the list below it. What denies or commands something is none, over a list or not."""
    line = text[text.rfind("\n", 0, one.start) + 1 : one.end]
    if not _TITLE.match(line) or not _OVER_LIST.match(text, one.end):
        return False
    readable = one.text[0].isupper() and not UNSPACED.search(line)  # in which a denial or a command is known
    return readable and not denies(line) and not _COMMAND.match(one.text)


def _units(text: str) -> Iterator[Sentence]:
    lines, k = list(_LINE.finditer(text)), 0
    while k < len(lines):
        if _FENCE.match(lines[k][0]):
            end = next((i for i in range(k + 1, len(lines)) if _FENCE.match(lines[i][0])), len(lines))
            if end > k + 1:
                yield _cut(text, lines[k + 1].start(), lines[end - 1].end())
            k = end + 1
            continue
        if not _is_heading(lines[k][0], lines[k + 1][0] if k + 1 < len(lines) else ""):
            yield from _of_line(text, lines[k])
        k += 1


def _is_heading(line: str, below: str) -> bool:
    """Whether a line claims nothing: a heading of Markdown, or the head of a table."""
    return _HEADING.match(line) is not None or ("|" in line and _is_rule(below))


def _is_rule(line: str) -> bool:
    return "-" in line and _RULE.match(line) is not None


def _of_line(text: str, line: re.Match[str]) -> Iterator[Sentence]:
    start, end = line.end() if _RULE.match(line[0]) else line.start(), line.end()
    while start < end and (tag := _TAG.match(text, start, end)) and tag.end() > start:
        start = tag.end()
    start += len(found[0]) if (found := _MARKER.match(text[start:end])) else 0
    whole = text[start:end]
    if not whole.strip() or _LABEL.match(whole) or _BOLD.match(whole) or _MORE.match(whole.strip()):
        return
    if whole.lstrip().startswith("|"):
        yield _cut(text, start, end)
        return
    first = start
    for stop in _END.finditer(text, start, end):
        leads_on = is_abbreviated(text, first, stop.start()) or _NUMBERED.fullmatch(text, first, stop.start())
        if not leads_on and stop.end() < end:
            yield _cut(text, first, stop.end())
            first = stop.end()
    yield _cut(text, first, end)


def _cut(text: str, start: int, end: int) -> Sentence:
    """The stretch without white space around it, and not longer than can be compared."""
    end = min(end, start + LONGEST)
    whole = text[start:end]
    start += len(whole) - len(whole.lstrip())
    return Sentence(start, start + len(whole.strip()), whole.strip())


def _says(text: str) -> bool:
    """Whether there is anything to compare: letters or digits that are no heading, no label and no frame."""
    if not any(map(str.isalnum, text)) or _NOTHING.match(text):
        return False
    return not _BOILERPLATE.match(text.lstrip("*_# "))
