"""The first messages of a transcript of which only the first bytes are known."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import load
from core.importers._beginning import beginning
from tests.serving import ROOT
from viewer.sessions.sources import samples

SAMPLES = [ROOT / "sample_sessions" / sample.path for sample in samples() if sample.path.endswith((".json", ".jsonl"))]
CHAT = [{"role": "user", "content": text} for text in ("one", "two", "three")]


def texts(start: str, most: int = 10) -> list[str]:
    """What the first messages say."""
    return [m.content for m in beginning(start.encode(), most)]


def test_whole_lines_are_read() -> None:
    """The line that is cut in two is left out."""
    lines = [json.dumps({"messages": [CHAT[0], {"role": "assistant", "content": "answered"}]})] * 2
    assert texts(f"{lines[0]}\n{lines[1][:-20]}") == ["one", "answered"]


def test_json_is_read_as_far_as_it_goes() -> None:
    """In a list, or a list inside of a value; the last message may be cut in two, so it is left out."""
    for whole in (json.dumps(CHAT), json.dumps(CHAT, indent=2), json.dumps({"model": "m", "messages": CHAT})):
        assert texts(whole[: whole.index("ree")]) == ["one", "two"]


def test_no_more_than_wanted_is_given() -> None:
    """The first ones."""
    assert texts(json.dumps(CHAT), 1) == ["one"]


@pytest.mark.parametrize("start", ["", "no transcript", "[", "{", "[1, 2", '{"a": [{"b"', "\x00\x01"])
def test_what_shows_no_messages_gives_none(start: str) -> None:
    """Opening the file says what is wrong with it."""
    assert texts(start) == []


@given(data=st.data())
def test_a_sample_begins_with_its_first_messages(data: st.DataObject) -> None:
    """Wherever it is cut: they are messages of the session, in order."""
    path = data.draw(st.sampled_from(SAMPLES))
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    all_of_it = iter([(m.role, m.content) for m in load(path).messages])
    assert all((m.role, m.content) in all_of_it for m in beginning(whole[:cut], 40))
