"""Summarizers that fail in the four ways that real ones do, to see what a policy makes of it.

Each is `summarizer(messages, prior) -> text` like any other: one says nothing, one only white space, one raises, and one
says more than it was given.
"""

from collections.abc import Sequence

from core.model.errors import FoldlineError
from core.model.session import Message

MOST = 4_000_000  # characters: a million tokens, no context window is larger
_LONG = "[a summary made too long, to see what comes of it]"
_SHORT = "[a few words on a summary that was too long]"


class NoSummaryError(FoldlineError):
    """What the failing summarizer raises, as a model does that cannot be reached."""


class Failing:
    """A summarizer that fails in one way; `name` is which."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """A bad summary of these messages. Raises NoSummaryError where that is the way to fail."""
        if self.name == "error":
            raise NoSummaryError("the model did not answer (simulated failure)")
        return _too_long(messages, prior) if self.name == "too long" else _BLANK[self.name]


def _too_long(messages: Sequence[Message], prior: str | None) -> str:
    """More tokens than the messages have; a few words where its own long text is among them, so that it does not grow on.

    " pad" is one token to each meter, and no text has more than a token for every two bytes, or hardly any.
    """
    if any(_LONG in text for text in (prior or "", *(m.content[:1000] for m in messages))):
        return _SHORT
    return f"{_LONG}{' pad' * (_size(messages, prior) // 2 + 100)}"[:MOST]


def _size(messages: Sequence[Message], prior: str | None) -> int:
    """The bytes of all that these messages say and call, and some for the frame of each."""
    said = (len(text.encode("utf-8", "replace")) for m in messages for text in _texts(m))
    return len((prior or "").encode("utf-8", "replace")) + sum(said) + 16 * len(messages)


def _texts(message: Message) -> list[str]:
    calls = (f"{call.id}{call.name}{call.raw or call.arguments}" for call in message.tool_calls)
    return [message.content, message.thinking, message.tool_call_id or "", *calls]


_BLANK = {"empty": "", "white space": " \n\t\n"}
FAILURES = {
    "empty": ("Empty reply", "an empty reply, to see whether the policy accepts it as a summary"),
    "white space": ("Blank reply", "a reply of spaces and newlines, to see whether the policy accepts it as a summary"),
    "error": ("No reply", "the model does not answer, to see what happens to the window"),
    "too long": ("Too long", "a summary longer than what it replaces, to see whether the policy accepts it"),
}
"""What each is called in a menu, and one line on it, by name."""
