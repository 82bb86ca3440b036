"""The words of a message without the marks of Markdown, for a reader of one line: quoted, or told in short."""

import re
from collections.abc import Iterator

from core.model.text import unmarked

_PAUSES = (".", "!", "?", ":", ";", ",", "…", "。", "！", "？", "：")
_ITEM = re.compile(r"\s*(?:[-*+•–>]|\d{1,2}[.)])\s")
_HEADING = re.compile(r"\s*#{1,6}\s")
_NUMBER = re.compile(r"\s*(\d{1,2}[.)]\s)")
_FENCE = re.compile(r"\s*`{3,}[^`]*")


def told_words(text: str) -> str:
    """The paragraphs and items of a text, a dot between them where no sign parts them; headings only where nothing else is."""
    lines = [line.replace("`", "") for line in text.splitlines()]
    if not all(_HEADING.match(line) for line in lines if line.strip()):
        lines = ["" if _HEADING.match(line) else line for line in lines]
    return _joined(_blocks((_ITEM.match(line) is not None, _plain(line)) for line in lines))


def quoted_words(text: str) -> str:
    """The same of a text that is quoted: with headings, the numbers of lists and code; as it stands where it has no words."""
    return _joined(_blocks(_quoted_lines(text))) or text


def _quoted_lines(text: str) -> Iterator[tuple[bool, str]]:
    """The lines, each with whether it begins a block; of code, which goes on until its fence, as they stand."""
    code = False
    for line in text.splitlines():
        if _FENCE.fullmatch(line):
            code = not code
        elif code:
            yield False, line.strip()
        else:
            number = _NUMBER.match(line)
            words = _plain(line.replace("```", ""))
            yield bool(_ITEM.match(line) or _HEADING.match(line)), f"{number[1]}{words}" if number else words
            if _HEADING.match(line):
                yield True, ""


def _plain(line: str) -> str:
    """The words of a line; "" where it has no letter and no digit."""
    words = unmarked(unmarked(line))
    return words if any(map(str.isalnum, words)) else ""


def _blocks(lines: Iterator[tuple[bool, str]]) -> Iterator[str]:
    """The lines of one paragraph or item in one."""
    block = ""
    for begins, words in lines:
        if (begins or not words) and block:
            yield block
            block = ""
        if words:
            block = f"{block} {words}".strip()
    if block:
        yield block


def _joined(blocks: Iterator[str]) -> str:
    said = ""
    for block in blocks:
        said += f"{'' if not said else ' ' if said.endswith(_PAUSES) else ' · '}{block}"
    return said
