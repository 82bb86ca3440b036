"""A model that says what it was told to say."""

from collections.abc import Callable, Iterable, Sequence

from core.errors import FoldlineError
from core.llm.protocol import ToolSpec
from core.model import Message

Script = Callable[[Sequence[Message], Sequence[ToolSpec]], Message]


class MockLLM:
    """A scripted model: a list of replies, given one after the other, or a function of messages and tools.

    `calls` keeps every request as (messages, tools). A list that has run out raises FoldlineError.
    """

    def __init__(self, script: Iterable[Message | str] | Script) -> None:
        self.calls: list[tuple[list[Message], list[ToolSpec]]] = []
        self._script: Script = script if callable(script) else _in_turn(script)

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> Message:
        """The next reply of the script."""
        self.calls.append((list(messages), list(tools)))
        return self._script(messages, tools)


def _in_turn(replies: Iterable[Message | str]) -> Script:
    rest = iter(replies)

    def script(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        reply = next(rest, None)
        if reply is None:
            raise FoldlineError("the mock model's script has run out", "give it one more reply than there are calls")
        return reply if isinstance(reply, Message) else Message(role="assistant", content=reply)

    return script
