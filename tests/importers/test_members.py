"""Folders, archives and uploads of which some files cannot be read, or are no transcripts: the others open, with a note."""

import gzip
import io
import json
import os
import zipfile
from pathlib import Path
from typing import IO

import pytest

import core.importers as importers_module
from core.importers import load, load_all
from core.importers._files import members as members_module
from core.importers._files.folder import OnDisk
from core.importers._files.source import Source
from core.importers._files.text import tells_of_damage
from core.model.errors import TranscriptError


def chat(words: str = "hello") -> bytes:
    """A chat of one message."""
    return json.dumps([{"role": "user", "content": words}]).encode()


def folder(at: Path, **files: bytes) -> Path:
    """A folder of these files; `_` in a name stands for a dot, `__` for a slash."""
    for name, data in files.items():
        path = at / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return at


def denied(path: object) -> PermissionError:
    """What the system says to a user without the permission."""
    return PermissionError(13, "Permission denied", str(path))


def test_a_file_that_may_not_be_read_is_left_out(tmp_path, monkeypatch):
    """The others open, and the last session says so."""
    known = OnDisk.open

    def opener(self: OnDisk, name: str) -> IO[bytes]:
        if name == "b.json":
            raise denied(name)
        return known(self, name)

    monkeypatch.setattr(OnDisk, "open", opener)
    first, last = load_all(folder(tmp_path, a_json=chat("a"), b_json=chat("b"), c_json=chat("c")))
    assert (first.title, last.title) == ("a", "c")
    assert first.notes == ()
    assert last.notes == ("1 file left out: it could not be read (b.json: is not readable by this user)",)
    assert tells_of_damage(last.notes[0])


def test_links_are_left_out(tmp_path):
    """Whether they dangle, lead to a file or to a folder."""
    folder(tmp_path, in__a_json=chat(), out_json=chat(), in__b__c_json=chat("deep"))
    for name, target in (("nowhere.json", "none.json"), ("there.json", "../out.json"), ("up", "..")):
        (tmp_path / "in" / name).symlink_to(target)
    *_, last = load_all(tmp_path / "in")
    assert last.notes == ("3 links left out: they are not followed (the first one: up)",)


def test_a_folder_of_a_dangling_link_says_why_it_has_nothing(tmp_path):
    """It is not called empty."""
    (tmp_path / "nowhere.json").symlink_to("none.json")
    with pytest.raises(TranscriptError, match="is a folder without a readable file") as caught:
        load(tmp_path)
    assert caught.value.hint == "1 link left out: it is not followed (nowhere.json)"


def test_a_folder_in_which_nothing_may_be_looked_up_is_left_out(tmp_path, monkeypatch):
    """One without the permission x gives the names of its files, and nothing more."""
    known = os.lstat

    def lstat(path: str, **more: object) -> os.stat_result:
        if f"{os.sep}shut{os.sep}" in str(path):
            raise denied(path)
        return known(path, **more)

    monkeypatch.setattr("core.importers._files.folder.os.lstat", lstat)
    found = load(folder(tmp_path, a_json=chat(), shut__b_json=chat(), shut__c_json=chat()))
    assert found.notes == ("2 files left out: they could not be read (the first one: shut/b.json: Permission denied)",)


def test_a_folder_that_may_not_be_listed_is_left_out(tmp_path, monkeypatch):
    """One without the permission r gives nothing."""
    known = os.scandir

    def scandir(path: object = ".") -> object:
        if str(path).endswith("shut"):
            raise denied(path)
        return known(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = load(folder(tmp_path, a_json=chat(), shut__b_json=chat()))
    assert found.notes == ("1 folder left out: it could not be read (shut: Permission denied)",)


def test_a_path_in_a_folder_that_may_not_be_entered_is_refused_in_words(tmp_path, monkeypatch):
    """Whether it leads to a folder cannot be known: opening it tells."""

    def stat(path: object, **_: object) -> os.stat_result:
        raise denied(path)

    path = folder(tmp_path, a_json=chat()) / "a.json"
    monkeypatch.setattr(os, "stat", stat)
    with pytest.raises(TranscriptError, match="is not readable by this user"):
        load(path)


def test_one_neighbour_that_cannot_be_looked_up_does_not_hide_the_others(tmp_path, monkeypatch):
    """Of a file on disk all other files beside it are found."""
    folder(tmp_path, s_jsonl=chat(), a_jsonl=chat(), b_jsonl=chat())
    (tmp_path / "dangling.jsonl").symlink_to("none")
    known = os.stat

    def stat(path: object, **more: object) -> os.stat_result:
        if str(path).endswith("a.jsonl"):
            raise denied(path)
        return known(path, **more)

    monkeypatch.setattr(os, "stat", stat)
    near = Source("s", path=tmp_path / "s.jsonl").near("*.jsonl")
    assert [Path(one.name).name for one in near] == ["b.jsonl", "s.jsonl"]


GEMINI = (
    b'{"sessionId": "s", "projectHash": "p"}\n{"id": "1", "type": "user", "content": "hi"}\n'
    b'{"id": "2", "type": "gemini", "content": "yes"}\n'
)


def test_a_sub_agent_that_cannot_be_read_does_not_hide_its_session(tmp_path, monkeypatch):
    """Its file is said to be skipped."""
    folder(tmp_path, s_jsonl=GEMINI, s__a_jsonl=GEMINI.replace(b'"s"', b'"a"'))
    known = Source._open_path

    def opener(self: Source) -> IO[bytes]:
        if str(self.path).endswith("a.jsonl"):
            raise denied(self.path)
        return known(self)

    monkeypatch.setattr(Source, "_open_path", opener)
    found = load(tmp_path / "s.jsonl")
    assert (found.format, len(found.messages)) == ("gemini-cli", 2)
    assert "a file of a sub-agent was skipped" in found.notes[-1]
    assert "is not readable by this user" in found.notes[-1]


def test_what_is_no_transcript_is_told_from_what_is_damaged():
    """Each is counted in a note of its own, by the name of the first; what belongs to another session is in neither."""
    files = {
        "a.json": chat(),
        "b.json": b'[{"role": "us',
        "notes.txt": b"hello",
        "x/none.json": b"[]",
        "z": b"\x89PNG" * 9,
    }
    found = load(name="x", files=files)
    assert found.notes == (
        "1 file left out: it could not be read (b.json: line 1: the JSON ends early)",
        "3 files left out: they are not transcripts (the first one: notes.txt)",
    )


def test_what_was_read_with_another_session_is_not_left_out():
    """The state of a conversation is no transcript by itself, and its name comes before those of the events."""
    said = {"role": "user", "content": [{"type": "text", "text": "go"}]}
    event = {"timestamp": "t", "source": "user", "kind": "MessageEvent", "llm_message": said}
    files = {"a.json": chat(), "run/base_state.json": b'{"id": "s"}'}
    files |= {f"run/event-0000{n}-x.json": json.dumps({**event, "id": str(n)}).encode() for n in range(2)}
    found = list(load_all(name="x", files=files))
    assert [(s.format, len(s.messages), s.notes) for s in found] == [("openai-chat", 1, ()), ("openhands", 2, ())]


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive of these files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return held.getvalue()


@pytest.fixture
def ten() -> dict[str, bytes]:
    """Ten chats of about 10,000 bytes each."""
    return {f"{n}.json": chat(f"{n} " + "a" * 10_000) for n in range(10)}


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit, set so that four of the ten fit."""
    monkeypatch.setattr(members_module, "WHOLE", 45_000)


def folder_of(files: dict[str, bytes], at: Path) -> Path:
    """The files on disk."""
    for name, data in files.items():
        (at / name).write_bytes(data)
    return at


def packed(files: dict[str, bytes]) -> dict[str, bytes]:
    """Each of the files packed by itself."""
    return {name: gzip.compress(data) for name, data in files.items()}


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize(
    "given",
    [
        lambda files, _: {"data": zipped(files)},
        lambda files, _: {"files": files},
        lambda files, _: {"files": packed(files)},
        lambda files, at: {"path": folder_of(files, at)},
        lambda files, at: {"path": folder_of(packed(files), at)},
        lambda files, _: {"data": zipped({n: zipped({"a.json": data, "b.json": b"1"}) for n, data in files.items()})},
    ],
    ids=["zip", "upload", "gzip", "folder", "gzip in a folder", "zip in zip"],
)
def test_one_limit_holds_for_all_files_together(given, ten, tmp_path):
    """However they are packed; those that do not fit are counted."""
    found = list(load_all(name="x", **given(ten, tmp_path)))
    left = next(note for note in found[-1].notes if "exceed" in note)
    assert len(found) in (3, 4)
    assert left.startswith(f"{10 - len(found)} files left out: they exceed the total limit of 0 MB")


def test_a_small_file_behind_a_large_one_still_opens(ten, small_limit):
    """What does not fit takes no room."""
    found = list(load_all(name="x", data=zipped({"a.json": chat("a" * 50_000), "b.json": chat("b")})))
    assert [s.title for s in found] == ["b"]
    assert found[0].notes == ("1 file left out: it exceeds the total limit of 0 MB (a.json)",)


def test_a_small_archive_gives_less_than_a_large_one(ten, monkeypatch):
    """What packs so well is hardly transcripts: the limit is fifty times the size, once that is more than a minimum."""
    monkeypatch.setattr(members_module, "ALWAYS", 0)
    data = zipped(ten)
    assert len(data) * members_module.RATIO < sum(map(len, ten.values()))
    assert "exceed" in list(load_all(name="x", data=data))[-1].notes[-1]


def test_a_single_file_has_no_such_limit(small_limit, tmp_path):
    """Neither on disk nor in memory, and none that is one session with the files beside it."""
    (tmp_path / "a.json").write_bytes(chat("a" * 50_000))
    for found in (load(tmp_path / "a.json"), load(name="a", data=chat("a" * 50_000))):
        assert found.notes == ()


def test_files_beyond_those_that_are_tried_are_counted(ten, monkeypatch):
    """Of a folder of very many."""
    monkeypatch.setattr(importers_module, "MOST_TRIED", 7)
    found = list(load_all(name="x", files=ten))
    assert len(found) == 7
    assert found[-1].notes == (
        "3 files left out: they exceed the number of files that are tried (the first one: 7.json)",
    )
