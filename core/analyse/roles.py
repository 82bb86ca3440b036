"""Role alternation: a compaction removes what was between two messages of the same role."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from core.analyse.finding import Finding, Severity
from core.analyse.window_change import WindowChange
from core.model.session import Message, Role

KINDS = ("role_alternation_broken",)
_ROLES: tuple[Role, ...] = ("user", "assistant")


def check(change: WindowChange) -> Iterator[Finding]:
    """Two messages of a role in a row, if the window had none before; system messages do not count.

    A window that already had two in a row is merged or rejected with or without this compaction.
    """
    after = list(_doubled(change.after.values())) if change.moved else []
    had = {first.role for first, _ in _doubled(change.before.values())} if after else set[Role]()
    for role in _ROLES:
        found = [both for both in after if both[0].role == role]
        if found and role not in had:
            yield _finding(role, found)


def _doubled(messages: Iterable[Message]) -> Iterator[tuple[Message, Message]]:
    """Neighbors of the same role, user or assistant; the parts of one reply do not count."""
    for first, second in pairwise(message for message in messages if message.role != "system"):
        same_reply = bool(first.reply_id) and first.reply_id == second.reply_id
        if first.role == second.role and first.role in _ROLES and not same_reply:
            yield first, second


def _finding(role: Role, found: list[tuple[Message, Message]]) -> Finding:
    calls = role == "assistant" and any(second.tool_calls for _, second in found)
    severity: Severity = "warning" if calls else "info"
    gemini = " Gemini rejects a tool call that does not follow a user message or a tool result." if calls else ""
    return Finding(
        kind="role_alternation_broken",
        concern="structure",
        severity=severity,
        title=f"Two {role} messages in a row",
        text=f"The window now has two {role} messages in a row. Anthropic's API merges them and OpenAI's accepts them; "
        "Bedrock, DeepSeek's reasoner and models served with the chat template of Mistral, Gemma or Llama 2 reject "
        f"them.{gemini}",
        messages=tuple(dict.fromkeys(message.id for both in found for message in both)),
        numbers={"places": len(found)},
    )
