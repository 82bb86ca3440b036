"""opencode on disk: the folder `storage`, one session's file in it, and the database give what the export gives."""

import gzip
import json
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from core.importers import claimed_by, load, load_all
from core.importers._files import folder as _folder
from core.importers._files.source import Source, head_of, opened
from core.importers.opencode import database as _opencode_database
from core.importers.opencode import files as _opencode_files
from core.importers.opencode import stored as _opencode_stored
from core.library import Index, build, places
from core.model.errors import TranscriptError

SAMPLES = Path(__file__).parent.parent.parent / "sample_sessions" / "opencode"
EXPORT = json.loads((SAMPLES / "four-beds.json").read_text("utf-8"))
DATA = SAMPLES / "orchard-labels"
PROJECT = "f3a1c07be25d4480a9b1d6c2e85f0a7741d9b3ce"
PARENT, CHILD = "ses_5f1made0labels0orchard", "ses_5f0made0count0orchard"
TABLES = """
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);
CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text, title text NOT NULL,
    version text, time_created integer, time_updated integer, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
"""


def export_of(id: str, *said: str, updated: int = 1, task: str = "", **info: Any) -> dict[str, Any]:
    """An export with a user message for each text, and at its end a reply that starts a sub-agent's session."""
    messages = []
    for n, words in enumerate(said, 1):
        known = {"id": f"msg_{id}_{n}", "role": "user", "time": {"created": n}}
        messages.append({"info": known, "parts": [{"id": f"prt_{id}_{n}", "type": "text", "text": words}]})
    if task:
        state = {
            "status": "completed",
            "input": {"subagent_type": "explore"},
            "output": "o",
            "metadata": {"sessionId": task},
        }
        part = {"id": f"prt_{id}_t", "type": "tool", "tool": "task", "callID": f"call_{id}", "state": state}
        reply = {"id": f"msg_{id}_t", "role": "assistant", "time": {"created": 99}, "modelID": "m1"}
        messages.append({"info": reply, "parts": [part]})
    session = {"id": id, "title": id, "version": "1", "projectID": "p", "time": {"created": 1, "updated": updated}}
    return {"info": {**session, **info}, "messages": messages}


FAMILY = (
    export_of("ses_old", "long ago", updated=5),
    export_of("ses_main", "go", updated=9, task="ses_sub"),
    export_of("ses_sub", "look", updated=8, parentID="ses_main", task="ses_deep"),
    export_of("ses_deep", "deeper", updated=99, parentID="ses_sub"),
    export_of("ses_orphan", "alone", updated=7, parentID="ses_gone"),
    export_of("ses_empty", updated=999),
)


def stored(folder: Path, *exports: dict[str, Any]) -> Path:
    """A storage with these sessions; returns it."""
    storage = folder / "storage"
    for export in exports:
        id = export["info"]["id"]
        write_json(storage / "session" / "p" / f"{id}.json", export["info"])
        for message in export["messages"]:
            write_json(storage / "message" / id / f"{message['info']['id']}.json", message["info"])
            for part in message["parts"]:
                write_json(storage / "part" / message["info"]["id"] / f"{part['id']}.json", part)
    return storage


def write_json(path: Path, value: Any) -> None:
    """A file of the storage."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2), "utf-8")


def filled(path: Path, *exports: dict[str, Any], tables: str = TABLES, journal: str = "WAL") -> sqlite3.Connection:
    """A database with these sessions, still open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.executescript(tables)
    for export in exports:
        info = export["info"]
        session = {k: info.get(k) for k in ("id", "directory", "title", "version")}
        put_row(connection, "session", **session, parent_id=info.get("parentID"), time_updated=info["time"]["updated"])
        for message in export["messages"]:
            known = {"id": message["info"]["id"], "session_id": info["id"]}
            created = message["info"]["time"]["created"]
            put_row(
                connection, "message", **known, time_created=created, data=without(message["info"], "id", "sessionID")
            )
            for part in message["parts"]:
                data = without(part, "id", "messageID", "sessionID")
                put_row(connection, "part", id=part["id"], message_id=known["id"], session_id=info["id"], data=data)
    connection.commit()
    return connection


def put_row(connection: sqlite3.Connection, table: str, **values: Any) -> None:
    """A row of a table."""
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def without(value: dict[str, Any], *keys: str) -> str:
    """An object as JSON, without what has columns of its own."""
    return json.dumps({k: v for k, v in value.items() if k not in keys})


def database(path: Path, *exports: dict[str, Any], **more: Any) -> Path:
    """A database with these sessions, closed."""
    filled(path, *exports, **more).close()
    return path


def tree(sessions: Any) -> list[Any]:
    """Ids, with those of the sub-agents, the messages and the calls that started them."""
    return [(s.id, [(c.name, c.message, c.call, tree([c.session])) for c in s.children]) for s in sessions]


EXPECTED = [
    (
        "ses_main",
        [
            (
                "explore",
                "msg_ses_main_t",
                "call_ses_main",
                [("ses_sub", [("explore", "msg_ses_sub_t", "call_ses_sub", [("ses_deep", [])])])],
            )
        ],
    ),
    ("ses_orphan", []),
    ("ses_old", []),
]


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Where temporary files go."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("shape", ["data folder", "storage", "file", "zip", "zip of the storage", "upload"])
def test_a_storage_opens_however_it_is_given(shape, tmp_path):
    """The session with its sub-agent, from the folder, the folder above it, one file of it, or a zip."""
    given: dict[str, Any] = {"path": DATA}
    if shape == "storage":
        given = {"path": DATA / "storage"}
    elif shape == "file":
        given = {"path": DATA / "storage" / "session" / PROJECT / f"{PARENT}.json"}
    elif shape == "upload":
        files = (p for p in DATA.rglob("*") if p.is_file())
        given = {"files": {f"opencode/{p.relative_to(DATA).as_posix()}": p.read_bytes() for p in files}}
    elif shape != "data folder":
        root = (DATA.parent, DATA.name) if shape == "zip" else (DATA, "storage")
        given = {"path": shutil.make_archive(str(tmp_path / "a"), "zip", *root)}
    (found,) = load_all(**given)
    assert (found.id, found.title, found.project, found.turns) == (
        PARENT,
        "Labels for the orchard",
        "/home/ada/orchard",
        2,
    )
    (child,) = found.children
    assert (child.id, child.name, child.message, child.call) == (CHILD, "general", "msg_made0002orchard", "call_count")
    assert ([m.role for m in child.session.messages], found.subagents) == (
        ["user", "assistant", "tool", "assistant"],
        1,
    )
    assert (found.notes, found.malformed_lines, child.session.notes) == ((), 0, ())


@pytest.mark.parametrize("form", ["storage", "database"])
def test_what_is_on_disk_is_what_the_export_holds(form, tmp_path):
    """The same session to the letter: messages, compactions, emptied results, usage."""
    exported = load(SAMPLES / "four-beds.json")
    path = stored(tmp_path, EXPORT) if form == "storage" else database(tmp_path / "x.db", EXPORT)
    assert load(path) == exported
    assert claimed_by(head_of(opened(Source("x", path=path)))) == ["opencode"]


@pytest.mark.parametrize("form", ["storage", "database"])
def test_every_session_newest_first(form, tmp_path):
    """By when they were last changed; sub-agents with those that started them, however deep, and by themselves if orphaned."""
    path = stored(tmp_path, *FAMILY) if form == "storage" else database(tmp_path / "o.db", *FAMILY)
    assert tree(load_all(path)) == EXPECTED


@pytest.mark.parametrize("form", ["storage", "database"])
def test_sessions_that_are_each_others_parents(form, tmp_path):
    """Nothing runs in circles, and nothing is left out."""
    ring = export_of("ses_a", "a", parentID="ses_b"), export_of("ses_b", "b", parentID="ses_a", updated=2)
    own = export_of("ses_c", "c", parentID="ses_c")
    path = stored(tmp_path, *ring, own) if form == "storage" else database(tmp_path / "o.db", *ring, own)
    assert [(id, len(children)) for id, children in tree(load_all(path))] == [("ses_b", 1), ("ses_c", 0)]


def test_one_file_of_a_storage_whatever_it_is_called(tmp_path):
    """Its messages are found by its id; a sub-agent opens by itself too, and a path with .. in it is no other path."""
    session = stored(tmp_path, *FAMILY) / "session" / "p"
    assert tree(load_all(session / "ses_main.json")) == EXPECTED[:1]
    assert tree(load_all(session / "ses_sub.json")) == EXPECTED[0][1][0][3]
    assert tree(load_all(session / ".." / "p" / "ses_main.json")) == EXPECTED[:1]
    (session / "ses_old.json").rename(session / "renamed")
    assert load(session / "renamed").messages[0].content == "long ago"


def test_a_sub_agent_that_came_later_is_found(tmp_path):
    """What was looked up before is looked up again when files come."""
    storage = stored(tmp_path, *FAMILY[:2])
    path = storage / "session" / "p" / "ses_main.json"
    assert load(path).children == ()
    stored(tmp_path, FAMILY[2])
    os.utime(path.parent, ns=(1, 1))
    assert [c.id for c in load(path).children] == ["ses_sub"]


def test_one_file_without_its_storage(tmp_path):
    """From memory, or where no folder above it is called storage, there is nothing to look into."""
    storage = stored(tmp_path, *FAMILY)
    file = storage / "session" / "p" / "ses_main.json"
    with pytest.raises(TranscriptError, match="contains no messages: a session on disk") as caught:
        load(name="s.json", data=file.read_bytes())
    assert "open the folder `storage`" in caught.value.hint
    storage.rename(tmp_path / "kept")
    with pytest.raises(TranscriptError, match="contains no messages"):
        load(tmp_path / "kept" / "session" / "p" / "ses_main.json")


def test_nothing_outside_of_the_storage_is_read(tmp_path):
    """Neither over a link nor over an id that is a path."""
    storage = stored(tmp_path, export_of("ses_a", "in the storage"))
    elsewhere = stored(tmp_path / "else", export_of("ses_b", "elsewhere"))
    write_json(storage / "session" / "p" / "ses_b.json", export_of("ses_b")["info"])
    write_json(storage / "session" / "p" / "ses_c.json", export_of("ses_/../../../else/storage/message/ses_b")["info"])
    (storage / "message" / "ses_b").symlink_to(elsewhere / "message" / "ses_b", target_is_directory=True)
    assert [s.id for s in load_all(storage)] == ["ses_a"]
    for name in ("ses_b", "ses_c"):
        with pytest.raises(TranscriptError, match="contains no messages"):
            load(storage / "session" / "p" / f"{name}.json")


def test_a_storage_among_other_transcripts(tmp_path):
    """A folder that holds more than one is a folder of transcripts: each session's file is one, sub-agents below it."""
    stored(tmp_path / "machine", *FAMILY)
    write_json(tmp_path / "chat.json", [{"role": "user", "content": "hello"}])
    found = {s.id: s for s in load_all(tmp_path) if s.format == "opencode"}
    assert sorted(found) == ["ses_main", "ses_old", "ses_orphan"]
    assert tree([found["ses_main"]]) == EXPECTED[:1]


def test_a_storage_of_very_many_files(tmp_path, monkeypatch):
    """Only what is needed is looked into: the list of all its files ends long before its sessions."""
    monkeypatch.setattr(_folder, "MOST_FILES", 8)
    assert [s.id for s in load_all(DATA)] == [PARENT]


def test_files_that_cannot_be_read_are_counted(tmp_path):
    """They are left out, the first one is named; one that is being written is none."""
    storage = stored(tmp_path, export_of("ses_a", "one", "two", "three"))
    (storage / "message" / "ses_a" / "msg_ses_a_2.json").write_text("{ broken")
    write_json(storage / "part" / "msg_ses_a_3" / "prt_9.json", [])
    (storage / "message" / "ses_a" / ".oc-msg.1.tmp").write_text("{")
    found = load(storage)
    assert [m.content for m in found.messages] == ["one", "three"]
    assert (found.malformed_lines, found.records) == (2, 2)
    (note,) = found.notes
    assert note.startswith("2 records could not be read, the first one: msg_ses_a_2.json: ")
    assert "\n" not in note


def test_a_session_too_long_to_be_read_whole(tmp_path, monkeypatch):
    """As much of it as is read, and a note."""
    for module in (_opencode_files, _opencode_database):
        monkeypatch.setattr(module, "MOST_BYTES", 100 if module is _opencode_files else 1500)
    export = export_of("ses_a", "one", "two")
    for path in (stored(tmp_path, export), database(tmp_path / "o.db", export)):
        found = load(path)
        assert len(found.messages) == 1
        assert _opencode_stored.TOO_LONG in found.notes[0]


def test_a_database_is_read_where_it_lies(tmp_path, scratch):
    """Nothing comes to lie beside it, and nothing in it changes."""
    path = database(tmp_path / "db" / "any name?.x", *FAMILY)
    before = path.read_bytes()
    assert tree(load_all(path)) == EXPECTED
    assert ([p.name for p in path.parent.iterdir()], path.read_bytes() == before) == ([path.name], True)
    plain = database(tmp_path / "plain" / "o.db", *FAMILY, journal="DELETE")
    assert tree(load_all(plain)) == EXPECTED
    assert ([p.name for p in plain.parent.iterdir()], list(scratch.iterdir())) == (["o.db"], [])


def test_a_database_that_opencode_is_writing(tmp_path, scratch):
    """What has not reached the file itself is read, while it is open and where a crash left it."""
    with closing(filled(tmp_path / "db" / "o.db", *FAMILY)):
        assert tree(load_all(tmp_path / "db" / "o.db")) == EXPECTED
        shutil.copytree(tmp_path / "db", tmp_path / "left", ignore=shutil.ignore_patterns("*-shm"))
        shutil.make_archive(str(tmp_path / "a"), "zip", tmp_path / "left")
    for path in (tmp_path / "left" / "o.db", tmp_path / "a.zip"):
        assert tree(load_all(path)) == EXPECTED
    assert sorted(p.name for p in (tmp_path / "left").iterdir()) == ["o.db", "o.db-wal"]
    assert list(scratch.iterdir()) == []


def test_a_database_from_memory(tmp_path, scratch):
    """Uploaded, packed, in an archive: a copy is read, and deleted even where only the first session is."""
    path = database(tmp_path / "o.db", *FAMILY)
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert tree(load_all(data=path.read_bytes())) == EXPECTED
    assert tree(load_all(packed)) == EXPECTED
    assert tree(load_all(files={"opencode/o.db": path.read_bytes(), "opencode/auth.json": b"{}"})) == EXPECTED
    assert load(data=path.read_bytes()).id == "ses_main"
    assert list(scratch.iterdir()) == []


def test_a_database_beside_a_storage(tmp_path):
    """Both are read; of a session that is in both, what the database holds."""
    stored(tmp_path, export_of("ses_a", "before"), export_of("ses_b", "only here", updated=3))
    database(tmp_path / "opencode.db", export_of("ses_a", "after", updated=2), export_of("ses_c", "new", updated=1))
    (tmp_path / "log").mkdir()
    found = list(load_all(tmp_path))
    assert [(s.id, s.messages[0].content) for s in found] == [
        ("ses_b", "only here"),
        ("ses_a", "after"),
        ("ses_c", "new"),
    ]
    (tmp_path / "opencode.db").write_bytes((tmp_path / "opencode.db").read_bytes()[:5000])
    found = list(load_all(tmp_path))
    assert [s.messages[0].content for s in found] == ["only here", "before"]
    assert found[0].notes[0].startswith("the database beside the storage was skipped: ")


OTHERS = {
    "other tables": "CREATE TABLE session (id text); CREATE TABLE message (id text);",
    "a view": TABLES.replace("CREATE TABLE part (", "CREATE TABLE real (").replace("ON part", "ON real")
    + "CREATE VIEW part AS SELECT * FROM real;",
    "computed": TABLES.replace("time_created integer, data text);\nCREATE INDEX", "data text AS (id));\nCREATE INDEX"),
    "a virtual table": TABLES.replace("CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);", "")
    .replace("CREATE INDEX part_session_idx ON part (session_id);", "")
    .replace(
        "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text);",
        "",
    )
    + "CREATE VIRTUAL TABLE part USING fts5(id, message_id, session_id, data);",
}


@pytest.mark.parametrize("tables", OTHERS.values(), ids=OTHERS)
def test_other_databases_are_refused(tables, tmp_path):
    """In the words they always were; tables that are none are not asked."""
    path = database(tmp_path / "o.db", tables=tables)
    assert claimed_by(head_of(Source("x", path=path))) == []
    with pytest.raises(TranscriptError, match=r"o\.db: is an SQLite database, which is not read$") as caught:
        load(path)
    assert caught.value.hint == "unpack or export it as JSON or JSONL first"


def test_a_database_that_is_only_a_beginning():
    """The first bytes alone are a database nobody reads."""
    with pytest.raises(TranscriptError, match="is an SQLite database, which is not read"):
        load(name="o.db", data=b"SQLite format 3\x00" + bytes(100))


@pytest.mark.parametrize("limit", ["STEPS", "LIMIT"])
def test_a_database_that_takes_too_much_is_given_up(limit, tmp_path, monkeypatch):
    """Neither SQLite's work nor what it gives goes beyond what a file of that size can need."""
    monkeypatch.setattr(_opencode_database, "_TICK", 10)
    monkeypatch.setattr(_opencode_database, "STEPS_FOR_A_BYTE", 0)
    monkeypatch.setattr(_opencode_database, limit, 2000 if limit == "STEPS" else -200_000)
    tables = "\n".join(line for line in TABLES.splitlines() if "INDEX" not in line)
    path = database(tmp_path / "o.db", *(export_of(f"ses_{n}", "x") for n in range(100)), tables=tables)
    with pytest.raises(TranscriptError, match="takes far more work to read than a database of its size should"):
        list(load_all(path))


def test_only_those_tables_may_be_read(tmp_path):
    """Whatever is asked of the connection."""
    path = database(tmp_path / "o.db", *FAMILY)
    with _opencode_database.database(Source("o.db", path=path)) as found:
        for asked in ("SELECT * FROM project", "DELETE FROM part", "ATTACH 'x' AS y", "SELECT randomblob(9) FROM part"):
            with pytest.raises(sqlite3.DatabaseError):
                found._connection.execute(asked)


@pytest.mark.parametrize(
    "value", [None, 5, "x", b"\xff\x00", 1.5, "[1]", "null", '{"role": 5, "time": [], "type": {}}']
)
def test_rows_of_the_wrong_kind_are_no_crash(value, tmp_path):
    """SQLite lets anything stand anywhere."""
    tables = TABLES.replace("text PRIMARY KEY", "").replace(" NOT NULL", "")
    connection = filled(tmp_path / "o.db", export_of("ses_a", "typed"), tables=tables)
    put_row(connection, "session", id=value, parent_id=value, title=value, directory=value, time_updated=value)
    put_row(connection, "message", id="msg_odd", session_id="ses_a", time_created=value, data=value)
    put_row(connection, "message", id=value, session_id="ses_a", time_created=value, data='{"role": "user"}')
    put_row(
        connection, "part", id=value, message_id="msg_ses_a_1", session_id="ses_a", data='{"type": "text", "text": 5}'
    )
    put_row(connection, "part", id="prt_odd", message_id="msg_ses_a_1", session_id="ses_a", data=value)
    connection.commit()
    connection.close()
    found = load(tmp_path / "o.db")
    assert any("typed" in m.content for m in found.messages)
    assert found.malformed_lines > 0
    assert found.model_dump_json()


def test_a_database_of_an_older_shape(tmp_path):
    """Parts without the session's id are found by their messages; times may be missing."""
    tables = (
        "CREATE TABLE session (id text, title text);"
        "CREATE TABLE message (id text, session_id text, data text);"
        "CREATE TABLE part (id text, message_id text, data text);"
    )
    connection = filled(tmp_path / "o.db", tables=tables)
    put_row(connection, "session", id="ses_a", title="T")
    put_row(connection, "message", id="msg_1", session_id="ses_a", data='{"role": "user"}')
    put_row(connection, "part", id="prt_1", message_id="msg_1", data='{"type": "text", "text": "hello"}')
    connection.commit()
    connection.close()
    found = load(tmp_path / "o.db")
    assert (found.title, [m.content for m in found.messages]) == ("T", ["hello"])


def test_damaged_databases_are_sessions_or_errors(tmp_path):
    """Cut short or overwritten anywhere: never anything else."""
    whole = bytearray(database(tmp_path / "o.db", *FAMILY).read_bytes())
    for place in range(20, len(whole), len(whole) // 60):
        broken = bytearray(whole)
        broken[place : place + 40] = bytes(range(100, 140))
        for data in (bytes(broken), bytes(whole[:place])):
            with suppress(TranscriptError):
                assert list(load_all(name="o.db", data=data))


def listed(tmp_path: Path) -> list[str]:
    """The titles of the library's index, brought up to date."""
    index = Index(tmp_path / "library.db")
    build(index, [place for place in places() if place.agent == "opencode"])
    return [f"{row.title} {row.messages}" for row in index.listing().rows]


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The folder that opencode keeps its data in."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share" / "opencode"


def test_the_library_lists_a_storage(tmp_path, data):
    """Each session once, those of sub-agents not by themselves; anew when a message comes, or goes on."""
    storage = stored(data, *FAMILY)
    assert sorted(listed(tmp_path)) == ["ses_main 3", "ses_old 1"]
    more = export_of("ses_old", "long ago", "and again")
    newest = more["messages"][1]
    write_json(storage / "message" / "ses_old" / f"{newest['info']['id']}.json", newest["info"])
    assert sorted(listed(tmp_path)) == ["ses_main 3", "ses_old 2"]
    write_json(storage / "message" / "ses_old" / f"{newest['info']['id']}.json", {**newest["info"], "role": "nobody's"})
    assert sorted(listed(tmp_path)) == ["ses_main 3", "ses_old 1"]


def test_the_library_lists_a_database(tmp_path, data):
    """In place of the storage that it took over; anew when it is written to, though the file itself stays as it is."""
    stored(data, FAMILY[0])
    with closing(filled(data / "opencode.db", *FAMILY)) as connection:
        assert sorted(listed(tmp_path)) == ["ses_main 3", "ses_old 1", "ses_orphan 1"]
        put_row(connection, "message", id="msg_new", session_id="ses_old", time_created=2, data='{"role": "user"}')
        connection.commit()
        assert sorted(listed(tmp_path)) == ["ses_main 3", "ses_old 2", "ses_orphan 1"]
