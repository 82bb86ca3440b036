"""The library: what is on this machine, newest first, found by its words, read once."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pytest
from filelock import FileLock

from core import Session, TranscriptError, formats
from core.library import Index, Place, Progress, Row, SearchText, Snippet, build
from core.library.index import SCHEMA, put
from core.library.query import fts_query
from core.trace.trace import as_session
from tests.support import assistant, user

building = import_module("core.library.build")
Says = Callable[..., Path]


class Reader:
    """Reads a file as one session of which its text is the question; remembers which files it was asked for."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, path: Path) -> Iterator[Session]:
        """As `load_all` would."""
        self.read.append(path.name)
        text = path.read_text("utf-8")
        if text.startswith("broken"):
            raise TranscriptError(f"{path.name}: is of no format known here", "")
        if text.startswith("a bug"):
            raise ZeroDivisionError("nobody thought of it")
        title, _, question = text.partition(":")
        yield as_session([user(question), assistant("answer")], title=title)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    """A reader in place of the importers."""
    fake = Reader()
    monkeypatch.setattr(building, "load_all", fake)
    return fake


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """An index of the test's own."""
    return Index(tmp_path / "cache" / "library.db")


@pytest.fixture
def write_transcript(tmp_path: Path) -> Says:
    """Writes a transcript as of a minute of an hour: `says("a.json", "title:words", minute=3)`."""

    def write(name: str, text: str, minute: int = 0) -> Path:
        path = tmp_path / "kept" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        os.utime(path, (1_700_000_000 + 60 * minute,) * 2)
        return path

    return write


@pytest.fixture
def kept(tmp_path: Path) -> list[Place]:
    """The one place the tests look into."""
    return [Place("", tmp_path / "kept")]


def titles(index: Index, query: str = "", agent: str = "") -> list[str]:
    """What is listed, by title."""
    return [row.title for row in index.listing(query, agent).rows]


def test_the_newest_come_first(index: Index, kept: list[Place], write_transcript: Says, reader: Reader) -> None:
    """By the time of the file where no message bears one; they are read in that order too.

    The time of the file is not told as that of the last message.
    """
    for name, minute in (("old", 1), ("new", 9), ("middle", 5)):
        write_transcript(f"{name}.json", f"{name}:hello", minute)
    build(index, kept)

    assert titles(index) == ["new", "middle", "old"]
    assert reader.read == ["new.json", "middle.json", "old.json"]
    first = index.listing().rows[0]
    assert (first.ended, first.changed) == ("", "2023-11-14T22:22:20Z")


def test_sessions_without_a_time_come_last(
    index: Index, kept: list[Place], write_transcript: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However new their files are, these the newest first; the file of a session with a time says nothing of its place."""
    times = {"early": "2024-05-01T10:00:00Z", "late": "2024-05-02T10:00:00Z", "copied": "", "made": ""}

    def reader(path: Path) -> Iterator[Session]:
        yield as_session([user("x").model_copy(update={"timestamp": times[path.stem]})], title=path.stem)

    monkeypatch.setattr(building, "load_all", reader)
    for minute, name in ((1, "late"), (2, "copied"), (3, "early"), (4, "made")):
        write_transcript(f"{name}.json", "", minute)
    build(index, kept)

    assert titles(index) == ["late", "early", "made", "copied"]
    assert [row.title for row in index.listing(most=2).rows] == ["late", "early"]


def test_a_session_is_as_old_as_its_last_message(
    index: Index, kept: list[Place], write_transcript: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last recorded time that can be read counts, not the file's: a copy of an old session is old. All are in UTC."""
    times = {"a": ("2024-05-01T12:00:00+02:00", "soon"), "b": ("2020-01-01T00:00:00Z", "2024-05-01T11:00:00")}

    def reader(path: Path) -> Iterator[Session]:
        said = [user("x").model_copy(update={"timestamp": when}) for when in times[path.stem]]
        yield as_session(said, title=path.stem)

    monkeypatch.setattr(building, "load_all", reader)
    write_transcript("a.json", "", minute=9)
    write_transcript("b.json", "")
    build(index, kept)

    listed = [(row.title, row.ended) for row in index.listing().rows]
    assert listed == [("b", "2024-05-01T11:00:00Z"), ("a", "2024-05-01T10:00:00Z")]


def test_a_row_tells_what_is_in_the_session(index: Index, kept: list[Place], write_transcript: Says) -> None:
    """Format by its label, messages, turns, tokens with their meter, compactions, where it lies."""
    chat = [{"role": "user", "content": "x" * 30}, {"role": "assistant", "content": "y" * 10}]
    path = write_transcript("chat.json", json.dumps(chat))
    build(index, kept)

    row = index.listing().rows[0]
    assert (row.agent, row.format, row.path, row.number) == ("OpenAI chat messages", "openai-chat", str(path), 0)
    assert (row.messages, row.turns, row.tokens, row.meter) == (2, 1, 16, "o200k_base")
    assert (row.compactions, row.subagents, row.unsearched) == (0, 0, 0)


TOOLS = [
    {"role": "system", "content": "obey the almanac"},
    {"role": "user", "content": "When are the plums ripe?"},
    {
        "role": "assistant",
        "content": "I look it up.",
        "tool_calls": [{"id": "c", "function": {"name": "grep", "arguments": '{"where": {"book": "cellar"}}'}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "Mirabelles: August"},
]


@pytest.mark.parametrize(
    ("query", "part", "text"),
    [
        ("ripe", "messages", "When are the plums \ue000ripe\ue001?\nI look it up."),
        ("mirabelles", "tools", "grep\nwhere\nbook\ncellar\n\ue000Mirabelles\ue001: August"),
        ("grep", "tools", "\ue000grep\ue001\nwhere\nbook\ncellar\nMirabelles: August"),
        ("cellar plums", "messages", "When are the \ue000plums\ue001 ripe?\nI look it up."),
    ],
)
def test_messages_tool_calls_and_tool_output_are_searched(
    query: str, part: str, text: str, index: Index, kept: list[Place], write_transcript: Says
) -> None:
    """What was typed and replied, names and arguments of tool calls, what tools returned; the snippet says in which it is."""
    write_transcript("chat.json", json.dumps(TOOLS))
    build(index, kept)

    (id,) = index.matches(query)
    assert index.snippets(query, [id, id + 1]) == {id: Snippet(part, text)}


@pytest.mark.parametrize("query", ["almanac", "", "quinces"])
def test_a_system_prompt_is_not_searched(query: str, index: Index, kept: list[Place], write_transcript: Says) -> None:
    """It is the same in every session of an agent. Without words, and where nothing holds them, nothing is found."""
    write_transcript("chat.json", json.dumps(TOOLS))
    build(index, kept)

    assert index.matches(query) == []
    assert index.snippets(query, [1]) == {}


def test_what_of_a_very_long_session_is_not_searched_is_counted(
    index: Index, kept: list[Place], write_transcript: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond so many characters of messages, and so many of tools; what was typed comes first."""
    monkeypatch.setattr(building, "MOST_MESSAGES", 30)
    monkeypatch.setattr(building, "MOST_TOOLS", 20)
    write_transcript("chat.json", json.dumps(TOOLS))
    build(index, kept)

    assert index.listing().rows[0].unsearched == 8 + 21  # of 38 and 41
    assert [len(index.matches(word)) for word in ("plums", "book", "mirabelles")] == [1, 1, 0]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("plum", ["Orchard"]),
        ("plums ripe", ["Orchard"]),
        ("PLUMS", ["Orchard"]),
        ("orch", ["Orchard"]),
        ("ripe plums pears", []),
        ("plu ripe", []),
        ("kuche", ["Küche"]),
        ("", ["Küche", "Orchard"]),
        ("   ", ["Küche", "Orchard"]),
    ],
)
def test_every_word_must_occur_and_the_last_may_be_begun(
    query: str, found: list[str], index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """In the title or in what was said, case and accents aside; a word before the last must be whole."""
    write_transcript("a.json", "Orchard:when are the plums ripe", 1)
    write_transcript("b.json", "Küche:what is for lunch", 2)
    build(index, kept)

    assert titles(index, query) == found


@pytest.mark.parametrize(
    "query", ['"', "'", '"plums" OR *', "(", "plums)", "NEAR(plums", "title:plums", "-plums", "^", "🙂", "\0", "%_"]
)
def test_no_character_that_is_typed_does_harm(
    query: str, index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """Quotes, brackets and the words of the search language are characters like others."""
    write_transcript("a.json", "Orchard:when are the plums ripe or near the title")
    build(index, kept)

    assert set(titles(index, query)) <= {"Orchard"}
    assert fts_query('say "plums" OR x') == '"say" "plums" "OR" "x"*'


def test_agents_are_counted_for_what_is_typed_and_one_can_be_chosen(index: Index, tmp_path: Path) -> None:
    """The counts are of all agents that match, the total is of the one that is chosen."""
    rows = [a_row(0, agent="pi"), a_row(1, agent="pi"), a_row(2, agent="Codex")]
    with index.open() as connection:
        put(connection, "f", "s", [(row, SearchText("plums")) for row in rows], "")

    found = index.listing("plums", "Codex")
    assert (found.total, found.agents) == (1, (("pi", 2), ("Codex", 1)))
    assert [row.agent for row in found.rows] == ["Codex"]


def a_row(number: int, **more: str) -> Row:
    """A row, as of a minute."""
    known = {"path": "f", "agent": "pi", "format": "pi", "title": f"t{number}", "project": "", "model": ""}
    counts = {"messages": 1, "turns": 1, "tokens": 1, "meter": "o200k_base", "compactions": 0, "subagents": 0}
    return Row(**{**known, **more}, **counts, number=number, ended=f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z")


def test_a_thousand_sessions_come_in_one_answer(index: Index) -> None:
    """All of them, in order, and all are searched."""
    with index.open() as connection:
        put(connection, "f", "s", [(a_row(n), SearchText(f"word{n} all")) for n in range(1000)], "")

    found = index.listing()
    assert (len(found.rows), found.total) == (1000, 1000)
    assert [row.number for row in found.rows[:3]] == [999, 998, 997]
    assert titles(index, "word777") == ["t777"]
    assert index.listing("all", most=10).total == 1000


def test_what_has_not_changed_is_not_read_again(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """Only a file that is new or was written to is read; what is gone is forgotten, with its text."""
    write_transcript("same.json", "same:plums", 1)
    write_transcript("changed.json", "before:pears", 2)
    gone = write_transcript("gone.json", "gone:quinces", 3)
    build(index, kept)
    write_transcript("changed.json", "after:apples", 4)
    write_transcript("new.json", "new:figs", 5)
    gone.unlink()
    reader.read.clear()

    assert build(index, kept) == Progress(2, 2)
    assert reader.read == ["new.json", "changed.json"]
    assert titles(index) == ["new", "after", "same"]
    assert [titles(index, word) for word in ("plums", "apples", "pears", "quinces")] == [["same"], ["after"], [], []]


def test_what_could_not_be_read_is_left_until_it_changes(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """It is listed as a problem, not as a session, and keeps no other file out."""
    write_transcript("bad.json", "broken", 2)
    write_transcript("odd.json", "a bug", 3)
    write_transcript("good.json", "good:plums", 1)
    build(index, kept)
    build(index, kept)

    assert reader.read == ["odd.json", "bad.json", "good.json"]
    assert [(Path(path).name, why) for path, why in index.problems()] == [
        ("bad.json", "bad.json: is of no format known here"),
        ("odd.json", "ZeroDivisionError: nobody thought of it"),
    ]
    write_transcript("bad.json", "mended:pears", 4)
    build(index, kept)
    assert titles(index) == ["mended", "good"]


def test_what_could_not_be_read_is_tried_again_when_more_formats_are_known(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer foldline may read what an older one could not."""
    write_transcript("bad.json", "broken")
    build(index, kept)
    more = [*formats(), formats()[0].model_copy(update={"name": "one-more"})]
    monkeypatch.setattr(building, "formats", lambda: more)
    build(index, kept)

    assert reader.read == ["bad.json", "bad.json"]


def of_another_version(path: Path) -> None:
    """A database with the same tables, in which another foldline has put something else."""
    with sqlite3.connect(path) as other:
        other.execute("UPDATE sessions SET title = 'otherwise'")
        other.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    other.close()


def not_an_index(path: Path) -> None:
    """A database of somebody else, with a table that bears the name of one of ours."""
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE files (name TEXT)")
    other.close()


def broken_inside(path: Path) -> None:
    """A database whose first page is good and the rest is not."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b"no database at all" * 500),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        broken_inside,
        of_another_version,
        not_an_index,
    ],
    ids=["garbage", "empty", "truncated", "broken inside", "another version", "somebody else's"],
)
def test_a_damaged_database_is_built_anew(
    harm: Callable[[Path], None], index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """It holds nothing that is not in the transcripts: the next build brings all of it back."""
    write_transcript("a.json", "Orchard:when are the plums ripe")
    build(index, kept)
    harm(index.path)
    build(index, kept)

    assert titles(index, "plums") == ["Orchard"]


def test_damage_that_is_found_while_searching_is_told_and_removed(index: Index) -> None:
    """The listing fails once; what is there afterwards is an empty index, and no error."""
    with index.open() as connection:
        put(connection, "f", "s", [(a_row(0), SearchText("plums"))], "")
    broken_inside(index.path)

    with pytest.raises(sqlite3.DatabaseError):
        index.listing("plums")
    assert index.listing("plums").rows == ()


def test_a_folder_that_cannot_be_written_is_an_error_and_nothing_is_removed(tmp_path: Path) -> None:
    """A database that cannot be opened is no damaged one."""
    (tmp_path / "library.db").mkdir()
    with pytest.raises(sqlite3.OperationalError):
        Index(tmp_path / "library.db").listing()
    assert (tmp_path / "library.db").is_dir()


def test_while_another_process_builds_nothing_is_read(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """The answer is how far that process is. Once its lock is released, the next build reads."""
    write_transcript("a.json", "a:b")
    with index.open() as connection:
        connection.execute("REPLACE INTO progress VALUES (1, 77, 5.0, 3, 9, 'x.json')")
    with FileLock(index.path.with_suffix(".lock")):
        assert build(index, kept) == Progress(3, 9, "x.json", 77, 5.0)
        assert reader.read == []
    assert build(index, kept) == Progress(1, 1)
    assert reader.read == ["a.json"]


def test_a_build_may_wait_for_another_one(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """That of another server has other folders: afterwards these are read, too."""
    write_transcript("a.json", "a:b")
    code = "import sys, filelock; lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print(1, flush=True); sys.stdin.read()"
    index.path.parent.mkdir()
    command = [sys.executable, "-c", code, str(index.path.with_suffix(".lock"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.read(1)
        waiting = threading.Thread(target=build, args=(index, kept), kwargs={"wait": True})
        waiting.start()
        assert build(index, kept) == Progress()
        other.kill()
        waiting.join()
    assert titles(index) == ["a"]


def test_a_killed_build_does_not_stop_the_next(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """The system releases the lock of a process that is gone, however much alive its last progress looks."""
    write_transcript("a.json", "a:b")
    with index.open() as connection:
        connection.execute("REPLACE INTO progress VALUES (1, ?, ?, 3, 9, 'x.json')", (os.getppid(), time.time()))
    code = "import sys, filelock; lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print(1, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(index.path.with_suffix(".lock"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.read(1)
        assert build(index, kept).now == "x.json"
        other.kill()
    build(index, kept)

    assert titles(index) == ["a"]


def test_how_far_a_build_is_can_be_asked_meanwhile(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """Before each file it is said which; at the end nobody builds."""
    write_transcript("a.json", "a:b", 2)
    write_transcript("b.json", "b:c", 1)
    told = list[tuple[int, int, str, bool]]()
    build(index, kept, lambda p: told.append((p.done, p.total, p.now, index.progress().pid == p.pid)))

    assert told == [(0, 2, "a.json", True), (1, 2, "b.json", True), (2, 2, "", True)]
    assert index.progress().pid == 0


def test_new_files_of_an_agent_are_listed_before_they_are_read(
    index: Index, write_transcript: Says, reader: Reader
) -> None:
    """By their names, without figures. What turns out to be no transcript goes; files of any other folder wait."""
    known = write_transcript("known.json", "Known:b", 1)
    place = Place("Codex", known.parent)
    build(index, [place])
    write_transcript("new.json", "New:c", 3)
    write_transcript("broken.json", "broken", 2)
    seen = list[list[tuple[str, str, str]]]()

    def look(progress: Progress) -> None:
        rows = index.listing(most=10).rows
        seen.append([(row.title, row.agent, "read" if row.meter else "") for row in rows])

    build(index, [place], look)
    assert seen[0] == [("new.json", "Codex", ""), ("broken.json", "Codex", ""), ("Known", "", "read")]
    assert titles(index) == ["New", "Known"]
    assert index.listing(most=10).rows[0].changed == "2023-11-14T22:16:20Z"

    write_transcript("any.json", "Any:d", 4)
    build(index, [Place("", known.parent)], look)
    assert ("any.json", "", "") not in seen[3]


AIDER = "\n# aider chat started at 2026-03-0{n} 10:00:00\n\n> Aider v0.86.1\n\n#### About {what}\n\nAn answer.\n"


def test_a_file_of_many_sessions_is_a_row_each(
    index: Index, kept: list[Place], write_transcript: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbered in the order of the file; at most so many of one file."""
    text = "".join(AIDER.format(n=n, what=what) for n, what in enumerate(("plums", "pears", "figs"), 1))
    write_transcript(".aider.chat.history.md", text)
    build(index, kept)
    assert [(row.number, row.title) for row in index.listing("pears").rows] == [(1, "About pears")]
    assert sorted(row.number for row in index.listing().rows) == [0, 1, 2]

    monkeypatch.setattr(building, "MOST", 2)
    write_transcript(".aider.chat.history.md", text + "\n", minute=1)
    build(index, kept)
    assert sorted(row.number for row in index.listing().rows) == [0, 1]


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder: when it was written, what may be done with it, what is in it."""
    paths = sorted(folder.rglob("*"))
    return {
        str(p): (p.stat().st_mtime_ns, p.stat().st_mode, p.read_bytes() if p.is_file() else b"")
        for p in (folder, *paths)
    }


def test_nothing_is_written_where_the_transcripts_lie(index: Index, tmp_path: Path) -> None:
    """Not a byte, not a file, not a time, whatever the format: a database of opencode's is left as it is, too."""
    folder = tmp_path / "kept"
    samples = Path(__file__).parents[2] / "sample_sessions"
    for path in (samples / "aider" / "seedbank.md", *samples.rglob("*.jsonl")):
        copy = folder / path.relative_to(samples)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    with sqlite3.connect(folder / "opencode.db") as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE session (id TEXT)")
    other.close()
    before = snapshot(folder)
    build(index, [Place("", folder), Place("", folder, ("*.db", "**/*.md"))])

    assert len(index.listing().rows) > 5
    assert snapshot(folder) == before


def test_places_that_overlap_list_a_file_once(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """A folder inside another that is looked into too gives no second rows; a folder that is not there gives none."""
    path = write_transcript("inside/a.json", "a:b")
    twice: Sequence[Place] = [*kept, Place("", path.parent), Place("", path.parent / "nowhere")]
    build(index, twice)

    assert reader.read == ["a.json"]
    assert titles(index) == ["a"]


def test_a_file_whose_name_is_no_text_does_not_keep_the_others_out(
    index: Index, kept: list[Place], write_transcript: Says, reader: Reader
) -> None:
    """Such as one from a disk in another encoding: the index cannot name it."""
    folder = os.fsencode(write_transcript("a.json", "a:b").parent)
    try:
        with open(os.path.join(folder, b"b\xff.json"), "w") as odd:
            odd.write("b:c")
    except OSError:
        pytest.skip("this disk takes no such name")
    build(index, [*kept, Place("agent", kept[0].root, ("*.json",))])
    assert titles(index) == ["a"]


def test_two_servers_keep_their_sessions_in_one_index(
    index: Index, tmp_path: Path, write_transcript: Says, reader: Reader
) -> None:
    """Each lists those of its own folders, and neither reads anything anew. What was deleted is forgotten by either."""
    path, gone = write_transcript("one/a.json", "a:plums", 2), write_transcript("one/gone.json", "gone:figs", 1)
    write_transcript("two/b.json", "b:plums")
    one, two = ([Place("", tmp_path / "kept" / name)] for name in ("one", "two"))
    for among in (one, two, one, two):
        build(index, among)
    assert sorted(reader.read) == ["a.json", "b.json", "gone.json"]
    assert [row.title for row in index.listing("plums", among=two).rows] == ["b"]
    listing = index.listing(among=one)
    assert ([row.title for row in listing.rows], listing.total, listing.agents) == (["a", "gone"], 2, (("", 2),))
    assert index.listing(among=[]).rows == ()

    gone.unlink()
    build(index, two)
    assert titles(index) == ["a", "b"]
    path.write_text("broken")
    build(index, one)
    assert [Path(path).name for path, _ in index.problems(one)] == ["a.json"]
    assert index.problems(two) == []


def test_what_no_place_holds_any_more_is_forgotten(index: Index, tmp_path: Path, reader: Reader) -> None:
    """Such as the older files of an agent whose database has taken them over: they are still on the disk."""
    (tmp_path / "old.json").write_text("old:plums")
    build(index, [Place("agent", tmp_path, ("*.json",))])
    build(index, [Place("agent", tmp_path, ("*.db",))])

    assert titles(index) == []


def on_disk(index: Index) -> bytes:
    """All that the files of the index hold."""
    return b"".join(path.read_bytes() for path in index.path.parent.glob("library*"))


def test_of_a_folder_that_was_removed_nothing_stays_on_the_disk(
    index: Index, tmp_path: Path, write_transcript: Says, reader: Reader
) -> None:
    """Its sessions are not listed, and no file of the index holds a word of them. What is listed for another reason stays."""
    write_transcript("one/a.json", "a:" + "persimmon " * 20_000)
    write_transcript("two/b.json", "b:quinces")
    one, two = (Place("", tmp_path / "kept" / name, kept=True) for name in ("one", "two"))
    opened = Place("", tmp_path / "kept" / "two")  # by another server
    build(index, [one, two])
    assert b"persimmon" in on_disk(index)

    build(index, [two])
    assert titles(index) == ["b"]
    assert (b"persimmon" in on_disk(index), b"quinces" in on_disk(index)) == (False, True)
    assert (
        len(on_disk(index)) < 150_000
    )  # some builds of SQLite wipe what is deleted, others leave it: the room is given back
    build(index, [opened])
    build(index, [])
    assert titles(index) == ["b"]
