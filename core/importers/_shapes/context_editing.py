"""Context editing: tool results that the Anthropic API leaves out of a prompt while the client keeps them.

https://docs.claude.com/en/docs/build-with-claude/context-editing
A reply says how many uses of tools were cleared from its prompt, counted from the oldest one of the whole conversation, and
the tokens that saved; not which ones.
"""

from collections.abc import Sequence
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.model.session import RecordedCompaction


def left_out(message: dict[str, Any]) -> tuple[int, int] | None:
    """How many tool results were cleared from the prompt of a reply, and the tokens of it; None where none were."""
    management = message.get("context_management")
    edits = management.get("applied_edits") if isinstance(management, dict) else None
    found = [e for e in edits if isinstance(e, dict)] if isinstance(edits, list) else []
    found = [e for e in found if string(e.get("type")).startswith("clear_tool_uses")]
    count = sum(whole_number(e.get("cleared_tool_uses")) for e in found)
    return (count, sum(whole_number(e.get("cleared_input_tokens")) for e in found)) if count else None


def excluded(request: dict[str, Any]) -> frozenset[str]:
    """The tools whose results a request asks to spare."""
    management = request.get("context_management")
    edits = management.get("edits") if isinstance(management, dict) else None
    lists = [e.get("exclude_tools") for e in edits if isinstance(e, dict)] if isinstance(edits, list) else []
    return frozenset(string(name) for names in lists if isinstance(names, list) for name in names)


def edited(
    at: int, cleared: Sequence[str], tokens: int, prompt: int, line: int | None, timestamp: str = ""
) -> RecordedCompaction:
    """The microcompaction: which messages they were is by the rule that the oldest go first, so it is partial."""
    known = bool(tokens and prompt)
    return RecordedCompaction(
        at=at,
        kind="microcompaction",
        trigger="context editing",
        tokens_before=prompt + tokens if known else None,
        tokens_after=prompt if known else None,
        before_from="prompt of the reply, and what was cleared (`applied_edits.cleared_input_tokens`)" if known else "",
        after_from="prompt of the reply" if known else "",
        cleared=tuple(cleared),
        line=line,
        timestamp=timestamp,
    )
