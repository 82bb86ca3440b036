"""Runs that are ended at a given moment, for test_killed.py: `python -m tests.drive.killed` reads what to do line by line.

Each line of its input is a JSON object: `folder`, `id`, `seed`, `policy`, `after`, `late` and `signal`. A process of its own
drives the run, or takes it up where it is there already, and tells the number of each event once it was written. When `after`
of them were told, and `late` seconds have passed, it is sent the signal. What it had told comes back, one line for each.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from core.drive import Drive, Store
from core.drive.recorder import Recorder
from core.drive.restore import restored
from core.llm import ToolSpec
from core.model.errors import BrokenPairError
from core.model.session import Message
from core.toolbox.tools import ToolRegistry, tool
from core.trace.events import Event, RunSettings
from tests.drive.parts import LONG, asks, says

PAGES = 14
ANSWER = f"{PAGES} pages, nothing found."
GOAL = "Look for the missing entry."
POLICIES = {
    "langchain.summarization": {"trigger": {"tokens": 900}, "keep": {"messages": 4}},
    "langchain.clear_tool_uses": {"trigger": 700, "keep": 2},
    "strands.sliding_window": {"window_size": 8},
}
ENOUGH = 60.0


class Reader:
    """A model that reads page after page, slowly; it refuses half a tool pair, and knows from the messages how far it is."""

    def __init__(self, seed: int, made: int = 0, slow: float = 0.003) -> None:
        self.made, self.slow, self.random = made, slow, random.Random(seed)

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_text: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Message:
        """The next page, or the answer; a request for a summary gets one."""
        time.sleep(self.random.random() * self.slow)
        if not tools:
            return Message(role="assistant", content="Pages were read, and nothing was found.")
        whole_pairs(messages)
        names = ("look_up", "look_up") if self.made % 3 == 2 else ("look_up",)
        reply = asks(self.made, *names) if self.made < PAGES else says(ANSWER)
        self.made += 1
        for word in reply.content.split():
            on_text(f"{word} ")
        return reply

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        """The same, in one piece."""
        return self.stream(messages, tools, lambda text: None, lambda: False)


def whole_pairs(messages: Sequence[Message]) -> None:
    """Raise BrokenPairError unless every call is answered behind it and every result has its call in front."""
    asked = {call.id: (m.id, call.name) for m in messages for call in m.tool_calls}
    answered = {m.tool_call_id for m in messages if m.role == "tool"}
    for m in messages:
        if m.role == "tool" and m.tool_call_id not in asked:
            raise BrokenPairError(m.tool_call_id or "", m.name or "", "call", [m.id])
    for id, (message, name) in asked.items():
        if id not in answered:
            raise BrokenPairError(id, name, "result", [message])


class AnnouncingRecorder(Recorder):
    """A recorder that prints the number of each event once it is written."""

    def write(self, event: Event) -> Event:
        """The event as it was kept."""
        kept = super().write(event)
        os.write(1, f"{kept.seq}\n".encode())
        return kept


def look_up_in(folder: Path, slow: float) -> ToolRegistry:
    """The tool, which keeps a list of the pages that it has read to the end."""

    @tool
    def look_up(page: int) -> str:
        """What stands on a page of the ledger."""
        time.sleep(slow)
        with (folder / "read.txt").open("a") as pages:
            pages.write(f"{page}\n")
        return f"page {page}: {LONG}"

    return ToolRegistry([look_up])


def settings(policy: str) -> RunSettings:
    """The settings of such a run: summaries by the model."""
    return RunSettings(
        provider="scripted",
        system="You read ledgers.",
        policy=policy,
        parameters=POLICIES[policy],
        meter="agentkit",
        summaries="model",
        max_calls=100,
    )


def at_work(folder: Path, id: str, policy: str, seed: int, slow: float = 0.003, telling: bool = False) -> Drive:
    """The run, new or taken up where its file ends, under way."""
    store = Store(folder)
    kind, tools = AnnouncingRecorder if telling else Recorder, look_up_in(folder, slow / 3)
    path = store.path(id)
    if path.exists() and b"\n" in path.read_bytes():
        recorder, events = store.reopen(id)
        before = restored(events)
        recorder.close()
        made = sum(m.role == "assistant" for m in before.context.base.messages)
        writer = kind(path, before.seq)
        drive = Drive(before.settings, Reader(seed, made, slow), tools, writer, id=id, before=before)
    else:
        drive = Drive(settings(policy), Reader(seed, 0, slow), tools, kind(path), id=id)
    if not any(m.typed for m in drive.context.base.messages):
        drive.send(GOAL)
    elif drive.state.status == "stopped":
        drive.resume()
    return drive


def child(folder: str, id: str, seed: int, policy: str) -> None:
    """Drive until the run is over, or this process is."""
    at_work(Path(folder), id, policy, seed, telling=True).wait(ENOUGH)
    os._exit(0)


def ended(folder: str, id: str, seed: int, policy: str, after: int, late: float, by: int) -> list[int]:
    """What a process that drives has told when it is ended at that moment."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.dup2(writing, 1)
        child(folder, id, seed, policy)
    os.close(writing)
    with os.fdopen(reading, "rb") as lines:
        told = [int(line) for line, _ in zip(lines, range(after), strict=False)]
        time.sleep(late)
        os.kill(process, by)
        told += [int(line) for line in lines]
    os.waitpid(process, 0)
    return told


if __name__ == "__main__":
    for line in sys.stdin:
        plan = json.loads(line)
        by = getattr(signal, plan.pop("signal"))
        print(json.dumps(ended(**plan, by=by)), flush=True)
