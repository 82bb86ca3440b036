"""Agents for the tests of live runs: scripted models that can be held up, and a store in a folder of the test's own."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from core.drive import Drive, Store
from core.drive.recorder import read_events
from core.drive.restore import restored
from core.llm import ToolSpec
from core.model.errors import RunCancelledError
from core.model.session import Message, ToolCall, Usage
from core.toolbox.tools import ToolRegistry, tool
from core.trace.events import AnyEvent, RunSettings

LONG = "Nothing out of the ordinary was found in this part of the ledger, page after page. " * 6


@tool
def look_up(page: int) -> str:
    """What stands on a page of the ledger."""
    return f"page {page}: {LONG}"


@tool
def fails(why: str) -> str:
    """A tool that fails."""
    raise ValueError(why)


def asks(k: int, *names: str) -> Message:
    """A reply that calls these tools, the k-th."""
    calls = tuple(
        ToolCall(id=f"c{k}.{i}", name=name, arguments={"page": k} if name == "look_up" else {"why": "torn"})
        for i, name in enumerate(names or ("look_up",))
    )
    usage = Usage(input_uncached=100 + k, output=10)
    return Message(role="assistant", content=f"Let me see page {k}.", tool_calls=calls, usage=usage)


def says(text: str) -> Message:
    """A reply that ends a turn."""
    return Message(role="assistant", content=text, usage=Usage(input_uncached=50, output=5))


class Scripted:
    """A model that gives one reply after the other; `before` is called in front of each, and may wait or raise."""

    def __init__(self, replies: Sequence[Message | Exception], made: int = 0) -> None:
        self.replies, self.made = list(replies), made
        self.sent: list[list[Message]] = []
        self.before: Callable[[int], None] = lambda k: None

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_text: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Message:
        """The next reply; a request for a summary gets a fixed text."""
        if len(messages) == 1 and not tools:
            return Message(role="assistant", content="A summary of what was seen.", usage=Usage(input_uncached=9))
        self.sent.append(list(messages))
        self.before(self.made)
        if cancelled():
            raise RunCancelledError
        reply = self.replies[self.made] if self.made < len(self.replies) else says("Nothing more.")
        self.made += 1
        if isinstance(reply, Exception):
            raise reply
        on_text(reply.content)
        return reply

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        """The same, in one piece."""
        return self.stream(messages, tools, lambda text: None, lambda: False)


def pages(count: int) -> list[Message]:
    """A turn that looks at so many pages, two at a time every third, and answers."""
    asked = [asks(k, "look_up", "look_up") if k % 3 == 2 else asks(k) for k in range(count)]
    return [*asked, says(f"{count} pages, nothing found.")]


class Held:
    """Holds a scripted model up at one reply until it is let go."""

    def __init__(self, llm: Scripted, at: int) -> None:
        self.reached, self.free = threading.Event(), threading.Event()

        def before(k: int) -> None:
            if k == at:
                self.reached.set()
                assert self.free.wait(180)

        llm.before = before


def settings(**changed: object) -> RunSettings:
    """A run whose window is small enough to be compacted every few pages."""
    usual = {
        "provider": "scripted",
        "system": "You read ledgers. Never change one.",
        "policy": "agentkit.memory",
        "parameters": {"budget": 900, "keep_recent": 4},
        "summaries": "structural",
        "max_calls": 60,
    }
    return RunSettings.model_validate({**usual, **changed})


def driven(folder: Path, llm: Scripted, **changed: object) -> Drive:
    """A new run over this model, its file below the folder."""
    store = Store(folder)
    id = store.new_id()
    tools = ToolRegistry([look_up, fails])
    return Drive(settings(**changed), llm, tools, store.recorder(id), id=id, on_close=lambda: store.release(id))


def again(folder: Path, id: str, llm: Scripted) -> Drive:
    """The same run taken up from its file."""
    store = Store(folder)
    recorder, events = store.reopen(id)
    before = restored(events)
    tools = ToolRegistry([look_up, fails])
    return Drive(before.settings, llm, tools, recorder, id=id, before=before, on_close=lambda: store.release(id))


def events_of(drive: Drive) -> list[AnyEvent]:
    """What is on disk of a run."""
    assert drive.journal.recorder.path is not None  # type: ignore[attr-defined]
    return list(read_events(drive.journal.recorder.path))  # type: ignore[attr-defined]
