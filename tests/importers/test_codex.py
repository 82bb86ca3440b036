"""Codex rollouts: items become replies with their tokens, events tell the rest, compactions say what stayed."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from core import fate, meter
from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.own_text import own_text
from core.model.session import Image, Session, Usage
from core.why.words import line
from viewer.wire.overview import session_overview

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "codex" / "tide-tables.jsonl"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)
URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
AGENTS = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"
ENV = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"
OWN, PARENT, CHILD = (f"01990f1{n}-0000-7000-8000-000000000000" for n in (4, 0, 8))
LATE, EARLY = "01990f15-0000-7000-8000-000000000000", "01990f11-0000-7000-8000-000000000000"

Record = dict[str, Any]


def lines(*records: Record) -> str:
    """The records of a file."""
    return "".join(json.dumps(r) + "\n" for r in records)


def session(*records: Record) -> Session:
    """What load makes of a rollout that has a header in front."""
    return load(name="s.jsonl", data=lines(meta(), *records))


def record(kind: str, **payload: Any) -> Record:
    """One line."""
    return {"timestamp": "2026-09-14T08:00:00.000Z", "type": kind, "payload": payload}


def meta(id: str = OWN, **more: Any) -> Record:
    """A header."""
    return record("session_meta", **{"id": id, "cwd": "/w", "base_instructions": {"text": "You code."}, **more})


def item(kind: str, **more: Any) -> Record:
    """An item of the history."""
    return {"timestamp": "2026-09-14T08:00:00.000Z", "type": "response_item", "payload": {"type": kind, **more}}


def event(type: str, **more: Any) -> Record:
    """An event."""
    return {"timestamp": "2026-09-14T08:00:00.000Z", "type": "event_msg", "payload": {"type": type, **more}}


def message(role: str, *texts: str) -> Record:
    """An item of somebody who says something."""
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}


def message_line(role: str, *texts: str) -> Record:
    """The same as a line."""
    return record("response_item", **message(role, *texts))


def typed(text: str) -> list[Record]:
    """What a person typed, with the event that repeats it."""
    return [message_line("user", text), event("user_message", message=text)]


def thought(*words: str) -> Record:
    """Reasoning; without words all of it is encrypted."""
    return item("reasoning", summary=[{"type": "summary_text", "text": w} for w in words], encrypted_content="gAAA")


def call(id: str, name: str = "exec_command", arguments: str = '{"cmd":"ls"}') -> Record:
    """A call."""
    return item("function_call", name=name, arguments=arguments, call_id=id)


def result(id: str, output: Any = "ok") -> Record:
    """What came back from it."""
    return item("function_call_output", call_id=id, output=output)


def tokens(total: int, prompt: int = 0, cached: int = 0, output: int = 0, size: int = 0) -> Record:
    """Tokens counted up to here, and those of the last call."""
    last = {"input_tokens": prompt, "cached_input_tokens": cached, "output_tokens": output}
    last["total_tokens"] = size or prompt + output
    return event("token_count", info={"total_token_usage": {"total_tokens": total}, "last_token_usage": last})


def compacted(*history: Record, message: str = "", **more: Any) -> Record:
    """A compaction with the history that took the place of the old one."""
    return record("compacted", message=message, replacement_history=list(history), **more)


SEALED = {"type": "compaction", "encrypted_content": "g" * 1234}


def outline(found: Session) -> list[tuple[str, str, str]]:
    """Each message as (role, kind, content)."""
    return [(m.role, m.injected, m.content) for m in found.messages]


def test_items_up_to_the_tokens_are_one_reply():
    """Thoughts, text and all calls between two counts are one message with that usage; results come behind it."""
    found = session(
        *typed("go"),
        thought("Hm.", "So."),
        message_line("assistant", "look"),
        call("c1"),
        call("c2"),
        tokens(110, 100, 60, 10),
        result("c1", "one"),
        result("c2", "two"),
        message_line("assistant", "done"),
        tokens(330, 200, 90, 20),
    )
    reply = found.messages[2]
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert (reply.content, reply.thinking, [c.id for c in reply.tool_calls]) == ("look", "Hm.\nSo.", ["c1", "c2"])
    assert reply.tool_calls[0].arguments == {"cmd": "ls"}
    assert reply.usage == Usage(input_uncached=40, cache_read=60, output=10)
    assert [(m.tool_call_id, m.name, m.content) for m in found.messages[3:5]] == [
        ("c1", "exec_command", "one"),
        ("c2", "exec_command", "two"),
    ]
    assert found.usage == Usage(input_uncached=150, cache_read=150, output=30)
    assert (found.id, found.project, found.title, found.turns, found.notes) == (OWN, "/w", "go", 1, ())


def test_a_result_may_be_written_before_the_tokens_of_its_call():
    """Newer versions write results while the reply still comes: it is one reply up to the tokens all the same."""
    found = session(
        *typed("go"),
        message_line("assistant", "first"),
        tokens(11, 10, 0, 1),
        call("c1"),
        result("c1"),
        call("c2"),
        result("c2"),
        tokens(31, 19, 0, 1),
    )
    assert [m.role for m in found.messages[2:]] == ["assistant", "assistant", "tool", "tool"]
    assert [c.id for c in found.messages[3].tool_calls] == ["c1", "c2"]
    assert found.messages[3].usage == Usage(input_uncached=19, output=1)


def test_no_reply_thinks_again_after_a_result():
    """Where the tokens of a reply that was broken off are missing, the next one begins with what it thought."""
    found = session(
        *typed("go"),
        message_line("assistant", "a"),
        tokens(11, 10, 0, 1),
        call("c1"),
        result("c1"),
        thought(),
        call("c2"),
    )
    assert [[c.id for c in m.tool_calls] for m in found.messages[3:] if m.role == "assistant"] == [["c1"], ["c2"]]


def test_without_tokens_a_reply_ends_with_the_results():
    """Older versions, and other providers, count nothing: what comes after a result is the next reply."""
    found = session(*typed("go"), call("c1"), result("c1"), call("c2"), result("c2"), message_line("assistant", "end"))
    assert [m.role for m in found.messages[2:]] == ["assistant", "tool", "assistant", "tool", "assistant"]
    assert found.usage is None


def test_tokens_that_repeat_count_once():
    """The same total comes again when limits change, and before there is any `info` is null."""
    again = tokens(110, 100, 0, 10)
    found = session(
        *typed("go"),
        event("token_count", info=None),
        message_line("assistant", "a"),
        again,
        again,
        *typed("more"),
        again,
        message_line("assistant", "b"),
        tokens(180, 60, 0, 10),
    )
    assert [m.usage.prompt for m in found.messages if m.usage] == [100, 60]
    assert found.usage == Usage(input_uncached=160, output=20)


def test_tokens_that_come_late_belong_to_the_reply_before():
    """A person may have said something meanwhile. More than was sent cannot have been cached."""
    found = session(*typed("go"), message_line("assistant", "a"), *typed("more"), tokens(110, 100, 900, 10))
    assert [m.usage for m in found.messages[1:]] == [None, Usage(cache_read=100, output=10), None]


def test_tokens_without_a_reply_count_in_the_sum():
    """A call whose reply is not in the file belongs to no message, and is noted."""
    found = session(*typed("go"), tokens(9, 8, 0, 1), message_line("assistant", "a"), tokens(29, 18, 0, 2))
    assert [m.usage.prompt for m in found.messages if m.usage] == [18]
    assert found.usage == Usage(input_uncached=26, output=3)
    assert found.notes == ("1 model call without a reply in this file: the tokens count only in the total",)


def test_what_codex_puts_in_is_not_typed():
    """Instructions are system messages; what stands in a person's role is told apart by how it begins."""
    found = session(
        message_line("developer", "<permissions instructions>all", "be kind"),
        message_line("user", AGENTS, ENV),
        *typed("go"),
        message_line("user", "<turn_aborted>\nstopped\n</turn_aborted>"),
        message_line("user", "<user_shell_command>ls</user_shell_command>"),
        message_line("user", "<subagent_notification>{}</subagent_notification>"),
        message_line("user", "<skill>s</skill>"),
        message_line("user", "put in by something newer"),
    )
    assert [(m.role, m.injected) for m in found.messages] == [
        ("system", ""),
        ("system", "context"),
        ("user", "context"),
        ("user", ""),
        ("user", "aborted"),
        ("user", "command"),
        ("user", "notification"),
        ("user", "skill"),
        ("user", "context"),
    ]
    assert found.messages[1].content == "<permissions instructions>all\nbe kind"
    assert found.turns == 1


def test_events_say_what_was_typed_with_a_picture_in_it():
    """The picture is tagged in the item, not in the event; without events what does not look put in was typed."""
    picture = {"type": "input_image", "image_url": URL}
    tagged = [{"type": "input_text", "text": t} for t in ("like this", "<image name=[Image #1]>", "</image>")]
    asked = item("message", role="user", content=[tagged[0], tagged[1], picture, tagged[2]])
    found = session(*typed("go"), asked, message_line("assistant", "a"), event("user_message", message="like this"))
    assert found.messages[2].images == (Image(media_type="image/png", width=640, height=480, source="base64"),)
    assert found.turns == 2
    assert session(message_line("user", "go"), message_line("user", ENV)).turns == 1


def test_an_event_may_say_it_in_other_words_or_later():
    """It is about the message before it, or about one that says the same."""
    found = session(
        *[message_line("user", "/plan it"), event("user_message", message="plan it")],
        *[message_line("user", "one"), message_line("user", "two"), event("user_message", message="two")],
        event("user_message", message="one"),
        message_line("user", "three"),
    )
    assert [m.injected for m in found.messages[1:]] == ["", "", "", "context"]


def test_tools_of_all_kinds():
    """Patches are text, searches name no call, a local shell has an action; what the server drew is a picture."""
    found = session(
        *typed("go"),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c1"),
        item("web_search_call", status="completed", action={"type": "search", "query": "q"}),
        item("local_shell_call", call_id="c2", action={"type": "exec", "command": ["ls"]}),
        item("image_generation_call", id="i1", result=base64.b64encode(PNG).decode()),
        item("function_call", name="find", namespace="mcp__db", arguments="{broken", call_id="c3"),
        item("function_call", name="mcp__db__get", namespace="mcp__db", arguments="{}", call_id="c4"),
        tokens(11, 10, 0, 1),
        item("custom_tool_call_output", call_id="c1", output=json.dumps({"output": "Success."})),
        result("c2", [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": URL}]),
        result("c3", {"content": "no", "success": False}),
    )
    calls = found.messages[2].tool_calls
    assert [(c.name, c.arguments, c.raw) for c in calls] == [
        ("apply_patch", {}, "*** Begin Patch"),
        ("web_search", {"type": "search", "query": "q"}, None),
        ("local_shell", {"type": "exec", "command": ["ls"]}, None),
        ("image_generation", {}, None),
        ("mcp__db.find", {}, "{broken"),
        ("mcp__db__get", {}, None),
    ]
    assert len({c.id for c in calls}) == 6
    drawn, patch, shell, failed = found.messages[3:]
    assert (drawn.tool_call_id, drawn.images[0].width) == ("i1", 640)
    assert (patch.content, shell.content, len(shell.images)) == ('{"output": "Success."}', "a", 1)
    assert (failed.content, failed.is_error, patch.is_error) == ("no", True, False)


@pytest.mark.parametrize(
    ("output", "ended", "failed"),
    [
        ("Exit code: 0\nWall time: 1\nOutput:\nExit code: 1", [], False),
        ("Exit code: 1\nWall time: 1\nOutput:\nx", [], True),
        ("Chunk ID: a\nProcess exited with code 2\nOutput:\nx", [], True),
        ("x", [event("exec_command_end", call_id="c1", exit_code=1)], True),
        ("x", [event("patch_apply_end", call_id="c1", success=False)], True),
        ("Exit code: 1", [event("exec_command_end", call_id="c2", exit_code=1)], False),
        (
            "Wall time: 1\nProcess running with session ID 7\nOutput:\nx",
            [event("exec_command_end", call_id="c1", exit_code=1)],
            False,
        ),
        ("apply_patch verification failed: Failed to find expected lines in a.py", [], True),
        ("exec_command failed for `go test`: rejected", [], True),
        ("Exit code: 0\nWall time: 1\nOutput:\napply_patch verification failed", [], False),
    ],
)
def test_commands_that_failed_are_errors(output, ended, failed):
    """An event says so, the head of the output, or Codex, which did not carry the call out; never what the program printed.

    Where a command ran on, the result that tells its end is the error, not the one before.
    """
    assert session(*typed("go"), call("c1"), *ended, result("c1", output)).messages[-1].is_error is failed


def test_an_encrypted_compaction():
    """The history says what stayed, and in which order; what changed is put in anew; sizes are those counted on either side."""
    found = session(
        message_line("developer", "rules", "skills"),
        message_line("user", AGENTS, ENV),
        *typed("one"),
        message_line("assistant", "answer"),
        tokens(110, 100, 0, 10),
        *typed("two"),
        thought("Hm."),
        message_line("assistant", "look"),
        call("c1"),
        tokens(330, 200, 0, 20),
        result("c1"),
        compacted(
            message("user", "one"),
            message("assistant", "answer"),
            message("developer", "rules now", "skills"),
            message("user", AGENTS, ENV.replace("/w", "/v")),
            message("user", "two"),
            SEALED,
        ),
        tokens(330, size=77),
        event("context_compacted"),
        message_line("assistant", "on"),
        tokens(400, 60, 0, 10),
    )
    (cut,) = found.compactions
    said_by = {m.id: m.content for m in found.messages}
    assert [said_by[i] for i in cut.kept] == ["one", "answer", "two"]
    assert (cut.at, cut.lead, cut.fidelity, cut.unreadable, cut.trigger) == (8, 3, "partial", "encrypted", "")
    assert (cut.tokens_before, cut.tokens_after) == (200, 77)
    assert (cut.before_from, cut.after_from) == (
        "prompt of the model call before",
        "the agent's own count right after (`token_count.total_tokens`)",
    )
    assert said_by[cut.summary] == "[encrypted summary, 1,234 characters: only the provider can read it]"
    anew = ["rules now\nskills", AGENTS + "\n" + ENV.replace("/w", "/v")]
    assert outline(found)[9:11] == [("system", "context", anew[0]), ("user", "context", anew[1])]
    trace = replay(found)
    window = [m.content for m in trace.window(trace.compaction_step(0))]
    assert window == ["You code.", "one", "answer", *anew, "two", said_by[cut.summary]]
    assert [m.content for m in trace.messages if m.content in anew] == []


def test_instructions_stand_where_the_history_has_them():
    """Codex puts its instructions right before the last thing asked: unchanged they are the same messages, moved there."""
    found = session(
        message_line("developer", "rules"),
        message_line("user", AGENTS),
        *typed("one"),
        message_line("assistant", "answer"),
        *typed("two"),
        compacted(
            message("user", "one"),
            message("developer", "rules"),
            message("user", AGENTS),
            message("user", "two"),
            SEALED,
        ),
        message_line("assistant", "on"),
    )
    trace = replay(found)
    (cut,) = trace.compactions
    window = [(m.line, m.content) for m in trace.window(trace.compaction_step(0))][:-1]
    assert window == [(1, "You code."), (4, "one"), (2, "rules"), (3, AGENTS), (7, "two")]
    assert [m.content for m in cut.before if m.id in cut.removed] == ["answer"]


def test_a_compaction_that_can_be_read():
    """Made by Codex itself: its words are a person's last message, what was too long for it is shortened."""
    found = session(
        *typed("long " * 9),
        message_line("assistant", "a"),
        tokens(110, 100, 0, 10),
        tokens(170, 50, 0, 10),
        compacted(message("user", "long … long"), message("user", "All done."), message="All done.", trigger="manual"),
    )
    (cut,) = found.compactions
    assert (cut.kept, cut.fidelity, cut.unreadable, cut.trigger, cut.tokens_after) == ((), "exact", "", "manual", None)
    assert outline(found)[3:] == [("user", "summary", "All done."), ("user", "shortened", "long … long")]
    assert found.messages[3].usage == Usage(input_uncached=50, output=10)
    assert found.usage == Usage(input_uncached=150, output=20)
    assert found.notes == ()


def held_in_short():
    """A session whose history holds what a person typed without its middle."""
    return session(
        *typed("Mend the harbour depth table. " + "Many words stand here. " * 30),
        message_line("assistant", "a"),
        compacted(
            message("user", "Mend the harbour depth table. … here."), message("user", "All done."), message="All done."
        ),
    )


def test_what_the_history_holds_in_short_was_not_put_back():
    """No file or list that Codex added, and no part of the summary."""
    trace = replay(held_in_short(), meter=meter("agentkit"))
    (cut,) = trace.compactions
    assert [m.injected for m in cut.added] == ["shortened", "summary"]
    assert (cut.put_back, cut.summary_tokens) == ((), cut.added_tokens[1])
    told = fate(trace, "harbour depth table")
    assert [line(told, event) for event in told.events] == [
        "Said by the user",
        "Compaction 1 summarized what said it",
        "Summary #1 left it out",
        "Kept, shortened",
    ]


def test_what_stands_behind_the_summary():
    """Codex may put the last thing asked behind it. A size that is counted once a reply has come is not that window's."""
    found = session(
        *typed("one"),
        *typed("two"),
        compacted(message("user", "one"), SEALED, message("user", "two")),
        message_line("assistant", "a"),
        tokens(0, size=77),
    )
    (cut,) = found.compactions
    trace = replay(found)
    window = [m.content[:10] for m in trace.window(trace.compaction_step(0))]
    assert (cut.lead, len(cut.kept), cut.tokens_after) == (1, 2, None)
    assert window == ["You code.", "one", "[encrypted", "two"]


def test_a_compaction_without_a_history():
    """The oldest files have the summary alone: by Codex's rule typed messages stay, the newest 20,000 tokens of them."""
    found = session(
        message_line("user", ENV),
        *typed("x" * 80_000),
        message_line("assistant", "a"),
        *typed("two"),
        message_line("assistant", "b"),
        record("compacted", message="S"),
    )
    (cut,) = found.compactions
    said_by = {m.id: m.content for m in found.messages}
    assert [said_by[i] for i in cut.kept] == [ENV, "two"]
    assert (cut.at, cut.lead, cut.fidelity, cut.tokens_before, cut.before_from) == (6, 2, "partial", None, "")


def test_a_compaction_whose_summary_was_left_out():
    """Neither words nor an encrypted item: something was there, and is not recorded."""
    found = session(*typed("one"), message_line("assistant", "a"), compacted(message("user", "one")))
    (cut,) = found.compactions
    assert (len(cut.kept), cut.unreadable, cut.fidelity) == (1, "not recorded", "partial")
    assert found.messages[-1].content == "[the summary is not in this file]"


def test_instructions_that_a_compaction_leaves_out_come_with_the_next_turn():
    """A history that has none is a window without them: the next turn gives them again, behind the summary."""
    found = session(
        message_line("developer", "rules"),
        *typed("one"),
        compacted(message("user", "one"), SEALED),
        message_line("developer", "rules"),
        *typed("two"),
    )
    trace = replay(found)
    summary = found.compactions[0].summary
    window = [m.content if m.id != summary else "S" for m in trace.window(len(trace) - 1)]
    assert window == ["You code.", "one", "S", "rules", "two"]


def test_a_second_compaction_is_matched_against_what_the_first_left():
    """Messages stay twice, equal ones one by one; what had gone is not found any more."""
    found = session(
        *typed("go"),
        *typed("go"),
        message_line("assistant", "a"),
        compacted(message("user", "go"), SEALED),
        *typed("go"),
        compacted(message("user", "go"), message("user", "go"), message("assistant", "a"), SEALED),
    )
    first, second = found.compactions
    assert (first.kept, second.kept) == (("line-2",), ("line-2", "line-8"))
    assert (first.at, second.at) == (4, 5)
    assert outline(found)[-1] == ("assistant", "shortened", "a")


def test_newer_histories_point_to_items():
    """An entry holds an item, or names one that stands in the file."""
    told = {**message_line("user", "one"), "payload": {**message("user", "one"), "id": "m1"}}
    entries = [{"type": "reference", "item_id": "m1"}, {"type": "inline", "item": SEALED}]
    found = session(
        told, message_line("assistant", "a"), record("compacted", message="", replacement_history_entries=entries)
    )
    assert (found.compactions[0].kept, found.compactions[0].unreadable) == (("m1",), "encrypted")


def test_turns_that_were_taken_back_are_left_out():
    """With their compaction, and with a note; what comes next goes on from before them."""
    found = session(
        *typed("one"),
        message_line("assistant", "a"),
        *typed("two"),
        message_line("assistant", "b"),
        compacted(message("user", "two"), SEALED),
        *typed("three"),
        event("thread_rolled_back", num_turns=2),
        *typed("four"),
        compacted(message("user", "one"), message("user", "four"), SEALED),
    )
    assert [m.content for m in found.messages[1:-1]] == ["one", "a", "four"]
    assert [len(c.kept) for c in found.compactions] == [2]
    assert found.notes == ("4 messages skipped: the user rewound the conversation to before them (lines 5, 7, 8, 9)",)


def test_errors_and_interruptions_are_noted():
    """A reply that was broken off stays, with its open call; what was thought in secret alone says nothing."""
    found = session(
        *typed("go"),
        message_line("assistant", "look"),
        call("c1"),
        event("turn_aborted", reason="interrupted"),
        *typed("again"),
        thought(),
        event("stream_error", message="reconnecting"),
        event("error", message="Quota is used up.\nSee more."),
    )
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "user"]
    assert found.notes == (
        "1 turn was interrupted",
        "1 reply failed: Quota is used up.",
        "1 time the stream was interrupted and retried",
    )
    assert found.other["reasoning/encrypted"] == 1


def test_a_fork_begins_with_what_it_copied():
    """Headers of other sessions follow the own one; turns older than the session were copied, with their sub-agents."""
    spawned = event("collab_agent_spawn_end", new_thread_id=CHILD, call_id="c1")
    data = lines(
        meta(OWN, forked_from_id=PARENT),
        meta(PARENT, base_instructions={"text": "Others."}),
        event("task_started", turn_id=EARLY),
        *typed("one"),
        message_line("assistant", "a"),
        spawned,
        event("task_started", turn_id=LATE),
        *typed("two"),
    )
    found = load(name="s.jsonl", data=data)
    assert [m.content for m in found.messages] == ["You code.", "one", "a", "two"]
    assert (found.id, found.turns, found.subagents, found.copied) == (OWN, 2, 0, 3)
    assert found.notes == (
        f"continues session {PARENT}: the first 3 messages and their tokens are copied from it (lines 1 to 6)",
    )


def test_a_sub_agent_may_be_given_the_conversation():
    """What was typed there stays typed; what it is asked itself was not, and is its title."""
    data = lines(
        meta(OWN, forked_from_id=PARENT, source={"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}),
        event("task_started", turn_id=EARLY),
        *typed("one"),
        event("task_started", turn_id=LATE),
        *typed("look"),
    )
    found = load(name="s.jsonl", data=data)
    assert [m.injected for m in found.messages[1:]] == ["", "agent"]
    assert (found.copied, found.title) == (2, "look")


def test_sub_agents_are_sessions_beside_this_one(tmp_path):
    """Found by the id in their header; nobody typed what they are asked; a folder lists them once, in the session."""
    parent = lines(
        meta(),
        *typed("go"),
        call("c1", "spawn_agent"),
        result("c1", json.dumps({"agent_id": CHILD, "nickname": "Heron"})),
        event("collab_agent_spawn_end", new_thread_id="gone-0000", call_id="c9"),
    )
    asked = {"source": {"subagent": {"thread_spawn": {}}}, "base_instructions": None}
    child = lines(meta(CHILD, **asked), *typed("look"), message_line("assistant", "found"))
    (tmp_path / f"rollout-2026-{CHILD}.jsonl").write_text(child, encoding="utf-8")
    (tmp_path / "rollout-z.jsonl").write_text(parent, encoding="utf-8")
    found = load(tmp_path / "rollout-z.jsonl")
    (agent,) = found.children
    assert (agent.id, agent.name, agent.message, agent.call) == (CHILD, "Heron", "line-4", "c1")
    assert outline(agent.session) == [("user", "agent", "look"), ("assistant", "", "found")]
    assert (agent.session.title, agent.session.turns, found.subagents) == ("look", 0, 2)
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)
    assert [s.id for s in load_all(tmp_path)] == [OWN]


def test_a_sub_agent_whose_file_cannot_be_read_does_not_hide_its_session(tmp_path, monkeypatch):
    """It is counted among those whose records are not here."""
    spawned = (call("c1", "spawn_agent"), result("c1", json.dumps({"agent_id": CHILD})))
    (tmp_path / f"rollout-1-{CHILD}.jsonl").touch()
    (tmp_path / f"rollout-1-{OWN}.jsonl").write_text(lines(meta(), *typed("go"), *spawned), encoding="utf-8")
    known = Source._open_path

    def opener(self):
        if str(self.path).endswith(f"{CHILD}.jsonl"):
            raise PermissionError(13, "Permission denied")
        return known(self)

    monkeypatch.setattr(Source, "_open_path", opener)
    found = load(tmp_path / f"rollout-1-{OWN}.jsonl")
    assert (found.id, found.children, found.subagents) == (OWN, (), 1)
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_a_file_by_that_name_may_be_another_session(tmp_path):
    """The name finds it, the header decides; a session that claims to be its own sub-agent is none."""
    spawned = [
        event("sub_agent_activity", kind="started", agent_thread_id=i, agent_path="/lead/x") for i in (OWN, CHILD)
    ]
    (tmp_path / f"rollout-1-{CHILD}.jsonl").write_text(lines(meta(EARLY), *typed("x")), encoding="utf-8")
    (tmp_path / f"rollout-1-{OWN}.jsonl").write_text(lines(meta(), *typed("go"), *spawned), encoding="utf-8")
    found = load(tmp_path / f"rollout-1-{OWN}.jsonl")
    assert (found.children, found.subagents) == ((), 2)


def test_files_from_before_there_was_an_envelope():
    """A bare header with the instructions, bare items, and records of a state that nobody said."""
    data = lines(
        {"id": OWN, "timestamp": "2025-05-07T17:24:21.597Z", "instructions": "Be brief."},
        {"record_type": "state"},
        message("user", "go"),
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc_1", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "ok"},
        message("assistant", "done"),
    )
    found = load(name="s.jsonl", data=data)
    assert claimed_by(head_of(Source("x", data=data.encode()))) == ["codex"]
    assert [(m.role, m.content) for m in found.messages] == [
        ("system", "Be brief."),
        ("user", "go"),
        ("assistant", ""),
        ("tool", "ok"),
        ("assistant", "done"),
    ]
    assert (found.id, found.other) == (OWN, {"session_meta": 1, "state": 1})


def test_damage_is_noted_and_the_rest_is_read():
    """Records run together are recovered, others left out; a result without its call stays."""
    together = json.dumps(message_line("assistant", "a")) + json.dumps(message_line("user", "b"))
    found = load(name="s.jsonl", data=lines(meta(), *typed("go")) + together + "\n{oops}\n" + lines(result("c0")))
    assert [m.content for m in found.messages[1:]] == ["go", "a", "b", "ok"]
    assert (found.malformed_lines, found.recovered_records) == (2, 2)
    assert found.notes == (
        "1 tool result without a call in the file",
        "line 4 had several records run together; 2 were recovered",
        "line 5 could not be read and was skipped",
    )


def test_ids_that_come_again_are_made_unique():
    """What a compaction kept is named by the ids that the messages have in the end."""
    twice = {**message("user", "one"), "id": "m1"}, {**message("user", "two"), "id": "m1"}
    found = session(*(record("response_item", **m) for m in twice), compacted(message("user", "two"), SEALED))
    assert [m.id for m in found.messages[1:3]] == ["m1", "m1~2"]
    assert found.compactions[0].kept == ("m1~2",)


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [{"type": "message", "role": []}]])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    keys = ("role", "content", "call_id", "name", "arguments", "input", "output", "summary", "action", "id", "tools")
    kinds = ("message", "reasoning", "function_call", "custom_tool_call", "web_search_call", "function_call_output")
    others = ("tool_search_output", "local_shell_call", "mcp_call", "compaction", "agent_message", "ghost", value)
    items = [{"type": kind, **dict.fromkeys(keys, value)} for kind in (*kinds, *others)]
    told = ("info", "message", "num_turns", "turn_id", "new_thread_id", "call_id", "exit_code", "success", "status")
    events = ("token_count", "user_message", "thread_rolled_back", "task_started", "collab_agent_spawn_end", "error")
    odd = [
        *(record("response_item", **one) for one in items),
        *(event(kind, **dict.fromkeys(told, value)) for kind in events),
        *(event("token_count", info=dict.fromkeys(("total_token_usage", "last_token_usage"), v)) for v in (value, {})),
        record("compacted", message=value, replacement_history=value, trigger=value),
        record("compacted", replacement_history=[*items, value, {"type": "reference", "item_id": value}]),
        record("turn_context", model=value, cwd=value, turn_id=value),
        meta(value, base_instructions=value, source=value, forked_from_id=value),
        {"type": value, "payload": value, "timestamp": value},
        {"type": "response_item", "payload": value, "id": value},
    ]
    found = load(name="s.jsonl", data=lines(*odd[-3:-1], *odd, *typed("go")))
    assert "go" in [m.content for m in found.messages]
    assert found.model_dump_json()


def test_a_file_with_settings_alone_holds_no_messages():
    """It is known for what it is."""
    with pytest.raises(TranscriptError, match="contains no messages"):
        load(name="s.jsonl", data=lines(record("session_meta", id=OWN), event("task_started")))


def test_the_sample():
    """The instructions and four messages stayed, the environment came anew; the sub-agent lies beside it."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    (agent,) = found.children
    assert (len(found.messages), found.turns, found.model) == (32, 3, "gpt-5.4")
    assert (cut.at, cut.lead, len(cut.kept), cut.tokens_before, cut.tokens_after) == (26, 5, 5, 5871, 2310)
    assert found.usage == Usage(input_uncached=8629, cache_read=43776, output=1306)
    assert (agent.name, agent.message, agent.session.usage) == (
        "Heron",
        "line-52",
        Usage(input_uncached=2008, cache_read=1792, output=71),
    )


def test_the_context_window_that_codex_gives_its_model():
    """A compaction has the one that was counted with last, which need not be the model's own."""
    event = tokens(110, 100, 0, 10)
    event["payload"]["info"]["model_context_window"] = 258_400
    found = session(*typed("one"), message_line("assistant", "a"), event, compacted(message="All done."))
    assert found.compactions[0].context_window == 258_400


def test_a_reply_is_quoted_by_its_final_answer() -> None:
    """What it said while it worked stays in its content; the overview and the row begin with the answer."""
    said = [message("assistant", text) | {"phase": phase} for text, phase in PHASES]
    found = session(
        *typed("audit it"), *(record("response_item", **one) for one in said), tokens(9, prompt=8, output=1)
    )
    reply = found.messages[-1]
    assert (reply.content, own_text(reply)) == ("I look at the logger.\nNo findings.", "No findings.")
    shown = session_overview(replay(found, meter=meter("agentkit")))
    assert (shown["turns"][-1]["said"], shown["closing"]["text"]) == ("No findings.", "No findings.")
    masked = reply.model_copy(update={"content": "I look at [masked].\nNo findings."})
    assert own_text(masked) == masked.content, "a mask moved the answer: no quote begins within a word"


@pytest.mark.parametrize("before", [(), ("I look.",)])
def test_a_reply_of_two_final_answers_is_quoted_by_both(before: tuple[str, ...]) -> None:
    """The quote begins with the first of them, also where the reply itself begins with it."""
    said = [message("assistant", text) | {"phase": "commentary"} for text in before]
    said += [message("assistant", text) | {"phase": "final_answer"} for text in ("Finding one.", "Finding two.")]
    found = session(
        *typed("audit it"), *(record("response_item", **one) for one in said), tokens(9, prompt=8, output=1)
    )
    assert own_text(found.messages[-1]) == "Finding one.\nFinding two."


PHASES = (("I look at the logger.", "commentary"), ("No findings.", "final_answer"))
