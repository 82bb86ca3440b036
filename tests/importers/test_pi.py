"""pi: a tree read along its last path, entries without ids, compactions with exactly what they kept."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Image, Session, Usage

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)
SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "pi" / "bakery-stock.jsonl"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
OLD = {"type": "session", "id": "s0", "timestamp": "2025-12-01T00:00:00.000Z", "cwd": "/w", "provider": "p"}


def text_of(*records: dict[str, Any]) -> str:
    """The records, one a line."""
    return "".join(json.dumps(r) + "\n" for r in records)


def session(*records: dict[str, Any], header: dict[str, Any] = HEADER) -> Session:
    """What load makes of a header and the records."""
    return load(name="s.jsonl", data=text_of(header, *records))


def entry(kind: str, id: str, parent: str | None, **more: Any) -> dict[str, Any]:
    """An entry of the tree; without an id, one of version 1."""
    place = {"id": id, "parentId": parent} if id else {}
    return {"type": kind, **place, "timestamp": "2026-01-01T00:00:01.000Z", **more}


def message(role: str, content: Any = None, id: str = "", parent: str | None = None, **more: Any) -> dict[str, Any]:
    """An entry with a message."""
    return entry("message", id, parent, message={"role": role, "content": content, "timestamp": 1, **more})


def text(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def call(id: str, name: str = "read", **arguments: Any) -> dict[str, Any]:
    """A block that calls a tool."""
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}


def chain(*records: dict[str, Any]) -> Session:
    """A session of entries, each the child of the one before."""
    parents = (None, *(r["id"] for r in records))
    return session(*({**r, "parentId": p} for r, p in zip(records, parents, strict=False)))


def test_a_reply_with_its_calls_and_their_results():
    """Ids are those of the entries; calls keep decoded arguments, usage is told apart by what was cached."""
    usage = {"input": 5, "output": 7, "cacheRead": 30, "cacheWrite": 2, "totalTokens": 44, "cost": {"total": 1}}
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        text("look"),
        call("t1", path="a"),
        call("t2", "bash", command="x"),
    ]
    found = chain(
        message("user", [text("go")], "u1"),
        message("assistant", blocks, "a1", usage=usage, model="m1", stopReason="toolUse", responseId="r1"),
        message("toolResult", [text("one"), text("two")], "r1", toolCallId="t1", toolName="read", isError=False),
        message("toolResult", [text("no")], "r2", toolCallId="t2", toolName="bash", isError=True),
    )
    said, first, second = found.messages[1:]
    assert [m.id for m in found.messages] == ["u1", "a1", "r1", "r2"]
    assert (said.content, said.thinking, said.reply_id, said.model, said.line) == ("look", "hm", "r1", "m1", 3)
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [
        ("t1", "read", {"path": "a"}),
        ("t2", "bash", {"command": "x"}),
    ]
    assert (first.role, first.content, first.tool_call_id, first.name) == ("tool", "one\ntwo", "t1", "read")
    assert (first.is_error, second.is_error) == (False, True)
    assert found.usage == said.usage == Usage(input_uncached=5, cache_read=30, cache_write=2, output=7, cost=1)
    assert (found.id, found.format, found.model, found.title, found.records) == ("s1", "pi", "m1", "go", 5)


def test_a_picture_is_no_text():
    """An image block becomes an image with its size; its base64 is nowhere in the text."""
    data = base64.b64encode(PNG).decode()
    found = session(message("user", [text("see"), {"type": "image", "data": data, "mimeType": "image/png"}], "u1"))
    assert found.messages[0].images == (Image(media_type="image/png", width=640, height=480, source="base64"),)
    assert found.messages[0].content == "see"


def test_only_what_a_person_typed_starts_a_turn():
    """Commands run, messages of extensions and summaries of branches are marked; hidden commands are left out."""
    ran = {"command": "ls", "output": "a\n", "exitCode": 0}
    found = chain(
        message("user", "typed", "u1"),
        message("bashExecution", None, "b1", **ran),
        message("bashExecution", None, "b2", **ran, excludeFromContext=True),
        message("hookMessage", "old extension", "h1"),
        message("custom", [text("extension")], "h2"),
        entry("custom_message", "c1", None, customType="linter", content="warning", display=False),
        entry("branch_summary", "s1", None, fromId="u1", summary="Tried A."),
        entry("custom", "c2", None, customType="todo", data={}),
        entry("label", "l1", None, targetId="u1", label="here"),
    )
    kinds = [
        ("u1", ""),
        ("b1", "command"),
        ("h1", "custom"),
        ("h2", "custom"),
        ("c1", "custom"),
        ("s1", "branch-summary"),
    ]
    assert [(m.id, m.injected) for m in found.messages] == kinds
    assert [m.content for m in found.messages[1:]] == [
        "Ran `ls`\n```\na\n\n```",
        "old extension",
        "extension",
        "warning",
        "Tried A.",
    ]
    assert found.turns == 1
    assert found.other == {"custom/todo": 1, "label": 1, "message/bashExecution": 1, "session": 1}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"output": "", "exitCode": 0}, "Ran `x`\n(no output)"),
        ({"output": "no", "exitCode": 2}, "Ran `x`\n```\nno\n```\n\nCommand exited with code 2"),
        ({"output": "", "cancelled": True}, "Ran `x`\n(no output)\n\n(command cancelled)"),
        ({}, "Ran `x`\n(no output)"),
    ],
)
def test_a_command_is_told_as_pi_tells_it(more, said):
    """With its output, its code where that is not 0, or that it was cancelled."""
    assert session(message("bashExecution", id="b1", command="x", **more)).messages[0].content == said


def test_a_compaction_keeps_from_the_first_kept_entry_on():
    """What stayed is listed message by message, up to the compaction; replayed, the window is the summary and they."""
    found = chain(
        message("user", "a", "u1"),
        message("assistant", [text("b")], "a1"),
        entry("model_change", "k1", None, provider="p", modelId="m2"),
        message("user", "c", "u2"),
        message("assistant", [text("d")], "a2"),
        entry("compaction", "z1", None, summary="S", firstKeptEntryId="k1", tokensBefore=900, fromHook=False),
        message("user", "e", "u3"),
    )
    (compaction,) = found.compactions
    assert (compaction.at, compaction.kept, compaction.summary) == (4, ("u2", "a2"), "z1")
    assert (compaction.tokens_before, compaction.tokens_after, compaction.trigger) == (900, None, "")
    assert compaction.before_from.startswith("the agent's own count (`tokensBefore`)"), (
        "an estimate, which the card calls so"
    )
    assert compaction.after_from == ""
    assert (compaction.fidelity, compaction.line) == ("exact", 7)
    assert [(m.id, m.injected) for m in found.messages[4:]] == [("z1", "summary"), ("u3", "")]
    assert found.turns == 3
    trace = replay(found)
    assert [m.id for m in trace.compactions[0].after] == ["z1", "u2", "a2"]
    assert [m.id for m in trace.window(len(trace) - 1)] == ["z1", "u2", "a2", "u3"]


def test_a_second_compaction_may_keep_what_the_first_kept():
    """Summaries are no messages that arrived, and no messages that were kept."""
    found = chain(
        message("user", "a", "u1"),
        message("user", "b", "u2"),
        entry("compaction", "z1", None, summary="S1", firstKeptEntryId="u2", tokensBefore=1),
        message("user", "c", "u3"),
        entry("compaction", "z2", None, summary="S2", firstKeptEntryId="u2", tokensBefore=2, fromHook=True),
    )
    assert [(c.at, c.kept, c.trigger) for c in found.compactions] == [(2, ("u2",), ""), (3, ("u2", "u3"), "extension")]
    assert [m.id for m in replay(found).compactions[1].after] == ["z2", "u2", "u3"]


def test_a_first_kept_entry_that_is_not_there_keeps_nothing():
    """As pi itself does; but the file may have lost it, so the record is partial."""
    found = chain(message("user", "a", "u1"), entry("compaction", "z1", None, summary="S", firstKeptEntryId="gone"))
    (compaction,) = found.compactions
    assert (compaction.kept, compaction.tokens_before, compaction.fidelity) == ((), None, "partial")


def test_copies_of_what_was_kept_are_found_again():
    """Newer files copy the kept messages into the entry: they are the last messages before it."""
    ran = {"role": "bashExecution", "command": "ls", "output": "a"}
    tail = [ran, {"role": "assistant", "content": [text("d"), call("t1")]}, {"role": "toolResult", "toolCallId": "t1"}]
    start = (
        message("user", "a", "u1"),
        message("bashExecution", None, "b1", command="ls", output="a"),
        message("assistant", [text("d"), call("t1")], "a1"),
        message("toolResult", None, "r1", toolCallId="t1", toolName="read"),
    )
    usage = {"input": 9, "output": 1}
    cut = entry("compaction", "z1", None, summary="S", tokensBefore=5, retainedTail=tail, usage=usage)
    found = chain(*start, cut)
    assert (found.compactions[0].kept, found.compactions[0].fidelity) == (("b1", "a1", "r1"), "exact")
    assert found.messages[-1].usage == Usage(input_uncached=9, output=1)
    other = chain(*start, {**cut, "retainedTail": [{"role": "user", "content": "else"}, *tail[1:]]})
    assert (other.compactions[0].kept, other.compactions[0].fidelity) == (("a1", "r1"), "partial")


def test_version_1_is_a_list_counted_from_its_header():
    """Entries without ids are named by their place; the first kept one is named by its place, too."""
    found = session(
        message("user", "a"),
        message("assistant", [text("b")]),
        entry("thinking_level_change", "", None, thinkingLevel="low"),
        message("user", "c"),
        entry("compaction", "", None, summary="S", firstKeptEntryIndex=3, tokensBefore=70),
        message("user", "d"),
        header=OLD,
    )
    assert [m.id for m in found.messages] == ["entry-1", "entry-2", "entry-4", "entry-5", "entry-6"]
    (compaction,) = found.compactions
    assert (compaction.at, compaction.kept, compaction.summary) == (3, ("entry-4",), "entry-5")
    assert (compaction.tokens_before, compaction.fidelity) == (70, "exact")


def test_a_lost_line_does_not_move_the_places_of_version_1():
    """A line that is damaged now was whole when the place was written down."""
    cut = entry("compaction", "", None, summary="S", firstKeptEntryIndex=3, tokensBefore=70)
    lines = text_of(OLD) + "{broken\n" + text_of(message("user", "b"), message("user", "c"), cut)
    found = load(name="s.jsonl", data=lines)
    assert [m.id for m in found.messages] == ["entry-2", "entry-3", "entry-4"]
    assert found.compactions[0].kept == ("entry-3",)
    assert (found.malformed_lines, found.notes) == (1, ("line 2 could not be read and was skipped",))


def test_what_was_gone_back_from_is_left_out():
    """The session is the path to the last entry; the rest is counted in a note, compactions with it."""
    found = session(
        message("user", "a", "u1"),
        message("assistant", [text("b")], "a1", "u1"),
        message("user", "wrong way", "u2", "a1"),
        entry("compaction", "z1", "u2", summary="S", firstKeptEntryId="u2", tokensBefore=5),
        message("user", "right way", "u3", "a1"),
        message("assistant", [text("c")], "a3", "u3"),
    )
    assert [m.id for m in found.messages] == ["u1", "a1", "u3", "a3"]
    assert (found.compactions, found.records) == ((), 7)
    assert found.notes == ("2 messages skipped: on abandoned branches (lines 4, 5)",)


def test_an_entry_may_begin_anew():
    """A parent of null goes back to before the first entry."""
    found = session(message("user", "a", "u1"), message("user", "b", "u2", None))
    assert [m.id for m in found.messages] == ["u2"]


def test_a_leaf_says_where_the_tree_goes_on():
    """Newer files write down that one went back, also before anything is said there."""
    start = (message("user", "a", "u1"), message("user", "b", "u2", "u1"))
    leaf = entry("leaf", "l1", "u2", targetId="u1")
    assert [m.id for m in session(*start, leaf).messages] == ["u1"]
    assert [m.id for m in session(*start, leaf, message("user", "c", "u3", "l1")).messages] == ["u1", "u3"]


def test_a_child_of_a_lost_line_follows_the_entry_before_it():
    """A damaged line costs one message, not all that came before."""
    lines = text_of(HEADER, message("user", "a", "u1")) + '{"id": "a1"\n' + text_of(message("user", "c", "u2", "a1"))
    found = load(name="s.jsonl", data=lines)
    assert [m.id for m in found.messages] == ["u1", "u2"]
    assert found.notes == ("line 3 could not be read and was skipped",)


def test_an_entry_with_an_earlier_id_is_left_out():
    """The first bearer of an id counts."""
    found = session(message("user", "a", "u1"), message("user", "b", "u2", "u1"), message("user", "again", "u1", "u2"))
    assert [m.content for m in found.messages] == ["a", "b"]
    assert found.notes == ("1 record skipped: same id as an earlier one (line 4)",)


def test_the_cost_of_a_session_is_that_of_the_replies_that_record_one():
    """A 0 is no cost: pi writes it where it knows no price."""
    costs = ({"total": 0.25}, {"total": 0}, {"total": "1"}, "1", {"total": 0.5})
    replies = [message("assistant", "b", f"a{k}", usage={"output": 1, "cost": cost}) for k, cost in enumerate(costs)]
    found = chain(message("user", "a", "u1"), *replies)
    assert [m.usage.cost for m in found.messages[1:]] == [0.25, None, None, None, 0.5]
    assert found.usage == Usage(output=5, cost=0.75)


def test_a_reply_that_failed_is_said_in_a_note():
    """What the provider answered is no part of the window; a reply stopped by a person is no failure."""
    nothing = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    found = chain(
        message("user", "a", "u1"),
        message("assistant", [], "a1", usage=nothing, stopReason="error", errorMessage="overloaded\nmore"),
        message("assistant", [], "a2", usage=nothing, stopReason="aborted", errorMessage="Request was aborted."),
    )
    assert [(m.content, m.is_error, m.usage) for m in found.messages[1:]] == [("", True, None), ("", False, None)]
    assert found.notes == ("1 reply failed: overloaded",)


def test_the_name_of_a_session_is_its_title():
    """The last one given."""
    start = (message("user", "a", "u1"), entry("session_info", "i1", None, name="one"))
    assert chain(*start, entry("session_info", "i2", None, name="two")).title == "two"


def test_a_cut_file_opens_up_to_its_last_whole_line():
    """A file that is being written."""
    lines = text_of(HEADER, message("user", "a", "u1"))
    found = load(name="s.jsonl", data=lines + text_of(message("user", "b", "u2", "u1"))[:40])
    assert [m.id for m in found.messages] == ["u1"]
    assert found.malformed_lines == 1
    assert found.notes == ("the last line (3) is cut short: the file may still be being written",)


def test_a_damaged_header_does_not_hide_the_session():
    """Messages as pi writes them are known without it."""
    found = load(
        name="s.jsonl", data='{"type": "sess\n' + text_of(message("user", "a", "u1"), message("user", "b", "u2"))
    )
    assert (found.format, [m.id for m in found.messages]) == ("pi", ["u2"])


def test_a_header_alone_holds_no_messages():
    """There is nothing to show yet."""
    with pytest.raises(TranscriptError, match="contains no messages"):
        session()


def test_a_session_of_another_program_is_not_claimed():
    """Others begin with a record of type session, too."""
    head = head_of(Source("s.jsonl", data=text_of({"type": "session", "id": "x"}, {"type": "turn/start"}).encode()))
    assert claimed_by(head) == []


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, [None, 5, {"type": 7}]])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    kinds = ("message", "custom_message", "branch_summary", "compaction", "session_info", "leaf", "else")
    keys = ("content", "summary", "message", "firstKeptEntryIndex", "retainedTail", "usage", "name", "tokensBefore")
    odd = [{"type": kind, "id": kind, "parentId": value, **dict.fromkeys(keys, value)} for kind in kinds]
    roles = ("user", "assistant", "toolResult", "bashExecution", "custom", "")
    same = ("usage", "model", "toolCallId", "command", "output", "exitCode", "errorMessage")
    talk = [message(role, value, **dict.fromkeys(same, value)) for role in roles]
    found = session(message("user", "a", "u1"), *odd, *talk)
    assert found.messages[0].id == ("entry-9" if value is None else "u1")  # a parent of None begins anew
    assert found.model_dump_json()


def test_the_sample():
    """Its compaction kept the last turn: four of the sixteen messages there were."""
    found = load(SAMPLE)
    (compaction,) = found.compactions
    assert (found.title, len(found.messages), found.turns) == ("Flour twice", 22, 3)
    assert found.project == "/home/ada/bakery"
    assert (compaction.at, compaction.tokens_before, len(compaction.kept), compaction.fidelity) == (
        16,
        4010,
        4,
        "exact",
    )
    assert found.usage == Usage(input_uncached=2490, cache_read=24194, output=640)
