"""Text that Codex adds under the user's role, and how commands ended."""

import re

from core.importers._shapes.blocks import MessageParts

_MARKS = (
    ("# AGENTS.md instructions", "context"),
    ("<user_instructions>", "context"),
    ("<environment_context>", "context"),
    ("<permissions instructions>", "context"),
    ("<INSTRUCTIONS>", "context"),
    ("<goal_context>", "context"),
    ("<codex_internal_context", "context"),
    ("<skill>", "skill"),
    ("<hook_prompt", "hook"),
    ("<turn_aborted>", "aborted"),
    ("<user_action>", "command"),
    ("<user_shell_command>", "command"),
    ("<subagent_notification>", "notification"),
)
"""How texts begin that nobody typed, and what they are."""

_IMAGE_TAG = re.compile(r"<image\b[^>]*>|</image>")

_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(\d+)$", re.MULTILINE)

_OUTPUT = "\nOutput:\n"

_RUNNING = re.compile(r"^Process running with session ID ", re.MULTILINE)

_REFUSED = re.compile(
    r"apply_patch verification failed|patch rejected|exec command rejected by user"
    r"|(?:exec_command|write_stdin|collab \w+|resources/\w+) failed\b"
    r"|unsupported (?:custom tool )?call: |failed to parse function arguments|execution error: "
)
"""How the answer to a call begins that Codex did not carry out. What a command printed stands behind a head of its own."""


def injected_kind(texts: list[str]) -> str:
    """What the texts of a message are, where Codex put in all of them; empty where it did not."""
    kinds = [_kind(text) for text in texts if text.strip()]
    return kinds[0] if kinds and all(kinds) else ""


def _kind(text: str) -> str:
    start = text.lstrip()[:40]
    return next((kind for mark, kind in _MARKS if start.startswith(mark)), "")


def sayings(parts: MessageParts) -> list[str]:
    """The ways in which the event beside a message may repeat what was typed: as one text, or one of several."""
    texts = [t.strip() for t in parts.texts if not _IMAGE_TAG.fullmatch(t.strip())]
    return ["".join(texts), "\n".join(texts), *texts]


def still_runs(text: str) -> bool:
    """Whether the head of a command's output says that it runs on: how it ended is told by a later result."""
    head, mark, _ = text[:2000].partition(_OUTPUT)
    return bool(mark) and _RUNNING.search(head) is not None


def ended_badly(text: str) -> bool:
    """Whether a call was not carried out, or the head of a command's output says that it ended with a code other than 0."""
    if _REFUSED.match(text):
        return True
    head, mark, _ = text[:2000].partition(_OUTPUT)
    found = _EXIT.search(head) if mark else None
    return found is not None and int(found[1]) != 0
