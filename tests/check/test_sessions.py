"""What a check calls its sessions, and how a baseline knows them again."""

import json
from pathlib import Path
from unittest.mock import Mock
from zipfile import ZipFile

import pytest

from core.check.baseline import Baseline, changes, read_baseline, write_baseline
from core.check.judge import judge
from core.check.sessions import sessions_at
from core.check.verdict import Verdict
from core.model.errors import TranscriptError


def _chat(text: str) -> str:
    return json.dumps([{"role": "user", "content": text}, {"role": "assistant", "content": "Yes."}])


def _row(text: str, **columns: str) -> str:
    return json.dumps({"conversations": [{"from": "human", "value": text}, {"from": "gpt", "value": "Yes."}]} | columns)


def _names(path: Path | str) -> list[str]:
    return [name for name, _ in sessions_at(str(path))]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with a folder of two transcripts in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept" / "deep").mkdir(parents=True)
    (tmp_path / "kept" / "b.json").write_text(_chat("one"))
    (tmp_path / "kept" / "deep" / "a.json").write_text(_chat("two"))
    return tmp_path


def test_a_session_of_a_folder_has_the_path_of_its_file(here: Path) -> None:
    """The one it has where the file itself is given; an archive's begin with the archive's own."""
    with ZipFile("kept.zip", "w") as packed:
        packed.write("kept/b.json", "b.json")
        packed.write("kept/deep/a.json", "deep/a.json")
    assert _names("kept") == _names("kept/") == ["kept/b.json", "kept/deep/a.json"]
    assert _names("kept/b.json") == ["kept/b.json"]
    assert _names("kept.zip") == ["kept.zip/b.json", "kept.zip/deep/a.json"]


def test_sessions_of_one_file_have_their_ids(here: Path) -> None:
    """Their own, else one of what they say: not their number, which shifts when one is put before them."""
    rows = [_row("first", id="mine"), _row("second"), _row("second")]
    Path("rows.jsonl").write_text("\n".join(rows))
    before = _names("rows.jsonl")
    assert before[0] == "rows.jsonl#mine"
    assert before[1].startswith("rows.jsonl#conversation-")
    assert before[2] == f"{before[1]}~2"
    Path("rows.jsonl").write_text("\n".join([_row("new"), *rows]))
    assert _names("rows.jsonl")[1:] == before


def test_what_is_no_transcript_is_left_out_and_what_is_damaged_is_told(here: Path) -> None:
    """A check of a folder must not pass because a transcript in it could not be read."""
    Path("kept/README.md").write_text("# Our transcripts\n")
    Path("kept/cut.json").write_text('[{"role": "us')
    Path("kept/broken.zip").write_bytes(b"PK\x03\x04 and no more")
    found = dict(sessions_at("kept"))
    assert sorted(found) == ["kept/b.json", "kept/broken.zip", "kept/cut.json", "kept/deep/a.json"]
    assert [name for name, one in found.items() if isinstance(one, TranscriptError)] == [
        "kept/broken.zip",
        "kept/cut.json",
    ]


def test_a_folder_without_a_transcript_is_an_error(here: Path) -> None:
    """Nothing was checked."""
    Path("none").mkdir()
    Path("none/README.md").write_text("# Nothing here\n")
    ((name, error),) = sessions_at("none")
    assert (name, type(error).__base__) == ("none", TranscriptError)


def _verdicts(*names: str) -> list[Verdict]:
    return [Verdict(session=name, rule="keep “x”", status="failed", text="lost", amount=1) for name in names]


def _base(*names: str) -> Baseline:
    write_baseline(Path("base.json"), _verdicts(*names))
    return read_baseline(Path("base.json"))


def test_a_session_is_known_from_any_working_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file names it by its path from where the file lies."""
    assert list(_base("kept/b.json").sessions) == ["kept/b.json"]
    monkeypatch.chdir(here / "kept")
    again = read_baseline(Path("../base.json"))
    found = [again.beside(one).status for one in _verdicts("b.json", str(here / "kept/b.json"), "deep/a.json")]
    assert found == ["known", "known", "failed"]


def _found(rows: Path, *lines: str) -> list[Verdict]:
    """What a check finds in a file of these lines: its one rule is broken by every session."""
    rows.write_text("\n".join(lines))
    trace, broken = Mock(), Mock(judge=lambda trace, name: _verdicts(name)[0])
    return list(judge(sessions_at(str(rows)), lambda session: trace, [broken]))


@pytest.mark.parametrize("columns", [{"id": "one"}, {}], ids=["an id of its own", "an id of what it says"])
def test_the_only_session_of_a_file_stays_known_among_others(here: Path, columns: dict[str, str]) -> None:
    """Whether they come in front of it or behind it. They are new, and what they break fails."""
    rows, own = Path("rows.jsonl"), _row("first", **columns)
    write_baseline(Path("base.json"), _found(rows, own))
    base = read_baseline(Path("base.json"))
    for place, lines in enumerate(([own, _row("other", id="two")], [_row("other", id="two"), own])):
        found = _found(rows, *lines)
        assert base.beside(found[place]).status == "known"
        assert base.beside(found[1 - place]).status == "failed"
        assert base.new(found) == ["rows.jsonl#two"]
        assert base.gone(found, ["rows.jsonl"]) == []


def test_a_session_stays_known_when_the_others_leave_its_file(here: Path) -> None:
    """It is told neither as new nor as gone; the others are gone, and one that nobody knew is new."""
    rows, left = Path("rows.jsonl"), _row("second", id="two")
    write_baseline(Path("base.json"), _found(rows, _row("first", id="one"), left))
    base, found = read_baseline(Path("base.json")), _found(rows, left)
    assert [(one.session, base.beside(one).status) for one in found] == [("rows.jsonl", "known")]
    assert base.new(found) == []
    assert base.gone(found, ["rows.jsonl"]) == ["rows.jsonl#one"]
    other = _found(rows, _row("third", id="three"))
    assert base.new(other) == ["rows.jsonl"]
    assert base.gone(other, ["rows.jsonl"]) == ["rows.jsonl#one", "rows.jsonl#two"]


def test_gone_is_what_was_asked_for_or_has_no_file_any_more(here: Path) -> None:
    """What was not asked for, as where only changed files are checked, is not gone."""
    base = _base("kept/b.json", "kept/deep/a.json", "kept/old.json", "rows.jsonl#one")
    Path("rows.jsonl").write_text(_row("first", id="two"))
    one = _verdicts("kept/b.json")
    assert base.gone(one, ["kept/b.json"]) == ["kept/old.json"]
    assert base.gone(one, ["kept"]) == ["kept/deep/a.json", "kept/old.json"]
    assert base.gone(one, ["."]) == ["kept/deep/a.json", "kept/old.json", "rows.jsonl#one"]
    assert base.gone(one, ["kept/b.json", "rows.jsonl"]) == ["kept/old.json", "rows.jsonl#one"]
    assert base.new(_verdicts("kept/b.json", "kept/c.json", "")) == ["kept/c.json"]


def test_changes_are_told_in_sentences() -> None:
    """A long list says how many it leaves out."""
    assert changes([], []) == []
    assert changes(["a"], ["b", "c"]) == [
        "1 session is new since the baseline: a",
        "2 sessions of the baseline are gone: b, c",
    ]
    assert changes(list("abcdefg"), []) == [
        "7 sessions are new since the baseline: a, b, c, d, e and 2 more (--json has all)"
    ]
