"""Who wrote a user record of a Claude Code session: a person, or the harness; and the text of what it attached."""

import re
from typing import Any

from core.importers._blocks import Parts, string

_OPENINGS = {
    "<command-name>": "command",
    "<command-message>": "command",
    "<local-command-": "command",
    "<bash-": "command",
    "<task-notification>": "task-notification",
    "<system-reminder>": "meta",
    "[Request interrupted by user": "interruption",
}

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>(?:.*?<command-args>(.*?)</command-args>)?", re.DOTALL)

_UNSEEN = ("hook_system_message", "command_permissions")
"""Attachments that are shown to the person and not sent to the model."""


def injected_kind(record: dict[str, Any], texts: list[str]) -> str:
    """Empty for what a person typed, else what put it there. All of its texts must be the harness's."""
    if record.get("isCompactSummary"):
        return "summary"
    if record.get("isMeta") or record.get("isVisibleInTranscriptOnly"):
        return "meta"
    return origin_kind(record) or _opening_kind(texts)


def origin_kind(record: dict[str, Any]) -> str:
    """Empty where a person is recorded as the origin or nothing is, else the recorded kind."""
    origin = record.get("origin")
    kind = string(origin.get("kind")) if isinstance(origin, dict) else ""
    return "" if kind == "human" else kind


def _opening_kind(texts: list[str]) -> str:
    kinds = [next((k for o, k in _OPENINGS.items() if t.lstrip().startswith(o)), "") for t in texts]
    return kinds[0] if kinds and all(kinds) else ""


def attached(attachment: dict[str, Any]) -> tuple[Parts, str]:
    """What an attachment put into the context, and its `injected` kind: empty for a prompt typed while a reply ran."""
    kind = string(attachment.get("type"))
    if kind in _UNSEEN:
        return Parts(), "attachment"
    if kind == "queued_command":
        typed = attachment.get("commandMode") in (None, "prompt") and not origin_kind(attachment)
        return Parts().add(attachment.get("prompt")), "" if typed else "attachment"
    keys = ("content", "addedBlocks", "addedLines", "addedNames", "snippet", "displayPath")
    found = next((attachment[key] for key in keys if attachment.get(key)), None)
    return Parts().add(_inner(found)), "attachment"


def _inner(content: Any) -> Any:
    """The text inside `{type: "text", file: {content}}` and `{content}`; anything else as it is."""
    while isinstance(content, dict):
        inner = next((content[key] for key in ("file", "content") if content.get(key)), None)
        if inner is None or content.get("type") == "image":
            return content
        content = inner
    return content


def as_title(text: str) -> str:
    """A user message without what the harness wrapped it in: a command as it was typed, no reminders."""
    command = _COMMAND.search(text)
    if command:
        return " ".join(part.strip() for part in command.groups() if part and part.strip())
    return _REMINDER.sub("", text).strip()
