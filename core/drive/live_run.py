"""A live run as its readers see it: settings, model, tools, window and status. `Drive` adds the commands."""

import threading
from typing import Any

from core.drive.breakpoints import Breakpoints
from core.drive.journal import Journal, Writer
from core.drive.state import State
from core.drive.status import RunStatus
from core.engine.live_context import LiveContext
from core.llm.protocol import LLM, Shows, Streams
from core.meters import meter_name
from core.toolbox.tools import ToolRegistry
from core.trace.events import Exchanged, Fork, RunSettings


class LiveRun:
    """What the parts of a run share. One thread changes it; readers hold `lock` while they look, never for long."""

    def __init__(
        self,
        settings: RunSettings,
        llm: LLM,
        tools: ToolRegistry,
        recorder: Writer,
        context: LiveContext,
        id: str = "run",
        title: str = "",
    ) -> None:
        self.settings, self.llm, self.tools, self.context = settings, llm, tools, context
        self.id, self.title = id, title
        self.fork: Fork | None = None  # where the run was forked from
        self.note = ""  # what a person should know after the run was reopened
        self.journal, self.status = Journal(recorder), RunStatus()
        self.exchanges: list[Exchanged] = []  # every model call that is over, in order
        self.breakpoints, self.cancel = Breakpoints(), threading.Event()
        context.guard = self.lock

    @property
    def lock(self) -> threading.RLock:
        """Held while something of the run is read or changed, never for long."""
        return self.status.lock

    @property
    def state(self) -> State:
        """What the run is doing."""
        return self.status.state

    @property
    def version(self) -> int:
        """Rises with every change that a reader can see."""
        return self.status.version

    @property
    def meter(self) -> str:
        """The name of the meter that counts the run's tokens."""
        return meter_name(self.context.meter)

    def wait(self, seconds: float = 60.0) -> str:
        """Wait until the run is neither running nor about to pause, at most so many seconds; returns its status."""
        return self.status.wait(seconds)

    def next_request(self) -> dict[str, Any]:
        """The JSON body of the next model call, as the provider gets it. Raises ModelError."""
        if isinstance(self.llm, Shows):
            with self.lock:
                messages, specs = self.context.messages(), self.tools.specs()
            return self.llm.request(messages, specs, streamed=isinstance(self.llm, Streams))
        return self.window_as_json()

    def window_as_json(self) -> dict[str, Any]:
        """The window and the tools in foldline's own format, from which a request is built."""
        with self.lock:
            messages, specs = self.context.messages(), self.tools.specs()
        return {"messages": [m.model_dump(exclude_defaults=True) for m in messages], "tools": specs}
