"""What the tool calls of a message did, told by names and arguments: a file, a command, a search, a plan, or other."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from core.model.session import Message, ToolCall
from core.model.text import clean, cut

Kind = Literal["read", "edit", "search", "command", "look", "plan", "silent", "other"]

_PATHS = ("file_path", "path", "filename", "filePath", "file", "notebook_path", "target_file", "absolute_path",
          "relative_path", "filepath", "relative_workspace_path")  # fmt: skip
_LONGEST = 90  # characters of a command that are told
_TERMS = ("pattern", "query", "q", "search_term", "regex", "glob", "url")
_COMMANDS = ("command", "cmd", "script")
_EDITOR = {"view": "read", "create": "edit", "str_replace": "edit", "insert": "edit", "undo_edit": "edit"}
_PLANS = ("todos", "plan", "task_list")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_LOOKS = {"ls", "cd", "pwd", "cat", "echo", "head", "tail", "wc", "find", "grep", "rg", "sed", "for", "while", "if", "which",
          "tree", "sleep", "awk", "file", "stat", "du", "env", "type", "true", "nl", "fd", "ps", "date", "whoami", "printf",
          "jq"}  # fmt: skip
_GIT_LOOKS = {"status", "log", "diff", "show", "branch", "blame", "rev-parse", "remote", "ls-files", "grep"}
_SILENT = {"ExitPlanMode", "EnterPlanMode", "Skill", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput",
           "BashOutput", "KillShell", "TodoRead", "ToolSearch", "StructuredOutput", "think"}  # fmt: skip
_TRIMMED = re.compile(
    r"(?:\s*(?:2>&1|2>/dev/null|\|\s*(?:tail|head|cat|grep|sed|tee|sort|uniq|wc)\b[^|;&]*|(?:&&|;|\|\|)\s*(?:echo|true)\b.*))+$"
)
_IN_FOLDER = re.compile(
    r"^(?:cd [^&;|]{1,200}(?:&&|;)\s*|(?:export )?[A-Z_][A-Z0-9_]*=\S* (?:&& )?|timeout \S+ |sudo )+"
)


class Call(NamedTuple):
    """One tool call: its id, what kind of thing it did and to what: paths, or one command, search term or label."""

    id: str
    kind: Kind
    targets: tuple[str, ...]


def calls_of(message: Message) -> tuple[Call, ...]:
    """The calls of a message, in order."""
    return tuple(map(_call, message.tool_calls))


def size_of(call: ToolCall) -> int:
    """About how many characters a call takes: texts as they are, anything else as 20."""
    values = call.arguments.values()
    return len(call.name) + len(call.raw or "") + sum(len(v) if isinstance(v, str) else 20 for v in values)


def plan_of(message: Message) -> str | None:
    """What is left of the newest plan or to-do list that the message wrote: "" if all is done, None if it wrote none."""
    for call in reversed(message.tool_calls):
        if items := _planned(call.arguments):
            return _left_of_plan(items)
    return None


def _left_of_plan(items: list[Any]) -> str:
    rows = [
        (str(i.get("status", "")), _first_text(i, "content", "step", "title", "task"))
        for i in items
        if isinstance(i, dict)
    ]
    done = sum(status in ("completed", "done") for status, _ in rows)
    now = [text for status, text in rows if status == "in_progress"]
    later = [text for status, text in rows if status not in ("completed", "done", "in_progress")]
    if not now and not later:
        return ""
    return (
        f"{'; then '.join(cut(text, 80) for text in (now + later)[:3])} ({done} of {len(rows)} steps of the plan done)"
    )


def _first_text(item: dict[str, Any], *keys: str) -> str:
    return next((clean(str(item[key])) for key in keys if item.get(key)), "")


def _call(call: ToolCall) -> Call:
    arguments = call.arguments
    if call.name in _SILENT:
        return Call(call.id, "silent", ())
    if _planned(arguments):
        return Call(call.id, "plan", ())
    path, command = _text_of(arguments, _PATHS), _command(arguments)
    patch = _patched(arguments, call.raw) if "patch" in call.name or "*** Begin Patch" in command[:200] else ()
    if patch:
        return Call(call.id, "edit", patch)
    if path and command in _EDITOR:
        return Call(call.id, "edit" if _EDITOR[command] == "edit" else "read", (path,))
    if command:
        return Call(call.id, *_ran(command))
    return _on_file(call, path)


def _planned(arguments: dict[str, Any]) -> list[Any]:
    """The rows of a plan or to-do list in the arguments, or none."""
    for key in _PLANS:
        items = arguments.get(key)
        if isinstance(items, list) and items and isinstance(items[0], dict):
            return items
    return []


def _on_file(call: ToolCall, path: str) -> Call:
    kind = _kind(call.name)
    if kind == "search" and (term := _text_of(call.arguments, _TERMS)):
        return Call(call.id, "search", (cut(clean(term), 60),))
    if path and kind in ("read", "edit"):
        return Call(call.id, kind, (path,))
    return Call(call.id, "other", (label(call),))


@lru_cache(maxsize=4096)
def _kind(name: str) -> Kind:
    """What a tool does, by the words in its name."""
    low = name.casefold()
    if any(word in low for word in ("search", "grep", "glob", "find", "fetch", "browse")):
        return "search"
    if any(word in low for word in ("edit", "write", "create", "replace", "patch", "insert", "update", "append")):
        return "edit"
    return "read" if any(word in low for word in ("read", "view", "cat", "open", "show")) else "other"


def _text_of(arguments: dict[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str) and value and len(value) < 400 and "\n" not in value:
            return value
    return ""


def _command(arguments: dict[str, Any]) -> str:
    for key in _COMMANDS:
        value = arguments.get(key)
        if isinstance(value, list) and value:
            return str(value[-1]) if len(value) == 3 and str(value[1]) in ("-lc", "-c") else " ".join(map(str, value))
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _patched(arguments: dict[str, Any], raw: str | None) -> tuple[str, ...]:
    """The files that a patch in the arguments touches."""
    for given in (raw, *arguments.values()):
        text = given[-1] if isinstance(given, list) and given else given
        if isinstance(text, str) and len(text) > 30 and "*** Begin Patch" in text[:4000]:
            return tuple(dict.fromkeys(_PATCHED.findall(text[:20000])))[:8]
    return ()


def _ran(command: str) -> tuple[Kind, tuple[str]]:
    """A command as it is worth repeating: its first line, without changes of folder and without what trims its output.

    It is a "look" where it only shows something.
    """
    lines = _IN_FOLDER.sub("", command[:600].strip()).split("\n", 1)
    text = _TRIMMED.sub("", clean(lines[0])).rstrip("; \\")
    goes_on = "<<" in text or len(lines) > 1
    if "<<" in text:
        text = text.partition("<<")[0].rstrip(' "$(-').removesuffix("(cat").rstrip(' "$(')
    words = text.split(" ", 2)
    word = words[0].rsplit("/", 1)[-1]
    second = words[1] if len(words) > 1 else ""
    looks = not word or word in _LOOKS or (word == "git" and second in _GIT_LOOKS) or (word == "gh" and second == "api")
    told = f"{cut(text, _LONGEST - 2).rstrip('…')} …" if goes_on else cut(text, _LONGEST)
    return ("look" if looks else "command"), (told,)


def label(call: ToolCall) -> str:
    """A call as one would say it: add(1, 2), get_weather(Lisbon)."""
    return f"{call.name.rsplit('__', 1)[-1]}({cut(', '.join(_values(call)), 60)})"


def _values(call: ToolCall) -> Iterator[str]:
    if call.raw is not None and not call.arguments:
        yield clean(call.raw[:200])
    short = call.arguments.get("description") or call.arguments.get("title")
    if isinstance(short, str) and short:
        yield clean(short)
        return
    for value in list(call.arguments.values())[:6]:
        yield clean(value[:200]) if isinstance(value, str) else _scalar(value)


def _scalar(value: Any) -> str:
    return f"{len(value)} items" if isinstance(value, list | dict) else str(value)
