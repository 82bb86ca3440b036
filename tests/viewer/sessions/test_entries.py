"""The sessions of a folder are opened one by one when chosen, and only listed before."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import FoldlineError, Session, TranscriptError, load_all
from core.importers._files.source import Source as File
from core.importers.openai_chat import read as read_chat
from viewer.sessions import entries, sources
from viewer.sessions.followed import changed, follow
from viewer.sessions.registry import RecentCache
from viewer.sessions.sources import Loaded, Source, hold_upload, open_source

LONG = "x" * 70_000
"""So long that the beginning of a file does not tell all of it."""


def chat(said: str, answer: str = LONG) -> str:
    """A list of two messages."""
    return json.dumps([{"role": "user", "content": said}, {"role": "assistant", "content": answer}])


@pytest.fixture(autouse=True)
def bodies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was read as a whole. Nothing is in memory before a test."""
    read = Counter[str]()

    def counted(source: File) -> Session | Iterator[Session]:
        read[source.place] += 1
        return read_chat(source)

    monkeypatch.setattr("core.importers.openai_chat.read", counted)
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "state" / "recent.json")
    monkeypatch.setattr(sources, "_entries", RecentCache(6))
    monkeypatch.setattr(entries, "_READ", RecentCache(8))
    return read


def uploaded(**files: str) -> Source:
    """An upload of these files; an underscore in a name is a dot."""
    return hold_upload({name.replace("_", "."): text.encode() for name, text in files.items()})


def fifty() -> Source:
    """An upload of fifty files, in order."""
    return uploaded(**{f"m{n:02}_json": chat(f"hello {n}") for n in range(50)})


def opened(source: Source, session: str = "") -> Loaded:
    """A session of a source."""
    return open_source(source, local=True, session=session)


def first_words(loaded: Loaded) -> str:
    """Its first message."""
    return loaded.session.messages[0].content


def test_only_the_session_that_is_shown_is_read(bodies: Counter[str]) -> None:
    """The first of fifty; the one that is chosen then; none again that is still in memory."""
    source = fifty()
    assert first_words(opened(source)) == "hello 0"
    assert bodies == {"m00.json": 1}
    chosen = opened(source, "./m30.json")
    assert (first_words(chosen), chosen.address, chosen.number) == ("hello 30", "./m30.json", None)
    opened(source)
    opened(source, "./m30.json")
    assert bodies == {"m00.json": 1, "m30.json": 1}


def test_unread_files_are_rows_of_path_and_size() -> None:
    """One that was read has its title and counts; its number only where all before it were read."""
    source = fifty()
    opened(source, "./m30.json")
    rows = opened(source).entries.rows()
    assert len(rows) == 50
    assert rows[0][:3] + rows[0][4:] == (0, "hello 0", 2, 0, "./m00.json", "")
    assert rows[1] == (None, "m01.json", 0, 0, 0, "./m01.json", "70 KB, not read yet")
    assert rows[30][:3] + rows[30][4:] == (None, "hello 30", 2, 0, "./m30.json", "")


def test_a_number_counts_as_load_all_does(bodies: Counter[str]) -> None:
    """A file may hold several sessions or none; files are read in order until the one meant is found, and then known."""
    lines = "\n".join(json.dumps({"messages": json.loads(chat(text, "yes"))}) for text in ("b0", "b1"))
    files = {"a.json": chat("a"), "b.jsonl": lines, "c.json": "[1, " + chat("c") + "]", "d.json": chat("d")}
    source = hold_upload({name: text.encode() for name, text in files.items()})
    every = [s.messages[0].content for s in load_all(files={name: text.encode() for name, text in files.items()})]
    bodies.clear()
    assert every == ["a", "b0", "b1", "d"]
    third = opened(source, "2")
    assert (first_words(third), third.address, third.number) == ("b1", "./b.jsonl#1", 2)
    assert not {"c.json", "d.json"} & set(bodies)
    assert [first_words(opened(source, text)) for text in ("0", "1", "3", "./b.jsonl#1", "./b.jsonl")] == [
        *("a", "b0", "d", "b1", "b0")
    ]
    assert [row[0] for row in third.entries.rows()] == [0, 1, 2, None, 3]
    assert (third.key, opened(source, "./b.jsonl#1").key) == (third.key, third.key)


def test_an_id_is_found_wherever_it_is() -> None:
    """As before; what is nowhere says how many there are, a path that is not there what to do."""
    trace = {"id": "run-b", "messages": json.loads(chat("b", "yes"))}
    source = uploaded(a_json=chat("a"), b_json=json.dumps(trace))
    id = next(load_all(files={"b.json": json.dumps(trace).encode()})).id
    assert (id, first_words(opened(source, id))) == ("run-b", "b")
    with pytest.raises(FoldlineError) as caught:
        opened(source, "7")
    assert (str(caught.value), caught.value.hint) == ("there is no session '7' in 2 files", "it has 2, counted from 0")
    with pytest.raises(FoldlineError) as caught:
        opened(source, "./gone.json")
    assert (str(caught.value), caught.value.hint) == (
        "there is no file 'gone.json' in 2 files",
        "choose one from the list",
    )
    with pytest.raises(FoldlineError, match="no session '4' in"):
        opened(source, "./a.json#4")
    assert opened(source, "./b.json#run-b").address == "./b.json"
    with pytest.raises(FoldlineError, match="no session 'run-c' in"):
        opened(source, "./b.json#run-c")


def test_a_broken_file_says_so_when_chosen_and_stays_listed() -> None:
    """Its beginning did not tell. It counts among those left out from then on."""
    source = uploaded(a_json=chat("a"), b_json=chat("b")[:-2])
    assert opened(source).notes == []
    with pytest.raises(TranscriptError, match=r"^2 files/b\.json: line 1: "):
        opened(source, "./b.json")
    first = opened(source)
    assert first.entries.rows()[1] == (
        *(None, "b.json", 0, 0, 0, "./b.json"),
        "left out: line 1: the JSON ends early",
    )
    assert first.notes == ["1 file left out: it could not be read (b.json: line 1: the JSON ends early)"]


def test_a_broken_file_before_the_one_that_is_shown_is_counted() -> None:
    """It was read on the way to the first session."""
    first = opened(uploaded(a_json=chat("a")[:-2], b_json=chat("b")))
    assert (first_words(first), first.number) == ("b", 0)
    assert [row[6] for row in first.entries.rows()] == ["left out: line 1: the JSON ends early", ""]
    assert first.notes == ["1 file left out: it could not be read (a.json: line 1: the JSON ends early)"]


def test_a_folder_without_any_session_is_one_clear_error_each_time() -> None:
    """The second attempt says the same."""
    source = uploaded(a_json=chat("a")[:-2], b_json=chat("b")[:-2])
    for _ in range(2):
        with pytest.raises(TranscriptError, match="2 files: contains no transcript"):
            opened(source)


def test_a_file_beyond_what_is_read_in_all_is_opened_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is in memory at a time: the limit holds for each. A number counts only those that have room together."""
    monkeypatch.setattr("core.importers._files.members.WHOLE", 100_000)
    source = uploaded(a_json=chat("a"), b_json=chat("b"))
    assert first_words(opened(source, "./b.json")) == "b"
    with pytest.raises(FoldlineError, match="no session '1' in"):
        opened(source, "1")
    assert opened(source).notes == []


def test_what_is_kept_of_many_sessions_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their rows stay, the sessions do not."""
    cache = RecentCache[Session](3)
    monkeypatch.setattr(entries, "_READ", cache)
    source = fifty()
    rows = [opened(source, f"./m{n:02}.json") for n in range(20)][-1].entries.rows()
    assert [row[1] for row in rows[:20]] == [f"hello {n}" for n in range(20)]
    assert len(cache._values) == 3


def test_another_session_of_a_file_that_was_read_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of many in a folder: its rows are known, and only the session that is chosen is made."""
    lines = "\n".join(json.dumps({"messages": json.loads(chat(f"b{n}", "yes"))}) for n in range(9))
    source = hold_upload({"a.json": chat("a").encode(), "b.jsonl": lines.encode()})
    opened(source, "./b.jsonl")
    monkeypatch.setattr(entries, "session_row", None)
    assert first_words(opened(source, "./b.jsonl#4")) == "b4"


def test_a_file_in_a_folder_that_grows_is_read_again(tmp_path: Path) -> None:
    """It alone: the page is told, as of a file by itself, and its key changes."""
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("a", "b"):
        (runs / f"{name}.json").write_text(chat(name))
    source = Source("path", str(runs))
    before = opened(source, "./b.json")
    assert changed(follow(before)) == ""
    (runs / "b.json").write_text(chat("b, and more"))
    assert changed(follow(before))
    assert changed(follow(opened(source))) == ""
    after = opened(source, "./b.json")
    assert (first_words(after), after.key != before.key) == ("b, and more", True)


def test_a_session_is_found_by_its_number_without_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file that gives none, an id is made from all messages: half a second for 100,000, each time the page is drawn."""
    monkeypatch.setattr(entries, "id_of", lambda session: pytest.fail("made an id"))

    assert [first_words(opened(uploaded(a_json=chat("hello")), number)) for number in ("", "0")] == ["hello", "hello"]
