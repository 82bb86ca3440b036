"""News of a live run: a WebSocket on which the page asks, and is answered as soon as something has changed. docs/wire.md.

A browser keeps at most six HTTP connections to one server, so that a request that waits in each of six tabs blocks every other
request: https://developer.mozilla.org/docs/Web/HTTP/Connection_management_in_HTTP_1.x. WebSockets are not among them.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from core.drive import Drive
from viewer.api.answers import RefusedError
from viewer.api.live import live_run
from viewer.sessions.runs import OpenRun, runs
from viewer.wire.live_pack import Seen, news

Question = Mapping[str, Any]


async def tell_news(socket: WebSocket) -> None:
    """Answer one question after the other, until the page hangs up or a question is refused."""
    await socket.accept()
    caller = Caller(socket)
    with suppress(WebSocketDisconnect):
        try:
            while True:
                await socket.send_text(await caller.answer())
        except RefusedError as error:
            await socket.send_json({"error": str(error), "hint": error.hint, "status": error.status})
            await socket.close()
        finally:
            caller.hang_up()


class Caller:
    """The page at the other end: what it asks next, and the run that it asked about last."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.hears = self._listen()
        self.live: OpenRun | None = None
        self.tab = ""

    def _listen(self) -> "asyncio.Future[Any]":
        return asyncio.ensure_future(self.socket.receive_json())

    async def answer(self) -> str:
        """The answer to the next question, once there is one.

        Raises RefusedError, and WebSocketDisconnect once the page has hung up.
        """
        asked = await self._question()
        while True:
            live = await run_in_threadpool(live_run, self.socket)
            self.live, self.tab = live, str(asked.get("tab", ""))[:80]
            known = _number(asked, "life") == live.life
            if known and not await self._until_changed(live, _number(asked, "version")):
                asked = await self._question()
                continue
            if runs().is_open(live):  # not closed or reopened meanwhile
                return await run_in_threadpool(_news, live, _seen(asked) if known else Seen(), self.tab)

    async def _question(self) -> Question:
        try:
            asked = await self.hears
        except (ValueError, KeyError, RecursionError):  # no JSON, no text, too deep
            asked = None
        if not isinstance(asked, dict):
            raise RefusedError("the request cannot be read", "reload the page")
        self.hears = self._listen()
        return asked

    async def _until_changed(self, live: OpenRun, version: int) -> bool:
        """Wait until the run has another version; False if the page says something first."""
        with live.waiting(self.tab), told_of_changes(live.drive) as changed:
            if live.drive.version != version:
                return True
            change = asyncio.ensure_future(changed.wait())
            await asyncio.wait((self.hears, change), return_when=asyncio.FIRST_COMPLETED)
            change.cancel()
            return not self.hears.done()

    def hang_up(self) -> None:
        """The page is not there any more."""
        self.hears.cancel()
        if self.live is not None:
            self.live.left(self.tab)


@contextmanager
def told_of_changes(drive: Drive) -> Iterator[asyncio.Event]:
    """An event that is set when the run changes, in whatever thread."""
    changed, loop = asyncio.Event(), asyncio.get_running_loop()

    def tell() -> None:
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(changed.set)

    with drive.status.listening(tell):
        yield changed


def _news(live: OpenRun, seen: Seen, tab: str) -> str:
    with live.drive.lock:
        version = live.drive.version
        found = news(live.drive, seen)
    found["state"] |= {"drives": live.drives(tab), "driven": live.driven}
    return json.dumps({"run": live.drive.id, "life": live.life, "version": version, **found})


def _seen(asked: Question) -> Seen:
    return Seen(_number(asked, "messages"), _number(asked, "compactions"), _number(asked, "steps"))


def _number(asked: Question, name: str) -> int:
    found = asked.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else -1


ROUTES = [WebSocketRoute("/api/live/{run}/news", tell_news)]
