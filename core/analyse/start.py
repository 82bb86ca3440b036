"""How the conversation begins once the system messages are taken off: with the user, before as well as after."""

from collections.abc import Iterable, Iterator

from core.analyse.finding import Finding, Severity
from core.analyse.seen import Seen
from core.model import Message

KINDS = ("leading_assistant",)
_WHAT = {"assistant": "a reply of the assistant", "tool": "a tool result"}


def look(seen: Seen) -> Iterator[Finding]:
    """A window that began with a user message and now begins with something else.

    Bedrock's Converse API and the chat templates of Mistral, Gemma and Llama 2 refuse it; OpenAI's API takes an assistant
    message in front, Anthropic's has done both.
    """
    if not seen.moved:
        return
    was, first = _opening(seen.before.values()), _opening(seen.after.values())
    if was is None or was.role != "user" or first is None or first.role not in _WHAT:
        return
    severity, text = _told(_put_in(seen, first))
    yield Finding(
        kind="leading_assistant",
        severity=severity,
        title=f"The conversation begins with {_WHAT[first.role]}",
        text=text,
        messages=(first.id, was.id),
    )


def _opening(messages: Iterable[Message]) -> Message | None:
    """The first message that is no system message."""
    return next((message for message in messages if message.role != "system"), None)


def _put_in(seen: Seen, first: Message) -> bool:
    """Whether the message came with this compaction, and not in place of one that was there."""
    return any(first.id == m.id for m in seen.compaction.added) and all(first.id != m.id for m in seen.before.values())


def _told(put_in: bool) -> tuple[Severity, str]:
    if put_in:
        return "info", (
            "What the policy put in stands first, in the assistant's role. The API it was made for takes that; others "
            "want a user message in front."
        )
    return "warning", (
        "System messages aside, the window began with a user message and does so no more: the model reads an answer "
        "without the question. Some APIs refuse it (Bedrock, and models served with the chat template of Mistral, Gemma "
        "or Llama 2)."
    )
