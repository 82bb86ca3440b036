"""What aider prints and never sends to the model, told from what it may have sent: its lines, as its source prints them.

Sent on are edits that failed, errors of a linter and the output of tests and commands, if the person agrees; a commit is told
to the model in other words, and files in the chat have been in some versions. Those lines stay, as does what is not known here.

https://github.com/Aider-AI/aider (aider/coders/base_coder.py, aider/commands.py, aider/io.py, aider/main.py)
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

ANSWER = re.compile(r"\(Y\)es/\(N\)o.{0,80}\]: ?\S{0,20}\Z")
"""How a question of aider's ends, with what was answered."""

_RUN = re.compile(r"(?:!|/(?:run|test|lint)\b)")
_PRINTED = re.compile(r"/(?:tokens|ls|git|diff|models|settings|map|map-refresh|copy|copy-context|report)\b|/help\s*\Z")
_DECLINED = re.compile(r"output to the chat\? \(Y\)es/\(N\)o.{0,80}\]: ?n\S{0,20}\Z", re.IGNORECASE)
_LINT = "# Fix any errors below, if possible."

_KINDS = {
    "start": re.compile(
        r"Aider v\d|(?:Main |Editor |Weak )?[Mm]odels?: |Git repo: |Repo-map: |Multiline mode: |(?:Cur|Git) working dir: |"
        r"Note: in-chat filenames are always relative|Cost estimates may be inaccurate|You can skip this check with --|"
        r"Initial repo scan can be slow|Repo-map can't include |Has it been deleted from the file system but not from git\?|"
        r"Warning for \S+: |Warning: \S+ expects these environment variables|Use /help <question> "
    ),
    "error": re.compile(
        r"litellm\.\w+|The API provider|Retrying in [\d.]+ seconds|https://(?:aider\.chat|docs\.litellm\.ai)/\S*\Z|"
        r"The LLM did not conform to the edit format|Pass model as E\.g\. |"
        r".*: (?:unable to read|file not found error|is a directory)"
    ),
    "tokens": re.compile(r"Tokens: [\d.,]+k? sent"),
    "done": re.compile(
        r"Applied edit to |Diff since [0-9a-f]{7}|You can use /undo to |Committing .* before applying edits\.\Z|"
        r"Copied code context to clipboard|\^C (?:again to exit|KeyboardInterrupt)|"
        r"All (?:files dropped and )?chat history cleared|Reset complete: all files dropped|Processing your request\.\.\.\Z"
    ),
}

_TRACE = "Traceback (most recent call last):"
_OWN_FILE = re.compile(r'File ".*[\\/]aider[\\/].*\.py", line \d+')
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)(?:: (.*))?\Z")
_LONGEST = 300
"""The most lines that are taken for one traceback."""


@dataclass
class SentLines:
    """The lines of a block that may have been sent, with the number of the first; the others are counted by kind."""

    lines: list[str] = field(default_factory=list)
    first: int = 0
    left: Counter[str] = field(default_factory=Counter)


def sent_lines(lines: Sequence[str], command: str, started: bool) -> SentLines:
    """What aider printed: behind a command, "" for none, and when something had been said, or at its start."""
    found, texts = SentLines(), [_unquoted(line) for line in lines]
    whole = _whole(texts, command, started)
    traced = set() if whole or _RUN.match(command) else _traced(texts)
    for place, line in enumerate(lines):
        kind = whole or ("error" if place in traced else _kind(texts[place], bool(_RUN.match(command))))
        if not kind or not line.startswith(">"):
            found.first = found.first if found.lines or not texts[place] else place
            found.lines.append(line)
        elif texts[place]:
            found.left[f"aider/{kind}"] += 1
    if not any(line.strip("> \t") for line in found.lines):
        found.lines = []
    return found


def _unquoted(line: str) -> str:
    return line[1:].strip() if line.startswith(">") else line.strip()


def _whole(texts: Sequence[str], command: str, started: bool) -> str:
    """The kind of all of it, where none of it was sent: what it starts with, what a command shows, what was declined."""
    if not started and _LINT not in texts:
        return "start"
    if _PRINTED.match(command) or (_RUN.match(command) and any(map(_DECLINED.search, texts))):
        return "output"
    return ""


def _kind(texts: str, output: bool) -> str:
    """The kind of a line that was not sent; "" where it may have been: in a command's output anything may stand."""
    if ANSWER.search(texts):
        return "question"
    return "" if output else next((kind for kind, sign in _KINDS.items() if sign.match(texts)), "")


def _traced(texts: Sequence[str]) -> set[int]:
    """The places of aider's own tracebacks, each with the error that it prints once more; a program's are not aider's."""
    found: set[int] = set()
    end = 0
    for start, line in enumerate(texts):
        if line != _TRACE or start < end:
            continue
        rest = takewhile(lambda n: texts[n] != _TRACE, range(start + 1, min(start + _LONGEST, len(texts))))
        end = next((n for n in rest if _RAISED.match(texts[n])), start) + 1
        if any(map(_OWN_FILE.match, texts[start:end])):
            raised = _RAISED.match(texts[end - 1])
            again = raised is not None and end < len(texts) and texts[end] == raised[1]
            found.update(range(start, end + again))
    return found
