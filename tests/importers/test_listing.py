"""The files of a folder, an archive or an upload are listed by their beginnings, and read one by one."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from core import TranscriptError
from core.importers import load_all
from core.importers._files.folder import InMemory
from core.importers._files.source import HEAD_BYTES
from core.importers._listing import Listing, listing

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


def chat(said: str, size: int = 0) -> bytes:
    """A list of two messages, of about so many bytes."""
    return json.dumps([{"role": "user", "content": said}, {"role": "assistant", "content": "x" * size}]).encode()


def listed(**files: bytes) -> Listing:
    """The listing of an upload; a double underscore in a name is a slash, a single one a dot."""
    found = listing(name="up", files={n.replace("__", "/").replace("_", "."): data for n, data in files.items()})
    assert found is not None
    return found


def test_files_are_listed_with_their_sizes_and_the_others_left_out() -> None:
    """What 64 KB show to be none is left out at once; a long JSON value may turn out to be one."""
    large = chat("a", 100_000)
    found = listed(
        a_json=chat("a"), b__c_json=large, d_json=b'{"x": "' + b"y" * 70_000 + b'"}', e_txt=b"no", f_json=b"[{"
    )
    assert [(m.name, m.size) for m in found.members] == [
        ("a.json", len(chat("a"))),
        ("d.json", 70_009),
        ("b/c.json", len(large)),
    ]
    assert list(found.left.notes()) == [
        "1 file left out: it could not be read (f.json: line 1: the JSON ends early)",
        "1 file left out: it is not a transcript (e.txt)",
    ]


def test_a_single_file_and_a_folder_that_is_one_transcript_are_not_listed() -> None:
    """They are read as a whole; so is an archive of one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.json", chat("a"))
    assert listing(name="a.json", data=chat("a")) is None
    assert listing(name="a.zip", data=packed.getvalue()) is None
    assert listing(SAMPLES / "claude-code" / "with-helpers") is None


def test_of_each_file_only_the_beginning_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """And of the one that is read, all of it."""
    read: dict[str, int] = {}

    class Counted(io.BytesIO):
        name = ""

        def close(self) -> None:
            if not self.closed:
                read[self.name] = max(read.get(self.name, 0), self.tell())
            super().close()

    def count(store: InMemory, name: str) -> Counted:
        file = Counted(store.files[name])
        file.name = name
        return file

    monkeypatch.setattr(InMemory, "open", count)
    found = listed(**{f"m{n}_json": chat(f"hello {n}", 200_000) for n in range(50)})
    assert sorted(read.values()) == [HEAD_BYTES + 1] * 50
    (session,) = found.read("m30.json", set())
    assert session.messages[0].content == "hello 30"
    assert sorted(read.values()) == [HEAD_BYTES + 1] * 49 + [len(chat("hello 30", 200_000))]


def test_parts_of_sessions_in_the_folder_are_not_listed() -> None:
    """A sub-agent is read with its session; one whose session is elsewhere comes last."""
    line = {"uuid": "u", "parentUuid": None, "type": "user", "message": {"role": "user", "content": "hi"}}
    main = json.dumps({**line, "sessionId": "s1", "isSidechain": False}).encode()
    agent, lost = (json.dumps({**line, "sessionId": id, "isSidechain": True}).encode() for id in ("s1", "s9"))
    found = listing(
        name="up",
        files={
            "agent-lost.jsonl": lost,
            "s1.jsonl": main,
            "s1/subagents/agent-1.jsonl": agent,
            "s1/subagents/agent-1.meta.json": b'{"agentType": "Explore"}',
            "z.json": chat("z"),
        },
    )
    assert found is not None
    assert [member.name for member in found.members] == ["s1.jsonl", "z.json", "agent-lost.jsonl"]
    assert list(found.left.notes()) == []
    taken: set[str] = set()
    (session,) = found.read("s1.jsonl", taken)
    assert len(session.children) == 1
    assert {"s1/subagents/agent-1.jsonl", "s1/subagents/agent-1.meta.json"} <= taken


def test_the_samples_are_listed_as_they_are_read() -> None:
    """Every file of the samples that gives a session, and none that is read with another: an event, a task, an agent."""
    found = listing(SAMPLES)
    assert found is not None
    read = {name for name, sessions in found.walk() if sum(1 for _ in sessions)}
    assert {member.name for member in found.members} == read
    assert len(read) >= 30


def test_a_walk_gives_the_sessions_of_load_all() -> None:
    """In the same order; what it leaves out is said the same way."""
    found = listing(SAMPLES)
    assert found is not None
    walk = found.walk()
    walked = [session for _, sessions in walk for session in sessions]
    expected = list(load_all(SAMPLES))
    assert [(s.id, s.title) for s in walked] == [(s.id, s.title) for s in expected]
    assert tuple(walk.left.notes()) == expected[-1].notes[-1:]


def test_one_file_is_read_within_the_limits_of_all() -> None:
    """A bomb in an archive: no more comes out of one file than of all together; a broken file says what is wrong."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.json", chat("a", 70 << 20))
        archive.writestr("good.json", chat("b"))
    found = listing(name="x.zip", data=packed.getvalue())
    assert found is not None
    assert [member.name for member in found.members] == ["good.json"]
    with pytest.raises(TranscriptError, match="exceeds what is read of one folder or archive"):
        list(found.read("bomb.json", set()))
