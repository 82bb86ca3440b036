"""Short plain text: cleaned of markup, cut at word ends, split into sentences."""

import re
from collections.abc import Iterable, Iterator

ELLIPSIS = "…"
_HARNESS = re.compile(
    r"<(system-reminder|bash-stdout|bash-stderr|bash-input|local-command-[a-z]+|task-notification|command-message)>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>(?:.*?<command-args>(.*?)</command-args>)?", re.DOTALL)
_BARE = re.compile(r"/[\w:.-]+")
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,40}(?: [^<>\n]{0,80})?/?>")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LINK = re.compile(r"!?\[([^\]]{1,100})\]\([^)\s]{1,300}\)")
_BOLD = re.compile(r"\*\*(\S(?:[^*]*[^\s*])?)\*\*")
_CODE = re.compile(r"`([^`]+)`")
_LEAD = re.compile(r"^(?:[#>*+•\-–]+|\d{1,2}[.)])\s+")
_ABBREVIATED = re.compile(
    r"\b(?:(?P<leads>e\.g|i\.e|z\.B|d\.h|bzw|ca|vs|cf|approx|fig|Mr|Mrs|Ms|Dr|St)|etc|usw|no|[A-Z])\.$"
)
_LONGEST = 12  # characters around the full stop of an abbreviation
_ENDS = ((". ", ".\n"), ("! ", "!\n"), ("? ", "?\n"), ("。", "。\n"), ("！", "！\n"), ("？", "？\n"))


def scanned_part(text: str) -> str:
    """The first 4,000 and the last 2,000 characters of a text, which are enough to look at."""
    return text if len(text) <= 6000 else f"{text[:4000]}\n{text[-2000:]}"


def command_as_typed(text: str) -> str:
    """A slash command as it was typed, out of the tags that Claude Code records it in; "" for any other text."""
    found = _COMMAND.search(text) if "<command-name>" in text else None
    return " ".join(part.strip() for part in found.groups() if part and part.strip()) if found else ""


def is_bare_command(text: str) -> bool:
    """Whether a text is a slash command with nothing behind it, which asks for nothing by itself."""
    return _BARE.fullmatch(text.strip()) is not None


def clean(text: str) -> str:
    """The text on one line, without control characters, bold marks and list marks in front."""
    if not text.isprintable():
        text = " ".join(_CONTROL.sub("", text).split())
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    return _LEAD.sub("", text.strip().replace("**", "").replace("→", "->"))


def unmarked(line: str) -> str:
    """A line without the marks of Markdown: of a heading or a list in front, around bold words and code, and of links."""
    plain = _LEAD.sub("", " ".join(_CONTROL.sub("", line).split()))
    return _CODE.sub(r"\1", _BOLD.sub(r"\1", _LINK.sub(r"\1", plain))).strip()


def leads_on(line: str) -> bool:
    """Whether a line only leads to what follows: it ends in a colon."""
    return line.endswith((":", "\N{FULLWIDTH COLON}"))


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 message", "2,000 messages"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def prose(text: str) -> str:
    """The text without fenced code, tables, tags and what a harness added."""
    if "<" in text:
        text = _TAG.sub("", _HARNESS.sub("", text))
    if "```" in text:
        text = "\n".join(text.split("```")[::2])
    return text if "|" not in text else "\n".join(x for x in text.split("\n") if not x.lstrip().startswith("|"))


def cut(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut at the end of a word and marked with …"""
    if len(text) <= limit:
        return text
    if limit < 2:
        return ""
    short = text[: limit - 1]
    space = short.rfind(" ")
    if space > limit // 2 and text[limit - 1] != " ":
        short = short[:space]
    return short.rstrip(" ,;:.-–—([`\"'…") + ELLIPSIS


def is_abbreviated(text: str, start: int, end: int) -> bool:
    """Whether a part of a text ends with an abbreviation."""
    return text.endswith(".", start, end) and _ABBREVIATED.search(text[max(start, end - _LONGEST) : end]) is not None


def goes_on(before: str, behind: str) -> bool:
    """Whether a sentence goes on behind its full stop: behind "e.g." in any case, behind "etc." in lower case.

    For the browser viewer/frontend/run/beginning.js says the same.
    """
    found = _ABBREVIATED.search(before[-_LONGEST:]) if before.endswith(".") else None
    return found is not None and (bool(found["leads"]) or behind[:1].islower())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, cleaned; a line end ends one too. Headings are skipped, except at the start."""
    first = True
    for part in _joined(_parts(text)):
        if part and (first or not part.lstrip().startswith("#")) and (sentence := clean(part)):
            first = False
            yield sentence


def _parts(text: str) -> list[str]:
    for end, broken in _ENDS if not text.isascii() else _ENDS[:3]:
        text = text.replace(end, broken)
    return text.split("\n")


def _joined(parts: Iterable[str]) -> Iterator[str]:
    """The parts of a text, those that an abbreviation alone parts in one."""
    held = ""
    for part in parts:
        if held and goes_on(held, part):
            held = f"{held} {part}"
            continue
        if held:
            yield held
        held = part
    yield held


def brief(text: str, limit: int) -> str:
    """As many whole sentences of a text on one line as fit into `limit` characters, or the text cut."""
    if len(text) <= limit:
        return text
    end = limit
    while (end := max(text.rfind(mark, 0, end) for mark in (". ", "! ", "? ", "。"))) > limit // 3:
        if not goes_on(text[: end + 1], text[end + 2 : end + 3]):
            return text[: end + 1]
    return cut(text, limit)


def join_sentences(before: str, sentence: str) -> str:
    """Two sentences in a row, with a full stop between them where the first has no end of its own."""
    if not before:
        return sentence
    return f"{before} {sentence}" if before[-1] in ".!?:;,。！？：…)" else f"{before}. {sentence}"


def first_sentences(text: str, limit: int) -> str:
    """The first sentences that fit into `limit` characters; the first one, cut, where none fits."""
    taken = ""
    for sentence in sentences(text):
        longer = join_sentences(taken, sentence)
        if len(longer) > limit:
            return taken if len(taken) > limit // 3 else cut(longer, limit)
        taken = longer
    return taken


def sentence_key(text: str) -> str:
    """The first 48 letters and digits of a sentence, without case: equal for two spellings of the same sentence."""
    return "".join(filter(str.isalnum, text[:90])).casefold()[:48]
