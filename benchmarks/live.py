"""What a live run costs beyond the model: milliseconds for each model call, as the run grows from 100 to 10,000 messages.

The model answers at once, each reply calling one tool, so that all that is measured is ours: the loop with a plain list, then
with a window that a policy governs, then with every event written to disk, then with the news read as the page reads them.
"""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.engine import Row
from core import Message, ToolCall, policy
from core.agents.loop import Loop
from core.drive import Drive
from core.drive.recorder import Nowhere, Recorder
from core.engine.live_context import LiveContext
from core.llm import ToolSpec
from core.meters import meter
from core.policy.vocabulary import Phase
from core.toolbox.tools import ToolRegistry, tool
from core.trace.compaction import Compaction
from core.trace.events import RunSettings
from viewer.wire.live_pack import Seen, news

AT = (100, 1_000, 10_000)
"""Messages that had arrived where a call is timed: the median of CALLS calls before."""

CALLS = 40
WORDS = "word " * 60


@tool
def read(page: int) -> str:
    """A page."""
    return f"{page} {WORDS}"


class Instant:
    """A model that calls the tool at once, until it was asked so often; `asked` is told of each request."""

    def __init__(self, most: int, asked: Callable[[], None] = lambda: None) -> None:
        self.most, self.made, self.asked = most, 0, asked

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        """The next call; a short text for a summary."""
        self.asked()
        self.made += 1
        if self.made > self.most:
            return Message(role="assistant", content="done")
        call = ToolCall(id=f"c{self.made}", name="read", arguments={"page": self.made})
        return Message(role="assistant", content=f"page {self.made}", tool_calls=(call,))


class Plain:
    """The least a loop can work on: a list."""

    def __init__(self) -> None:
        self.list: list[Message] = []

    def messages(self) -> list[Message]:
        """All of them."""
        return list(self.list)

    def append(self, message: Message) -> Message:
        """One more."""
        self.list.append(message)
        return message

    def maybe_compact(self, phase: Phase) -> Compaction | None:
        """Nothing is ever done."""
        return None


class Clock:
    """The seconds from each request to the next, by how many there had been."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self) -> None:
        """A request is made now."""
        self.times.append(time.perf_counter())

    def at(self, messages: int) -> float:
        """Milliseconds of a call when so many messages had arrived: two for each call."""
        last = min(messages // 2, len(self.times) - 1)
        taken = [
            b - a for a, b in zip(self.times[last - CALLS : last], self.times[last - CALLS + 1 : last + 1], strict=True)
        ]
        return 1000 * median(taken)

    def mean(self, messages: int, share: float = 0.1) -> float:
        """The mean of the calls before, compactions among them."""
        last = min(messages // 2, len(self.times) - 1)
        first = last - max(CALLS, int(last * share))
        return 1000 * (self.times[last] - self.times[first]) / (last - first)


POLICIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("agentkit.memory", {"budget": 8_000, "keep_recent": 8}),
    ("minimal_agent.rolling", {"max_input_tokens": 8_000}),
    ("langchain.clear_tool_uses", {"trigger": 8_000, "keep": 8}),
    ("langchain.trim", {"max_tokens": 8_000}),
)


def rows(most: int = AT[-1]) -> Iterator[Row]:
    """The bare loop, then each thing that comes on top of it, then other policies."""
    floor = bare(most)
    yield row("bare loop, messages to a list", floor, floor)
    name, settings = POLICIES[0]
    yield row(f"+ a window under {name}", windowed(most, name, settings), floor)
    with TemporaryDirectory() as folder:
        yield row("+ every event on disk", driven(most, name, settings, Recorder(Path(folder) / "run.jsonl")), floor)
    with TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder) / "run.jsonl")
        yield row("+ news read as the page reads them", driven(most, name, settings, recorder, _followed), floor)
    for name, settings in POLICIES[1:]:
        yield row(f"a window under {name}", windowed(most, name, settings), floor)


def row(what: str, took: Clock, floor: Clock) -> Row:
    """The cost at each length, and how it grows."""
    shown = " ".join(f"{took.mean(n):.2f}" for n in AT)
    growth = took.mean(AT[2]) / took.mean(AT[1])
    return (
        f"live: {what}, a call",
        f"{took.mean(AT[2]):.2f} ms",
        f"{shown} ms at 100, 1,000, 10,000; bare {floor.mean(AT[2]):.2f}",
        f"grows {growth:.2f} x   bar 1.5 x",
    )


def bare(most: int) -> Clock:
    """A loop over a list."""
    clock = Clock()
    Loop(Instant(most // 2, clock), ToolRegistry([read]), Plain(), most).turn("go")
    return clock


def windowed(most: int, name: str, settings: dict[str, Any]) -> Clock:
    """A loop over a window under a policy."""
    clock = Clock()
    course = LiveContext(policy(name, **settings), meter=meter("agentkit"), summarizer=_short)
    Loop(Instant(most // 2, clock), ToolRegistry([read]), course, most).turn("go")
    return clock


def _short(messages: Sequence[Message], prior: str | None = None) -> str:
    return "Pages were read."


def driven(
    most: int,
    name: str,
    settings: dict[str, Any],
    recorder: Recorder | Nowhere,
    look: Callable[[Drive], Callable[[], None]] | None = None,
) -> Clock:
    """A live run; `look` gives what somebody who follows it does at every call."""
    clock = Clock()
    told = RunSettings(
        provider="none", policy=name, parameters=settings, meter="agentkit", summaries="fixed size", max_calls=most
    )
    llm = Instant(most // 2, clock)
    drive = Drive(told, llm, ToolRegistry([read]), recorder)
    if look is not None:
        follow = look(drive)

        def on_request() -> None:
            follow()
            clock()

        llm.asked = on_request
    drive.send("go")
    drive.wait(600)
    drive.close()
    gc.collect()
    return clock


def _followed(drive: Drive) -> Callable[[], None]:
    """What the page that follows a run makes the server do at every call."""
    seen = Seen()

    def follow() -> None:
        nonlocal seen
        with drive.lock:
            news(drive, seen)
            context = drive.context
            seen = Seen(messages=len(context.base.messages), compactions=len(context.compactions), steps=context.steps)

    return follow
