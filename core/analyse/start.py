"""How the conversation begins, system messages aside: with a user message before, and still so after."""

from collections.abc import Iterable, Iterator

from core.analyse.finding import Finding
from core.analyse.window_change import WindowChange
from core.model.session import Message

KINDS = ("leading_assistant",)
_WHAT = {"assistant": "an assistant message", "tool": "a tool result"}


def check(change: WindowChange) -> Iterator[Finding]:
    """A window that began with a user message and now begins with something else.

    Bedrock's Converse API and the chat templates of Mistral, Gemma and Llama 2 reject it; OpenAI's API accepts an assistant
    message in front, Anthropic's has done both.
    """
    if not change.moved:
        return
    was, first = _opening(change.before.values()), _opening(change.after.values())
    if was is None or was.role != "user" or first is None or first.role not in _WHAT:
        return
    added = _added(change, first)
    yield Finding(
        kind="leading_assistant",
        concern="structure",
        severity="info" if added else "warning",
        title=f"The conversation begins with {_WHAT[first.role]}",
        text=_ADDED if added else _LEFT,
        messages=(first.id, was.id),
    )


def _opening(messages: Iterable[Message]) -> Message | None:
    """The first message that is not a system message."""
    return next((message for message in messages if message.role != "system"), None)


def _added(change: WindowChange, first: Message) -> bool:
    """Whether this compaction added the message, and not in place of one that was there."""
    return any(first.id == m.id for m in change.compaction.added) and all(
        first.id != m.id for m in change.before.values()
    )


_ADDED = (
    "The message that the policy added comes first, in the assistant role. The API it was made for accepts that; "
    "others require a user message first."
)
_LEFT = (
    "System messages aside, the window no longer begins with a user message: the model reads an answer without the "
    "question. Some APIs reject it (Bedrock, and models served with the chat template of Mistral, Gemma or Llama 2)."
)
