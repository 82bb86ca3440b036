"""The runs on disk: listed, taken up by one at a time, renamed, deleted; damaged, half written, on a full disk."""

import errno
import gc
import os
import weakref
from pathlib import Path

import pytest

from core.drive import Drive, Store, reopen
from core.drive.recorder import Recorder, read_events
from core.drive.restore import restored
from core.model.errors import RunError
from core.model.session import Message
from core.trace.events import Arrived, Began, Ended, Renamed
from tests.drive.parts import Scripted, driven, events_of, pages


def write_run(folder: Path, id: str, title: str = "") -> Path:
    """A run of one message on disk."""
    recorder = Recorder(folder / f"{id}.jsonl")
    recorder.write(Began(id=id, title=title))
    recorder.write(Arrived(message=Message(role="user", content="hi"), tokens=1))
    recorder.close()
    return recorder.path


def test_the_list_is_of_all_runs_the_newest_first(tmp_path: Path) -> None:
    """Each with its name, else what was typed first, what drives it, when it was last written to and its size."""
    old, new = write_run(tmp_path, "a", "The old one"), write_run(tmp_path, "b")
    os.utime(old, (100, 100))
    (tmp_path / "notes.txt").write_text("no run")
    (tmp_path / "a.lock").touch()
    found = Store(tmp_path).runs()
    assert [(run.id, run.title, run.provider) for run in found] == [("b", "hi", "demo"), ("a", "The old one", "demo")]
    assert (found[1].changed, found[1].size) == (100.0, old.stat().st_size)
    assert new.exists()


def test_a_damaged_file_spoils_no_list(tmp_path: Path) -> None:
    """One whose beginning cannot be read is left out; one with a damaged name keeps the name it had."""
    write_run(tmp_path, "good")
    (tmp_path / "bad.jsonl").write_bytes(b"\x00\xff{{{\n")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "folder.jsonl").mkdir()
    named = write_run(tmp_path, "named", "First")
    named.write_bytes(named.read_bytes() + b'{"kind":"renamed","title":{}}\n{"kind":"renamed","tit')
    assert {run.id: run.title for run in Store(tmp_path).runs()} == {"good": "hi", "named": "First"}
    with pytest.raises(RunError, match=r"named\.jsonl, line 3: renamed\.title"):
        Store(tmp_path).events("named")
    named.write_bytes(
        named.read_bytes().split(b'{"kind":"renamed"')[0] + b'{"kind":"breakpoints","points":[{"kind":"text"}]}\n'
    )
    with pytest.raises(RunError, match=r"named\.jsonl, line 3: a breakpoint on a text needs a text"):
        Store(tmp_path).events("named")


def test_a_folder_that_is_not_there_or_cannot_be_read_holds_no_runs(tmp_path: Path) -> None:
    """No folder yet, or a file in its place: the list is empty, and driving says what to do."""
    assert Store(tmp_path / "none").runs() == []
    (tmp_path / "file").write_text("")
    assert Store(tmp_path / "file").runs() == []
    with pytest.raises(RunError, match="cannot be written") as caught:
        Store(tmp_path / "file").recorder("a")
    assert caught.value.hint == "set FOLDLINE_DATA to a folder that can be written"


@pytest.mark.parametrize(
    "name", ["../a", "a/b", "/etc/passwd", "", ".", "..", "a.jsonl", "-a", "a\n", "a\0", "x" * 82, "é"]
)
def test_a_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    """What is no name of a run is refused, whatever is asked for."""
    store = Store(tmp_path)
    for asked in (store.path, store.events, store.recorder, store.delete, store.reopen):
        with pytest.raises(RunError, match="is not the id of a run"):
            asked(name)
    with pytest.raises(RunError, match="is not the id of a run"):
        reopen(name, store)


def test_a_name_is_changed_and_kept(tmp_path: Path) -> None:
    """The newest name counts; it is an event like every other."""
    store = Store(tmp_path)
    write_run(tmp_path, "a", "First")
    assert [run.title for run in store.runs()] == ["First"]
    store.rename("a", "Second")
    store.rename("a", "Third \ud800")
    assert [run.title for run in store.runs()] == ["Third ?"]
    assert [event.seq for event in store.events("a")] == [1, 2, 3, 4]
    assert isinstance(store.events("a")[2], Renamed)


def test_a_new_name_is_no_activity(tmp_path: Path) -> None:
    """The run stays as old, and in the list where it was."""
    store = Store(tmp_path)
    for id, time in (("a", "2026-01-01T00:00:00.000Z"), ("b", "2026-01-02T00:00:00.000Z")):
        recorder = store.recorder(id)
        recorder.write(Began(id=id, title=id, time=time))
        recorder.close()
        store.release(id)
        os.utime(tmp_path / f"{id}.jsonl", (1767225600.0 + 86400.0 * (id == "b"),) * 2)
    store.rename("a", "Another")
    assert [(run.title, run.changed) for run in store.runs()] == [("b", 1767312000.0), ("Another", 1767225600.0)]


def test_a_run_is_deleted(tmp_path: Path) -> None:
    """It is not there any more, nor is anything beside it."""
    store = Store(tmp_path)
    write_run(tmp_path, "a")
    store.delete("a")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RunError, match="there is no run a"):
        store.events("a")


def test_a_deleted_run_is_put_back_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its requests, byte for byte, also by a server that was started since; later nothing of it is left."""
    store = Store(tmp_path)
    write_run(tmp_path, "a")
    calls = store.calls("a").folder
    calls.mkdir()
    (calls / "000001.json").write_text("{}")
    before = store.path("a").read_bytes()
    store.delete("a", undoable=True)
    assert store.runs() == []
    Store(tmp_path).set_aside.put_back("a")
    assert (store.path("a").read_bytes(), [path.name for path in calls.iterdir()]) == (before, ["000001.json"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.calls", "a.jsonl"]
    store.delete("a", undoable=True)
    monkeypatch.setattr("core.drive.set_aside.KEPT", 0.0)
    assert list(Store(tmp_path).folder.iterdir()) == []
    with pytest.raises(RunError, match="run a is deleted for good"):
        store.set_aside.put_back("a")


def test_one_drives_and_no_other(tmp_path: Path) -> None:
    """A second one can neither drive, rename nor delete what the first has open, and says so; behind it, it can."""
    first, second = Store(tmp_path), Store(tmp_path)
    write_run(tmp_path, "a")
    recorder, _ = first.reopen("a")
    for refused in (second.reopen, second.recorder, second.delete, lambda id: second.rename(id, "mine")):
        with pytest.raises(RunError, match="run a is open in another foldline"):
            refused("a")
    for refused in (first.reopen, first.delete, lambda id: first.rename(id, "mine")):
        with pytest.raises(RunError, match="run a is open"):
            refused("a")
    recorder.write(Ended(why="stopped"))
    recorder.close()
    first.release("a")
    again, events = second.reopen("a")
    assert (again.seq, [event.kind for event in events]) == (3, ["began", "message", "ended"])
    again.close()
    second.release("a")
    second.delete("a")


def test_a_run_that_cannot_be_taken_up_is_not_held(tmp_path: Path) -> None:
    """One that is damaged says where; it may be deleted."""
    path, store = write_run(tmp_path, "a"), Store(tmp_path)
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(RunError, match=r"a\.jsonl, line 3"):
        store.reopen("a")
    store.delete("a")
    assert store.runs() == []


_LOOKAROUND = '{"kind":"breakpoints","seq":3,"points":[{"kind":"tool","pattern":"(?=a)","id":1}]}'


@pytest.mark.parametrize(
    ("line", "what", "way"),
    [
        (
            _LOOKAROUND,
            "'(?=a)' is not a valid RE2 pattern: invalid perl operator: (?=",
            "write it as an RE2 expression",
        ),
        (
            '{"kind":"breakpoints","seq":3,"points":[{"kind":"tokens","value":0}]}',
            "a breakpoint at 0 tokens is not possible",
            "give a whole number above 0",
        ),
        ('{"kind":"changed","seq":3,"policy":"no.such","max_calls":9}', "unknown policy 'no.such'", "known: adk"),
        (
            '{"kind":"pinned","seq":3,"ids":["m9"]}',
            "it names messages that do not exist",
            "open the file in the debugger",
        ),
        (
            '{"kind":"compaction","seq":3,"compaction":{"at":9,"status":"compacted","layout_after":[[0,9]]}}',
            "the compaction names messages that do not exist",
            "open the file in the debugger",
        ),
    ],
    ids=["pattern", "breakpoint", "policy", "pin", "compaction"],
)
def test_an_event_that_cannot_be_restored_is_named_by_its_line(tmp_path: Path, line: str, what: str, way: str) -> None:
    """File, line, value, rule and way out; and the run is free for others again."""
    path, store = write_run(tmp_path, "a"), Store(tmp_path)
    path.write_text(f"{path.read_text()}{line}\n")
    with pytest.raises(RunError) as caught:
        reopen("a", store)
    assert str(caught.value) == f"a.jsonl, line 3: {what}"
    assert caught.value.hint.startswith(way)
    assert caught.value.hint.endswith("open the file in the debugger, which reads the rest")
    store.delete("a")


def test_a_pattern_that_was_replaced_since_spoils_no_run(tmp_path: Path) -> None:
    """Only the newest breakpoints are restored."""
    path, store = write_run(tmp_path, "a"), Store(tmp_path)
    path.write_text(f'{path.read_text()}{_LOOKAROUND}\n{{"kind":"breakpoints","seq":4}}\n')
    reopen("a", store).close()


def test_half_a_line_is_cut_off_before_the_next_is_written(tmp_path: Path) -> None:
    """It did not happen; what comes behind it stands on a line of its own."""
    path, store = write_run(tmp_path, "a"), Store(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind":"ended","seq":3,"wh')
    assert len(list(read_events(path))) == 2
    recorder, _ = store.reopen("a")
    recorder.write(Ended(why="stopped"))
    recorder.close()
    assert path.read_bytes().startswith(whole + b'{"kind":"ended","seq":3')
    assert [event.seq for event in store.events("a")] == [1, 2, 3]


class Full:
    """A file on a disk with so many bytes left: a write takes what fits, the next fails."""

    def __init__(self, file: object, left: int) -> None:
        self.file, self.left = file, left

    def write(self, data: bytes) -> int:
        """Write what fits."""
        if not self.left:
            raise OSError(errno.ENOSPC, "No space left on device")
        part = bytes(data)[: self.left]
        self.left -= len(part)
        return self.file.write(part)  # type: ignore[attr-defined,no-any-return]

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)


def filled(drive: Drive, left: int) -> Full:
    """The disk of a run gets full after so many bytes."""
    recorder = drive.journal.recorder
    recorder._opened = full = Full(recorder._file(), left)  # type: ignore[attr-defined]
    return full


@pytest.mark.parametrize("left", [0, 1, 150, 700, 1500, 2600])
def test_a_full_disk_is_an_error_and_nothing_is_lost(tmp_path: Path, left: int) -> None:
    """The run stops with what to do, its file whole; with room again it goes on, and everything is there in order."""
    drive = driven(tmp_path, Scripted(pages(4)))
    full = filled(drive, left)
    drive.send("Look for the missing entry.")
    assert drive.wait() == "failed"
    assert drive.state.problem is not None
    assert "No space left on device" in drive.state.problem.text
    assert drive.state.problem.hint == "free some space, then continue"
    path = tmp_path / f"{drive.id}.jsonl"
    assert path.read_bytes()[-1:] in (b"", b"\n")
    full.left = 1 << 30
    drive.resume()
    assert drive.wait() == "ended"
    drive.close()
    events = list(read_events(path))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    again = restored(events).context
    assert again.base.messages == drive.context.base.messages
    assert again.messages() == drive.context.messages()
    assert [m.content for m in again.base.messages][-1] == "4 pages, nothing found."


def test_a_run_nobody_told_anything_leaves_no_file(tmp_path: Path) -> None:
    """Set up and closed again, it is not in the list."""
    driven(tmp_path, Scripted([])).close()
    assert Store(tmp_path).runs() == []
    assert list(tmp_path.glob("*.jsonl")) == []


def test_a_run_whose_process_ended_behind_the_answer_is_brought_to_its_end(tmp_path: Path) -> None:
    """The answer is the last thing on disk: going on does what belongs to the end of a turn, and asks the model nothing."""
    from tests.drive.parts import again

    rolling = {"policy": "strands.sliding_window", "parameters": {"window_size": 6}}
    drive = driven(tmp_path, Scripted(pages(9)), **rolling)
    drive.send("go")
    drive.wait()
    drive.close()
    path = tmp_path / f"{drive.id}.jsonl"
    lines = path.read_bytes().split(b"\n")
    answer = max(i for i, line in enumerate(lines) if line.startswith(b'{"kind":"usage"'))
    path.write_bytes(b"\n".join(lines[: answer + 1]) + b"\n")
    llm = Scripted([])
    back = again(tmp_path, drive.id, llm)
    assert (back.state.status, back.unfinished) == ("stopped", True)
    back.resume()
    assert back.wait() == "ended"
    assert llm.sent == []
    assert back.context.trace().compactions == drive.context.trace().compactions
    assert [e.answer for e in events_of(back) if isinstance(e, Ended)] == ["9 pages, nothing found."]
    back.close()


def test_a_run_nobody_told_anything_leaves_nothing(tmp_path: Path) -> None:
    """No file, and no lock; a lock that a killed server left is taken away a day later, one of a run that is there stays."""
    store = Store(tmp_path)
    store.recorder("quiet").close()
    store.release("quiet")
    assert list(tmp_path.iterdir()) == []
    for name in ("old.lock", "kept.lock", "kept.jsonl", "new.lock"):
        (tmp_path / name).write_bytes(b"")
    for name in ("old.lock", "kept.lock"):
        os.utime(tmp_path / name, (1, 1))
    Store(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.jsonl", "kept.lock", "new.lock"]


def test_a_deleted_run_is_forgotten(tmp_path: Path) -> None:
    """The next list keeps nothing of it in memory, whoever deleted it; what is listed again is not read again."""
    for id in ("a", "b", "c"):
        write_run(tmp_path, id)
    store = Store(tmp_path)
    held = {info.id: weakref.ref(info) for info in store.runs()}

    store.delete("a")
    (tmp_path / "b.jsonl").unlink()
    (left,) = store.runs()
    gc.collect()

    assert (held["a"](), held["b"]()) == (None, None)
    assert held["c"]() is left
