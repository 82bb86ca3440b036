"""Session traces of the Hugging Face Hub: a header that names its harness, and one message a line."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of, opened
from core.model.session import Session, Usage

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "sts" / "long-ladder.jsonl"
HEADER = {"type": "session", "harness": "shed", "id": "s1"}
PI = {"type": "session", "id": "p1", "cwd": "/home/ada", "version": 3, "timestamp": "2026-06-10T08:00:00Z"}


def message(role: str, content: Any = "", **more: Any) -> dict[str, Any]:
    """A message in its envelope."""
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def of_pi(id: str, role: str, content: str, parent: str | None = None) -> dict[str, Any]:
    """An entry of pi's."""
    entry = message(role, [{"type": "text", "text": content}], timestamp=1781078400000)
    return {**entry, "id": id, "parentId": parent, "timestamp": "2026-06-10T08:00:00Z"}


def session(*records: Any) -> Session:
    """The session of a file with these lines."""
    return load(name="x", data="\n".join(map(json.dumps, records)).encode())


def test_the_sample() -> None:
    """Two calls at once and their results; reasoning apart from the text; times in milliseconds."""
    found = load(SAMPLE)
    asked, first, second = found.messages[2:5]
    assert (found.id, found.title, found.model, found.turns) == ("ts-0413", "Which ladder is free", "north-7b", 2)
    assert (found.format, found.project, len(found.messages)) == ("sts", "/home/ada/toolshed", 10)
    assert (asked.content, asked.timestamp) == ("", "2026-06-10T08:00:11.000Z")
    assert asked.thinking == "The book says who has it, the calendar who wants it: read both."
    assert [(c.id, c.name, c.arguments) for c in asked.tool_calls] == [
        ("c1", "read_book", {"tool": "ladder, long"}),
        ("c2", "reservations", {"tool": "ladder, long"}),
    ]
    assert [(m.tool_call_id, m.name, m.content) for m in (first, second)] == [
        ("c1", "read_book", "Lent to Ines Duarte on Monday, due back on Wednesday."),
        ("c2", "reservations", "none"),
    ]
    assert (found.usage, found.compactions, found.other) == (None, (), {"session": 1})


def test_a_file_may_hold_several_sessions() -> None:
    """Each begins with its header; without a name the first question is the title."""
    records = (HEADER, message("user", "one?"), {**HEADER, "id": "s2"}, message("user", "two?"))
    found = list(load_all(name="x", data="\n".join(map(json.dumps, records))))
    assert [(s.id, s.title, len(s.messages), s.records) for s in found] == [("s1", "one?", 1, 2), ("s2", "two?", 1, 2)]


BRANCHES = (
    message("system", type="root", id="r", parent=None, timestamp=1),
    message("user", "why?", id="u1", parent="r", timestamp=2),
    message("assistant", "so", id="a1", parent="u1", timestamp=3),
    message("assistant", "because", id="a2", parent="u1", timestamp=5),
    message("user", "more", id="u2", parent="a1", timestamp=4),
)


@pytest.mark.parametrize(
    ("shown", "texts", "lines"),
    [
        ("a2", ["why?", "because"], "lines 4, 6"),
        ("u2", ["why?", "so", "more"], "line 5"),
        ("", ["why?", "because"], "lines 4, 6"),
    ],
)
def test_of_several_branches_the_one_that_was_shown_is_the_session(shown: str, texts: list[str], lines: str) -> None:
    """A reply that was asked for once more stands beside the first one; where it is not said which was shown, the newest."""
    found = session({**HEADER, "currNode": shown}, *BRANCHES)
    skipped = "1 message" if lines == "line 5" else "2 messages"
    assert [m.content for m in found.messages] == texts
    assert found.notes == (f"{skipped} skipped: on abandoned branches ({lines})",)
    assert found.other == {"message/root": 1, "session": 1}


def chain(*times: Any) -> list[dict[str, Any]]:
    """Messages that each answer the one before, made at these times; None where that is not recorded."""
    known: list[dict[str, Any]] = [{} if time is None else {"timestamp": time} for time in times]
    ids = [{"id": f"m{n}", "parent": f"m{n - 1}" if n else None} for n in range(len(times))]
    return [message("user", f"text {n}", **ids[n], **more) for n, more in enumerate(known)]


@pytest.mark.parametrize(
    "times",
    [
        (None, None, None),
        ("2026-06-10T08:00:00Z", "2026-06-10T08:00:01Z", "2026-06-10T08:00:02Z"),
        (1781078400000, 1781078400001, 1781078400001),
        ("soon", "later", ""),
    ],
)
def test_of_messages_made_at_the_same_time_the_last_is_the_newest(times: tuple[Any, ...]) -> None:
    """Also where no time is recorded, or it is a text: a conversation without branches is whole."""
    found = session(HEADER, *chain(*times))
    assert ([m.content for m in found.messages], found.notes) == (["text 0", "text 1", "text 2"], ())


def test_times_may_be_texts() -> None:
    """The newest is found by them, wherever it stands in the file, and the messages have them."""
    asked, so, because = message("user", "why?", id="u"), message("assistant", "so"), message("assistant", "because")
    so["message"] |= {"id": "a1", "parent": "u", "timestamp": "2026-06-10T10:00:02+02:00"}
    because["message"] |= {"id": "a2", "parent": "u", "timestamp": "2026-06-10T08:00:01Z"}
    found = session(HEADER, asked, so, because)
    assert [(m.content, m.timestamp) for m in found.messages] == [("why?", ""), ("so", "2026-06-10T08:00:02.000Z")]


def test_a_message_whose_id_stands_twice_is_not_lost_silently() -> None:
    """Of two with the same id in a branch the last is taken, and the note counts the other."""
    first, second = chain(1, 2)
    found = session(HEADER, first, message("user", "text 0, once more", id="m0", timestamp=1), second)
    assert [m.content for m in found.messages] == ["text 0, once more", "text 1"]
    assert found.notes == ("1 message skipped: on abandoned branches (line 2)",)


def test_parents_that_run_in_a_ring_end_somewhere() -> None:
    """A file can say anything: each message is taken once."""
    found = session(HEADER, message("user", "a", id="1", parent="2"), message("assistant", "b", id="2", parent="1"))
    assert sorted(m.content for m in found.messages) == ["a", "b"]


def test_what_the_llama_app_writes_besides() -> None:
    """Tokens of a reply, what came from the cache apart; pictures and texts that were attached; sound is counted."""
    extra = [
        {"type": "IMAGE", "base64Url": "data:image/png;base64,iVBORw0KGgo="},
        {"type": "TEXT", "name": "a.txt", "content": "milk"},
        {"type": "AUDIO", "base64Data": "AAAA"},
    ]
    timings = {"cache_n": 236, "prompt_n": 12, "predicted_n": 35, "predicted_ms": 661.0}
    found = session(HEADER, message("user", "read this", extra=extra), message("assistant", "milk", timings=timings))
    asked, reply = found.messages
    assert (asked.content, asked.images[0].media_type) == ("read this\nmilk", "image/png")
    assert reply.usage == found.usage == Usage(input_uncached=12, cache_read=236, output=35)
    assert found.other == {"attachment/AUDIO": 1, "session": 1}


def test_what_does_not_fit_is_counted() -> None:
    """A role and a record that the format does not know; a result without its call; arguments that are no JSON."""
    bad = [{"id": "c", "function": {"name": "run", "arguments": "{oops"}}]
    found = session(
        HEADER,
        {"type": "note"},
        message("narrator", "!"),
        message("tool", "x", toolCallId="c9"),
        message("assistant", toolCalls=bad),
    )
    assert found.other == {"message/unknown": 1, "note": 1, "session": 1}
    assert found.notes == ("1 tool result without a call in the file",)
    assert (found.messages[1].tool_calls[0].arguments, found.messages[1].tool_calls[0].raw) == ({}, "{oops")


@pytest.mark.parametrize(
    ("records", "claims"),
    [
        ((HEADER, message("user", "go", timestamp=1781078400000)), ["sts"]),
        ((message("user", "its header is lost", timestamp=1781078400000),), ["sts"]),
        (({**PI, "harness": "shed"}, message("user", "more metadata")), ["sts"]),
        ((PI, of_pi("e1", "user", "go")), ["pi"]),
        (({**PI, "harness": "shed"}, of_pi("e1", "user", "go")), ["pi"]),
        ((HEADER, of_pi("e1", "user", "go")), ["pi"]),
    ],
)
def test_it_is_told_from_the_sessions_of_pi(records: tuple[dict[str, Any], ...], claims: list[str]) -> None:
    """A harness may write pi's lines behind a header with its name: those are pi's."""
    data = "\n".join(map(json.dumps, records)).encode()
    assert claimed_by(head_of(opened(Source("x", data=data)))) == claims
