"""Calls that never ran, though their result is marked as an error: told by the fixed words with which agents answer them.

Nor does a reply do anything that the harness rejects as it finds no command in it.
"""

import re
from typing import Literal

from core.model.session import Message

Why = Literal["refused", "blocked", "cancelled", "rejected"]

_WORDS: tuple[tuple[Why, str], ...] = (
    (
        "refused",
        r"The user doesn't want to (?:proceed with this tool use|take this action)"  # Claude Code
        r"|The user rejected permission to use this specific tool call"  # OpenCode
        r"|\[Operation Cancelled\] Reason: User (?:denied|did not allow)"  # Gemini CLI
        r"|(?:exec command|patch) rejected by user",  # Codex
    ),
    (
        "blocked",
        r"\W*Blocked(?: by\b|:)"  # a guard of the user's, as an extension of pi
        r"|Permission to use (?s:.{1,4000}?) has been denied"  # Claude Code's rules, with the command of the shell
        r"|Permission for this action (?:has been|was) denied"  # its classifier
        r"|PreToolUse:\S+ hook error\b",
    ),
    ("cancelled", r"<tool_use_error>(?:Sibling tool call errored|Cancelled: )|\[Operation Cancelled\] Reason: "),
)
_BEGINS = tuple((why, re.compile(begins)) for why, begins in _WORDS)


def why_unrun(message: Message, *, calls: bool) -> Why | None:
    """Why the call that a tool result answers never ran: the user refused it, a guard blocked it, or it was cancelled.

    In a session without tool `calls` it is the reply that the harness rejected.
    """
    if message.injected == "error" and not calls:
        return "rejected"
    if message.role != "tool" or not message.is_error:
        return None
    return next((why for why, begins in _BEGINS if begins.match(message.content)), None)
