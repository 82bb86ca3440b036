"""What a person typed, without what an app put above it."""

from pathlib import Path

import pytest

from core.analyse.overview import overview
from core.engine.replay import replay
from core.importers import load
from core.model.own_text import own_text, request_of
from tests.support import assistant, result, user

FILES = "\n# Files mentioned by the user:\n\n## plan.png: /tmp/plan.png\n\n## My request for Codex:\nUse the plan.\n\nNow.\n"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (FILES, "Use the plan.\n\nNow."),
        ("# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nfix it", "fix it"),
        (
            "# Files mentioned by the user:\n\n## plan.png: /tmp/plan.png\n",
            "# Files mentioned by the user:\n\n## plan.png: /tmp/plan.png\n",
        ),
        ("Look at this:\n## My request for Codex:\nno", "Look at this:\n## My request for Codex:\nno"),
        ("", ""),
    ],
)
def test_a_request_is_what_stands_below_its_head(text: str, asked: str) -> None:
    """Only below a head that an app writes; where nothing stands below it, the text is all there is."""
    assert request_of(text) == asked
    assert own_text(user(text)) == asked


def test_only_a_person_asks_and_only_a_tool_prints() -> None:
    """A reply that looks like either is the model's own."""
    printed = "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n2 passed"
    assert own_text(result("c1", printed)) == "2 passed"
    assert [own_text(assistant(text)) for text in (FILES, printed)] == [FILES, printed]


def test_turns_of_a_codex_session_are_named_by_the_request(shared: Path) -> None:
    """Two requests of this session came with a picture; so do their rows and turns begin with what was asked."""
    (path,) = (shared / "transcripts" / "codex").glob("*019d7372*")
    asked = [turn.asked for turn in overview(replay(load(path))).turns]
    assert not any("Files mentioned" in text for text in asked)
    assert any(text.startswith("Fix session details header text format.") for text in asked)
