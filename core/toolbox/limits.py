"""The limit of a tool's answer: a long answer pushes the task out of the window."""

from core.model.session import Message

MOST = 16_000  # characters of one answer
_ROOM = 120  # characters kept for saying that it was cut


def limited(text: str, most: int = MOST) -> str:
    """The text in at most `most` characters; a cut text ends with a line that says so.

    `most` is at least 120, so that this line fits.
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
