"""The tool families: found, made for a folder, limited; notes and what they are rebuilt from."""

from pathlib import Path

import pytest

from core.model.errors import ParameterError, UnknownNameError
from core.model.session import Message, ToolCall
from core.toolbox import families, limited, limited_answer, make_tools


def test_every_family_says_what_it_is() -> None:
    """Name, label, one line, and whether a folder must be chosen."""
    assert [(f.name, f.label, f.needs_folder) for f in families()] == [
        ("calculator", "Calculator", False),
        ("files", "Files", True),
        ("notes", "Notes", False),
    ]
    assert all(f.about.endswith(".") for f in families())


def test_every_tool_tells_the_model_what_its_parameters_are(tmp_path: Path) -> None:
    """Each parameter of each tool has a description, and the schema allows no other."""
    registry = make_tools([f.name for f in families()], tmp_path)
    assert [t.name for t in registry] == [
        *("calculate", "list_files", "read_file", "search_files", "add_note", "read_notes")
    ]
    for spec in registry.specs():
        assert spec["parameters"]["additionalProperties"] is False
        assert all(known.get("description") for known in spec["parameters"]["properties"].values()), spec["name"]


def test_a_family_that_is_not_there_is_an_error() -> None:
    """The error lists the known ones."""
    with pytest.raises(UnknownNameError) as caught:
        make_tools(["shell"])
    assert (str(caught.value), caught.value.hint) == (
        "unknown tool family 'shell'",
        "known: calculator, files, notes",
    )


def test_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    """None, one that is not there, a file: each is named, with what to do. Families without a folder need none."""
    (tmp_path / "file").touch()
    for folder, error in [
        (None, "the tools 'files' need a folder"),
        (tmp_path / "nothing", "there is no folder"),
        (tmp_path / "file", "is not a folder"),
        ("a\0b", "is not a path"),
    ]:
        with pytest.raises(ParameterError, match=error) as caught:
            make_tools(["files"], folder)
        assert caught.value.hint
    assert len(make_tools(["calculator", "notes"])) == 3


def test_notes_are_kept_for_one_run() -> None:
    """Numbered, in order; another run has its own."""
    one, other = make_tools(["notes"]), make_tools(["notes"])
    assert one.call("add_note", {"text": "fines are floored"}) == "note 1 kept"
    assert one.call("add_note", {"text": "the ceiling is 20.00"}) == "note 2 kept"
    assert one.call("read_notes", {}) == "1. fines are floored\n2. the ceiling is 20.00"
    assert one.call("read_notes", {"start": 2}) == "2. the ceiling is 20.00"
    assert other.call("read_notes", {}) == "there are no notes yet"


def test_notes_have_limits() -> None:
    """100 notes of 1,000 characters; a long answer says how to read on."""
    registry = make_tools(["notes"])
    assert registry.call("add_note", {"text": " "}) == "error: an empty note says nothing"
    assert "the most is 1,000" in registry.call("add_note", {"text": "x" * 1_001})
    for _ in range(100):
        registry.call("add_note", {"text": "x" * 1_000})
    assert "there are 100 notes, which is the most" in registry.call("add_note", {"text": "one more"})
    assert registry.call("read_notes", {}).endswith("[notes 1-12 of 100; read_notes(start=13) reads on]")


def test_notes_come_back_from_recorded_calls() -> None:
    """A resumed run has the notes its calls took; a refused, broken or other call adds none."""
    calls = [
        ToolCall(id="1", name="add_note", arguments={"text": "first"}),
        ToolCall(id="2", name="add_note", arguments={"text": ""}),
        ToolCall(id="3", name="add_note", raw="{"),
        ToolCall(id="4", name="calculate", arguments={"expression": "1"}),
        ToolCall(id="5", name="add_note", arguments={"text": "second"}),
    ]
    assert make_tools(["calculator", "notes"], calls=calls).call("read_notes", {}) == "1. first\n2. second"


def test_any_answer_can_be_cut() -> None:
    """Within the limit it is the same text; beyond, what is left says how much there was."""
    assert limited("x" * 200, 200) == "x" * 200
    assert limited("x" * 201, 200) == "x" * 80 + "\n[cut: the first 80 of 201 characters; ask for less at a time]"
    short = Message(role="tool", content="ok", tool_call_id="c1")
    assert limited_answer(short) is short
    cut = limited_answer(Message(role="tool", content="y" * 20_000, tool_call_id="c1"))
    assert (len(cut.content) <= 16_000, cut.tool_call_id) == (True, "c1")
