"""One line of a message: its label and its preview. Safe to show anywhere as plain text, and short."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.model import Message, ToolCall

PREVIEW_CHARS, LABEL_CHARS = 96, 40
_ENOUGH = 400
_SALIENT = (
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
)
# Characters that turn the direction of what follows or have no width: a reader would not see what is there.
_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ORDINARY = re.compile(r"[\t\n\r -~\u00a1-\u00ac\u00ae-\u02ff]*")  # nothing in it needs a second look


def one_line(text: str, limit: int = PREVIEW_CHARS) -> str:
    """The beginning of a text as one line of at most `limit` characters, "…" where it was cut.

    Terminal colours, zero-width and direction-turning characters are dropped, control characters shown as their
    pictures (␀), lone surrogates as �.
    """
    start = (text.lstrip() if text[:1].isspace() else text)[:_ENOUGH]
    clean = start if _ORDINARY.fullmatch(start) else _cleaned(start)
    line = " ".join(clean.split())
    return line if len(line) <= limit and len(text) <= _ENOUGH else _cut(line, limit)


def _cut(text: str, limit: int) -> str:
    return text[: limit - 1].rstrip() + "…"


def _cleaned(text: str) -> str:
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    text = _HIDDEN.sub("", _SURROGATE.sub("\ufffd", text))
    return _CONTROL.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    """The picture of a control character; a blank for those that end a line or a column, as in ordinary text."""
    code = ord(match[0])
    if match[0] in "\t\n\v\f\r\x85":
        return " "
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def preview(message: Message) -> str:
    """What a message says, in one line of at most 96 characters; the arguments, if it only calls tools."""
    if message.content and not message.content[:_ENOUGH].isspace():
        return one_line(message.content)
    if message.tool_calls:
        return one_line(" · ".join(map(salient, message.tool_calls[:4])))
    if message.thinking:
        return one_line(message.thinking)
    return one_line(message.content) or _images(message) or "(empty)"


def _images(message: Message) -> str:
    count = len(message.images)
    return "" if not count else "(an image)" if count == 1 else f"({count} images)"


def salient(call: ToolCall) -> str:
    """The argument that tells most about a call: its command, path or pattern, else its first text, else all."""
    found = call.arguments
    if not found:
        return (call.raw or "")[:_ENOUGH]
    named = (found[key] for key in _SALIENT if isinstance(found.get(key), str))
    return next(named, None) or next(_texts(found.values()), None) or json.dumps(found, ensure_ascii=False)[:_ENOUGH]


def _texts(values: Iterable[Any]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value)


def label(message: Message) -> str:
    """What stands beside the role: the tools called ("→ Edit +2"), the tool that answers, the kind of injected text."""
    if message.injected:
        return one_line(message.injected, LABEL_CHARS)
    if message.role == "assistant" and message.tool_calls:
        more = len(message.tool_calls) - 1
        return f"→ {one_line(message.tool_calls[0].name, LABEL_CHARS)}" + (f" +{more}" if more else "")
    return one_line(message.name or "", LABEL_CHARS) if message.role == "tool" else ""
