"""How a tool call went, read off its result: failed or not, test counts, the line that tells the error."""

import re
from typing import NamedTuple

from core.model.failure import is_failure
from core.model.session import Message
from core.model.text import clean, cut

ERROR = 180  # characters


class Outcome(NamedTuple):
    """The result of the call `call`: `failed` as far as it says so, test `counts`, its `error`, its `first` words.

    `command_failed` is the same judged as the output of a command: a file may hold the word error and be no failure.
    `by_user` says that the user spoke through it: declined the call, or answered what it asked. `undone` says that the call
    did nothing to its files, or brought nothing of them: an exit code in the text does not count, a file may hold one.
    """

    call: str
    failed: bool
    counts: str
    error: str
    first: str
    command_failed: bool
    by_user: bool = False
    undone: bool = False


_EXIT = re.compile(r"(?:exit(?:ed)?(?: with)?[ _]?(?:code|status)\"?|return_?code)\W{1,4}(-?\d+)", re.IGNORECASE)
_COUNT = re.compile(r"\b([1-9]\d*) (failed|failures?|errors?|passed|passing|failing)\b")
_DECLINED = ("The user doesn't want to", "[Request interrupted")
_LINE = re.compile(
    r"^(?:E\s+)?(?:[\w./-]+:\d+(?::\d+)?: )?"
    r"(?:[A-Za-z_][\w.]*(?:Error|Exception)|error|Error|ERROR|fatal|panic|npm ERR!)\b(?:\[\w+\])?"
    r"(?:: |\s*$|: *).*$"
)
_AFTER_TRACE = re.compile(r"^\S.*$", re.MULTILINE)
_TRACE = "Traceback (most recent call last)"


def outcome_of(message: Message) -> Outcome:
    """How the call that this tool message answers went."""
    text = message.content
    if len(text) > 4000:
        text = f"{text[:2000]}\n{text[-2000:]}"
    counts = _counts(text[-700:]) if "pass" in text[-700:] or "fail" in text[-700:] else ""
    code = exit_code(text)
    if text.startswith(_DECLINED):
        return Outcome(message.tool_call_id or "", False, "", "", "declined by the user", False, True, True)
    marked = is_failure(message)
    failed = marked or (code is not None and code != 0)
    error = _error(text, failed)
    bad = failed or (code is None and bool(error)) or " fail" in counts or "error" in counts
    first = cut(_without_answered(_first(text)), 80)
    return Outcome(message.tool_call_id or "", failed, counts, error, first, bad, text.startswith(_ANSWERED), marked)


def _without_answered(first: str) -> str:
    """The first words of a result without those that only say that the user answered."""
    return first.removeprefix(next(filter(first.startswith, _ANSWERED), ""))


def exit_code(text: str) -> int | None:
    """The exit code that a result names at its beginning or end, or None."""
    edge = text if len(text) < 800 else f"{text[:300]}\n{text[-500:]}"
    if "xit" not in edge and "eturn" not in edge:
        return None
    if edge.isascii() and "code" not in (low := edge.lower()) and "status" not in low:
        return None
    found = _EXIT.search(edge)
    return int(found[1]) if found else None


def _counts(text: str) -> str:
    """The last line of test counts in short: "2 failed, 13 passed", or nothing."""
    for line in reversed(text.split("\n")):
        if "pass" not in line and "fail" not in line and "error" not in line:
            continue
        found = {word: number for number, word in _COUNT.findall(line)}
        if found:
            return ", ".join(f"{number} {word}" for word, number in found.items())
    return ""


def _error(text: str, failed: bool) -> str:
    """The line that tells what went wrong, or nothing."""
    if (place := text.rfind("\nFAILED ")) >= 0 or text.startswith("FAILED "):
        return _line(text, text.find("FAILED ", max(place, 0)))
    if (place := text.rfind(_TRACE)) >= 0 and (found := _AFTER_TRACE.search(text, place + len(_TRACE) + 1)):
        return cut(clean(found[0]), ERROR)
    for mark in ("rror", "xception", "fatal", "panic", "ERR"):
        place = text.find(mark)
        for _ in range(4):
            if place < 0:
                break
            start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
            if _LINE.match(line := text[start : end if end >= 0 else None]):
                return cut(clean(line).removeprefix("E "), ERROR)
            place = text.find(mark, place + 80)
    return cut(_telling(text), ERROR) if failed else ""


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return cut(clean(text[start : end if end >= 0 else len(text)]), ERROR)


def _telling(text: str) -> str:
    """The line that most likely tells why: the first that speaks of failing, else the first that says something."""
    place = text.find("fail") if "fail" in text else text.find("FAIL")
    return _line(text, text.rfind("\n", 0, place) + 1) if place >= 0 else _first(text)


_ANSWERED = ("User has answered your questions: ", "Your questions have been answered: ")
_WRAPPING = re.compile(r"</?(?:tool_use_error|output|stdout|stderr|error)>")
_SKIPPED = ("Exit code", "<returncode>", "Chunk ID", "Wall time", "Process exited", "Perfect!", "Excellent!",
            "Great!", "Summary", "```", "---")  # fmt: skip


def _first(text: str) -> str:
    """The first line that says something, without a leading exit code, tag, heading or pleasantry; else the first."""
    lines = [line for line in text[:1200].split("\n", 12)[:12] if line.strip()]
    for line in lines:
        if not line.startswith("#") or len(lines) == 1:
            said = clean(_WRAPPING.sub("", line) if "<" in line else line)
            if said and not said.startswith(_SKIPPED):
                return said
    return clean(lines[0]) if lines else ""
