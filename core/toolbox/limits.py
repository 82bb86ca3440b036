"""How long a tool's answer may be, whoever wrote the tool: a model that gets too much forgets what it was asked."""

from core.model import Message

MOST = 16_000  # characters of one answer
_ROOM = 120  # characters kept for saying that it was cut


def limited(text: str, most: int = MOST) -> str:
    """The text in at most `most` characters; one that was longer ends with a line that says so.

    `most` below 120 is taken as 120: less could not even say that something is missing.
    """
    most = max(most, _ROOM)
    if len(text) <= most:
        return text
    kept = text[: most - _ROOM].rstrip()
    return f"{kept}\n[cut: the first {len(kept):,} of {len(text):,} characters; ask for less at a time]"


def limited_answer(answer: Message, most: int = MOST) -> Message:
    """The tool message with its content cut to `most` characters; the same message if it is short enough."""
    text = limited(answer.content, most)
    return answer if text is answer.content else answer.model_copy(update={"content": text})
