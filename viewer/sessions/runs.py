"""The live runs that this server has open. Each has its own thread, and runs while nobody looks. Keys stay in memory."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

from core import Session, Trace
from core.drive import Drive, Store, fork, reopen, start
from core.drive.set_aside import KEPT
from core.drive.start import begun_with, model_for
from core.drive.status import BUSY
from core.llm.endpoint import without_secrets
from core.model.errors import RunError
from core.toolbox.mcp_servers import McpSpec
from core.trace.events import AnyEvent, RunSettings
from core.window.measured import Measured
from viewer.wire.lists import started_here

MOST_OPEN = 8
"""Runs that are open at once. Beyond that, those that do nothing and that no tab shows are parked."""

GONE = 5.0
"""Seconds without a word of a tab after which it controls the run no more; one that waits for news is there all the while."""

RELOAD = 2.0
"""Seconds that a tab which has hung up may take to ask again: it may be reloading."""

STOPPING = 5.0
"""Seconds that a run which is to be deleted may take to stop."""

_TICK = 0.05  # seconds: a timer may fire a little before its time


@dataclass
class OpenRun:
    """A run that is open, and the tabs that show it. One of them controls it: the others only follow.

    `opened` differs each time the run is opened.
    """

    drive: Drive
    key: str = field(default="", repr=False)
    servers: tuple[McpSpec, ...] = ()
    base_url: str = field(default="", repr=False)
    opened: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    driver: str = ""
    seen: dict[str, float] = field(default_factory=dict)
    _waiting: Counter[str] = field(default_factory=Counter)
    _told: threading.Timer | None = None

    @property
    def life(self) -> int:
        """Another one where what a browser holds of the run is not its beginning: it was reopened, or a step was undone."""
        return self.opened + self.drive.context.undone

    @contextmanager
    def waiting(self, tab: str) -> Iterator[None]:
        """A request of the tab waits for news: the tab is there all the while."""
        self._waiting[tab] += 1
        try:
            yield
        finally:
            self._waiting[tab] -= 1
            self.seen[tab] = time.monotonic()

    def left(self, tab: str) -> None:
        """The tab has hung up: unless it comes back soon, it controls the run no more, and those that follow are told."""
        self.seen[tab] = time.monotonic() - GONE + RELOAD
        if self.driver == tab:
            if self._told:
                self._told.cancel()
            self._told = threading.Timer(RELOAD + _TICK, self._tell_free, [tab])
            self._told.daemon = True
            self._told.start()

    def _tell_free(self, tab: str) -> None:
        if self.driver == tab and not self.driven:
            self.drive.status.bump()

    def drives(self, tab: str) -> bool:
        """Whether this tab controls the run."""
        return bool(tab) and self.driver == tab and not self._gone(tab)

    @property
    def driven(self) -> bool:
        """Whether some tab controls the run."""
        return bool(self.driver) and not self._gone(self.driver)

    @property
    def watched(self) -> bool:
        """Whether some tab shows the run."""
        return any(not self._gone(tab) for tab in (*self.seen, *self._waiting))

    def driven_by_another(self, tab: str) -> bool:
        """Whether another tab controls the run: this one can then change nothing."""
        return self.driven and not self.drives(tab)

    def _gone(self, tab: str) -> bool:
        return not self._waiting[tab] and time.monotonic() - self.seen.get(tab, 0.0) > GONE

    def leave(self, tab: str) -> None:
        """The tab is gone: if it controlled the run, any other may."""
        self.seen.pop(tab, None)
        if self.driver == tab:
            self.driver = ""
            self.drive.status.bump()

    def take_over(self, tab: str) -> None:
        """This tab controls the run from now on."""
        self.seen[tab] = time.monotonic()
        self.driver = tab

    def follow(self, other: "OpenRun") -> None:
        """Take another run's place: its tabs show this one, which pauses in the same places and keeps the same pace."""
        self.driver, self.seen = other.driver, dict(other.seen)
        state, points = other.drive.state, other.drive.breakpoints.all
        self.drive.set_pace(stepping=state.stepping, seconds=state.pace)
        if points and not self.drive.breakpoints.all:
            self.drive.set_breakpoints(points)


@dataclass(frozen=True)
class Parked:
    """What a run needs to go on that its file does not hold. It stays in memory, and so as long as the server runs."""

    key: str = field(default="", repr=False)
    servers: tuple[McpSpec, ...] = ()
    base_url: str = field(default="", repr=False)
    stepping: bool = False
    pace: float = 0.0

    @classmethod
    def of(cls, live: OpenRun) -> "Parked":
        """That of an open run."""
        state = live.drive.state
        return cls(live.key, live.servers, live.base_url, state.stepping, state.pace)

    def reopened(self, id: str, store: Store, key: str) -> OpenRun:
        """The run from its file, as it was; without an MCP server that does not start. Raises FoldlineError."""
        key = key or self.key
        drive = reopen(id, store, key=key, base_url=self.base_url, servers=self.servers)
        drive.set_pace(stepping=self.stepping, seconds=self.pace)
        return OpenRun(drive, key, self.servers, self.base_url)


class Runs:
    """Every open run, by its id; the one used last at the end. A run that is parked opens again as it was."""

    def __init__(self, store: Store | None = None) -> None:
        self.store = store or Store()
        self._open: OrderedDict[str, OpenRun] = OrderedDict()
        self._parked: dict[str, Parked] = {}
        self._deleted: dict[str, Parked] = {}
        self._lock = threading.RLock()

    def get(self, id: str) -> OpenRun | None:
        """The run if it is open, or None."""
        with self._lock:
            if id in self._open:
                self._open.move_to_end(id)
            return self._open.get(id)

    def new(self, settings: RunSettings, key: str = "", servers: Sequence[McpSpec] = ()) -> OpenRun:
        """A new run. Raises FoldlineError: no key, no such folder, a server that does not start."""
        drive = start(settings, self.store, key=key, servers=servers)
        return self._add(OpenRun(drive, key, tuple(servers), settings.base_url))

    def open(self, id: str, key: str = "") -> OpenRun:
        """The run of that id, reopened from its file if need be. Raises FoldlineError."""
        with self._lock:
            if live := self.get(id):
                return live
            made = self._parked.get(id, Parked()).reopened(id, self.store, key)
            self._parked.pop(id, None)
            return self._add(made)

    def reconnect(self, live: OpenRun, key: str, model: str, base_url: str, max_output: int | None) -> None:
        """Give the run another key, model, address or reply limit; "" leaves each unchanged. Raises FoldlineError."""
        changed = {"model": model or live.drive.settings.model, "max_output": max_output}
        address = base_url or live.base_url or live.drive.settings.base_url
        llm = model_for(live.drive.settings.model_copy(update={**changed, "base_url": address}), key or live.key)
        live.key, live.base_url = key or live.key, address
        live.drive.reconnect(llm, **changed, base_url=without_secrets(address))

    def restart_servers(self, live: OpenRun) -> None:
        """Open the run again, with its MCP servers started anew. Raises RunError while it runs, or where one does not start."""
        with self._lock:
            if live.drive.state.status in BUSY:
                raise RunError("the agent is running", "stop it first")
            self._parked[live.drive.id] = Parked.of(live)
            self.close(live.drive.id)
            again = self.open(live.drive.id)
        again.driver, again.seen = live.driver, dict(live.seen)
        if again.drive.note:
            raise RunError(again.drive.note, "try the command in a terminal")

    def restart(self, live: OpenRun) -> OpenRun:
        """A new run with the same settings and breakpoints; the old one is stopped and stays open."""
        live.drive.stop()
        settings = live.drive.settings.model_copy(update={"base_url": live.base_url or live.drive.settings.base_url})
        made = self.new(settings, live.key, live.servers)
        made.follow(live)
        return made

    def fork(self, live: OpenRun, step: int, edit: str | None = None) -> OpenRun:
        """A new run with the window that this one had at a step; `edit` is what the message of the step says there.

        Raises FoldlineError.
        """
        id = live.drive.id
        if not self.store.path(id).exists():
            raise RunError("nothing has happened in this run yet", "send a message first")
        drive = fork(id, step, self.store, edit=edit, key=live.key, base_url=live.base_url, servers=live.servers)
        made = OpenRun(drive, live.key, live.servers, live.base_url)
        made.follow(live)
        return self._add(made)

    def begin(self, events: Sequence[AnyEvent], like: OpenRun | None) -> OpenRun:
        """A new run whose file begins with these events, with the key, address and MCP servers of another run.

        Raises FoldlineError as `open` does.
        """
        key, base_url, servers = (like.key, like.base_url, like.servers) if like else ("", "", ())
        drive = begun_with(events, self.store, key=key, base_url=base_url, servers=servers)
        return self._add(OpenRun(drive, key, servers, base_url))

    def close(self, id: str) -> None:
        """Stop a run and release its file."""
        with self._lock:
            live = self._open.pop(id, None)
        if live is not None:
            live.drive.close()

    def rename(self, id: str, title: str) -> None:
        """Give a run a title. Raises FoldlineError."""
        live = self.get(id)
        if live is not None:
            live.drive.rename(title)
        else:
            self.store.rename(id, title)

    def delete(self, id: str, *, stop: bool = False) -> None:
        """Delete a run, which `put_back` undoes for a while; `stop` stops it first where it is in the middle of a turn.

        Raises RunError while it is running, and where it stays.
        """
        if stop and (running := self.get(id)):
            running.drive.stop()
            running.drive.wait(STOPPING)
        with self._lock:  # a page that waits for news must not reopen it in between
            live = self.get(id)
            if live is not None and live.drive.state.status in BUSY:
                raise RunError("the agent is running", "try again in a moment" if stop else "stop it first")
            parked = Parked.of(live) if live else self._parked.get(id, Parked())
            self.close(id)
            self.store.delete(id, undoable=True)
            self._parked.pop(id, None)
            self._deleted[id] = parked
        forgets = threading.Timer(KEPT + _TICK, self._forget, [id])
        forgets.daemon = True
        forgets.start()

    def put_back(self, id: str) -> None:
        """Undo the deletion of a run. Raises RunError where it is too late."""
        with self._lock:
            self.store.path(id)  # an id that cannot be one is refused
            self.store.set_aside.put_back(id)
            self._parked[id] = self._deleted.pop(id, Parked())

    def _forget(self, id: str) -> None:
        """A deleted run is not put back any more: what is left of it goes, its key too."""
        self.store.set_aside.remove_old()
        with self._lock:
            self._deleted.pop(id, None)

    def all(self) -> list[OpenRun]:
        """The open runs, the one used last at the end."""
        with self._lock:
            return list(self._open.values())

    def is_open(self, live: OpenRun) -> bool:
        """Whether this very object is still open: the run may have been closed and reopened."""
        with self._lock:
            return self._open.get(live.drive.id) is live

    def newest(self) -> OpenRun | None:
        """The open run that was used last."""
        return next(reversed(self.all()), None)

    def _add(self, live: OpenRun) -> OpenRun:
        with self._lock:
            self._open[live.drive.id] = live
            idle = [id for id, one in self._open.items() if one is not live and self._may_park(one)]
            parked = idle[: max(0, len(self._open) - MOST_OPEN)]
            self._parked |= {id: Parked.of(self._open[id]) for id in parked}
        for id in parked:
            self.close(id)
        return live

    def _may_park(self, live: OpenRun) -> bool:
        """Whether the run does nothing, is not on any screen, and has a file to be opened from."""
        written = self.store.path(live.drive.id).exists()
        return written and not live.watched and live.drive.state.status not in BUSY


@cache
def runs() -> Runs:
    """The open runs of this server."""
    return Runs()


@dataclass(frozen=True)
class OpenedRun:
    """A live run with the interface of `Opened`, for the routes of the debugger."""

    drive: Drive

    @property
    def session(self) -> Session:
        """The run so far as a session."""
        with self.drive.lock:
            return self.drive.context.session(id=self.drive.id, title=self.drive.title, format="foldline-run")

    @property
    def measured(self) -> Measured:
        """The messages with their tokens."""
        return self.drive.context.base

    @property
    def recorded(self) -> Trace:
        """The run so far as a trace."""
        return trace_of(self.drive)

    @property
    def started(self) -> dict[str, list[tuple[int, str, int]]]:
        """No sub-agents."""
        return started_here(Session())


def trace_of(drive: Drive) -> Trace:
    """The run so far as a trace."""
    with drive.lock:
        return drive.context.trace()


def live_named(name: str) -> Drive | None:
    """The open run that an address of the API names as `live-<id>`, or None; `viewer.wire.live_pack.tid_of`."""
    live = runs().get(name.removeprefix("live-").partition("~")[0]) if name.startswith("live-") else None
    return live.drive if live else None
