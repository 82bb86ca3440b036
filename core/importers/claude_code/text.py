"""Who wrote what stands in a user's record of a Claude Code session: a person, or the harness; and what it attached."""

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from core.importers._shapes.blocks import MessageParts, string
from core.model.session import QUEUED
from core.model.text import command_as_typed

_OPENINGS = {
    "<command-name>": "command",
    "<command-message>": "command",
    "<local-command-": "command",
    "<bash-": "command",
    "<task-notification>": "task-notification",
    "[Request interrupted by user": "interruption",
}

_REQUEST = re.compile(r"\s*<command-message>[^<]*</command-message>\s*<command-name>[^<]*</command-name>")
"""A slash command that asks the model for something, with words of a person or, as /init, with a prompt of its own. The message
stands in front only of one that the model is sent, a skill or a prompt: of one that Claude Code runs itself, such as /model,
the name does."""

_META = {"Base directory for this skill": "skills", "Stop hook feedback": "hook"}
"""How text begins that is marked as the harness's, where it can be told what it is."""

_TAG = re.compile(r"\s*<(system-reminder|user-prompt-submit-hook|session-start-hook|ide_\w{1,40})>")
"""Around what the harness puts beside what was typed, often into the same record."""

_TAGGED = {"system-reminder": "reminder", "user-prompt-submit-hook": "hook", "session-start-hook": "hook"}

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)

_UNSEEN = ("hook_system_message", "command_permissions")
"""Attachments that are shown to the person and not sent to the model."""

_ATTACHED = (
    ("hook", "hook"),
    ("async_hook", "hook"),
    ("nested_memory", "memory"),
    ("relevant_memories", "memory"),
    ("skill", "skills"),
    ("invoked_skills", "skills"),
    ("dynamic_skill", "skills"),
    ("agent_listing", "agents"),
    ("deferred_tools", "tools"),
    ("mcp_", "tools"),
    ("file", "file"),
    ("edited_", "file"),
    ("directory", "file"),
    ("compact_file", "file"),
    ("plan_file", "file"),
    ("pdf_", "file"),
    ("opened_file_in_ide", "ide"),
    ("selected_lines_in_ide", "ide"),
    ("diagnostics", "ide"),
    ("task_", "reminder"),
    ("todo_", "reminder"),
    ("plan_mode", "reminder"),
    ("auto_mode", "reminder"),
    ("critical_system_reminder", "reminder"),
)
"""The kind of an attachment by how its type begins: what is in none of these is an "attachment"."""


def injected_kind(record: dict[str, Any], texts: list[str]) -> str:
    """Empty for what a person typed, else what put it there. All of its texts must be the harness's."""
    if record.get("isCompactSummary"):
        return "summary"
    if record.get("isMeta") or record.get("isVisibleInTranscriptOnly"):
        return _opening(texts, _META) or "meta"
    kind = origin_kind(record) or _opening(texts, _OPENINGS)
    return "" if kind == "command" and any(map(_REQUEST.match, texts)) else kind


def origin_kind(record: dict[str, Any]) -> str:
    """Empty where a person is recorded as the origin or nothing is, else the recorded kind."""
    origin = record.get("origin")
    kind = string(origin.get("kind")) if isinstance(origin, dict) else ""
    return "" if kind == "human" else kind


def _opening(texts: list[str], openings: dict[str, str]) -> str:
    kinds = [next((k for o, k in openings.items() if t.lstrip().startswith(o)), "") or _tagged(t) for t in texts]
    return kinds[0] if kinds and all(kinds) else ""


def _tagged(text: str) -> str:
    """The kind of a text that is in tags of the harness from its beginning to its end; empty for any other."""
    at, kind = 0, ""
    while tag := _TAG.match(text, at):
        end = text.find(f"</{tag[1]}>", tag.end())
        if end < 0:
            return ""
        at, kind = end + len(tag[1]) + 3, kind or _TAGGED.get(tag[1], "ide")
    return "" if text[at:].strip() else kind


def apart(content: Any) -> Iterator[tuple[bool, Any]]:
    """The content of a record in the pieces that are messages of their own, each with whether the harness added it.

    That is one piece, but where blocks of the harness stand beside what else there is.
    """
    added = [_added(block) for block in content] if isinstance(content, list) and len(content) > 1 else []
    if all(added) or not any(added):
        yield False, content
        return
    for by_harness, pairs in groupby(zip(added, content, strict=True), itemgetter(0)):
        yield by_harness, [block for _, block in pairs]


def _added(block: Any) -> bool:
    text = block.get("text") if isinstance(block, dict) else block
    return isinstance(text, str) and bool(_tagged(text))


def attached(attachment: dict[str, Any]) -> tuple[MessageParts, str]:
    """What an attachment put into the context, and its `injected` kind: "queued" for a prompt typed while the agent worked."""
    kind = string(attachment.get("type"))
    if kind in _UNSEEN:
        return MessageParts(), "attachment"
    if kind == "queued_command":
        mode = string(attachment.get("commandMode"))
        other = origin_kind(attachment) or (QUEUED if mode in ("", "prompt") else mode)
        return MessageParts().add(attachment.get("prompt")), other
    keys = ("content", "addedBlocks", "addedLines", "addedNames", "snippet", "displayPath")
    found = next((attachment[key] for key in keys if attachment.get(key)), None)
    return MessageParts().add(_inner(found)), next(
        (of for start, of in _ATTACHED if kind.startswith(start)), "attachment"
    )


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
    return command_as_typed(text) or _REMINDER.sub("", text).strip()
