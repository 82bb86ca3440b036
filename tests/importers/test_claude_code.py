"""Claude Code: replies joined, tool results told from prompts, compactions as the file records them."""

import base64
import json
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from benchmarks.make_session import write
from core.analyse.overview import overview
from core.engine.replay import replay
from core.importers import load
from core.measure.calls import calls_of
from core.model.own_text import own_text
from core.model.session import Session, Usage

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)


def session(*records: dict[str, Any]) -> Session:
    """What load makes of the value."""
    return load(name="s.jsonl", data="".join(json.dumps(r) + "\n" for r in records).encode())


def user(uuid: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A user record."""
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "message": message, **more}


def reply(uuid: str, block: Any, id: str = "msg_1", parent: str | None = None, **more: Any) -> dict[str, Any]:
    """One line of a reply: a record with one content block."""
    usage = {"input_tokens": 2, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 4, "output_tokens": 1}
    usage |= more.pop("usage", {})
    model = more.pop("model", "claude-a")
    message = {"role": "assistant", "id": id, "model": model, "content": [block], "usage": usage}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message, **more}


def text(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def use(id: str, name: str = "Read", **arguments: Any) -> dict[str, Any]:
    """A tool_use block."""
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result(id: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    """A tool_result block."""
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def boundary(uuid: str, subtype: str = "compact_boundary", **metadata: Any) -> dict[str, Any]:
    """The record of a compaction."""
    key = "compactMetadata" if subtype == "compact_boundary" else "microcompactMetadata"
    return {"type": "system", "subtype": subtype, "uuid": uuid, "parentUuid": None, key: metadata}


def summary(uuid: str = "sum", **more: Any) -> dict[str, Any]:
    """The record that holds a summary."""
    return user(uuid, "This session is being continued. Summary.", isCompactSummary=True, **more)


def test_the_lines_of_a_reply_are_one_message():
    """Lines that share message.id are joined, in order, even with a tool result between them; the last usage counts."""
    found = session(
        user("u1", "go"),
        reply("a1", {"type": "thinking", "thinking": "hm"}),
        reply("a2", use("t1", file_path="x.py"), usage={"output_tokens": 3}),
        user("r1", [result("t1")]),
        reply("a3", use("t2", "Bash", command="ls"), usage={"output_tokens": 90}),
        user("r2", [result("t2", is_error=True)]),
    )
    said = found.messages[1]
    assert [m.role for m in found.messages] == ["user", "assistant", "tool", "tool"]
    assert (said.id, said.reply_id, said.thinking, said.line) == ("a1", "msg_1", "hm", 2)
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [
        ("t1", "Read", {"file_path": "x.py"}),
        ("t2", "Bash", {"command": "ls"}),
    ]
    assert found.usage == said.usage == Usage(input_uncached=2, cache_read=30, cache_write=4, output=90)


def test_a_line_of_an_earlier_reply_belongs_to_that():
    """Also where others began since, as often as they come in turn: nothing said is lost, the last usage counts."""
    found = session(
        user("u1", "go"),
        reply("a1", {"type": "thinking", "thinking": "hm"}, "m1"),
        reply("b1", text("other"), "m2"),
        reply("a2", text("one"), "m1", usage={"output_tokens": 3}),
        reply("b2", text("words"), "m2"),
        reply("a3", use("t1"), "m1", usage={}),
        reply("c1", text("new"), "m3"),
        reply("a4", text("two"), "m1", usage={"output_tokens": 9}),
    )
    _, first, second, third = found.messages
    assert (first.id, first.thinking, first.content, [c.id for c in first.tool_calls]) == (
        "a1",
        "hm",
        "one\ntwo",
        ["t1"],
    )
    assert first.usage == Usage(input_uncached=2, cache_read=30, cache_write=4, output=9)
    assert (second.content, third.content) == ("other\nwords", "new")


def test_a_session_is_held_once_while_it_is_read(tmp_path: Path) -> None:
    """What messages are made of is let go as they are made: the most memory there was is little more than what stays."""
    path = write(8, tmp_path / "s.jsonl")
    load(path)
    tracemalloc.start()
    found = load(path)
    stays, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(found.messages) > 500, most < 1.35 * stays) == (True, True), (stays, most)


def test_what_many_messages_repeat_is_held_once() -> None:
    """The names of a model and of a tool, and the id by which a result answers its call, are one string each."""
    lines = (user("u0", "go"), reply("a1", use("t1")), user("r1", [result("t1", "a")]))
    _, call, answer = session(*lines).messages
    again = session(*lines).messages[1]
    assert answer.tool_call_id is call.tool_calls[0].id
    assert call.tool_calls[0].name is again.tool_calls[0].name is answer.name
    assert call.model is again.model != ""


def test_tool_results_are_tool_messages():
    """One message for each result, with the call, the tool's name and whether it failed; blocks are joined by lines."""
    blocks = [result("t1", [text("a"), text("b")]), result("t2", "no", is_error=True), text("and now?")]
    found = session(user("u0", "go"), reply("a1", use("t1")), reply("a2", use("t2", "Grep")), user("r", blocks))
    first, second, typed = found.messages[2:]
    assert (first.id, first.role, first.content, first.name, first.is_error) == ("r", "tool", "a\nb", "Read", False)
    assert (second.id, second.tool_call_id, second.name, second.is_error) == ("r-1", "t2", "Grep", True)
    assert (typed.id, typed.content, typed.typed) == ("r-2", "and now?", True)


def test_only_what_a_person_typed_starts_a_turn():
    """Commands, caveats, interruptions, notifications and attachments are marked with what they are."""
    found = session(
        user("u1", "typed"),
        user("u2", "<command-name>/clear</command-name>"),
        user("u3", "<local-command-stdout></local-command-stdout>"),
        user("u4", "caveat", isMeta=True),
        user("u5", [text("[Request interrupted by user]")]),
        user("u6", "<task-notification>x", origin={"kind": "task-notification"}),
        user("u7", "<system-reminder>a</system-reminder> <ide_selection>b</ide_selection>"),
        user("u8", "<system-reminder>a</system-reminder> typed too"),
        user("u9", "Base directory for this skill: /x", isMeta=True),
    )
    kinds = ["", "command", "command", "meta", "interruption", "task-notification", "reminder", "", "skills"]
    assert [m.injected for m in found.messages] == kinds
    assert found.turns == 2


def test_what_the_harness_adds_to_a_prompt_is_a_message_of_its_own():
    """Blocks of it stand beside what was typed, in the same record, in their order; results come before both."""
    reminder, seen = (
        text("<system-reminder>CLAUDE.md</system-reminder>"),
        text("<ide_opened_file>a.py</ide_opened_file>"),
    )
    found = session(
        user("u1", [reminder, seen, text("typed"), text("more")], origin={"kind": "human"}),
        reply("a1", use("t1")),
        user("u2", [result("t1"), reminder]),
    )
    assert [(m.id, m.injected) for m in found.messages] == [
        ("u1-added", "reminder"),
        ("u1", ""),
        ("a1", ""),
        ("u2", ""),
        ("u2-added", "reminder"),
    ]
    assert (found.messages[1].content, found.turns, found.title) == ("typed\nmore", 1, "typed")


@pytest.mark.parametrize(
    ("attachment", "kind", "content"),
    [
        ({"type": "nested_memory", "content": {"content": "rules"}}, "memory", "rules"),
        ({"type": "hook_success", "content": "from a hook"}, "hook", "from a hook"),
        ({"type": "task_reminder", "content": [{"type": "text", "text": "tasks"}]}, "reminder", "tasks"),
        ({"type": "skill_listing", "content": "- a"}, "skills", "- a"),
        ({"type": "agent_listing_delta", "addedLines": ["- b", "- c"]}, "agents", "- b\n- c"),
        ({"type": "mcp_instructions_delta", "addedBlocks": ["## x"]}, "tools", "## x"),
        ({"type": "file", "content": {"type": "text", "file": {"content": "print()"}}}, "file", "print()"),
        ({"type": "new_thing", "content": "new"}, "attachment", "new"),
        ({"type": "queued_command", "prompt": "typed while busy"}, "queued", "typed while busy"),
        ({"type": "queued_command", "prompt": "done", "commandMode": "task-notification"}, "task-notification", "done"),
    ],
)
def test_attachments_are_told_apart(attachment, kind, content):
    """They take up context: memory files, hooks, reminders, listings, files; what was typed meanwhile is a prompt."""
    found = session(user("u1", "go"), {"type": "attachment", "uuid": "x", "attachment": attachment})
    assert [(m.injected, m.content) for m in found.messages] == [("", "go"), (kind, content)]


def test_a_compaction_with_what_it_kept():
    """`at` counts messages without the summary; kept uuids become message ids, also those of a later line of a reply."""
    kept = {"uuids": ["a2", "hook"], "allUuids": ["a2", "elsewhere"], "anchorUuid": "sum"}
    found = session(
        user("u1", "go"),
        reply("a1", text("one")),
        reply("a2", text("two")),
        {"type": "system", "subtype": "stop_hook_summary", "uuid": "hook", "parentUuid": "a2"},
        boundary("b", trigger="auto", preTokens=900, postTokens=100, durationMs=118_042, preservedMessages=kept),
        summary(),
        user("u2", "on"),
    )
    (compaction,) = found.compactions
    assert [m.id for m in found.messages] == ["u1", "a1", "sum", "u2"]
    assert (compaction.at, compaction.trigger, compaction.line) == (2, "auto", 5)
    assert (compaction.tokens_before, compaction.tokens_after) == (900, 100)
    assert compaction.duration_ms == 118_042
    assert compaction.before_from == "the agent's own count (`preTokens`), which can be wrong"
    assert compaction.after_from.startswith("the agent's estimate of the conversation (`postTokens`)")
    assert (compaction.summary, compaction.kept, compaction.lead, compaction.fidelity) == ("sum", ("a1",), 0, "exact")
    assert found.messages[2].injected == "summary"
    assert found.turns == 2


def test_the_prompts_around_a_compaction_stand_beside_the_agents_own_counts():
    """Those are known to be unreliable, or of the conversation alone: the recorded prompts are what was sent."""
    found = session(
        user("u1", "go"),
        reply("a1", text("x"), usage={"input_tokens": 700}),
        boundary("b", preTokens=900, postTokens=100),
        summary(),
        reply("a2", text("y"), "msg_2", usage={"input_tokens": 77}),
    )
    (one,) = found.compactions
    assert (one.tokens_before, one.tokens_after, one.prompt_before, one.prompt_after) == (900, 100, 734, 111)
    assert (one.size_before, one.size_after) == (734, 111)


def test_an_older_compaction_is_partial():
    """It does not say what was kept, nor the tokens after: the next call's prompt says those, with all that is in it."""
    found = session(
        user("u1", "go"),
        boundary("b", trigger="manual", preTokens=900),
        summary(),
        user("u2", "on"),
        reply("a1", text("x")),
        reply("a2", text("y"), "msg_2", usage={"input_tokens": 77}),
    )
    compaction = found.compactions[0]
    assert (compaction.tokens_before, compaction.tokens_after, compaction.kept) == (900, 36, ())
    assert compaction.after_from == "prompt of the model call after"
    assert compaction.fidelity == "partial"


def test_a_compaction_of_unknown_size_takes_the_reply_before():
    """preTokens of 0 is none; a reply of another window tells nothing, nor does one that used nothing."""
    found = session(
        user("u1", "go"),
        reply("a1", text("x"), usage={"output_tokens": 9}),
        reply("a2", text("error"), "m2", model="<synthetic>"),
        boundary("b", preTokens=0),
        summary("s1"),
        boundary("c"),
        summary("s2"),
    )
    first, second = found.compactions
    assert (first.tokens_before, first.before_from) == (36, "prompt of the model call before")
    assert (first.tokens_after, first.after_from) == (None, "")
    assert (second.tokens_before, second.before_from, second.tokens_after) == (None, "", None)


def test_a_preserved_segment_is_followed_from_its_end():
    """Where only the ends of the kept segment are recorded, the chain between them is what was kept."""
    chain = (user("u1", "go"), user("u2", "and", "u1"), user("u3", "so", "u2"))
    kept = [
        session(*chain, boundary("b", preservedSegment={"headUuid": head, "tailUuid": tail}), summary()).compactions[0]
        for head, tail in (("u2", "u3"), ("u3", "u2"), ("u1", "gone"))
    ]
    assert [(c.kept, c.fidelity) for c in kept] == [(("u2", "u3"), "exact"), ((), "partial"), ((), "partial")]


def test_kept_messages_that_are_not_in_the_file_make_it_partial():
    """What is there is kept all the same."""
    preserved = {"uuids": ["u1", "gone"]}
    found = session(user("u1", "go"), boundary("b", postTokens=9, preservedMessages=preserved), summary())
    assert (found.compactions[0].kept, found.compactions[0].fidelity) == (("u1",), "partial")


@pytest.mark.parametrize(
    ("anchor", "about", "window"),
    [
        ("b", {}, ["u1", "a1", "sum", "u2"]),
        ("", {"summarizeMetadata": {"direction": "from"}}, ["u1", "a1", "sum", "u2"]),
        ("sum", {"summarizeMetadata": {"direction": "up_to"}}, ["sum", "u1", "a1", "u2"]),
    ],
)
def test_what_was_kept_may_stand_before_the_summary(anchor, about, window):
    """Where a person had all from a message on summarized, what was before it stays in front."""
    preserved = {"anchorUuid": anchor, "uuids": ["u1", "a1"]}
    found = session(
        user("u1", "go"),
        reply("a1", text("one")),
        user("x", "a digression"),
        boundary("b", preservedMessages=preserved),
        summary(**about),
        user("u2", "on"),
    )
    trace = replay(found)
    assert [m.id for m in trace.window(len(trace) - 1)] == window


def test_a_second_compaction_does_not_count_the_first_summary():
    """Positions are in the messages that arrived."""
    found = session(user("u1", "a"), boundary("b1"), summary("s1"), user("u2", "b"), boundary("b2"), summary("s2"))
    assert [(c.at, c.summary) for c in found.compactions] == [(1, "s1"), (2, "s2")]


def test_a_summary_without_a_boundary_is_a_compaction():
    """A file may begin with the summary of an earlier one."""
    found = session(summary(), user("u1", "on"))
    assert [(c.at, c.summary, c.fidelity) for c in found.compactions] == [(0, "sum", "partial")]


def test_a_boundary_without_a_summary():
    """The file was cut, or something else was written: it is said, and nothing stands in the summary's place."""
    found = session(user("u1", "go"), boundary("b", postTokens=9), user("u2", "on"))
    (compaction,) = found.compactions
    assert (compaction.summary, compaction.unreadable, compaction.fidelity) == (None, "not recorded", "partial")
    assert found.notes == ("line 2: the summary of the compaction is not in the file",)


def test_a_file_that_begins_at_a_compaction():
    """What was before is not there; kept messages written again behind the summary come in after it."""
    kept = {"uuids": ["u1", "a1"], "anchorUuid": "sum"}
    found = session(
        {**boundary("b", postTokens=9, preservedMessages=kept), "logicalParentUuid": "gone"},
        summary(),
        user("u1", "kept"),
        reply("a1", text("kept too")),
        user("u2", "on"),
    )
    assert [m.id for m in found.messages] == ["sum", "u1", "a1", "u2"]
    assert found.notes == ("begins in the middle of a session: what came before is not in this file",)
    trace = replay(found)
    assert [m.id for m in trace.window(len(trace) - 1)] == ["sum", "u1", "a1", "u2"]


def test_a_compaction_after_a_record_that_was_lost():
    """The line of the record before it may be damaged: what was said is there all the same."""
    found = session(user("u1", "go"), {**boundary("b"), "logicalParentUuid": "lost"}, summary())
    assert found.notes == ()


def test_records_written_again_after_a_compaction():
    """A second compaction in one run may write what it kept, and an earlier boundary, again with the same uuids."""
    first = boundary("b1", postTokens=9)
    found = session(
        user("u1", "go"),
        first,
        summary("s1"),
        user("u2", "more"),
        reply("a1", text("yes")),
        {**boundary("b2", postTokens=9, preservedMessages={"uuids": ["u2", "a1"]}), "logicalParentUuid": "a1"},
        summary("s2"),
        first,
        user("u2", "more"),
        reply("a1", text("yes")),
        user("u3", "on"),
    )
    assert [m.id for m in found.messages] == ["u1", "s1", "u2", "a1", "s2", "u3"]
    assert [(c.summary, c.kept) for c in found.compactions] == [("s1", ()), ("s2", ("u2", "a1"))]
    assert found.notes == (
        "3 records skipped: same uuid as an earlier one, all of them written again after a compaction (lines 8, 9, 10)",
    )


USER, CUT = user("u1", "go"), boundary("b")


@pytest.mark.parametrize(
    ("records", "note"),
    [
        ((CUT, USER), "1 record skipped: same uuid as an earlier one, written again after a compaction (line 3)"),
        (
            (USER, USER, CUT, USER),
            "3 records skipped: same uuid as an earlier one, 1 of them written again after a compaction (lines 2, 3, 5)",
        ),
        (
            (USER,) * 12,
            "12 records skipped: same uuid as an earlier one (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more)",
        ),
    ],
)
def test_repeated_records_are_named_by_their_lines(records, note):
    """Ten at most; those that a compaction wrote again are told from the others."""
    assert session(USER, *records, summary("s")).notes[0] == note


def test_the_records_of_a_compact_command_come_after_it():
    """They are written behind the summary, though their parent stands before the boundary: no branch was left."""
    found = session(
        user("u1", "go"),
        reply("a1", text("x"), parent="u1"),
        {**boundary("b", trigger="manual"), "logicalParentUuid": "a1"},
        summary("s", parent="b"),
        user("c1", "<local-command-caveat>Caveat", "a1", isMeta=True),
        user("c2", "<command-name>/compact</command-name>", "c1"),
        user("u2", "on", "c2"),
    )
    assert [(m.id, m.injected) for m in found.messages[2:]] == [
        ("s", "summary"),
        ("c1", "meta"),
        ("c2", "command"),
        ("u2", ""),
    ]
    assert (found.compactions[0].at, found.notes) == (2, ())


WORDS = "keep the names of the tests"
ASKED = f"<command-name>/compact</command-name>\n<command-args>{WORDS}</command-args>"


@pytest.mark.parametrize("in_front", [False, True])
def test_what_a_person_told_a_compaction_to_keep(in_front: bool) -> None:
    """The words behind the command, whose record stands behind the boundary or in front of it."""
    cut = [{**boundary("b", trigger="manual"), "logicalParentUuid": "a1"}, summary("s", parent="b")]
    command = user("c1", ASKED, "a1" if in_front else "s")
    talk = [user("u1", "go"), reply("a1", text("x"), parent="u1")]
    found = session(*talk, *([command, *cut] if in_front else [*cut, command]), user("u2", "on", "s"))
    assert found.compactions[0].instructions == WORDS
    assert replay(found).compactions[0].instructions == WORDS


def test_what_was_told_another_compaction_is_not_this_ones() -> None:
    """A reply or a request stands between, the command has no words, or nobody asked."""

    def told(trigger: str, *behind: dict[str, Any]) -> str:
        cut = [{**boundary("b", trigger=trigger), "logicalParentUuid": "a1"}, summary("s", parent="b")]
        talk = [user("u1", "go"), reply("a1", text("x"), parent="u1")]
        return session(*talk, *cut, *behind).compactions[0].instructions

    assert told("manual", user("u2", "on", "s"), user("c1", ASKED, "u2")) == ""
    assert told("manual", user("c1", "<command-name>/compact</command-name>", "s")) == ""
    assert told("auto", user("c1", ASKED, "s")) == ""
    assert told("manual", user("c1", ASKED, "s")) == WORDS


def test_a_microcompaction_names_what_it_emptied():
    """The tool messages of the compacted calls and the attachments are cleared; tokens after are those less those saved."""
    found = session(
        user("u1", "go"),
        {"type": "attachment", "uuid": "x", "attachment": {"type": "file", "content": "print()"}},
        reply("a1", use("t1")),
        user("r1", [result("t1")]),
        boundary(
            "b",
            "microcompact_boundary",
            preTokens=50,
            tokensSaved=20,
            compactedToolIds=["t1", "t9"],
            clearedAttachmentUUIDs=["x"],
        ),
    )
    compaction = found.compactions[0]
    assert (compaction.kind, compaction.at, compaction.cleared) == ("microcompaction", 4, ("r1", "x"))
    assert (compaction.tokens_before, compaction.tokens_after, compaction.fidelity) == (50, 30, "exact")


def test_a_microcompaction_that_names_nothing_is_partial():
    """As those of version 2.1.56 are."""
    found = session(user("u1", "go"), boundary("b", "microcompact_boundary", preTokens=50, compactedToolIds=[]))
    (compaction,) = found.compactions
    assert (compaction.cleared, compaction.tokens_after, compaction.fidelity) == ((), None, "partial")


def test_tool_results_that_the_server_left_out():
    """A reply says how many, from the oldest on: what was left out before is not left out anew."""
    edit = {"type": "clear_tool_uses_20250919", "cleared_tool_uses": 1, "cleared_input_tokens": 500}
    thought = {"type": "clear_thinking_20251015", "cleared_thinking_turns": 2}
    calls = [(reply(f"a{n}", use(f"t{n}"), f"m{n}"), user(f"r{n}", [result(f"t{n}")])) for n in (1, 2, 3)]
    found = session(
        user("u1", "go"),
        *(record for pair in calls for record in pair),
        *(edited(reply(f"b{n}", text("x"), "m4"), edit, thought) for n in (1, 2)),
        edited(reply("c", text("y"), "m5"), {**edit, "cleared_tool_uses": 3, "cleared_input_tokens": 0}),
    )
    first, second = found.compactions
    assert (first.kind, first.at, first.cleared, first.fidelity) == ("microcompaction", 7, ("r1",), "partial")
    assert (first.tokens_before, first.tokens_after) == (536, 36)
    assert (second.at, second.cleared, second.tokens_before) == (8, ("r2", "r3"), None)


def edited(record: dict[str, Any], *edits: dict[str, Any]) -> dict[str, Any]:
    """The line of a reply whose prompt the server had edited."""
    return {**record, "message": {**record["message"], "context_management": {"applied_edits": list(edits)}}}


def test_calls_that_failed_are_said_in_notes():
    """Those tried again, and those given up, which Claude Code puts in words itself."""
    failed = reply("a1", text("API Error: overloaded"), "m1", model="<synthetic>")
    found = session(
        user("u1", "go"),
        {"type": "system", "subtype": "api_error", "uuid": "e1"},
        {"type": "system", "subtype": "api_error", "uuid": "e2"},
        {**failed, "isApiErrorMessage": True},
    )
    assert found.notes == (
        "2 model calls failed and were retried",
        "1 reply failed: API Error: overloaded",
    )
    assert [m.is_error for m in found.messages] == [False, True]


def test_what_claude_code_wrote_itself_answers_no_model_call():
    """It stands in the place of a reply: a note, or the words for a call that failed, which ends the session all the same."""
    note = reply("a2", text("No response requested."), "m2", model="<synthetic>")
    failed = reply("a3", text("API Error: overloaded"), "m3", model="<synthetic>")
    found = session(user("u1", "go"), reply("a1", text("x"), "m1"), note, user("u2", "on"), failed | {"error": "x"})
    assert [m.injected for m in found.messages] == ["", "", "note", "", "failure"]
    assert [call.at for call in calls_of(replay(found).measured)] == [1]
    told = overview(replay(found))
    assert (told.newest, told.last) == (4, "failure")


def test_the_project_is_the_folder_it_began_in():
    """The working folder may change."""
    found = session(user("u1", "go", cwd="/home/ada/shop"), user("u2", "on", cwd="/home/ada/shop/src"))
    assert found.project == "/home/ada/shop"


def test_a_record_with_an_earlier_uuid_is_left_out():
    """Some versions append old records again."""
    found = session(user("u1", "go"), reply("a1", text("x")), user("u1", "go"))
    assert [m.id for m in found.messages] == ["u1", "a1"]
    assert found.notes == ("1 record skipped: same uuid as an earlier one (line 3)",)


def test_a_copied_line_makes_no_second_call():
    """A line of a reply may be there again, under another uuid."""
    found = session(user("u1", "go"), reply("a1", use("t1")), reply("a2", use("t2")), reply("a3", use("t1")))
    assert [call.id for call in found.messages[1].tool_calls] == ["t1", "t2"]
    assert found.notes == ("1 tool call skipped: a copy of an earlier one in the same reply (line 4)",)


def test_a_fork_begins_with_what_it_copied():
    """Each record that was copied names the session that it is from."""
    origin = {"forkedFrom": {"sessionId": "old", "messageUuid": "u1"}}
    found = session(
        {**user("u1", "go"), **origin},
        {**reply("a1", text("yes")), **origin},
        user("u2", "on"),
        reply("a2", text("done")),
    )
    assert (found.copied, found.turns) == (2, 2)
    assert found.notes == ("continues session old: the first 2 messages are copied from it (up to line 2)",)
    assert session(user("u1", "go"), reply("a1", text("yes"))).copied == 0


def test_replies_without_any_id_are_not_one():
    """Each line is then a message."""
    lines = ({"type": "assistant", "sessionId": "s", "message": {"content": words}} for words in ("a", "b"))
    assert [m.content for m in session(user("u1", "go"), *lines).messages] == ["go", "a", "b"]


def test_branches_gone_back_from_are_left_out():
    """Of several prompts with one parent the branch with the latest record stays, whatever hangs under the others goes."""
    found = session(
        user("u1", "go"),
        reply("a1", text("yes"), "m1", "u1"),
        user("u2", "wrong turn", "a1"),
        reply("a2", text("oh"), "m2", "u2"),
        user("u3", "better", "a1"),
        reply("a3", text("good"), "m3", "u3"),
    )
    assert [m.id for m in found.messages] == ["u1", "a1", "u3", "a3"]
    assert found.notes == ("2 messages skipped: on abandoned branches (lines 3, 4)",)


def queued(operation: str, content: Any = None, **more: Any) -> dict[str, Any]:
    """What was done with the queue of what is typed while the agent works."""
    told = {"content": content} if content is not None else {}
    return {"type": "queue-operation", "operation": operation, "sessionId": "s1", **told, **more}


TASK, TOLD = json.dumps({"task_id": "t1", "description": "look"}), "<task-notification>done</task-notification>"
COMMAND = "<command-name>/config</command-name>"
ATTACHED = {"type": "attachment", "uuid": "q", "attachment": {"type": "queued_command", "prompt": "and then?"}}


@pytest.mark.parametrize(
    ("records", "notes"),
    [
        (
            (queued("enqueue", "is it down?"), queued("remove"), queued("enqueue", "why not?"), queued("remove")),
            ("2 texts were typed while the agent worked and appear in no message (lines 2, 4)",),
        ),
        (
            (queued("enqueue", TASK), queued("enqueue", "why?"), queued("remove"), queued("remove")),
            ("1 text was typed while the agent worked and appears in no message (line 3)",),
        ),
        (
            (queued("enqueue", TOLD), queued("enqueue", "a"), queued("enqueue", "b"), queued("remove", "b")),
            ("1 text was typed while the agent worked and appears in no message (line 4)",),
        ),
        (
            (queued("enqueue", TASK), queued("enqueue", "why?"), queued("remove")),
            ("1 text was typed while the agent worked and appears in no message (line 3)",),
        ),
        ((queued("enqueue", TASK), queued("remove")), ()),
        ((queued("enqueue", TOLD), queued("enqueue", "why?"), queued("dequeue"), queued("remove")), ()),
        ((queued("enqueue", "why?"), queued("popAll"), queued("remove")), ()),
        ((queued("enqueue", "and then?"), ATTACHED, queued("remove", "and then?")), ()),
        ((queued("enqueue", " why? "), queued("remove"), user("u2", [text("why?"), text("<ide_x>y</ide_x>")])), ()),
        ((queued("enqueue", "/config"), queued("remove"), user("u2", COMMAND)), ()),
        (
            (queued("enqueue", "/config"), queued("remove"), reply("a1", text("x"))),
            ("1 text was typed while the agent worked and appears in no message (line 2)",),
        ),
        ((queued("enqueue", [1]), queued("remove", 5), queued("remove"), {"type": "queue-operation"}), ()),
    ],
)
def test_what_was_typed_and_removed_from_the_queue_is_said(records, notes):
    """Where no message says it: not what waits, was taken or taken back, nor what the harness put there."""
    assert session(user("u1", "go"), *records).notes == notes


AT_WORK = (user("u1", "go"), reply("a1", use("t1"), "m1"))
ANSWER = reply("a2", text("because"), "m2")
WHY = queued("enqueue", "why?", timestamp="2026-02-21T05:58:19.908Z")


@pytest.mark.parametrize(
    "records",
    [
        (WHY, user("r1", [result("t1")]), queued("remove"), ANSWER),
        (WHY, queued("remove"), user("r1", [result("t1")]), ANSWER),
        (WHY, user("r1", [result("t1")]), queued("remove", "why?", reason="absorbed_mid_turn"), ANSWER),
    ],
)
def test_what_only_the_queue_holds_stands_where_the_model_saw_it(records):
    """Behind the results, in front of the reply that was sent it: typed by a person, and marked as from the queue."""
    found = session(*AT_WORK, *records)
    assert [(m.role, m.injected, m.content) for m in found.messages[1:]] == [
        ("assistant", "", ""),
        ("tool", "", "ok"),
        ("user", "queued", "why?"),
        ("assistant", "", "because"),
    ]
    typed = found.messages[3]
    assert (typed.typed, typed.line, typed.timestamp) == (True, 3, "2026-02-21T05:58:19.908Z")
    assert (found.turns, found.notes) == (2, ())


@pytest.mark.parametrize(
    ("records", "texts"),
    [
        ((queued("enqueue", "and then?"), ATTACHED, queued("remove"), ANSWER), ["go", "and then?"]),
        ((queued("enqueue", "and then?"), queued("remove", "and then?"), ATTACHED, ANSWER), ["go", "and then?"]),
        ((WHY, queued("remove"), user("u2", "stop"), ANSWER), ["go", "stop"]),
        (
            (WHY, queued("remove"), boundary("b"), summary(), ANSWER),
            ["go", "This session is being continued. Summary."],
        ),
        ((WHY, queued("remove", "why?", reason="cancelled"), ANSWER), ["go"]),
        ((WHY, queued("dequeue"), ANSWER), ["go"]),
        ((queued("enqueue", "/config"), queued("remove"), ANSWER), ["go"]),
        ((WHY, queued("remove"), reply("a2", text("no"), "m2", model="<synthetic>")), ["go"]),
        ((WHY, queued("remove"), ANSWER, user("u2", "why?"), reply("a3", text("so"), "m3")), ["go", "why?", "why?"]),
        (
            (WHY, WHY, queued("remove"), queued("remove"), user("u2", "why?", isMeta=True), ANSWER),
            ["go", "why?", "why?"],
        ),
    ],
)
def test_what_was_typed_meanwhile_stands_there_once(records, texts):
    """Not where a message says it as well, nor where it is not known that the model was sent it."""
    found = session(*AT_WORK, user("r1", [result("t1")]), *records)
    assert [m.content for m in found.messages if m.role == "user"] == texts


def test_what_was_typed_on_a_branch_that_was_left_is_left_with_it():
    """The person went back to before the reply that was sent it."""
    found = session(
        user("u1", "go"),
        reply("a1", text("done"), "m1", "u1"),
        user("u2", "first", "a1"),
        reply("a2", use("t1"), "m2", "u2"),
        user("r1", [result("t1")], "a2"),
        WHY,
        queued("remove"),
        reply("a3", text("because"), "m3", "r1"),
        user("u3", "better", "a1"),
        reply("a4", text("good"), "m4", "u3"),
    )
    assert [m.content for m in found.messages] == ["go", "done", "better", "good"]


def test_pictures_are_no_text():
    """A picture is kept by type and size, never as its base64."""
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}
    found = session(user("u1", [{"type": "image", "source": source}, text("this")]))
    (picture,) = found.messages[0].images
    assert (picture.media_type, picture.width, picture.height) == ("image/png", 640, 480)
    assert found.messages[0].content == "this"


def test_model_title_and_other_records():
    """The model most used, without synthetic replies; the title that was given; the rest counted by kind."""
    found = session(
        {"type": "custom-title", "customTitle": "Blue", "sessionId": "s1"},
        user("u1", "go"),
        reply("a1", text("x"), "m1", model="claude-b"),
        reply("a2", text("error"), "m2", model="<synthetic>"),
        {"type": "system", "subtype": "turn_duration", "uuid": "d"},
        {"type": "new-thing", "uuid": "n", "sessionId": "s1"},
    )
    assert (found.title, found.model, found.id, found.records) == ("Blue", "claude-b", "s1", 6)
    assert found.other == {"custom-title": 1, "new-thing": 1, "system/turn_duration": 1}
    assert found.messages[2].usage is None


def prompted(name: str, task: str = "") -> str:
    """A slash command that runs a prompt, as Claude Code records it."""
    arguments = f"\n<command-args>{task}</command-args>" if task else ""
    return f"<command-message>{name} is running…</command-message>\n<command-name>/{name}</command-name>{arguments}"


def test_a_slash_command_that_runs_a_prompt_is_a_request():
    """It begins a turn, also alone; the prompt that was loaded for it does not. One with a task names the session."""
    found = session(
        user("c1", prompted("debug")),
        user("c2", prompted("debug", "why are the hooks slow?")),
        user("m1", "Base directory for this skill: /skills/debug", isMeta=True),
        reply("a1", text("looking")),
        user("u1", "go on"),
    )
    assert [m.id for m in found.messages if m.typed] == ["c1", "c2", "u1"]
    assert (found.title, own_text(found.messages[1])) == 2 * ("/debug why are the hooks slow?",)
    assert [turn.asked for turn in overview(replay(found)).turns] == [
        "/debug",
        "/debug why are the hooks slow?",
        "go on",
    ]
    alone = session(
        user("c1", prompted("init")), user("m1", "Analyze this codebase.", isMeta=True), reply("a1", text("x"))
    )
    assert (alone.title, alone.turns) == ("/init", 1)


@pytest.mark.parametrize("typed", ["/model sonnet", "/compact keep the names", "/clear", "/config"])
def test_a_command_that_claude_code_runs_itself_is_no_request(typed):
    """Its record begins with the name: it sets something, also with words behind it."""
    name, _, words = typed.partition(" ")
    told = f"<command-name>{name}</command-name>\n  <command-message>{name[1:]}</command-message>\n  <command-args>"
    found = session(user("c1", f"{told}{words}</command-args>"), user("u1", "go"), reply("a1", text("x")))
    assert [(m.id, m.injected) for m in found.messages[:2]] == [("c1", "command"), ("u1", "")]
    assert (found.turns, found.title) == (1, "go")


def test_the_first_prompt_is_the_title():
    """Without a title the first line of the first typed prompt serves, cut to 80 characters."""
    found = session(user("u1", "<command-name>/init</command-name>"), user("u2", "word " * 40))
    assert found.title == ("word " * 40)[:79] + "…"
    assert (
        session(user("u1", "<command-name>/init</command-name>\n<command-args>all</command-args>")).title == "/init all"
    )
