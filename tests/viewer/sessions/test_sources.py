"""Where sessions come from."""

import json
from pathlib import Path

import pytest

from core import FoldlineError
from viewer.sessions import entries, sources
from viewer.sessions.sources import Source, first_source, hold_upload, open_source, recent, remember, samples

CHAT = json.dumps([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good day"}]).encode()


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes to the list of recent files of whoever runs it."""
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "state" / "recent.json")


def test_an_address_names_a_source() -> None:
    """`kind:name` is read and written; anything else is no source."""
    assert Source.parse("path:/a/b:c.jsonl") == Source("path", "/a/b:c.jsonl")
    assert str(Source("sample", "x/y.json")) == "sample:x/y.json"
    assert [Source.parse(text) for text in ("", "path:", "ftp:x", "nonsense")] == [None] * 4


@pytest.mark.parametrize("sample", samples(), ids=lambda s: s.path)
def test_every_sample_opens(sample: sources.Sample) -> None:
    """Each sample of the list loads, and has a title and a line about it."""
    loaded = open_source(Source("sample", sample.path), local=True)

    assert len(loaded.session.messages) >= 3
    assert loaded.session.title == sample.title
    assert loaded.about == sample.about != ""


def test_a_path_is_opened_only_locally(tmp_path: Path) -> None:
    """A server that others can reach reads nobody's disk."""
    (tmp_path / "chat.json").write_bytes(CHAT)
    source = Source("path", str(tmp_path / "chat.json"))

    assert len(open_source(source, local=True).session.messages) == 2
    with pytest.raises(FoldlineError, match="only when foldline listens on"):
        open_source(source, local=False)


def test_a_file_that_vanishes_stays_open(tmp_path: Path) -> None:
    """What was loaded is still shown, with a note, when its file is gone."""
    path = tmp_path / "chat.json"
    path.write_bytes(CHAT)
    before = open_source(Source("path", str(path)), local=True)
    path.unlink()

    after = open_source(Source("path", str(path)), local=True)

    assert after.session is before.session
    assert after.note == "The file is gone. This is what was last read from it."


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """The key of a loaded session changes with the file."""
    path = tmp_path / "chat.json"
    path.write_bytes(CHAT)
    before = open_source(Source("path", str(path)), local=True)
    path.write_bytes(CHAT.replace(b"good day", b"good evening"))

    after = open_source(Source("path", str(path)), local=True)

    assert after.key != before.key
    assert after.session.messages[1].content == "good evening"


@pytest.mark.parametrize("name", ["/nowhere/at/all.json", "\0", "~nobody~/x", "docs"])
def test_a_bad_path_is_one_clear_error(name: str) -> None:
    """Whatever is typed, the answer is an error of ours."""
    with pytest.raises(FoldlineError):
        open_source(Source("path", name), local=True)


def test_an_upload_is_held_while_the_server_lives() -> None:
    """An upload has an address; an address nobody uploaded says what to do."""
    source = hold_upload({"chat.json": CHAT})

    assert open_source(source, local=False).shown == "chat.json"
    with pytest.raises(FoldlineError, match="no longer in memory"):
        open_source(Source("upload", "0123456789abcdef"), local=False)


def test_recent_files_are_newest_first_and_bounded(tmp_path: Path) -> None:
    """Opening a file again brings it to the front; the list holds twelve."""
    for number in range(15):
        remember(tmp_path / f"{number}.json")
    remember(tmp_path / "10.json")

    assert [Path(p).name for p in recent()][:3] == ["10.json", "14.json", "13.json"]
    assert len(recent()) == 12


def test_a_damaged_list_of_recent_files_is_empty(tmp_path: Path) -> None:
    """The list is never a reason to fail."""
    for text in ("{not json", '{"a": 1}', "[1, null]"):
        sources._recent_file().parent.mkdir(exist_ok=True)
        sources._recent_file().write_text(text)

        assert recent() == []


def test_the_app_opens_on_the_file_it_was_started_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one it opens on the first sample."""
    monkeypatch.delenv("FOLDLINE_FILE", raising=False)
    assert first_source() == Source("sample", samples()[0].path)

    monkeypatch.setenv("FOLDLINE_FILE", "/some/x.jsonl")
    assert first_source() == Source("path", "/some/x.jsonl")


AIDER = "\n# aider chat started at 2026-03-0{n} 10:00:00\n\n> Aider v0.86.1\n\n#### About {what}\n\nAn answer.\n"
FRUIT = "".join(AIDER.format(n=n, what=what) for n, what in enumerate(("plums", "pears", "figs"), 1))


@pytest.fixture
def many(tmp_path: Path) -> Source:
    """A file of three sessions."""
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(FRUIT)
    return Source("path", str(path))


def test_a_session_of_a_file_of_many_is_opened_by_number_or_id(many: Source) -> None:
    """The first without one; each has a key of its own, and the first that of the file."""
    first, third = open_source(many, local=True), open_source(many, local=True, session="2")
    by_id = open_source(many, local=True, session=third.session.id)

    assert [one.session.title for one in (first, third, by_id)] == ["About plums", "About figs", "About figs"]
    assert [len(one.entries.rows()) for one in (first, third)] == [3, 3]
    assert (third.key, by_id.key) == (f"{first.key}#2", f"{first.key}#2")
    assert open_source(many, local=True, session="0").key == first.key


@pytest.mark.parametrize("session", ["3", "-1", "two", "1.0", "٢"])
def test_a_session_that_is_not_there_is_one_clear_error(session: str, many: Source) -> None:
    """It says how many there are."""
    with pytest.raises(FoldlineError) as caught:
        open_source(many, local=True, session=session)
    assert str(caught.value) == f"there is no session {session!r} in .aider.chat.history.md"
    assert caught.value.hint == "it has 3, counted from 0"


def test_a_file_of_very_many_sessions_says_that_not_all_are_listed(
    many: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a silent end of the list."""
    monkeypatch.setattr(sources, "MOST_SESSIONS", 2)
    monkeypatch.setattr(entries, "MOST_SESSIONS", 2)
    loaded = open_source(many, local=True)
    assert len(loaded.entries.rows()) == 2
    assert loaded.notes == ["Only the first 2 sessions are listed."]


def helpers() -> Source:
    """The sample with sub-agents, as a folder of the user's."""
    at = Path(__file__).parents[3] / "sample_sessions" / "claude-code" / "with-helpers"
    return Source("path", str(at))


def test_a_sub_agents_window_is_opened_by_its_lane() -> None:
    """It is a session of its own under a key of its own, that knows where it was started."""
    main, deep = (open_source(helpers(), True, lane_name=name) for name in ("", "2.1"))

    assert (
        [one.name for one in main.agent_windows]
        == [one.name for one in deep.agent_windows]
        == ["main", "1", "2", "2.1"]
    )
    assert (main.lane, deep.lane, deep.started.parent) == ("main", "2.1", "2")
    assert (len(main.session.messages), len(deep.session.messages)) == (16, 4)
    assert deep.key == f"{main.key}#2.1"
    assert deep.started.message in {m.id for m in open_source(helpers(), True, lane_name="2").session.messages}


def test_a_lane_that_is_not_there_is_one_clear_error() -> None:
    """It lists those that are."""
    with pytest.raises(FoldlineError) as caught:
        open_source(helpers(), True, lane_name="7")
    assert caught.value.hint == "known: 1, 2, 2.1, main"


def test_an_upload_of_several_files_is_called_by_their_folder() -> None:
    """Or by how many they are."""
    other = CHAT.replace(b"hello", b"hi")
    uploads = ({"runs/a.json": CHAT, "runs/b.json": other}, {"a.json": CHAT, "b.json": other})
    loaded = [open_source(hold_upload(files), local=False) for files in uploads]
    assert [one.shown for one in loaded] == ["runs", "2 files"]
    assert [len(one.entries.rows()) for one in loaded] == [2, 2]


def test_a_drop_of_a_good_and_a_bad_file_says_both() -> None:
    """The good one opens, with a note on the other; of several sessions each has it, as the page shows one."""
    bad = "1 file left out: it could not be read (bad.json: line 1: the JSON ends early)"
    one = open_source(hold_upload({"bad.json": b"[{", "good.json": CHAT}), local=False)
    two = hold_upload({"bad.json": b"[{", "good.json": CHAT, "more.json": CHAT})
    assert one.notes == [bad]
    assert [open_source(two, local=False, session=n).notes for n in "01"] == [[bad], [bad]]


def test_a_session_without_a_title_is_called_after_its_file(tmp_path: Path) -> None:
    """Where nobody typed anything that could be a title."""
    (tmp_path / "reply.json").write_text(json.dumps([{"role": "assistant", "content": "good day"}]))
    assert open_source(Source("path", str(tmp_path / "reply.json")), local=True).session.title == "reply.json"
