"""Notices a tool that fails the same way again and again: an agent that does not see it spends call after call."""

from core.model.failure import is_failure
from core.model.session import Message
from core.model.text import cut

MOST = 5
"""How often in a row a tool may fail the same way before the run pauses."""


class Repeats:
    """The failures of each tool since it last succeeded, or failed in another way."""

    def __init__(self) -> None:
        self._failures: dict[str, tuple[str, int]] = {}

    def arrived(self, message: Message) -> None:
        """A message has arrived."""
        if message.role != "tool":
            return
        name = message.name or "a tool"
        error, count = self._failures.pop(name, ("", 0))
        if is_failure(message):
            self._failures[name] = (message.content, count + 1 if message.content == error else 1)

    def reason(self) -> str:
        """Why to pause, "" for no reason. A failure that was told of is counted from one again."""
        for name, (error, count) in self._failures.items():
            if count >= MOST:
                del self._failures[name]
                return f"{name} failed the same way {count} times in a row: {cut(error, 120)}"
        return ""
