"""What the tests share: the folder of real transcripts, the settings of Hypothesis, a running app and a browser."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from scripts.chromium import found
from tests.serving import ROOT, at_home, end, free_port, wait_until_healthy

settings.register_profile(
    "foldline",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("foldline")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: quick answers first, and Playwright's event loop is in nobody's way."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder FOLDLINE_SHARED points at; a test that needs it is skipped without."""
    folder = os.environ.get("FOLDLINE_SHARED")
    if not folder or not Path(folder).is_dir():
        pytest.skip("FOLDLINE_SHARED does not point at a folder")
    return Path(folder).resolve()


@dataclass
class Served:
    """A running app: where it is, its process id, where its output goes, the folder that is its home."""

    url: str
    pid: int
    log: Path
    home: Path


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Starts an app: `serve(*arguments)`; all of them are ended when the tests are over."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> Served:
        home, port = tmp_path_factory.mktemp("home"), free_port()
        log = home / "server.log"
        with log.open("wb") as output:
            command = [sys.executable, "-m", "viewer.serve", *arguments, "--port", str(port)]
            process = subprocess.Popen(
                command, cwd=ROOT, env=at_home(home), stdout=output, stderr=output, start_new_session=True
            )
        running.append(process)
        wait_until_healthy(f"http://127.0.0.1:{port}", process, log)
        return Served(f"http://127.0.0.1:{port}", process.pid, log, home)

    yield start
    for process in running:
        end(process)


@pytest.fixture(scope="session")
def server(serve: Callable[..., Served]) -> Served:
    """The app, started once without a file."""
    return serve()


@dataclass
class Watch:
    """What a page did that it should not: errors on its console, requests to any other origin."""

    origin: str
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def over(self, page: Any) -> Any:
        """Watch this page; returns it."""
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.asked(request.url))
        page.on("websocket", lambda socket: self.asked(socket.url))
        return page

    def asked(self, url: str) -> None:
        """Note an address that is not the app's own."""
        plain = url.replace("ws://", "http://", 1)
        if not plain.startswith((f"{self.origin}/", f"blob:{self.origin}/", "data:", "about:")):
            self.strangers.append(url)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium, driven by Playwright's synchronous interface."""
    path = found()
    if path is None:
        pytest.skip("no Chromium: `make test` finds or installs one")
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=[*arguments, "--disable-dev-shm-usage"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def watch(server: Served) -> Watch:
    """What the module's page did that it should not."""
    return Watch(server.url)


@pytest.fixture(scope="module")
def page(browser: Any, watch: Watch) -> Iterator[Any]:
    """One page for all tests of a module, 1400 by 900, nothing opened yet: `page.goto(server.url)`."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    yield watch.over(context.new_page())
    context.close()


@pytest.fixture
def fresh_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page of its own with a watch: `page, watch = fresh_page(url, color_scheme="dark")`."""
    contexts: list[Any] = []

    def make(url: str, **options: Any) -> tuple[Any, Watch]:
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}} | options)
        contexts.append(context)
        watch = Watch(url)
        return watch.over(context.new_page()), watch

    yield make
    for context in contexts:
        context.close()
