"""An exported file looks like the app: it brings the app's font."""

from importlib.util import find_spec

import pytest

from core import Message, meter, replay
from core.trace.trace import as_session
from tests.viewer.export.reading import everything_in
from viewer.export import font as fonts
from viewer.export import page
from viewer.export.file import export

SESSION = as_session([Message(id="u", role="user", content="hello")])


def written() -> str:
    """The page of a small session."""
    trace = replay(SESSION, meter=meter("agentkit"))
    return b"".join(export(trace, trace).pieces()).decode()


def test_the_file_holds_the_font_of_the_apps_pages() -> None:
    """Source Sans as Streamlit has it, unchanged; it counts as part of the program."""
    held = everything_in(written())["font"]
    assert held[:4] == b"wOF2"
    assert held == fonts.font()
    assert 100_000 < len(held) < 300_000


def test_without_the_font_the_file_is_written_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser then takes one of the system's."""
    monkeypatch.setattr(page, "font", lambda: b"")
    assert "font" not in everything_in(written())


def test_a_font_that_is_not_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Streamlit that keeps it elsewhere, or none at all."""
    assert find_spec("streamlit")
    monkeypatch.setattr(fonts, "FILE", "nowhere/*.woff2")
    assert fonts.font.__wrapped__() == b""
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)
    assert fonts.font.__wrapped__() == b""
