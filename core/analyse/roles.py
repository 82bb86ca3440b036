"""User and assistant taking turns: a compaction takes out what stood between two messages of the same role."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from core.analyse.finding import Finding, Severity
from core.analyse.seen import Seen
from core.model import Message, Role

KINDS = ("role_alternation_broken",)
_ROLES: tuple[Role, ...] = ("user", "assistant")


def look(seen: Seen) -> Iterator[Finding]:
    """Two messages of a role in a row where the window had none before; system messages do not count.

    A window that had two in a row already is merged or refused with or without this compaction.
    """
    if not seen.moved:
        return
    had = {first.role for first, _ in _doubled(seen.before.values())}
    after = list(_doubled(seen.after.values()))
    for role in _ROLES:
        found = [both for both in after if both[0].role == role]
        if found and role not in had:
            yield _finding(role, found)


def _doubled(messages: Iterable[Message]) -> Iterator[tuple[Message, Message]]:
    """Neighbours of the same role, user or assistant; the parts of one reply are no neighbours."""
    for first, second in pairwise(message for message in messages if message.role != "system"):
        same_reply = bool(first.reply_id) and first.reply_id == second.reply_id
        if first.role == second.role and first.role in _ROLES and not same_reply:
            yield first, second


def _finding(role: Role, found: list[tuple[Message, Message]]) -> Finding:
    asks = role == "assistant" and any(second.tool_calls for _, second in found)
    severity: Severity = "warning" if asks else "info"
    gemini = " Gemini refuses a tool call that does not follow a user message or a tool result." if asks else ""
    return Finding(
        kind="role_alternation_broken",
        severity=severity,
        title=f"Two {role} messages in a row",
        text=f"Two {role} messages now stand side by side, which was not so before. Anthropic's API joins them and OpenAI's "
        "takes them as they are; Bedrock, DeepSeek's reasoner and models served with the chat template of Mistral, Gemma "
        f"or Llama 2 refuse them.{gemini}",
        messages=tuple(dict.fromkeys(message.id for both in found for message in both)),
        numbers={"places": len(found)},
    )
