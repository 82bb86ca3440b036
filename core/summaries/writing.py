"""A ledger written down within a limit of characters: a section for each thing it keeps, each line with its source."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Protocol

from core.model.text import ELLIPSIS
from core.summaries.cues import LABEL, STRONG
from core.summaries.ledger import Ledger
from core.summaries.quotes import NOTHING, Quote


class Section(NamedTuple):
    """How a section is headed, the most characters it takes, and its weight where there is too little room for all."""

    heading: str
    most: int
    weight: int


SECTIONS = {
    "task": Section("Task", 500, 400),
    "rules": Section("Constraints", 1700, 1150),
    "told": Section("Told by the user", 900, 640),
    "decisions": Section("Decided", 440, 400),
    "found": Section("Found", 300, 280),
    "requests": Section("Asked since", 700, 260),
    "files": Section("Files", 420, 400),
    "commands": Section("Commands", 340, 320),
    "results": Section("Results so far", 320, 300),
    "searches": Section("Searched for", 140, 130),
    "looks": Section("Looked with", 90, 90),
    "error": Section("Last error", 260, 240),
    "standing": Section("Last said", 290, 280),
    "next": Section("Next", 230, 220),
    "waiting": Section("Waiting for", 100, 100),
    "earlier": Section("Earlier summary", 500, 440),
}
STATEMENTS = ("rules", "told", "decisions", "found")
_RANK = ("task", "rules", "told", "decisions", "error", "standing", "results", "next", "waiting", "requests", "files", "found",
         "commands", "earlier", "searches", "looks")  # fmt: skip
"""The last of these go first when room is short."""

_FIRST_KIND: dict[str, Callable[[str], object]] = {"rules": STRONG.search, "told": LABEL.match}
_ONE_LINE, _REQUESTS, _LINE = 40, 12, 60
_TELLING = re.compile(
    r"\b(?:test|tests|pytest|build|lint|check|commit|push|install|deploy|migrate|tsc|mypy|ruff|make)\b"
)


@lru_cache(maxsize=1 << 12)
def _tells(command: str) -> bool:
    """Whether a command is of a kind whose runs are worth knowing, whatever came of them."""
    return bool(_TELLING.search(command))


class Item(Protocol):
    """What a line of a section is made from."""

    def fit(self, room: int) -> str:
        """The line in at most `room` characters, "" where it says nothing any more."""
        ...


def write(ledger: Ledger, limit: int) -> str:
    """The summary in at most `limit` characters: sections that have content, each cut to its share of the room."""
    named = ((name, section.most) for name, section in SECTIONS.items() if getattr(ledger, name))
    whole = {name: text for name, most in named if (text := _section(ledger, name, most))}
    room = _shares({name: len(text) for name, text in whole.items()}, limit)
    fitted = [whole[n] if room[n] >= len(whole[n]) else _section(ledger, n, room[n]) for n in SECTIONS if n in room]
    return "\n".join(part for part in fitted if part)


def _shares(needs: Mapping[str, int], limit: int) -> dict[str, int]:
    """How much room each section gets: what it needs, or a share by weight of what the others leave."""
    names = [name for name in _RANK if name in needs]
    while len(names) > 1 and sum(min(needs[n], _LINE) + 1 for n in names) > limit:
        names.pop()
    if sum(needs[n] + 1 for n in names) <= limit + 1:
        return {n: needs[n] for n in names}
    left, open_names, room = limit - len(names), list(names), dict[str, int]()
    while open_names:
        weight = sum(SECTIONS[n].weight for n in open_names)
        fits = [n for n in open_names if needs[n] <= left * SECTIONS[n].weight // weight]
        if not fits:
            return room | {n: left * SECTIONS[n].weight // weight for n in open_names}
        for name in fits:
            room[name] = needs[name]
            left -= needs[name]
            open_names.remove(name)
    return room


def _section(ledger: Ledger, name: str, room: int) -> str:
    heading = SECTIONS[name].heading
    space = room - len(heading) - 2
    if space < 12:
        return ""
    if name in STATEMENTS:
        return _statements(ledger, name, space)
    if name == "requests":
        return _requests(ledger, space)
    if name == "commands":
        return _commands(ledger, space)
    if name == "files":
        return _files(ledger, space)
    text = _line(ledger, name, space)
    return f"{heading}: {text}" if text else ""


def _statements(ledger: Ledger, name: str, space: int) -> str:
    """What was stated: what forbids or is marked to be kept has the first claim to room, then the first three, then the newest.

    A rule is rather left out than cut: its end may be what it turns on.
    """
    items: list[Quote] = list(getattr(ledger, name).values())
    order = _both_ends(len(items))
    if name in _FIRST_KIND and len(items) > 1:
        order = sorted(order, key=lambda i: not _FIRST_KIND[name](items[i].text))
    return _listed(ledger, name, items, space, order, each=420, cuts=name in ("decisions", "found"))


def _requests(ledger: Ledger, space: int) -> str:
    newest = list(ledger.requests.values())[-_REQUESTS:]
    older = len(ledger.requests) - len(newest)
    return _listed(ledger, "requests", newest, space, range(len(newest) - 1, -1, -1), each=320, hidden=older)


def _commands(ledger: Ledger, space: int) -> str:
    """The commands: those of which something is known last, as the last ones are the last to be left out."""
    plain, telling = list[Quote](), list[Quote]()
    for command, of in ledger.commands.items():
        if note := of.note():
            telling.append(Quote(f"{command} ({note})", of.source))
        else:
            (telling if _tells(command) else plain).append(Quote(command, of.source))
    items = [*plain, *telling]
    return _listed(ledger, "commands", items, space, range(len(items) - 1, -1, -1), each=180)


def _line(ledger: Ledger, name: str, space: int) -> str:
    """A section of one line."""
    if name == "task":
        return ledger.task.fit(space)
    if name == "results":
        return _inline((Quote(f"{k} = {v.text}", v.source) for k, v in reversed(ledger.results.items())), space)
    if name == "error":
        return (ledger.error if ledger.error.text else next(iter([*ledger.slips.values()][-1:]), NOTHING)).fit(space)
    if name in ("searches", "looks", "waiting"):
        return _gathered(ledger, name, space)
    told: Quote = getattr(ledger, name)
    return told.fit(space)


def _gathered(ledger: Ledger, name: str, space: int) -> str:
    """A section whose line comes from many messages: behind it the first and the last of them."""
    if name == "waiting":
        waiting = Counter(call.targets[0] for call, _ in ledger.waiting.values() if call.targets)
        sources = [source for call, source in ledger.waiting.values() if call.targets]
        items: Iterable[str] = (target if n == 1 else f"{target} {n}×" for target, n in reversed(waiting.items()))
        mark = Quote("", sources[-1]).mark if sources else ""
    else:
        busy = name == "looks" and (ledger.commands or ledger.files or ledger.results)
        names: dict[str, None] = {} if busy else getattr(ledger, name)
        items = (f"“{one}”" if name == "searches" else one for one in reversed(names))
        mark = _span(ledger, name)
    text = _inline(map(Quote, items), space - len(mark), ", " if name == "searches" else "; ")
    return text + mark if text else ""


def _span(ledger: Ledger, name: str) -> str:
    return Quote("", ledger.spans[name].source).mark if name in ledger.spans else ""


def _inline(newest: Iterable[Item], space: int, joint: str = "; ") -> str:
    """The newest items that fit, in order of time; … in front where older ones were left out. They come newest first."""
    taken, size = list[str](), 0
    for item in newest:
        text = item.fit(10_000)
        if taken and size + len(text) > space - 2 - len(joint):
            return f"{ELLIPSIS} {joint.join(reversed(taken))}"
        taken.append(text if len(text) <= space else item.fit(space))
        size += len(taken[-1]) + len(joint)
    return joint.join(reversed([text for text in taken if text]))


def _listed(
    ledger: Ledger,
    name: str,
    items: Sequence[Item],
    space: int,
    order: Iterable[int],
    *,
    each: int,
    hidden: int = 0,
    cuts: bool = True,
) -> str:
    """A heading with one item, or with a line for each; the last line says how many more there were."""
    heading = SECTIONS[name].heading
    if not items:
        return ""
    if len(items) == 1 and not hidden and name not in ledger.more:
        text = items[0].fit(space)
        return f"{heading}: {text}" if text else ""
    shown = _shown(items, space - 16, each, order, cuts)
    if not shown:
        return ""
    rest = _rest(ledger, name, hidden + len(items) - len(shown))
    if len(shown) == 1:
        return f"{heading}: {next(iter(shown.values()))} ({rest})"
    lines = [f"- {shown[i]}" for i in sorted(shown)]
    return "\n".join([f"{heading}:", *lines, *([f"- {rest}"] if rest else [])])


def _shown(items: Sequence[Item], room: int, each: int, order: Iterable[int], cuts: bool) -> dict[int, str]:
    """The items that fit, taken in this order, by their place."""
    shown: dict[int, str] = {}
    for index in order:
        whole = items[index].fit(each)
        text = whole if room - 3 >= each else items[index].fit(room - 3) if not shown or room > _ONE_LINE else ""
        if not text or (shown and text != whole and (not cuts or len(text) < _ONE_LINE)):
            if cuts:
                break
            continue  # a shorter one may fit
        shown[index] = text
        room -= len(text) + 3
    return shown


def _rest(ledger: Ledger, name: str, dropped: int) -> str:
    """How many are left out: exact the first time, then about, as one left out before may have come again."""
    gone, about = ledger.more.get(name, (0, False))
    sign = "~" if about or (gone and dropped) else ""
    return f"{ELLIPSIS} and {sign}{gone + dropped:,} more" if gone + dropped else ""


def _both_ends(size: int) -> list[int]:
    """The first three, then from the newest backward: what was agreed first must not be crowded out."""
    return [*range(min(3, size)), *range(size - 1, 2, -1)]


def _files(ledger: Ledger, space: int) -> str:
    """The files: edited ones first, the newest first, under the folder they share."""
    if not ledger.files:
        return ""
    folder, mark = shared_folder(list(ledger.files)), _span(ledger, "files")
    heading = f"Files (under {folder})" if folder else "Files"
    newest = list(reversed(ledger.files.items()))
    taken, left = list[str](), space - len(heading) - 10 - len(mark)
    for path, touched in chain((f for f in newest if f[1].edited), (f for f in newest if not f[1].edited)):
        text = f"{path.removeprefix(folder)} ({touched.note()})"
        if len(text) + 2 > left:
            break
        taken.append(text)
        left -= len(text) + 2
    rest = _rest(ledger, "files", len(newest) - len(taken))
    return f"{heading}: {', '.join([*taken, *([rest] if rest else [])])}{mark}" if taken else ""


def shared_folder(paths: list[str]) -> str:
    """The folder, with its slash, that most paths lie under, where naming it once saves room; else "".

    Paths elsewhere are then written in full, which only tells them apart if they are absolute.
    """
    named = Counter(map(_top, paths))
    if not named or "" in named:
        return ""
    most = named.most_common(1)[0][0]
    inside = [path for path in paths if path.startswith(most)] if len(named) > 1 else paths
    low, high = min(inside), max(inside)
    size = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    folder = low[: max(low.rfind("/", 0, size), low.rfind("\\", 0, size)) + 1]
    return folder if len(inside) > 1 and len(folder) > 8 else ""


@lru_cache(maxsize=1 << 12)
def _top(path: str) -> str:
    """The first folder of an absolute path; "" of any other."""
    found = TOP.match(path)
    return found[0] if found else ""


TOP = re.compile(r"(?:/|[A-Za-z]:[/\\]|~/)[^/\\]*[/\\]?")
"""The first folder of an absolute path."""
