"""opencode: parts told apart, calls with their results, compactions and emptied results as the export records them."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Image, Session, Usage

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)
URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "opencode" / "four-beds.json"
SECOND = 1000


def session(*messages: Any, **info: Any) -> Session:
    """What load makes of an export."""
    return load(name="s.json", data=json.dumps({"info": {"id": "ses_1", **info}, "messages": messages}))


def part(kind: str, **more: Any) -> dict[str, Any]:
    """A part of a message."""
    return {"type": kind, **more}


def text(words: str, **more: Any) -> dict[str, Any]:
    """A text part."""
    return part("text", text=words, **more)


def user(id: str, *parts: dict[str, Any], at: int = 0) -> dict[str, Any]:
    """A user message, `at` seconds after the start."""
    info = {"id": id, "role": "user", "time": {"created": (at + 1) * SECOND}, "summary": {"diffs": []}}
    return {"info": info, "parts": list(parts)}


def reply(id: str, *parts: dict[str, Any], at: int = 0, **info: Any) -> dict[str, Any]:
    """A reply, `at` seconds after the start."""
    known = {"id": id, "role": "assistant", "time": {"created": (at + 1) * SECOND}, "modelID": "m1", "finish": "stop"}
    return {"info": {**known, **info}, "parts": [part("step-start"), *parts]}


def tool(id: str, name: str = "read", status: str = "completed", emptied: int = 0, **state: Any) -> dict[str, Any]:
    """A call of a tool with what came of it; `emptied` seconds after the start."""
    time = {"start": SECOND, "end": SECOND, **({"compacted": (emptied + 1) * SECOND} if emptied else {})}
    known = {"status": status, "input": {"path": id}, "output": f"out {id}", "time": time}
    return part("tool", id=f"prt_{id}", callID=f"call_{id}", tool=name, state={**known, **state})


def tokens(fresh: int, output: int, thought: int = 0, read: int = 0, write: int = 0, **more: int) -> dict[str, Any]:
    """Recorded tokens."""
    return {"input": fresh, "output": output, "reasoning": thought, "cache": {"read": read, "write": write}, **more}


def compaction_request(id: str, at: int = 0, **more: Any) -> dict[str, Any]:
    """The user message that a compaction begins with."""
    return user(id, part("compaction", **{"auto": True, **more}), at=at)


def summary(id: str, parent: str, at: int = 0, **info: Any) -> dict[str, Any]:
    """The reply that holds a summary."""
    return reply(id, text("S"), at=at, parentID=parent, summary=True, mode="compaction", **info)


def test_a_call_and_its_result_are_two_messages():
    """Ids are those of messages and parts; what was thought, called and answered is told apart."""
    found = session(
        user("u1", text("go")),
        reply(
            "a1", part("reasoning", text="hm"), part("reasoning", text=""), text("look"), tool("1"), tool("2", "bash")
        ),
        title="Tests",
    )
    said, first, second = found.messages[1:]
    assert [(m.id, m.role) for m in found.messages] == [
        ("u1", "user"),
        ("a1", "assistant"),
        ("prt_1", "tool"),
        ("prt_2", "tool"),
    ]
    assert (said.content, said.thinking, said.model, said.reply_id, said.line) == ("look", "hm", "m1", "a1", 2)
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [
        ("call_1", "read", {"path": "1"}),
        ("call_2", "bash", {"path": "2"}),
    ]
    assert (first.tool_call_id, first.name, first.content, first.is_error) == ("call_1", "read", "out 1", False)
    assert (second.tool_call_id, second.name) == ("call_2", "bash")
    assert (found.id, found.format, found.title, found.model, found.records) == ("ses_1", "opencode", "Tests", "m1", 2)
    assert said.timestamp == "1970-01-01T00:00:01.000Z"


@pytest.mark.parametrize(
    ("state", "content", "failed"),
    [
        ({"status": "error", "error": "no such file"}, "no such file", True),
        ({"status": "error", "error": "x", "metadata": {"interrupted": True, "output": "half"}}, "half", False),
        ({"status": "running"}, "[Tool execution was interrupted]", True),
        ({"status": "pending", "input": {}, "raw": '{"path'}, "[Tool execution was interrupted]", True),
    ],
)
def test_calls_that_did_not_end_well(state, content, failed):
    """The model is told the error, what there was of the output, or that the call was interrupted."""
    found = session(user("u1", text("go")), reply("a1", tool("1", **state)))
    assert (found.messages[2].content, found.messages[2].is_error) == (content, failed)


def test_arguments_that_were_still_being_written_stay_text():
    """A pending call has no input yet, but what was written of it."""
    found = session(user("u1", text("go")), reply("a1", tool("1", status="pending", input={}, raw='{"path')))
    assert (found.messages[1].tool_calls[0].arguments, found.messages[1].tool_calls[0].raw) == ({}, '{"path')


def test_pictures_are_no_text():
    """Files that are sent as they are become images; the text of a text file stands in a part of its own."""
    picture = part("file", mime="image/png", url=URL)
    paper = part("file", mime="application/pdf", url="file:///w/a.pdf")
    plain = part("file", mime="text/plain", url="file:///w/a.txt")
    found = session(user("u1", picture, paper, plain), reply("a1", tool("1", attachments=[picture])))
    png = Image(media_type="image/png", width=640, height=480, source="base64")
    assert found.messages[0].images == (png, Image(media_type="application/pdf", source="file:///w/a.pdf"))
    assert found.messages[2].images == (png,)
    assert [m.content for m in found.messages] == ["", "", "out 1"]


def test_only_what_a_person_typed_starts_a_turn():
    """Text that opencode put in is marked where all of it is; what is not sent to the model is left out."""
    found = session(
        user("u1", text("typed"), text("the file", synthetic=True)),
        user("u2", text("Continue", synthetic=True)),
        user("u3", part("subtask", prompt="p", description="d", agent="x")),
        user("u4", text("for the eyes only", ignored=True)),
        user("u5", text("typed too"), part("agent", name="x"), part("patch", files=[])),
    )
    kinds = [("u1", ""), ("u2", "synthetic"), ("u3", "command"), ("u4", "ignored"), ("u5", "")]
    assert [(m.id, m.injected) for m in found.messages] == kinds
    assert [m.content for m in found.messages] == [
        "typed\nthe file",
        "Continue",
        "The following tool was executed by the user",
        "",
        "typed too",
    ]
    assert (found.turns, found.other) == (2, {"part/agent": 1, "part/ignored": 1, "part/patch": 1})


@pytest.mark.parametrize(
    ("recorded", "output"),
    [
        (
            tokens(8, 3, thought=5, read=20, write=4, total=40),
            8,
        ),  # 8 + 3 + 5 + 20 + 4: thought stands beside the output
        (tokens(8, 3, thought=2, read=20, write=4, total=35), 3),  # 8 + 3 + 20 + 4: thought is part of the output
        (tokens(8, 3, thought=2, read=20, write=4), 3),
    ],
)
def test_usage_of_a_reply(recorded, output):
    """Input is without what was cached; what was thought belongs to the output, and is counted once."""
    step = part("step-finish", tokens=recorded)
    found = session(user("u1", text("go")), reply("a1", text("x"), step, tokens=recorded))
    assert found.usage == Usage(input_uncached=8, cache_read=20, cache_write=4, output=output)


def test_the_cost_of_a_reply():
    """That of the message, or of each step where it holds several. A 0 is no cost: opencode knows no price."""
    one, other = (part("step-finish", tokens=tokens(10, 1), cost=cost) for cost in (0.25, 0.5))
    found = session(
        user("u1", text("go")),
        reply("a1", text("x"), one, tokens=tokens(10, 1), cost=0.25),
        reply("a2", text("x"), tokens=tokens(10, 1), cost=0),
        reply("a3", tool("1"), one, part("step-start"), text("x"), other, tokens=tokens(10, 1), cost=0.75),
    )
    assert [m.usage.cost for m in found.messages if m.usage] == [0.25, None, 0.25, 0.5]
    assert found.usage == Usage(input_uncached=40, output=4, cost=1.0)


def test_several_replies_in_one_message_are_several_messages():
    """Old files keep the steps of a turn together: each was an API reply with its own tokens."""
    found = session(
        user("u1", text("go")),
        reply(
            "a1",
            tool("1"),
            part("step-finish", tokens=tokens(10, 1)),
            part("patch", files=[]),
            part("step-start"),
            text("done"),
            part("step-finish", tokens=tokens(20, 2)),
            tokens=tokens(20, 2),
        ),
    )
    assert [m.id for m in found.messages] == ["u1", "a1", "prt_1", "a1-1"]
    assert [m.usage.output if m.usage else None for m in found.messages] == [None, 1, None, 2]
    assert found.usage == Usage(input_uncached=30, output=3)


def test_a_compaction_without_a_tail_keeps_nothing():
    """What asked for it stands before the summary in the window after; tokens before are the prompt of the last reply."""
    found = session(
        user("u1", text("go")),
        reply("a1", tool("1"), tokens=tokens(100, 9, read=50)),
        compaction_request("c1"),
        summary("s1", "c1", tokens=tokens(150, 30)),
        user("u2", text("Continue", synthetic=True)),
    )
    (compaction,) = found.compactions
    assert (compaction.at, compaction.summary, compaction.kept, compaction.lead) == (4, "s1", ("c1",), 1)
    assert compaction.before_from == "prompt of the model call before"
    assert (compaction.tokens_before, compaction.tokens_after, compaction.trigger) == (150, None, "auto")
    assert (compaction.fidelity, compaction.line) == ("exact", 3)
    assert [(m.id, m.injected) for m in found.messages[3:]] == [
        ("c1", "compaction"),
        ("s1", "summary"),
        ("u2", "synthetic"),
    ]
    assert (found.messages[4].content, found.messages[4].usage) == ("S", Usage(input_uncached=150, output=30))
    assert found.turns == 1
    trace = replay(found)
    assert [m.id for m in trace.window(len(trace) - 1)] == ["c1", "s1", "u2"]


def test_a_compaction_keeps_its_tail():
    """From the message that the part names on, with the tool results: behind the summary, what asked for it before it."""
    found = session(
        user("u1", text("a")),
        reply("a1", text("b")),
        user("u2", text("c")),
        reply("a2", tool("1")),
        compaction_request("c1", auto=False, tail_start_id="u2"),
        summary("s1", "c1"),
    )
    (compaction,) = found.compactions
    assert (compaction.at, compaction.kept, compaction.lead) == (6, ("c1", "u2", "a2", "prt_1"), 1)
    assert (compaction.fidelity, compaction.trigger) == ("exact", "manual")
    assert (compaction.tokens_before, compaction.before_from) == (None, "")


def test_a_tail_that_is_not_there_keeps_nothing():
    """The export does not hold what it names: the record is partial."""
    found = session(user("u1", text("a")), compaction_request("c1", tail_start_id="gone"), summary("s1", "c1"))
    assert (found.compactions[0].kept, found.compactions[0].fidelity) == (("c1",), "partial")


def test_a_second_compaction():
    """Summaries are no messages that arrived."""
    found = session(
        user("u1", text("a")),
        compaction_request("c1"),
        summary("s1", "c1"),
        user("u2", text("b")),
        compaction_request("c2"),
        summary("s2", "c2"),
    )
    assert [(c.at, c.summary) for c in found.compactions] == [(2, "s1"), (4, "s2")]


@pytest.mark.parametrize("info", [{"error": {"name": "ContextOverflowError"}}, {"finish": None}])
def test_a_summary_that_was_not_finished_is_no_compaction(info):
    """opencode goes on from finished ones only."""
    found = session(user("u1", text("a")), compaction_request("c1"), summary("s1", "c1", **info), user("u2", text("b")))
    assert found.compactions == ()
    assert [m.injected for m in found.messages] == ["", "compaction", "", ""]


def test_two_summaries_of_one_id_are_told_apart() -> None:
    """Each compaction names its own, so that the session can be saved and opened again."""
    told = (reply("m1", text("S"), summary=True), user("m2", text("go on")), reply("m1", text("T"), summary=True))
    found = session(user("m0", text("hello")), *told)
    assert [c.summary for c in found.compactions] == ["m1", "m1~2"]
    assert [m.content for m in found.messages if m.injected == "summary"] == ["S", "T"]
    assert load(name="s.json", data=json.dumps({"foldline": "session", **found.model_dump(mode="json")})) == found


def test_a_summary_nobody_asked_for_is_a_compaction_where_it_stands():
    """Old files have no part that says so."""
    found = session(user("u1", text("a")), summary("s1", "u1"), user("u2", text("b")))
    (compaction,) = found.compactions
    assert (compaction.at, compaction.summary, compaction.trigger, compaction.fidelity) == (1, "s1", "", "partial")


def test_emptied_results_are_microcompactions():
    """One for each time: after the messages that had come by then, and after the results themselves."""
    found = session(
        user("u1", text("a"), at=1),
        reply("a1", tool("1", emptied=5), tool("2", emptied=5), tool("3"), at=2),
        user("u2", text("b"), at=4),
        reply("a2", text("c"), at=5),
        user("u3", text("d"), at=8),
        reply("a3", tool("4", emptied=1), at=9),
    )
    first, second = found.compactions
    assert (first.kind, first.at, first.cleared, first.fidelity) == ("microcompaction", 7, ("prt_1", "prt_2"), "exact")
    assert (first.timestamp, first.tokens_before, first.summary) == ("1970-01-01T00:00:06.000Z", None, None)
    assert (second.at, second.cleared) == (10, ("prt_4",))
    after = {m.id: m.content for m in replay(found).compactions[0].after}
    assert (after["prt_1"], after["prt_3"], found.messages[2].content) == ("[cleared]", "out 3", "out 1")


def test_a_result_emptied_before_a_compaction():
    """It was emptied before the compaction was asked for."""
    found = session(
        user("u1", text("a"), at=1),
        reply("a1", tool("1", emptied=3), at=2),
        compaction_request("c1", at=4, tail_start_id="a1"),
        summary("s1", "c1", at=5),
    )
    assert [(c.kind, c.at) for c in found.compactions] == [("microcompaction", 3), ("compaction", 4)]


def test_messages_are_put_in_order_of_time():
    """Where the file has them otherwise; the line is still their place in it."""
    found = session(reply("a1", text("b"), at=5), user("u1", text("a"), at=1))
    assert [(m.id, m.line) for m in found.messages] == [("u1", 2), ("a1", 1)]


def test_a_reply_that_failed_is_said_in_a_note():
    """The error is no part of the reply; one stopped by a person is no failure."""
    found = session(
        user("u1", text("a")),
        reply("a1", error={"name": "APIError", "data": {"message": "overloaded"}}),
        reply("a2", error={"name": "ProviderAuthError"}),
        reply("a3", text("half"), error={"name": "MessageAbortedError", "data": {"message": "stopped"}}),
    )
    assert [m.is_error for m in found.messages] == [False, True, True, False]
    assert found.notes == ("2 replies failed, the first one: overloaded",)


def test_sub_agents_are_counted():
    """A task has a session of its own, in another file."""
    found = session(user("u1", text("a")), reply("a1", tool("1", "task", metadata={"sessionId": "ses_2"})))
    assert found.subagents == 1
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def export(id: str, *messages: Any, **info: Any) -> str:
    """The text of an export."""
    return json.dumps({"info": {"id": id, **info}, "messages": messages})


def family(folder: Path) -> Path:
    """A session with two tasks, one with a task of its own, and an export of another session."""
    asked = {"input": {"subagent_type": "explore"}, "metadata": {"sessionId": "ses_2"}}
    deeper = {"metadata": {"sessionId": "ses_4"}}
    exports = {
        "a": export("ses_4", user("u4", text("deeper")), parentID="ses_2"),
        "b": export("ses_3", user("u3", text("nobody's task")), parentID="ses_1"),
        "c": export("ses_2", user("u2", text("look")), reply("a2", tool("2", "task", **deeper)), parentID="ses_1"),
        "d": export("ses_1", user("u1", text("go")), reply("a1", tool("1", "task", **asked)), directory="/home/ada"),
        "e": export("ses_5", user("u5", text("other")), parentID="ses_gone"),
        "f": "{ broken",
    }
    for name, data in exports.items():
        (folder / f"{name}.json").write_text(data)
    return folder / "d.json"


def test_exports_of_sub_agents_beside_it(tmp_path):
    """Those that name it as their parent are its children, with the call that started each; theirs are in them."""
    path = family(tmp_path)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "g.json").write_text(export("ses_6", user("u6", text("elsewhere")), parentID="ses_1"))
    assert [s.id for s in load_all(tmp_path)] == ["ses_1", "ses_5", "ses_6"]
    found = load(path)
    first, second = found.children
    assert (first.id, first.name, first.message, first.call) == ("ses_2", "explore", "a1", "call_1")
    assert [(c.id, c.message) for c in first.session.children] == [("ses_4", "a2")]
    assert (second.id, second.name, second.message) == ("ses_3", "", "")
    assert (found.subagents, found.notes, found.project) == (2, (), "/home/ada")


def test_a_folder_of_exports_lists_no_sub_agent_twice(tmp_path):
    """Whatever sorts first: they are left to their parents, and open by themselves where there is none."""
    family(tmp_path)
    assert [s.id for s in load_all(tmp_path)] == ["ses_1", "ses_5"]


def test_an_export_that_is_its_own_parent(tmp_path):
    """It is no child of its own, and nothing runs in circles."""
    (tmp_path / "a.json").write_text(export("ses_1", user("u1", text("a")), parentID="ses_1"))
    assert load(tmp_path / "a.json").children == ()
    (tmp_path / "a.json").write_text(export("ses_1", user("u1", text("a")), parentID="ses_2"))
    (tmp_path / "b.json").write_text(export("ses_2", user("u2", text("b")), parentID="ses_1"))
    (child,) = load(tmp_path / "a.json").children
    assert (child.id, child.session.children) == ("ses_2", ())


def test_very_many_files_beside_an_export_are_not_looked_through(tmp_path):
    """The sub-agents are counted then."""
    path = family(tmp_path)
    for n in range(50):
        (tmp_path / f"x{n}.json").write_text("{}")
    found = load(path)
    assert (found.children, found.subagents) == ((), 1)


def test_messages_that_are_none_are_counted():
    """Items without a role, without parts, or of no kind at all are left out, with a note."""
    found = session(user("u1", text("a")), 5, None, {"info": {"role": "user"}}, {"info": {"role": "x"}, "parts": []})
    assert ([m.id for m in found.messages], found.records, found.malformed_lines) == (["u1"], 5, 4)
    assert found.notes == ("4 messages skipped: without a role, or without parts (messages 2, 3, 4, 5)",)


def test_a_truncated_export_is_refused_with_a_way_out():
    """The JSON breaks off, at whatever place."""
    data = json.dumps({"info": {"id": "ses_1"}, "messages": [user("u1", text("a"))]})
    for end in (20, len(data) // 2, len(data) - 1):
        with pytest.raises(TranscriptError, match="line 1: the JSON ends early"):
            load(name="s.json", data=data[:end])


def test_an_export_without_messages_holds_none():
    """It is known for what it is."""
    with pytest.raises(TranscriptError, match="contains no messages"):
        session()


def test_other_objects_with_info_and_messages_are_not_claimed():
    """mini-swe-agent keeps `info` and `messages`, too."""
    other = {"info": {"exit_status": "x"}, "messages": [{"role": "user", "content": "a"}], "trajectory_format": "m"}
    assert "opencode" not in claimed_by(head_of(Source("s.json", data=json.dumps(other).encode())))


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    kinds = ("text", "reasoning", "tool", "file", "subtask", "compaction", "step-finish", "step-start", "else", value)
    keys = ("id", "text", "tool", "callID", "state", "mime", "url", "tail_start_id", "auto", "tokens", "synthetic")
    parts = [{"type": kind, **dict.fromkeys(keys, value)} for kind in kinds]
    odd = dict.fromkeys(("status", "input", "output", "error", "time", "metadata", "attachments", "raw"), value)
    states = [{"type": "tool", "state": {**odd, "status": status}} for status in ("completed", "error", "running")]
    fields = ("id", "time", "tokens", "error", "finish", "summary", "modelID", "parentID")
    infos = [dict.fromkeys(fields, value) | {"role": role} for role in ("user", "assistant", value)]
    timed = {
        "role": "assistant",
        "summary": True,
        "finish": "x",
        "time": dict.fromkeys(("created", "completed"), value),
    }
    items = [{"info": info, "parts": [*parts, *states, value]} for info in (*infos, timed)]
    found = session(user("u1", text("a")), *items, title=value)
    assert found.messages[0].content == "a"
    assert found.model_dump_json()


def test_the_sample():
    """Two results were emptied, then the last turn was kept: four of the twenty-one messages there were."""
    found = load(SAMPLE)
    small, large = found.compactions
    assert (found.title, len(found.messages), found.turns) == ("Four beds in spring", 25, 4)
    assert (small.at, small.cleared) == (21, ("prt_005", "prt_008"))
    assert (large.at, large.tokens_before, found.project) == (22, 5816, "/home/ada/garden")
    assert (large.kept, large.lead) == (("msg_014", "msg_011", "msg_012", "prt_034", "msg_013"), 1)
    assert found.usage == Usage(input_uncached=8238, cache_read=50290, output=636)
