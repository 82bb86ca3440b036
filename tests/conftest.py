"""What the tests share: the folder of real transcripts, the settings of Hypothesis, a running app and a browser."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from core.model.gc_pause import freeze_from_now_on
from scripts import chromium
from scripts import node as nodejs
from tests.serving import (
    EXAMPLES,
    FOR_TESTS,
    OURS,
    PATIENCE,
    ROOT,
    RULES,
    at_home,
    cookies,
    end,
    free_port,
    share_rules,
    wait_until_healthy,
)
from tests.slow_pages import slowed

settings.register_profile(
    "foldline",
    deadline=None,
    max_examples=5 * EXAMPLES,
    derandomize=EXAMPLES <= 6,  # a run is green or red for the code alone; a long look is random
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("foldline")


def pytest_configure(config: pytest.Config) -> None:
    """Take the tests away from the user's home, and from every variable that would change what the app does."""
    if path := chromium.found():
        os.environ["FOLDLINE_CHROMIUM"] = path  # it may lie in the user's home
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ[RULES] = new_folder(config)
    for name in [n for n in os.environ if n.startswith(OURS) and n not in FOR_TESTS]:
        del os.environ[name]
    home = os.environ["HOME"] = new_folder(config)
    os.environ["SSL_CERT_DIR"] = home  # nothing here speaks TLS, and every client would read a hundred certificates
    share_rules(Path(home))


def new_folder(config: pytest.Config) -> str:
    """A folder that is there until the tests are over."""
    folder = tempfile.mkdtemp(prefix="foldline-home-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


@pytest.fixture(autouse=True)
def nothing_left_frozen() -> Iterator[None]:
    """The app freezes what lives long: Hypothesis would find nothing that refers to its generator, and warn that it is lost."""
    known = list(gc.callbacks)
    yield
    gc.callbacks[:] = known
    freeze_from_now_on(False)
    gc.unfreeze()


@pytest.fixture(autouse=True)
def nothing_left_at_home() -> Iterator[None]:
    """A test that keeps something keeps it in a folder of its own: the next one would find it at the home of all."""
    yield
    home = Path(os.environ["HOME"])
    if left := {*os.listdir(home), *os.listdir(home / ".cache")} - {".cache", "kingfisher"}:
        shutil.rmtree(home)
        home.mkdir()
        share_rules(home)
        pytest.fail(f"this test wrote to its home: {left}", pytrace=False)


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


@pytest.fixture(scope="session")
def node() -> str:
    """The path of a Node."""
    path = nodejs.found()
    if path is None:
        pytest.fail(nodejs.MISSING, pytrace=False)
    return path


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
    """What a page did that it should not: errors on its console, requests to any other origin (see `requests`)."""

    origin: str
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def over(self, page: Any) -> Any:
        """Watch this page; returns it."""
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        page.on("websocket", lambda socket: self.note_address(socket.url))
        return page

    @contextmanager
    def requests(self, page: Any) -> Iterator[None]:
        """Watch what this page asks for, too: two hundred requests for each page that is opened."""

        def note(request: Any) -> None:
            self.note_address(request.url)

        page.on("request", note)
        try:
            yield
        finally:
            page.remove_listener("request", note)

    def note_address(self, url: str) -> None:
        """Note an address that is not the app's own."""
        plain = url.replace("ws://", "http://", 1)
        if not plain.startswith((f"{self.origin}/", f"blob:{self.origin}/", "data:", "about:")):
            self.strangers.append(url)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium, driven by Playwright's synchronous interface."""
    path = chromium.found()
    if path is None:
        pytest.fail(chromium.MISSING, pytrace=False)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path,
            args=[*arguments, "--disable-dev-shm-usage", "--disable-gpu"],
            env=at_home(tmp_path_factory.mktemp("chromium")),
            timeout=1000 * PATIENCE,
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def context(browser: Any) -> Iterator[Any]:
    """What all pages are opened in: they share its cache, which makes a page four times cheaper to open."""
    with new_context(browser) as made:
        yield made


@pytest.fixture(scope="module")
def watch(server: Served) -> Watch:
    """What the module's page did that it should not."""
    return Watch(server.url)


@pytest.fixture(scope="module")
def module_page(context: Any, watch: Watch) -> Iterator[Any]:
    """One page for all tests of a module, nothing opened yet: `module_page.goto(server.url)`."""
    made = new_page(context)
    yield watch.over(made)
    made.close()


@pytest.fixture
def page(module_page: Any) -> Iterator[Any]:
    """The module's page; each test finds it at its full size, light and without animation."""
    yield module_page
    if module_page.viewport_size != FULL:
        module_page.set_viewport_size(FULL)
    module_page.emulate_media(**STILL)


@pytest.fixture
def fresh_page(context: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page of its own with a watch: `page, watch = fresh_page(url, color_scheme="dark")`."""
    pages: list[Any] = []

    def make(url: str, **options: Any) -> tuple[Any, Watch]:
        pages.append(new_page(context, **options))
        watch = Watch(url)
        return watch.over(pages[-1]), watch

    yield make
    for page in pages:
        page.close()


@pytest.fixture
def lone_page(browser: Any) -> Iterator[Any]:
    """A page with a clock of its own: one that is held is held for all pages of a context."""
    with new_context(browser) as made:
        yield new_page(made)


@contextmanager
def new_context(browser: Any) -> Iterator[Any]:
    """A context that waits as long as every other: nobody's cookies, a clock of its own, an empty cache."""
    made = browser.new_context()
    made.set_default_timeout(1000 * PATIENCE)
    try:
        yield made
    finally:
        made.close()


FULL = {"width": 1400, "height": 900}
"""How large a page is, unless a test sets another size."""
STILL = {"reduced_motion": "reduce", "color_scheme": "light"}
"""On a page that asks for less motion nothing is animated."""


def new_page(context: Any, width: int = FULL["width"], height: int = FULL["height"], **media: Any) -> Any:
    """A page of this size on which nothing is animated, unless `reduced_motion="no-preference"` asks for it."""
    context.add_cookies(cookies())
    page = slowed(context.new_page())
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(**STILL | media)
    return page
