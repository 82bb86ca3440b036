"""What tool calls read and write, by the names of tools and arguments, and which of them ask again what one asked before."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from core.measure.calls import calls_of
from core.model.cached import cached
from core.model.failure import is_failure
from core.model.give_way import give_way
from core.model.session import ToolCall
from core.model.tool_pairs import tool_pairs
from core.trace.trace import Trace

Does = Literal["read", "write", ""]

_READS = frozenset(("read", "view", "cat", "open"))
_WRITTEN = (
    "write edit patch replace create insert delete remove move rename append save apply multiedit update notebookedit"
)
_WRITES = frozenset(_WRITTEN.split())
_EDITOR: Mapping[str, Does] = {"view": "read"}
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PATHS = ("file_path", "path", "filename", "filePath", "file", "notebook_path", "target_file", "absolute_path",
          "relative_path", "filepath", "relative_workspace_path", "file_name", "uri")  # fmt: skip
_LISTS = ("files", "paths")
_HEADER = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_OPEN = re.compile(r"\(Open file: ([^\n]+)\)\r?\n\(Current directory: ")
_ENDING = 2_000  # characters at the end of an answer, where SWE-agent says which file is open
_ALL = (0, 1 << 60)
_MOST = 64  # answers to remember of one call, or of one file: the newest


class Use(NamedTuple):
    """A tool call: the place of its message, where its reply begins, and what it does to which files.

    `result` is the place of its result, -1 where none arrived; `failed` is whether that is an error. `unanswered` is whether it
    has none in a session that records results: whether it did anything is not known.
    """

    call: ToolCall
    at: int
    reply: int
    result: int
    does: Does
    files: tuple[str, ...]
    failed: bool = False
    unanswered: bool = False

    @property
    def written(self) -> tuple[str, ...]:
        """The files that it wrote: none where it failed, or was declined, or has no result."""
        return () if self.unanswered else self.may_write

    @property
    def may_write(self) -> tuple[str, ...]:
        """The files that it wrote, or may have written: what was read of them before may have changed."""
        return self.files if self.does == "write" and not self.failed else ()


class Repeat(NamedTuple):
    """A call that asks again, and the results that had answered it before, in order; `same` if the very call was made."""

    use: Use
    sources: Sequence[int]
    same: bool


def tool_uses(trace: Trace) -> Sequence[Use]:
    """The tool calls of a trace in order."""
    return cached(trace.measured, "tool uses", lambda _: tuple(_uses(trace)))


def repeats(trace: Trace) -> Sequence[Repeat]:
    """The calls that ask again: the same call with no file written between, or the same part of a file not written since."""
    return cached(trace.measured, "repeats", lambda _: tuple(_repeats(tool_uses(trace))))


def _uses(trace: Trace) -> Iterator[Use]:
    answers = {
        (pair.call_at, pair.call): pair.result_at for pair in tool_pairs(enumerate(trace.messages)) if pair.first
    }
    for asked in calls_of(trace.measured):
        give_way()
        for at in asked.parts:
            for call in trace.messages[at].tool_calls:
                use = _use(trace, call, at, asked.at, answers.get((at, call.id), -1))
                yield use._replace(unanswered=bool(answers) and use.result < 0)


def _use(trace: Trace, call: ToolCall, at: int, reply: int, result: int) -> Use:
    does, answer = _does(call), trace.messages[result] if result >= 0 else None
    files = _files(call) if does else ()
    if answer is not None and does == "write":
        files = _open_file(files, answer.content)
    return Use(call, at, reply, result, does, files, answer is not None and is_failure(answer))


def _open_file(files: tuple[str, ...], answer: str) -> tuple[str, ...]:
    """The file that SWE-agent's editor has open, where a call names none, or names it from where it is."""
    found = _OPEN.search(answer[-_ENDING:])
    if found is None or (files and not found[1].endswith(f"/{files[0]}")):
        return files
    return (found[1],)


def _does(call: ToolCall) -> Does:
    if "editor" in call.name:
        command = call.arguments.get("command")
        return _EDITOR.get(command, "write") if isinstance(command, str) else "write"
    return _kind(call.name)


@lru_cache(maxsize=4096)
def _kind(name: str) -> Does:
    """What a tool does, by the words in its name."""
    words = {part.lower() for part in _PARTS.findall(name[:200])} | {name.lower()}
    return "write" if words & _WRITES else "read" if words & _READS else ""


def _files(call: ToolCall) -> tuple[str, ...]:
    """The file that a call names first, those that it lists, or those in the headers of its patch, each once."""
    if path := _path(call.arguments):
        return (path,)
    if listed := _listed(call.arguments):
        return tuple(dict.fromkeys(path for path, _ in listed))
    patch = call.raw or next((v for v in call.arguments.values() if isinstance(v, str) and "*** " in v), "")
    return tuple(dict.fromkeys(path.strip() for path in _HEADER.findall(patch)))


def _path(arguments: Mapping[str, Any]) -> str:
    return next((path for name in _PATHS if isinstance(path := arguments.get(name), str) and path), "")


def _listed(arguments: Mapping[str, Any]) -> list[tuple[str, tuple[int, int]]]:
    """The files that a call lists, with the lines of each; none where a listed one says them in a way that is not known."""
    listed = next((found for name in _LISTS if isinstance(found := arguments.get(name), list)), [])
    named = [one if isinstance(one, dict) else {"path": one} for one in listed]
    if any("range" in str(name).lower() for one in named for name in one):
        return []
    return [(path, _part(one)) for one in named if (path := _path(one))]


def _read(use: Use) -> list[tuple[str, tuple[int, int]]]:
    """What a call reads: files, with the lines of each."""
    if use.does != "read":
        return []
    arguments = use.call.arguments
    return [(path, _part(arguments)) for path in use.files] if _path(arguments) else _listed(arguments)


class _Known:
    """The answers so far that a later call may ask for again."""

    def __init__(self) -> None:
        self.same: dict[str, list[int]] = {}
        self.read: dict[str, list[tuple[tuple[int, int], int]]] = {}

    def written(self, files: Sequence[str]) -> None:
        """A call writes to files."""
        self.same.clear()
        for file in files:
            self.read.pop(file, None)

    def answered(self, key: str, read: Sequence[tuple[str, tuple[int, int]]], result: int) -> None:
        """A call is answered; `read` are the files that it reads, with the lines of each."""
        self.same.setdefault(key, []).append(result)
        del self.same[key][:-_MOST]
        for file, part in read:
            self.read.setdefault(file, []).append((part, result))
            del self.read[file][:-_MOST]

    def over(self, file: str, part: tuple[int, int], before: int) -> list[int]:
        """The results before a place that held some of these lines of a file."""
        return [r for (a, b), r in self.read.get(file, ()) if r < before and a < part[1] and part[0] < b]


def _repeats(uses: Sequence[Use]) -> Iterator[Repeat]:
    """Every call with a source. What a file held before it was written answers nothing any more."""
    known = _Known()
    for use in uses:
        give_way()
        key, read = key_of(use.call), _read(use)
        same = [r for r in known.same.get(key, ()) if r < use.reply]
        over = [known.over(file, part, use.reply) for file, part in read]
        if same or (over and all(over)):  # a file that is new is a reason to read
            yield Repeat(use, sorted({*same, *(result for one in over for result in one)}), bool(same))
        if use.may_write:
            known.written(use.may_write)
        if use.result >= 0:
            known.answered(key, read, use.result)


def key_of(call: ToolCall) -> str:
    """Equal for two calls of one tool with the same arguments."""
    return f"{call.name}\n{call.raw or json.dumps(call.arguments, sort_keys=True, default=str)}"


def _part(arguments: Mapping[str, Any]) -> tuple[int, int]:
    """The lines that a call reads, first and behind the last; all, where it does not say."""
    if isinstance(span := arguments.get("view_range"), list) and len(span) == 2 and all(map(_is_count, span)):
        return span[0], span[1] + 1 if span[1] >= span[0] else _ALL[1]
    first = _count(arguments, "offset", "start_line", "startLine", "start", "line_start")
    last = _count(arguments, "end_line", "endLine", "end", "line_end")
    limit = _count(arguments, "limit", "max_lines", "num_lines", "count")
    begin = first or 0
    if last is not None and last >= begin:
        return begin, last + 1
    return begin, begin + limit if limit else _ALL[1]


def _count(arguments: Mapping[str, Any], *names: str) -> int | None:
    return next((arguments[name] for name in names if _is_count(arguments.get(name))), None)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 50
