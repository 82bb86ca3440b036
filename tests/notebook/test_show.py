"""`show`: the debugger below a notebook's cell."""

from html.parser import HTMLParser
from typing import Any

import pytest

from core import FoldlineError, Message, show
from core.trace.trace import as_session


class Frames(HTMLParser):
    """The attributes of the frames of a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Note a frame."""
        self.found += [dict(attrs)] if tag == "iframe" else []


def session(count: int = 6) -> Any:
    """Messages of some 100 tokens each."""
    said = [Message(id=f"m{i}", role="user", content="word " * 100) for i in range(count)]
    return as_session(said, title="<Shop>")


def test_a_cell_shows_one_frame_with_the_whole_file() -> None:
    """It may run scripts, and has no way to the notebook around it; the height is the one asked for."""
    shown = show(session(), "agentkit.memory", budget=300, keep_recent=2, height=500, keep_secrets=True)
    (frame,) = Frames(shown._repr_html_()).found
    assert (frame["srcdoc"], frame["sandbox"]) == (shown.html, "allow-scripts allow-downloads")
    assert "height: 500px" in str(frame["style"])
    assert "<title>&lt;Shop&gt; · foldline</title>" in shown.html


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"policy": "agentkit.memory", "budgte": 3}, "budgte"),
        ({"policy": "agentkit.memroy"}, "agentkit.memroy"),
        ({"step": 99}, "99"),
    ],
)
def test_what_is_not_there_is_said(options: dict[str, Any], said: str) -> None:
    """An unknown setting, policy or step is an error as on the command line, with its hint."""
    with pytest.raises(FoldlineError, match=said) as raised:
        show(session(), keep_secrets=True, **options)
    assert raised.value.hint
