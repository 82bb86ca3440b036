"""Files as they are found: missing, cut, mis-encoded, too long, run together."""

import gzip
import io
import json
import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from core.importers import load, load_all
from core.importers._files import near
from core.importers._files import source as source_module
from core.importers._files import text as text_module
from core.importers.foldline import save
from core.model.errors import TranscriptError


def user(uuid: str, text: str = "hi") -> str:
    """A user record."""
    record = {"type": "user", "uuid": uuid, "parentUuid": None, "message": {"role": "user", "content": text}}
    return json.dumps(record, ensure_ascii=False) + "\n"


def opened(text: str | bytes):
    """The session in a JSONL text."""
    return load(name="s.jsonl", data=text)


def refused(text: str | bytes) -> str:
    """The error and its hint, for a text that cannot be read."""
    with pytest.raises(TranscriptError) as caught:
        opened(text)
    return f"{caught.value} | {caught.value.hint}"


def test_a_missing_file_is_named(tmp_path):
    """The error names the path and says that nothing is there."""
    with pytest.raises(TranscriptError, match=r"none\.jsonl: no such file"):
        load(tmp_path / "none.jsonl")


def hint_of(path: Path) -> str:
    """The hint for a path where there is no file."""
    with pytest.raises(TranscriptError) as caught:
        load(path)
    return caught.value.hint


OTHERWISE = "check the path; a relative one starts where foldline was started"


def test_a_file_beside_it_of_nearly_the_same_name_is_named(tmp_path):
    """One in that very folder, of which the name can be read as it is; no folder, and none that is called otherwise."""
    for name in ("session-12345.jsonl", "session-999.jsonl", "notes.md", "lan\ntern.jsonl"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "bakery.jsonl").mkdir()
    assert hint_of(tmp_path / "session-1245.jsonl") == "did you mean session-12345.jsonl?"
    for name in ("plums.txt", "bakry.jsonl", "lantern.jsonl", "none/session-1245.jsonl"):
        assert hint_of(tmp_path / name) == OTHERWISE, name


def test_of_a_huge_folder_only_so_many_names_are_looked_at(tmp_path, monkeypatch):
    """A path that is mistyped there is answered at once."""
    (tmp_path / "session.jsonl").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(near, "MOST", 0)
    assert hint_of(tmp_path / "sesion.jsonl") == OTHERWISE
    monkeypatch.setattr(near, "MOST", 1)
    assert hint_of(tmp_path / "sesion.jsonl") == "did you mean session.jsonl?"


def test_an_empty_folder_is_no_transcript(tmp_path):
    """A folder without files is refused."""
    with pytest.raises(TranscriptError, match="is an empty folder"):
        load(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    """A file without permission says so."""
    path = tmp_path / "s.jsonl"
    path.write_text(user("u1"), encoding="utf-8")
    path.chmod(0)
    with pytest.raises(TranscriptError, match="is not readable"):
        load(path)


def test_a_permission_error_is_put_into_words(tmp_path, monkeypatch):
    """The system's refusal becomes a sentence, also where the tests run as root."""
    path = tmp_path / "s.jsonl"
    path.write_text(user("u1"), encoding="utf-8")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(TranscriptError, match="is not readable"):
        load(path)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"PK\x03\x04rest", "is a damaged zip archive"),
        (b"\x1f\x8brest", "cut short before anything can be read"),
        ("{}".encode("utf-16"), "UTF-16"),
        (bytes(range(256)) * 20, "is not text"),
        (b"# aider chat", "neither JSON nor JSONL"),
        (b"null", "is JSON, but neither a list of messages nor a session"),
        (b'"x"', "is JSON, but neither a list of messages nor a session"),
        (b" 5\n", "is JSON, but neither a list of messages nor a session | formats that foldline reads: Agent"),
        (b'[\n{"role": "user", "content": "hi"},\n{"role": "assi', "line 3: the JSON ends early"),
        (b'{"messages": [', "line 1: the JSON ends early"),
        (b'[\n{"role": "user",, }]', "line 2: not valid JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'[{"role": "user", "content": ' + b"9" * 5000 + b"}]", "thousands of digits"),
        (b'{"sessionId": "a", "projectHash": "b", "messages": []}', "contains no messages"),
        (b'{"weather": "fine"}', "is of an unknown format"),
    ],
)
def test_refused(data, said):
    """What cannot be read is refused in words."""
    assert said in refused(data)


def test_an_unknown_format_lists_those_that_are_read():
    """The hint says what can be opened today."""
    assert "Claude Code, " in refused(b'{"weather": "fine"}\n')


def test_bom_and_crlf():
    """A byte order mark and Windows line ends change nothing."""
    text = (user("u1") + user("u2")).replace("\n", "\r\n")
    assert [m.id for m in opened(b"\xef\xbb\xbf" + text.encode()).messages] == ["u1", "u2"]


def test_a_stray_byte_is_shown_and_noted():
    """Bytes that are not UTF-8 become U+FFFD, with a note that names the line."""
    session = opened(user("u1").encode() + user("u2", "caf\u00e9").encode("latin-1"))
    assert session.messages[1].content == "caf\ufffd"
    assert session.notes == ("line 2 had bytes that are not UTF-8, shown as \ufffd",)


def test_replacement_characters_in_a_file_are_text(tmp_path):
    """However many there are, in a file of any kind; and a session that was saved with them opens again."""
    many = "\ufffd" * 5000
    session = opened(user("u1", many))
    save(session, tmp_path / "saved.json")
    aider = load(name="a", data=f"# aider chat started at 2026-03-14 09:12:40\n\n#### {many}  \n")
    found = (session, load(tmp_path / "saved.json"), aider)
    assert [(s.messages[0].content, s.notes) for s in found] == [(many, ())] * 3


def test_damage_among_replacement_characters_is_still_found():
    """What is no UTF-8 is counted by itself: most of the first file is damage, in the second one byte is."""
    assert "is not text" in refused(user("u1", "\ufffd" * 50).encode() + b"\xff" * 500)
    assert (
        "line 2 had bytes"
        in opened(user("u1", "\ufffd" * 5000).encode() + user("u2").encode()[:-3] + b'\xff"}}').notes[0]
    )


@pytest.mark.parametrize("form", ["[{}]", "[\n{}]", '{{"foldline": "session", "messages": [{}]}}'])
def test_a_stray_byte_in_one_json_value_is_noted(form):
    """Also where the file is one JSON value, on one line or on several, ours or another's."""
    data = form.format('{"role": "user", "content": "café"}').encode("latin-1")
    line = 1 + data[: data.index(b"\xe9")].count(b"\n")
    session = opened(data)
    assert session.messages[0].content == "caf\ufffd"
    assert session.notes == (f"line {line} had bytes that are not UTF-8, shown as \ufffd",)


def test_records_run_together_are_both_read():
    """A missing line end loses nothing; the line is counted as malformed."""
    session = opened(user("u1").strip() + user("u2") + user("u3"))
    assert [m.id for m in session.messages] == ["u1", "u2", "u3"]
    assert (session.records, session.malformed_lines, session.recovered_records) == (3, 1, 2)


def test_a_line_of_very_many_records_costs_no_more_than_a_thousand():
    """Recovery stops there, and says so."""
    session = opened(user("u1") + '{"type": "x"}' * 5000 + "\n")
    assert (session.recovered_records, session.records) == (1000, 1001)
    assert session.notes[1] == "line 2 could be recovered only in part; the rest was skipped"


def test_what_cannot_be_recovered_of_a_line_is_said():
    """A whole record followed by a broken one gives the whole one, and a note on the rest."""
    session = opened(user("u1").strip() + '{"type": "us\n' + user("u2"))
    assert [m.id for m in session.messages] == ["u1", "u2"]
    assert session.notes == (
        "line 1 had several records run together; 1 was recovered",
        "line 1 could be recovered only in part; the rest was skipped",
    )


def test_a_cut_last_line_is_left_out_and_said():
    """A file that is being written opens up to its last whole line."""
    session = opened(user("u1") + user("u2")[:40])
    assert [m.id for m in session.messages] == ["u1"]
    assert session.notes == ("the last line (2) is cut short: the file may still be being written",)
    assert session.malformed_lines == 1


def test_lines_that_are_no_records_are_numbered():
    """Broken lines, numbers and lists are left out with their numbers."""
    session = opened(user("u1") + "{broken\n5\n\n[1]\n" + user("u2"))
    assert session.notes == ("lines 2, 3, 5 could not be read and were skipped",)
    assert (session.malformed_lines, len(session.messages)) == (3, 2)


def test_a_broken_first_line_does_not_hide_the_rest():
    """The format is found from the lines that can be read."""
    assert [m.id for m in opened('{"type": "us\n' + user("u1")).messages] == ["u1"]


def test_a_deep_line_is_left_out():
    """Nesting too deep for the reader costs that line only."""
    session = opened(user("u1") + '{"a":' * 100_000 + "1" + "}" * 100_000 + "\n" + user("u2"))
    assert (len(session.messages), session.malformed_lines) == (2, 1)


def test_a_line_over_the_limit_is_left_out(monkeypatch):
    """A line longer than the limit is skipped without being parsed, and said."""
    monkeypatch.setattr(text_module, "LIMIT", 1000)
    session = opened(user("u1") + user("long", "x" * 3000) + user("u2"))
    assert [m.id for m in session.messages] == ["u1", "u2"]
    assert session.malformed_lines == 1
    assert "line 2 was longer than" in session.notes[0]


def test_a_first_line_over_the_limit_does_not_hide_the_rest(monkeypatch):
    """The format is found from the lines after it."""
    monkeypatch.setattr(text_module, "LIMIT", 1000)
    monkeypatch.setattr(source_module, "LIMIT", 1000)
    assert [m.id for m in opened(user("long", "x" * 3000) + user("u1")).messages] == ["u1"]


def test_one_json_value_over_the_limit_is_refused(monkeypatch):
    """A whole file is one value; over the limit it is refused with the way out."""
    monkeypatch.setattr(source_module, "LIMIT", 1000)
    assert "is longer than" in refused('[\n{"role": "user", "content": "' + "x" * 2000 + '"}\n]')


def test_lone_surrogates_become_replacement_characters():
    """What no output could hold is replaced; a proper pair stays."""
    session = opened('[{"role": "user", "content": "a\\ud83d b \\ud83d\\ude00"}]')
    assert session.messages[0].content == "a\ufffd b \U0001f600"
    assert session.model_dump_json()


def test_arguments_may_be_nested_a_hundred_deep():
    """Arguments whose innermost value lies a hundred levels down are kept as such, one level more as text."""
    for depth, kept in ((100, True), (101, False)):
        deep = '{"a":' * depth + "1" + "}" * depth
        call = {"id": "c", "function": {"name": "f", "arguments": deep}}
        session = opened(json.dumps([{"role": "assistant", "content": "", "tool_calls": [call]}]))
        assert bool(session.messages[0].tool_calls[0].arguments) is kept


def test_nan_and_infinity_become_null():
    """Numbers that JSON does not have are tolerated and do not travel further."""
    call = '{"id": "c", "function": {"name": "f", "arguments": {"a": NaN, "b": -Infinity, "c": 1e999, "d": 1.5}}}'
    session = opened('[{"role": "assistant", "content": "", "tool_calls": [' + call + "]}]")
    assert session.messages[0].tool_calls[0].arguments == {"a": None, "b": None, "c": None, "d": 1.5}
    assert session.notes == ("NaN, Infinity or a number too large was read as null (3 times)",)


def test_nan_is_noted_in_jsonl_and_in_arguments_that_are_text():
    """Each is counted once, also where a line had to be read twice; the word in a text is none."""
    line = user("u1", "NaN Infinity").replace('"parentUuid": null', '"parentUuid": null, "x": NaN')
    assert opened(line.strip() + line.replace("u1", "u2")).notes[1:] == (
        "NaN, Infinity or a number too large was read as null (2 times)",
    )
    call = {"id": "c", "function": {"name": "f", "arguments": '{"a": NaN}'}}
    session = opened(json.dumps([{"role": "assistant", "content": "NaN", "tool_calls": [call]}]))
    assert session.notes == ("NaN, Infinity or a number too large was read as null (1 time)",)
    assert opened(user("u1", "NaN Infinity")).notes == ()


def test_arguments_nested_deeply_stay_text():
    """What the writers of JSON further on would refuse is kept as text."""
    deep = '{"a":' * 300 + "1" + "}" * 300
    call = {"id": "c", "function": {"name": "f", "arguments": deep}}
    session = opened(json.dumps([{"role": "assistant", "content": "", "tool_calls": [call]}]))
    assert (session.messages[0].tool_calls[0].arguments, session.messages[0].tool_calls[0].raw) == ({}, deep)
    assert session.model_dump_json()


def test_a_file_without_messages_is_refused():
    """Settings only are nothing to show."""
    assert "contains no messages" in refused('{"type": "mode", "mode": "normal", "sessionId": "s"}\n')


def zipped(*names: str) -> bytes:
    """An archive of sessions."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name in names:
            out.writestr(name, CHAT)
    return packed.getvalue()


CHAT = json.dumps([{"role": "user", "content": f"word {n}"} for n in range(50)])


def test_a_damaged_entry_of_an_archive_is_refused():
    """What was packed does not unpack: in the only entry, and in one that lies outside of the archive."""
    whole, name = zipped("a.json"), len("a.json")
    spoilt = whole[: 30 + name] + b"\xff" * 20 + whole[50 + name :]
    for data in (spoilt, whole[:5] + whole[50:]):
        with pytest.raises(TranscriptError, match="is a damaged zip archive"):
            load(name="x.zip", data=data)


def test_a_damaged_entry_does_not_hide_the_others():
    """A folder of transcripts is read without it."""
    whole = zipped("a.json", "b.json")
    spoilt = whole[:36] + b"\xff" * 20 + whole[56:]
    assert len(list(load_all(name="x.zip", data=whole))) == 2
    assert len(list(load_all(name="x.zip", data=spoilt))) == 1


def test_a_small_file_takes_little_memory():
    """However much could be read, a packed file that breaks off at once takes no memory for it."""
    tracemalloc.start()
    with pytest.raises(TranscriptError):
        load(name="x.gz", data=gzip.compress(b"{")[:12])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 100])
def test_a_file_is_read_whole_up_to_the_limit(size, monkeypatch):
    """In pieces that grow."""
    monkeypatch.setattr(source_module, "_PIECE", 2)
    data = bytes(range(size))
    assert source_module._up_to(io.BytesIO(data), 10) == data[:10]
    assert source_module._up_to(io.BytesIO(data), 1000) == data


OTEL = {"traceId": "t", "name": "chat", "startTimeUnixNano": "1", "endTimeUnixNano": "2"}
MANY = {
    "sharegpt": lambda n: {"conversations": [{"from": "human", "value": f"a{n}"}, {"from": "gpt", "value": "b"}]},
    "openai-chat": lambda n: {
        "task_id": n,
        "traj": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
    },
    "pydantic-ai": lambda n: {
        "id": str(n),
        "messages": [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "a"}]}],
    },
    "vercel-ui": lambda n: {
        "id": str(n),
        "messages": [{"id": "m", "role": "user", "parts": [{"type": "text", "text": "a"}]}],
    },
    "openhands": lambda n: {
        "instance_id": str(n),
        "history": [{"id": 0, "source": "user", "action": "message", "args": {"content": "a"}, "message": "a"}],
    },
    "atif": lambda n: {
        "schema_version": "ATIF-v1.4",
        "session_id": str(n),
        "agent": {"name": "x", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": "a"}],
    },
    "langchain": lambda n: {
        "thread_id": str(n),
        "messages": [
            {
                "lc": 1,
                "type": "constructor",
                "id": ["langchain", "schema", "messages", "HumanMessage"],
                "kwargs": {"content": f"a{n}"},
            }
        ],
    },
    "otel": lambda n: {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                **OTEL,
                                "spanId": f"s{n}",
                                "traceId": f"t{n}",
                                "attributes": {
                                    "gen_ai.operation.name": "chat",
                                    "gen_ai.input.messages": json.dumps(
                                        [{"role": "user", "parts": [{"type": "text", "content": "a"}]}]
                                    ),
                                },
                            }
                        ]
                    }
                ]
            }
        ]
    },
}


@pytest.mark.parametrize("name", MANY)
def test_the_damage_of_a_file_of_many_sessions_is_told_once(name):
    """Each line by the session behind it, where the format is read session by session; the rest by the first or the last."""
    lines = [json.dumps(MANY[name](n)) for n in range(4)]
    found = list(
        load_all(name="x", data="\n".join([*lines[:2], "{broken", *lines[2:], "[oops", '{"a": "\xff'.strip()]) + "\n")
    )
    notes = [note for s in found for note in s.notes if "could not be read" in note]
    assert (found[0].format, len(found), sum(s.malformed_lines for s in found)) == (name, 4, 3)
    assert sum(note.count("3") for note in notes) == 1
    if name in ("sharegpt", "pydantic-ai", "vercel-ui", "openhands", "atif"):
        assert notes[0] == "line 3 could not be read and was skipped"
        assert found[2].malformed_lines == 1
