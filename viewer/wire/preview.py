"""The label and the preview of a message: one short line each, safe to show as plain text."""

import json
import re
from functools import lru_cache

from core.model.own_text import own_text
from core.model.session import Message, ToolCall

PREVIEW_CHARS, LABEL_CHARS = 96, 40
_READ_CHARS, _SPARE = 400, 32
_SALIENT = [
    "command",
    "cmd",
    "file_path",
    "path",
    "pattern",
    "query",
    "url",
    "expression",
    "description",
    "prompt",
    "name",
]
# Characters that change the direction of text or have no width: a reader would not see what is there.
_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DEEP_PATH = re.compile(r"(?:~|[A-Za-z]:)?[\\/]+(?:[^\\/\s]+[\\/]+)+?([^\\/\s]+[\\/]+[^\\/\s]+[\\/]*)")
_TAG = re.compile(r"\s*<[A-Za-z][\w-]{0,40}>(?=\s*\S)")  # what an agent puts around a summary
_CLEAN = re.compile(r"[\t\n\r -~\u00a1-\u00ac\u00ae-\u02ff]*")  # no character that needs cleaning


def one_line(text: str, limit: int = PREVIEW_CHARS) -> str:
    """The beginning of a text as one line of at most `limit` characters; "…" where it was cut.

    Terminal colors, zero-width and direction characters are removed. Control characters become their pictures (␀), lone
    surrogates �.
    """
    if len(text) > (beginning := limit + _SPARE) < _READ_CHARS and _CLEAN.fullmatch(text, 0, beginning):
        line = " ".join(text[:beginning].split())
        if len(line) > limit:  # as nearly always: what is behind it changes nothing
            return line[: limit - 1].rstrip() + "…"
    read = max(_READ_CHARS, beginning)
    start = (text.lstrip() if text[:1].isspace() else text)[:read]
    line = " ".join((start if _CLEAN.fullmatch(start) else _cleaned(start)).split())
    whole = len(line) <= limit and len(text) <= read
    return line if whole else line[: limit - 1].rstrip() + "…"


def _cleaned(text: str) -> str:
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    text = _HIDDEN.sub("", _SURROGATE.sub("\ufffd", text))
    return _CONTROL.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    """The picture of a control character; a space for one that ends a line or a column."""
    code = ord(match[0])
    if match[0] in "\t\n\v\f\r\x85":
        return " "
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def preview(message: Message) -> str:
    """The content of a message in one line of at most 96 characters; the arguments if it only calls tools.

    Of a message in the form that Codex gives it, what the person asked for, or what the command printed; of a summary what
    stands behind the tag around it.
    """
    if message.content and not message.content[:_READ_CHARS].isspace():
        text = own_text(message)
        return one_line(_TAG.sub("", text, count=1) if message.injected == "summary" else text)
    if message.tool_calls:
        return one_line(" · ".join(map(salient, message.tool_calls[:4])))
    if message.thinking:
        return one_line(message.thinking)
    return one_line(message.content) or _images(message) or "(empty)"


def _images(message: Message) -> str:
    count = len(message.images)
    return "" if not count else "(an image)" if count == 1 else f"({count} images)"


def salient(call: ToolCall) -> str:
    """The most telling argument of a call: its command, path or pattern, else its first text, else all of them.

    Of a long absolute path the last two names are left: the calls of a session share the folders in front.
    """
    arguments = call.arguments
    if not arguments:
        return (call.raw or "")[:_READ_CHARS]
    named = (arguments[key] for key in _SALIENT if isinstance(arguments.get(key), str))
    texts = (value for value in arguments.values() if isinstance(value, str) and value)
    text = next(named, None) or next(texts, None)
    return _without_folders(text) if text else json.dumps(arguments, ensure_ascii=False)[:_READ_CHARS]


def _without_folders(text: str) -> str:
    path = _DEEP_PATH.fullmatch(text) if _SPARE < len(text) < _READ_CHARS else None
    return f"…/{path[1]}" if path else text


def label(message: Message) -> str:
    """The text beside the role: the tools called ("→ Edit +2"), the tool that answers, the kind of injected text."""
    if message.injected:
        return _short(message.injected)
    if message.role == "assistant" and message.tool_calls:
        more = len(message.tool_calls) - 1
        return f"→ {_short(message.tool_calls[0].name)}" + (f" +{more}" if more else "")
    return _short(message.name or "") if message.role == "tool" else ""


@lru_cache(maxsize=1_000)
def _short(name: str) -> str:
    """A name as part of a label: a session repeats a few of them."""
    return one_line(name, LABEL_CHARS)
