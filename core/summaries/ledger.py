"""What a summary keeps account of, message after message, and how it is written down and read back.

A ledger is read from the text of the summary before it, takes the facts of what is folded now, and writes the next
summary within a limit. So summaries of summaries stay bounded, and what was said first is still there after many.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.model.text import ELLIPSIS, brief, clean, cut, sentence_key
from core.summaries.actions import Call
from core.summaries.facts import Facts
from core.summaries.outcomes import Outcome

_SENTENCES = ("rules", "decisions", "found")
ARROW, SETTLED = " → ", "passes again: "  # in front: cut short, a settled error must not look like an open one


@dataclass
class Touched:
    """How often a file was edited and read."""

    edited: int = 0
    read: int = 0

    def note(self) -> str:
        """In words: "edited 3×, read"."""
        pairs = (("edited", self.edited), ("read", self.read))
        return ", ".join(word if times == 1 else f"{word} {times}×" for word, times in pairs if times)


@dataclass
class Ran:
    """How often a command ran and how that went, the first and the last time."""

    times: int = 0
    first: str = ""
    last: str = ""

    def went(self, how: str) -> None:
        """Account for one more outcome."""
        self.first, self.last = self.first or how, how

    def note(self) -> str:
        """In words: "3×: 2 failed; then 15 passed"."""
        how = self.last if self.first in ("", self.last) else f"{self.first}; then {self.last}"
        how = "" if how == "ok" else how
        return f"{self.times}×{': ' if how else ''}{how}" if self.times > 1 else how


@dataclass
class Ledger:
    """Everything a summary may say, in order of time; dictionaries are ordered by last use."""

    task: str = ""
    answer: str = ""
    rules: dict[str, str] = field(default_factory=dict)
    decisions: dict[str, str] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)
    requests: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, Touched] = field(default_factory=dict)
    commands: dict[str, Ran] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    searches: dict[str, None] = field(default_factory=dict)
    looks: dict[str, None] = field(default_factory=dict)
    error: str = ""
    failing: str = ""
    slips: dict[str, str] = field(default_factory=dict)
    standing: str = ""
    next: str = ""
    waiting: dict[str, Call] = field(default_factory=dict)
    earlier: str = ""
    more: dict[str, tuple[int, bool]] = field(default_factory=dict)

    def take(self, facts: Facts) -> None:
        """Account for one message."""
        if facts.outcome is not None:
            self._answered(facts.outcome)
            return
        if facts.ask:
            self._add_request(facts.ask, facts.ask_key)
        for name in _SENTENCES:
            for key, sentence in getattr(facts, name):
                getattr(self, name).setdefault(key, sentence)
        if len(facts.said) > 24 or (facts.said and not self.standing):
            self.standing, self.next = facts.said, ""
        self.next = facts.plan or facts.intent or self.next
        for call in facts.calls:
            self._called(call)

    def _add_request(self, ask: str, key: str) -> None:
        if not self.task:
            self.task = ask
            return
        self._close_turn()
        if not self.task.startswith(ask):
            self.requests.pop(key, None)
            self.requests[key] = [ask, ""]
        self.next = ""

    def _close_turn(self) -> None:
        """What was said last answers the request before the one that comes now."""
        if self.requests:
            newest = next(reversed(self.requests.values()))
            newest[1] = newest[1] or self.standing
        else:
            self.answer = self.answer or self.standing

    def _called(self, call: Call) -> None:
        if call.kind in ("read", "edit"):
            for path in call.targets:
                touched = self.files.pop(path, None) or Touched()
                self.files[path] = touched
                setattr(touched, _VERB[call.kind], getattr(touched, _VERB[call.kind]) + 1)
        elif call.kind == "command":
            ran = self.commands.pop(call.targets[0], None) or Ran()
            self.commands[call.targets[0]] = ran
            ran.times += 1
        elif call.kind in ("search", "look"):
            kept = self.searches if call.kind == "search" else self.looks
            kept.pop(call.targets[0], None)
            kept[call.targets[0]] = None
        if call.kind not in ("plan", "silent"):
            self.waiting[call.id] = call

    def _answered(self, outcome: Outcome) -> None:
        call = self.waiting.pop(outcome.call, None)
        if call is None or not call.targets:
            return
        target = call.targets[0]
        if call.kind == "command":
            self._command_went(target, outcome)
        elif outcome.failed:
            self.slips[call.kind] = f"{outcome.error or 'it failed'} (on {target})"
        else:
            self.slips.pop(call.kind, None)
            if call.kind == "other" and not outcome.first.startswith("Async agent launched"):
                self.results.pop(target, None)
                self.results[target] = outcome.first or "(empty)"

    def _command_went(self, command: str, outcome: Outcome) -> None:
        if command in self.commands:
            self.commands[command].went(outcome.counts or ("failed" if outcome.command_failed else "ok"))
        if outcome.command_failed:
            self.error, self.failing = f"{outcome.error or outcome.counts or 'failed'} (from `{command}`)", command
        elif self.failing == command:
            self.error, self.failing = f"{SETTLED}{self.error}", ""


_VERB = {"read": "read", "edit": "edited"}


# Writing: each section has a heading, the most characters it takes, and a rank: the lowest go first when room is short.

HEADINGS = {
    "task": "Task", "rules": "Constraints", "decisions": "Decided", "found": "Found", "requests": "Asked since",
    "files": "Files", "commands": "Commands", "results": "Results so far", "searches": "Searched for",
    "looks": "Looked with", "error": "Last error", "standing": "Where things stand", "next": "Next",
    "waiting": "Waiting for", "earlier": "Earlier summary",
}  # fmt: skip
_MOST = {
    "task": 360, "rules": 460, "decisions": 440, "found": 300, "requests": 480, "files": 420, "commands": 340,
    "results": 320, "searches": 140, "looks": 90, "error": 240, "standing": 290, "next": 220, "waiting": 100,
    "earlier": 500,
}  # fmt: skip
_FIRST = ("task", "rules", "decisions", "error", "standing", "results", "next", "waiting", "requests", "files", "found",
          "commands", "earlier", "searches", "looks")  # fmt: skip
_ONE_LINE, _REQUESTS = 40, 12
_TELLING = re.compile(
    r"\b(?:test|tests|pytest|build|lint|check|commit|push|install|deploy|migrate|tsc|mypy|ruff|make)\b"
)


def write(ledger: Ledger, limit: int) -> str:
    """The summary in at most `limit` characters: sections that have content, each cut to its share of the room."""
    whole = {name: text for name, most in _MOST.items() if (text := _section(ledger, name, most))}
    room = _shares({name: len(text) for name, text in whole.items()}, limit)
    fitted = [whole[n] if room[n] >= len(whole[n]) else _section(ledger, n, room[n]) for n in HEADINGS if n in room]
    return "\n".join(part for part in fitted if part)


def _shares(needs: dict[str, int], limit: int) -> dict[str, int]:
    """How much room each section gets: what it needs, or a level share of what is there, the first ones first."""
    names = [name for name in _FIRST if name in needs]
    while len(names) > 1 and sum(min(needs[n], 60) + 1 for n in names) > limit:
        names.pop()
    if sum(needs[n] + 1 for n in names) <= limit + 1:
        return {n: needs[n] for n in names}
    left, open_names, room = limit - len(names), list(names), dict[str, int]()
    while open_names:
        weight = sum(_MOST[n] for n in open_names)
        fits = [n for n in open_names if needs[n] <= left * _MOST[n] // weight]
        if not fits:
            return room | {n: left * _MOST[n] // weight for n in open_names}
        for name in fits:
            room[name] = needs[name]
            left -= needs[name]
            open_names.remove(name)
    return room


def _section(ledger: Ledger, name: str, room: int) -> str:
    heading = HEADINGS[name]
    space = room - len(heading) - 2
    if space < 12:
        return ""
    if name in _SENTENCES:
        return _listed(ledger, name, list(getattr(ledger, name).values()), space, both_ends=True)
    if name == "requests":
        newest = list(ledger.requests.values())[-_REQUESTS:]
        items = [_request(*pair) for pair in newest]
        return _listed(ledger, name, items, space, hidden=len(ledger.requests) - len(newest), each=300)
    if name == "commands":
        ran = sorted(ledger.commands.items(), key=lambda item: bool(item[1].note() or _TELLING.search(item[0])))
        items = [f"{command} ({note})" if (note := times.note()) else command for command, times in ran]
        return _listed(ledger, name, items, space)
    if name == "files":
        return _files(ledger, space)
    text = _line(ledger, name, space)
    return f"{heading}: {text}" if text else ""


def _request(ask: str, answer: str) -> str:
    return cut(ask, 150) + (ARROW + brief(answer, 150) if answer else "")


def _line(ledger: Ledger, name: str, space: int) -> str:
    """A section of one line."""
    if name == "task":
        task = cut(ledger.task, space)
        answer = cut(brief(ledger.answer, 150), space - len(task) - len(ARROW)) if ledger.requests else ""
        return task + (ARROW + answer if len(answer) > 20 or 0 < len(answer) == len(ledger.answer) else "")
    if name == "results":
        return _inline([f"{k} = {v}" for k, v in ledger.results.items()], "; ", space)
    if name == "searches":
        return _inline([f"“{term}”" for term in ledger.searches], ", ", space)
    if name == "looks":
        busy = ledger.commands or ledger.files or ledger.results
        return "" if busy else _inline(list(ledger.looks), "; ", space)
    if name == "error":
        return cut(ledger.error or " ".join(list(ledger.slips.values())[-1:]), space)
    if name == "waiting":
        waiting = Counter(c.targets[0] for c in ledger.waiting.values() if c.targets)
        return _inline([target if n == 1 else f"{target} {n}×" for target, n in waiting.items()], "; ", space)
    return cut(str(getattr(ledger, name)), space)


def _inline(items: list[str], joint: str, space: int) -> str:
    """The newest items that fit, in order of time; … in front where older ones were left out."""
    taken: list[str] = []
    for item in reversed(items):
        if taken and sum(map(len, taken)) + len(taken) * len(joint) + len(item) > space - 2 - len(joint):
            return f"{ELLIPSIS} {joint.join(reversed(taken))}"
        taken.append(cut(item, space))
    return joint.join(reversed(taken))


def _listed(
    ledger: Ledger,
    name: str,
    items: list[str],
    space: int,
    *,
    both_ends: bool = False,
    each: int = 180,
    hidden: int = 0,
) -> str:
    """A heading with one item, or with a line for each; the last line says how many more there were."""
    heading = HEADINGS[name]
    if not items:
        return ""
    if len(items) == 1 and not hidden and name not in ledger.more:
        return f"{heading}: {cut(items[0], space)}"
    shown = _shown(items, space - 16, each, _both_ends(len(items)) if both_ends else range(len(items) - 1, -1, -1))
    rest = _rest(ledger, name, hidden + len(items) - len(shown))
    if len(shown) == 1:
        return f"{heading}: {next(iter(shown.values()))} ({rest})"
    lines = [f"- {shown[i]}" for i in sorted(shown)]
    return "\n".join([f"{heading}:", *lines, *([f"- {rest}"] if rest else [])])


def _shown(items: list[str], room: int, each: int, order: Iterable[int]) -> dict[int, str]:
    """The items that fit, taken in this order, by their place."""
    shown: dict[int, str] = {}
    for index in order:
        text = cut(items[index], min(each, room - 3)) if not shown or room > _ONE_LINE else ""
        if shown and len(text) < min(len(items[index]), 24):
            break
        shown[index] = text
        room -= len(text) + 3
    return shown


def _rest(ledger: Ledger, name: str, dropped: int) -> str:
    """How many are left out: exact the first time, then about, as one left out before may have come again."""
    gone, about = ledger.more.get(name, (0, False))
    sign = "~" if about or (gone and dropped) else ""
    return f"{ELLIPSIS} and {sign}{gone + dropped:,} more" if gone + dropped else ""


def _both_ends(size: int) -> Iterable[int]:
    """The first three, then from the newest backward: what was agreed first must not be crowded out."""
    return [*range(min(3, size)), *range(size - 1, 2, -1)]


def _files(ledger: Ledger, space: int) -> str:
    """The files: edited ones first, the newest first, under the folder they share."""
    if not ledger.files:
        return ""
    folder = _shared_folder(list(ledger.files))
    heading = f"Files (under {folder})" if folder else "Files"
    newest = list(reversed(ledger.files.items()))
    order = [f for f in newest if f[1].edited] + [f for f in newest if not f[1].edited]
    taken, left = list[str](), space - len(heading) - 10
    for path, touched in order:
        text = f"{path.removeprefix(folder)} ({touched.note()})"
        if len(text) + 2 > left:
            break
        taken.append(text)
        left -= len(text) + 2
    rest = _rest(ledger, "files", len(order) - len(taken))
    return f"{heading}: {', '.join([*taken, *([rest] if rest else [])])}" if taken else ""


def _shared_folder(paths: list[str]) -> str:
    """The folder, with its slash, that most paths lie under, where naming it once saves room; else "".

    Paths elsewhere are then written in full, which only tells them apart if they are absolute.
    """
    tops = [_TOP.match(path) for path in paths]
    named = Counter(top[0] for top in tops if top)
    if not named or sum(named.values()) < len(paths):
        return ""
    most = named.most_common(1)[0][0]
    inside = [path for path in paths if path.startswith(most)]
    low, high = min(inside), max(inside)
    size = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    folder = low[: max(low.rfind("/", 0, size), low.rfind("\\", 0, size)) + 1]
    return folder if len(inside) > 1 and len(folder) > 8 else ""


_TOP = re.compile(r"(?:/|[A-Za-z]:[/\\]|~/)[^/\\]*[/\\]?")  # the first folder of an absolute path


# Reading back

_SECTIONS = {heading: name for name, heading in HEADINGS.items()}
_HEADING = re.compile(rf"({'|'.join(map(re.escape, _SECTIONS))})(?: \(under ([^\n]*?)\))?:(?: (.*))?$")
_MORE = re.compile(rf"{ELLIPSIS} and (~?)([\d,]{{1,12}}) more$")
_ONE_OF = re.compile(rf"(.*) \(({ELLIPSIS} and ~?[\d,]{{1,12}} more)\)$")
_FILE = re.compile(r"(?:^|, )(.+?) \(((?:edited|read)[^()]*)\)")
_TIMES = re.compile(r"(edited|read)(?: (\d+)×)?")
_RAN = re.compile(r"(?:(\d+)×(?:: |$))?(?:(.+?); then )?(.*)$")
_NOTE = re.compile(r"^(.*?)(?: \(([^()]*(?:failed|passed|passing|failing|error|errors|×|failure|failures)[^()]*)\))?$")
_FROM = re.compile(r"\(from `([^`]*)`\)$")


def read(text: str) -> Ledger:
    """The ledger that an earlier summary was written from, as far as it says; text not ours is kept as prose."""
    items, folder = _items(text)
    if not items:
        return Ledger(earlier=cut(clean(re.sub(r"^\[[^\]\n]*\]\s*", "", text)), 480))
    ledger = Ledger()
    for name in _SENTENCES:
        kept = (item for item in items.get(name, ()) if not _counted(ledger, name, item))
        setattr(ledger, name, {sentence_key(item): item for item in kept})
    for name in ("error", "standing", "next", "earlier"):
        setattr(ledger, name, " ".join(items.get(name, ())))
    ledger.task, _, ledger.answer = " ".join(items.get("task", ())).partition(ARROW)
    for item in items.get("requests", ()):
        if not _counted(ledger, "requests", item):
            ask, _, answer = item.partition(ARROW)
            ledger.requests[sentence_key(ask)] = [ask, answer]
    _read_work(ledger, items, folder)
    return ledger


def _items(text: str) -> tuple[dict[str, list[str]], str]:
    """The items of each section, and the folder that the files are under."""
    items: dict[str, list[str]] = {}
    folder, current = "", None
    for line in text.split("\n"):
        if found := _HEADING.match(line):
            current = items.setdefault(_SECTIONS[found[1]], [])
            folder = found[2] or folder
            one = _ONE_OF.match(found[3] or "")
            current += [*one.groups()] if one else [found[3]] if found[3] else []
        elif current is not None and line.startswith("- "):
            current.append(line[2:])
    return {name: found for name, found in items.items() if found}, folder


def _counted(ledger: Ledger, name: str, item: str) -> bool:
    """Whether an item is the line "… and 5 more"; if so, its number is kept."""
    found = _MORE.match(item)
    if found and (number := found[2].replace(",", "")):
        ledger.more[name] = (int(number), bool(found[1]))
    return bool(found)


def _read_work(ledger: Ledger, items: dict[str, list[str]], folder: str) -> None:
    """Files, commands, results and searches."""
    for line in items.get("files", ()):
        for path, note in reversed(_FILE.findall(line)):
            times = {verb: int(n or 1) for verb, n in _TIMES.findall(note)}
            whole = path if _TOP.match(path) else folder + path
            ledger.files[whole] = Touched(times.get("edited", 0), times.get("read", 0))
        _counted(ledger, "files", line[max(0, line.rfind(f"{ELLIPSIS} and ")) :])
    for item in items.get("commands", ()):
        if not _counted(ledger, "commands", item) and (parts := _NOTE.match(item)):
            ledger.commands[parts[1]] = _ran(parts[2] or "")
    for line in items.get("results", ()):
        pairs = (p.rpartition(" = ") for p in line.removeprefix(f"{ELLIPSIS} ").split("; "))
        ledger.results.update({name: value for name, _, value in pairs if name})
    for line in items.get("searches", ()):
        ledger.searches.update(dict.fromkeys(re.findall(r"“([^”]*)”", line)))
    for line in items.get("looks", ()):
        ledger.looks.update(dict.fromkeys(line.removeprefix(f"{ELLIPSIS} ").split("; ")))
    failed = None if ledger.error.startswith(SETTLED) else _FROM.search(ledger.error)
    ledger.failing, ledger.error = (failed[1], ledger.error) if failed else ("", "")  # the rest is settled or stale


def _ran(note: str) -> Ran:
    found = _RAN.match(note)
    times, first, last = found.groups() if found else (None, None, note)
    return Ran(int(times or 1), first or last or "ok", last or "ok")
