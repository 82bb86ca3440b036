"""A summary read back into the ledger it was written from, as far as it says; also one written before ids were cited."""

import re
from functools import lru_cache

from core.model.text import ELLIPSIS, clean, cut, sentence_key
from core.summaries.ledger import SETTLED, Ledger, Ran, Touched
from core.summaries.quotes import NOTHING, Quote, parse_exchange, parse_quote, parse_span
from core.summaries.statements import statement_key
from core.summaries.writing import SECTIONS, STATEMENTS, TOP

_SECTIONS = {section.heading: name for name, section in SECTIONS.items()}
_HEADING = re.compile(rf"({'|'.join(map(re.escape, _SECTIONS))})(?: \(under ([^\n]*?)\))?:(?: (.*))?$")
_MORE = re.compile(rf"{ELLIPSIS} and (~?)([\d,]{{1,12}}) more$")
_ONE_OF = re.compile(rf"(.*) \(({ELLIPSIS} and ~?[\d,]{{1,12}} more)\)$")
_FILE = re.compile(r"(?:^|, )(.+?) \(((?:edited|read)[^()]*)\)")
_TIMES = re.compile(r"(edited|read)(?: (\d+)×)?")
_RAN = re.compile(r"(?:(\d+)×(?:: |$))?(?:(.+?); then )?(.*)$")
_NOTE = re.compile(r"^(.*?)(?: \(([^()]*(?:failed|passed|passing|failing|error|errors|×|failure|failures)[^()]*)\))?$")
_FROM = re.compile(r"\(from `([^`]*)`\)$")
# Of what is read back most stood in the summary before it as well.
_statement_key = lru_cache(maxsize=1024)(statement_key)
_sentence_key = lru_cache(maxsize=1024)(sentence_key)
_EMPTY = re.compile(r"[\d,]+ messages, none of which states a task, a result or a decision\.$")


def nothing_told(count: int) -> str:
    """What a summary says where the messages say nothing it could repeat."""
    return f"{count} messages, none of which states a task, a result or a decision."


def read(text: str) -> Ledger:
    """The ledger that an earlier summary was written from, as far as it says; text not ours is kept as prose."""
    items, folder = _items(text)
    if not items:
        said = cut(clean(re.sub(r"^\[[^\]\n]*\]\s*", "", text)), 480)
        return Ledger(earlier=Quote("" if _EMPTY.match(said) else said))
    ledger = Ledger()
    _read_statements(ledger, items)
    _read_exchanges(ledger, items)
    _read_work(ledger, items, folder)
    for name in ("error", "standing", "next", "earlier"):
        setattr(ledger, name, parse_quote(" ".join(items.get(name, ()))))
    _forget_what_is_open(ledger)
    ledger.resume(open=not ledger.standing.text or "waiting" in items)
    return ledger


def _items(text: str) -> tuple[dict[str, list[str]], str]:
    """The items of each section, and the folder that the files are under."""
    items: dict[str, list[str]] = {}
    folder, current = "", None
    for line in text.split("\n"):
        if line.startswith("- "):
            if current is not None:
                current.append(line[2:])
        elif found := _HEADING.match(line):
            current = items.setdefault(_SECTIONS[found[1]], [])
            folder = found[2] or folder
            first = found[3] or ""
            one = _ONE_OF.match(first) if first.endswith(" more)") else None
            current += one.groups() if one else (first,) if first else ()
    return {name: found for name, found in items.items() if found}, folder


def _read_statements(ledger: Ledger, items: dict[str, list[str]]) -> None:
    for name in STATEMENTS:
        kept = [parse_quote(item) for item in items.get(name, ()) if not _counted(ledger, name, item)]
        key = _statement_key if name in ("rules", "told") else _sentence_key
        setattr(ledger, name, {key(one.text): one for one in kept})


def _read_exchanges(ledger: Ledger, items: dict[str, list[str]]) -> None:
    ledger.task = parse_exchange(" ".join(items.get("task", ())))
    for item in items.get("requests", ()):
        if not _counted(ledger, "requests", item):
            asked = parse_exchange(item)
            ledger.requests[_sentence_key(asked.ask.text)] = asked


def _counted(ledger: Ledger, name: str, item: str) -> bool:
    """Whether an item is the line "… and 5 more"; if so, its number is kept."""
    found = _MORE.match(item)
    if found and (number := found[2].replace(",", "")):
        ledger.more[name] = (int(number), bool(found[1]))
    return bool(found)


def _read_work(ledger: Ledger, items: dict[str, list[str]], folder: str) -> None:
    """Files, commands, results and searches."""
    for text in _gathered(ledger, items, "files"):
        for path, note in reversed(_FILE.findall(text)):
            whole = path if TOP.match(path) else folder + path
            ledger.files[whole] = _touched(note)
        _counted(ledger, "files", text[max(0, text.rfind(f"{ELLIPSIS} and ")) :])
    for item in items.get("commands", ()):
        if not _counted(ledger, "commands", item):
            _read_command(ledger, parse_quote(item))
    for line in items.get("results", ()):
        for one in map(parse_quote, line.removeprefix(f"{ELLIPSIS} ").split("; ")):
            name, _, value = one.text.rpartition(" = ")
            if name:
                ledger.results[name] = Quote(value, one.source)
    for text in _gathered(ledger, items, "searches"):
        ledger.searches.update(dict.fromkeys(re.findall(r"“([^”]*)”", text)))
    for text in _gathered(ledger, items, "looks"):
        ledger.looks.update(dict.fromkeys(text.removeprefix(f"{ELLIPSIS} ").split("; ")))


def _gathered(ledger: Ledger, items: dict[str, list[str]], name: str) -> list[str]:
    """The lines of a section without the messages they come from, which are kept."""
    found = [parse_quote(line) for line in items.get(name, ())]
    for one in found:
        if one.source:
            ledger.spans[name] = parse_span(one.source)
    return [one.text for one in found]


def _read_command(ledger: Ledger, item: Quote) -> None:
    if known := _command(item.text):
        command, times, first, last = known
        ledger.commands[command] = Ran(times, first, last, item.source)


@lru_cache(maxsize=1024)
def _command(text: str) -> tuple[str, int, str, str] | None:
    """A command, how often it ran, and how that went the first and the last time."""
    parts = _NOTE.match(text)
    if not parts:
        return None
    found = _RAN.match(parts[2] or "")
    times, first, last = found.groups() if found else (None, None, parts[2])
    return parts[1], int(times or 1), first or last or "ok", last or "ok"


@lru_cache(maxsize=1024)
def _touched(note: str) -> Touched:
    """How often a file was edited and read."""
    return Touched(**{verb: int(n or 1) for verb, n in _TIMES.findall(note)})


def _forget_what_is_open(ledger: Ledger) -> None:
    """A settled error is stale; and what stands or comes next is not known where no message says it."""
    failed = None if ledger.error.text.startswith(SETTLED) else _FROM.search(ledger.error.text)
    ledger.failing, ledger.error = (failed[1], ledger.error) if failed else ("", NOTHING)
    for name in ("standing", "next"):
        if not getattr(ledger, name).source:
            setattr(ledger, name, NOTHING)
