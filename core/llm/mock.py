"""A scripted model, for tests and examples."""

from collections.abc import Callable, Iterable, Sequence

from core.llm.protocol import ToolSpec
from core.model.errors import FoldlineError
from core.model.session import Message

Script = Callable[[Sequence[Message], Sequence[ToolSpec]], Message]


class MockLLM:
    """Replies from a list, one after the other, or from a function of messages and tools.

    `calls` keeps every request as (messages, tools). A list that has run out raises FoldlineError.
    """

    def __init__(self, script: Iterable[Message | str] | Script) -> None:
        self.calls: list[tuple[list[Message], list[ToolSpec]]] = []
        self._script: Script = script if callable(script) else _one_by_one(script)

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> Message:
        """The next reply of the script."""
        self.calls.append((list(messages), list(tools)))
        return self._script(messages, tools)


def _one_by_one(replies: Iterable[Message | str]) -> Script:
    rest = iter(replies)

    def script(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        reply = next(rest, None)
        if reply is None:
            raise FoldlineError(
                "the script of the mock model has no more replies", "give it a reply for each model call"
            )
        return reply if isinstance(reply, Message) else Message(role="assistant", content=reply)

    return script
