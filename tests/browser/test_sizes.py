"""Three messages or a hundred thousand: the same few nodes, the same few bytes."""

from pathlib import Path
from typing import Any

import pytest

from core import Message, Session, save
from core.trace.trace import as_session
from tests.browser.looking import COUNT_NODES, at, idle, look, press, slide, slider, tokens, value

pytestmark = pytest.mark.browser


def long_session(count: int, size: int = 40) -> Session:
    """Turns of eight messages, a tool pair in each."""
    roles = ("user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant")
    return as_session([Message(id=f"m{i}", role=roles[i % 8], content="word " * size) for i in range(count)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this module's sessions are written."""
    return tmp_path_factory.mktemp("sizes")


def test_a_hundred_thousand_messages(fresh_page: Any, server: Any, folder: Path) -> None:
    """At most 3,000 nodes; one mount over all slider moves; at most 64 KB a move."""
    save(long_session(100_000), folder / "long.json")
    page, watch = fresh_page(server.url)
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(len(data))))
    query = {"policy": "agentkit.memory", "budget": 40_000, "keep_recent": 20, "meter": "agentkit"}
    look(page, server.url, source=f"path:{folder / 'long.json'}", **query)
    assert int(value(page, "steps")) > 100_000
    for key in ("g", "n", "ArrowRight", "G", "p"):
        press(page, key)
    assert page.evaluate(COUNT_NODES) <= 3_000

    idle(page)
    slide(page, "keep_recent", 21)
    for keep in range(22, 27):
        idle(page)  # what the last move sent has all arrived
        received.clear()
        slide(page, "keep_recent", keep)

        assert 0 < sum(received) <= 64 * 1024
    assert value(page, "mounts") == "1"
    assert watch.errors == []


def test_a_hundred_compactions(page: Any, server: Any, folder: Path) -> None:
    """`n` walks through all of them, and the card counts them."""
    save(long_session(1_200), folder / "hundred.json")
    query = {"policy": "agentkit.memory", "budget": 700, "keep_recent": 2, "meter": "agentkit"}
    look(page, server.url, source=f"path:{folder / 'hundred.json'}", step=0, **query)
    compactions = int(value(page, "steps")) - 1_200
    assert compactions >= 100

    press(page, "G", "p")

    page.get_by_role("heading", name=f"Compaction {compactions} of {compactions}").wait_for()


def test_the_rows_of_the_window_share_a_layer(page: Any, server: Any, folder: Path) -> None:
    """A layer for each would make every frame of the page dearer, also those that move no row."""
    save(long_session(300), folder / "rows.json")
    look(page, server.url, source=f"path:{folder / 'rows.json'}", step=250)
    rows = page.locator(".fl-scroll .fl-row")
    rows.nth(9).wait_for()

    assert set(rows.evaluate_all("(rows) => rows.map((row) => getComputedStyle(row).willChange)")) == {"auto"}


def test_three_messages_and_no_compaction(page: Any, server: Any, folder: Path) -> None:
    """A session smaller than any sensible budget: the slider is there, the picture is whole, the plan says why."""
    save(long_session(3, 1), folder / "three.json")
    look(page, server.url, source=f"path:{folder / 'three.json'}", policy="agentkit.memory")

    assert value(page, "steps") == "3"
    slider(page, "budget").wait_for()
    press(page, "n", "p", "G", "ArrowRight", "g")
    assert at(page) == 0
    assert page.locator(".fl-plan").inner_text()


def test_where_the_cursor_is_stands_on_one_line(page: Any, server: Any, folder: Path) -> None:
    """Also in a short session that is never compacted, where its numbers have the fewest digits."""
    save(long_session(20, 1), folder / "twenty.json")
    look(page, server.url, source=f"path:{folder / 'twenty.json'}", policy="recorded")
    press(page, "G")
    assert page.locator(".fl-position").inner_text() == "message 20 of 20 · turn 3"
    assert page.locator(".fl-position").bounding_box()["height"] == 16


def test_one_message_of_five_megabytes(page: Any, server: Any, folder: Path) -> None:
    """It is shown piece by piece: the page stays small and usable, and says how much there is."""
    long = Message(id="long", role="tool", content="0123456789abcdef\n" * 300_000)
    session = as_session([Message(id="u", role="user", content="read it"), long])
    save(session, folder / "big.json")
    look(page, server.url, source=f"path:{folder / 'big.json'}", policy="agentkit.memory", meter="agentkit")
    press(page, "G")

    page.get_by_text("5,100,000", exact=False).first.wait_for()
    assert tokens(page) > 1_000_000
    assert page.evaluate(COUNT_NODES) <= 3_000
    press(page, "g")
    assert at(page) == 0
