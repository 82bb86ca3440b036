"""The live runs of this server: each drives in a thread of its own, also while nobody looks. Keys are in memory alone."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from core import Session, Trace
from core.drive import Drive, Store, resume, start
from core.drive.board import BUSY
from core.drive.start import bare, model_for
from core.errors import RunError
from core.events import RunSettings
from core.mcp_servers import McpSpec
from core.measured import Measured
from viewer.lists import started_here

MOST_OPEN = 8
"""Runs that are held open at once; beyond that, one that is not at work is closed. Its file stays."""

GONE = 5.0
"""Seconds without a question from a tab after which it drives no more; a question that waits is one all the while."""

BETWEEN = 2.0
"""Seconds that a tab whose question broke off may take to ask again: it may be reloading."""


@dataclass
class Live:
    """A run that is held open: who drives, and which tabs look on. By its `life` a browser knows it from one held before."""

    drive: Drive
    key: str = field(default="", repr=False)
    servers: tuple[McpSpec, ...] = ()
    base_url: str = field(default="", repr=False)
    life: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    driver: str = ""
    seen: dict[str, float] = field(default_factory=dict)

    def heard(self, tab: str) -> None:
        """A tab asks for news."""
        self.seen[tab] = time.monotonic()

    def left(self, tab: str) -> None:
        """A tab has broken off its question."""
        self.seen[tab] = time.monotonic() - GONE + BETWEEN

    def drives(self, tab: str) -> bool:
        """Whether this tab drives."""
        return bool(tab) and self.driver == tab and not self._gone(tab)

    @property
    def driven(self) -> bool:
        """Whether some tab does."""
        return bool(self.driver) and not self._gone(self.driver)

    def driven_by_another(self, tab: str) -> bool:
        """Whether another tab drives: what is said in this one then changes nothing."""
        return self.driven and not self.drives(tab)

    def _gone(self, tab: str) -> bool:
        return time.monotonic() - self.seen.get(tab, 0.0) > GONE

    def take(self, tab: str) -> None:
        """This tab drives from now on."""
        self.heard(tab)
        self.driver = tab


class Runs:
    """Every run that is held open, by its id; the one used last at the end."""

    def __init__(self, store: Store | None = None) -> None:
        self.store = store or Store()
        self._open: OrderedDict[str, Live] = OrderedDict()
        self._lock = threading.RLock()

    def get(self, id: str) -> Live | None:
        """The run if it is held open, or None."""
        with self._lock:
            if id in self._open:
                self._open.move_to_end(id)
            return self._open.get(id)

    def new(self, settings: RunSettings, key: str = "", servers: Sequence[McpSpec] = ()) -> Live:
        """A new run. Raises FoldlineError: no key, no such folder, a server that does not start."""
        drive = start(settings, self.store, key=key, servers=servers)
        return self._hold(Live(drive, key, tuple(servers), settings.base_url))

    def open(self, id: str, key: str = "") -> Live:
        """The run of that id, taken up from its file unless it is held open. Raises FoldlineError."""
        with self._lock:
            return self.get(id) or self._hold(Live(resume(id, self.store, key=key), key))

    def reconnect(self, live: Live, key: str, model: str, base_url: str, max_output: int | None) -> None:
        """Have the run go on with another key, model, address or length of reply; "" is what it has. Raises FoldlineError."""
        changed = {"model": model or live.drive.settings.model, "max_output": max_output}
        address = base_url or live.base_url or live.drive.settings.base_url
        llm = model_for(live.drive.settings.model_copy(update={**changed, "base_url": address}), key or live.key)
        live.key, live.base_url = key or live.key, address
        live.drive.reconnect(llm, **changed, base_url=bare(address))

    def again(self, live: Live) -> Live:
        """A new run with the same settings, beside the old one, which stays as it is."""
        live.drive.stop()
        settings = live.drive.settings.model_copy(update={"base_url": live.base_url or live.drive.settings.base_url})
        made = self.new(settings, live.key, live.servers)
        made.driver, made.seen = live.driver, dict(live.seen)
        return made

    def close(self, id: str) -> None:
        """Let go of a run: it stops, and its file may be used by others."""
        with self._lock:
            live = self._open.pop(id, None)
        if live is not None:
            live.drive.close()

    def rename(self, id: str, title: str) -> None:
        """Give a run a name. Raises FoldlineError."""
        live = self.get(id)
        if live is not None:
            live.drive.rename(title)
        else:
            self.store.rename(id, title)

    def delete(self, id: str) -> None:
        """Delete a run's file. Raises RunError while it is at work, and where the file cannot be deleted."""
        live = self.get(id)
        if live is not None and live.drive.state.status in BUSY:
            raise RunError("the run is at work", "stop it first")
        self.close(id)
        self.store.delete(id)

    def held(self) -> list[Live]:
        """Those that are held open, the one used last at the end."""
        with self._lock:
            return list(self._open.values())

    def holds(self, live: Live) -> bool:
        """Whether this very one is still held open."""
        with self._lock:
            return self._open.get(live.drive.id) is live

    def newest(self) -> Live | None:
        """The run that was used last, of those held open."""
        return next(reversed(self.held()), None)

    def _hold(self, live: Live) -> Live:
        with self._lock:
            self._open[live.drive.id] = live
            idle = [id for id, one in self._open.items() if one is not live and one.drive.state.status not in BUSY]
            closing = idle[: max(0, len(self._open) - MOST_OPEN)]
        for id in closing:
            self.close(id)
        return live


@cache
def runs() -> Runs:
    """Those of this server."""
    return Runs()


@dataclass(frozen=True)
class OpenedLive:
    """A live run as the API of the debugger looks at a session: its messages are those that have arrived."""

    drive: Drive

    @property
    def session(self) -> Session:
        """The run so far."""
        with self.drive.lock:
            return self.drive.course.session(id=self.drive.id, title=self.drive.title, format="foldline-run")

    @property
    def measured(self) -> Measured:
        """Its messages with their tokens."""
        return self.drive.course.base

    @property
    def recorded(self) -> Trace:
        """The run so far: nothing else was recorded of it."""
        return trace_of(self.drive)

    @property
    def started(self) -> dict[str, list[tuple[int, str, int]]]:
        """No sub-agents."""
        return started_here(Session())


def trace_of(drive: Drive) -> Trace:
    """The run so far as a trace."""
    with drive.lock:
        return drive.course.trace()


def live_named(name: str) -> Drive | None:
    """The run that an address of the API names as `live-<id>`, if it is held open."""
    live = runs().get(name.removeprefix("live-")) if name.startswith("live-") else None
    return live.drive if live else None
