"""Claude Code: replies joined, tool results told from prompts, compactions as the file records them."""

import base64
import json
import struct
from typing import Any

from core.importers import load
from core.model import Session, Usage

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
        user("u7", [text("<system-reminder>a</system-reminder>"), text("typed too")], origin={"kind": "human"}),
        {"type": "attachment", "uuid": "u8", "attachment": {"type": "nested_memory", "content": {"content": "rules"}}},
        {"type": "attachment", "uuid": "u9", "attachment": {"type": "queued_command", "prompt": "typed while busy"}},
    )
    kinds = ["", "command", "command", "meta", "interruption", "task-notification", "", "attachment", ""]
    assert [m.injected for m in found.messages] == kinds
    assert found.turns == 3
    assert found.messages[7].content == "rules"


def test_a_compaction_with_what_it_kept():
    """`at` counts messages without the summary; kept uuids become message ids, also those of a later line of a reply."""
    kept = {"uuids": ["a2", "gone"], "allUuids": ["a2"]}
    found = session(
        user("u1", "go"),
        reply("a1", text("one")),
        reply("a2", text("two")),
        boundary("b", trigger="auto", preTokens=900, postTokens=100, preservedMessages=kept),
        summary(),
        user("u2", "on"),
    )
    (compaction,) = found.compactions
    assert [m.id for m in found.messages] == ["u1", "a1", "sum", "u2"]
    assert (compaction.at, compaction.trigger, compaction.line) == (2, "auto", 4)
    assert (compaction.tokens_before, compaction.tokens_after) == (900, 100)
    assert (compaction.summary, compaction.kept, compaction.fidelity) == ("sum", ("a1",), "exact")
    assert found.messages[2].injected == "summary"
    assert found.turns == 2


def test_an_older_compaction_is_partial():
    """Without tokens after and without what was kept, that is what the session says."""
    found = session(user("u1", "go"), boundary("b", trigger="manual", preTokens=900), summary(), user("u2", "on"))
    compaction = found.compactions[0]
    assert (compaction.tokens_after, compaction.kept, compaction.fidelity) == (None, (), "partial")


def test_a_preserved_segment_is_followed_from_its_end():
    """Where only the ends of the kept segment are recorded, the chain between them is what was kept."""
    found = session(
        user("u1", "go"),
        user("u2", "and", "u1"),
        user("u3", "so", "u2"),
        boundary("b", preservedSegment={"headUuid": "u2", "tailUuid": "u3"}),
        summary(),
    )
    assert found.compactions[0].kept == ("u2", "u3")


def test_a_second_compaction_does_not_count_the_first_summary():
    """Positions are in the messages that arrived."""
    found = session(user("u1", "a"), boundary("b1"), summary("s1"), user("u2", "b"), boundary("b2"), summary("s2"))
    assert [(c.at, c.summary) for c in found.compactions] == [(1, "s1"), (2, "s2")]


def test_a_summary_without_a_boundary_is_a_compaction():
    """A file may begin with the summary of an earlier one."""
    found = session(summary(), user("u1", "on"))
    assert [(c.at, c.summary, c.fidelity) for c in found.compactions] == [(0, "sum", "partial")]


def test_a_microcompaction_names_what_it_emptied():
    """The tool messages of the compacted calls are cleared; tokens after are those before less those saved."""
    found = session(
        user("u1", "go"),
        reply("a1", use("t1")),
        user("r1", [result("t1")]),
        boundary("b", "microcompact_boundary", preTokens=50, tokensSaved=20, compactedToolIds=["t1", "t9"]),
    )
    compaction = found.compactions[0]
    assert (compaction.kind, compaction.at, compaction.cleared) == ("microcompaction", 3, ("r1",))
    assert (compaction.tokens_before, compaction.tokens_after) == (50, 30)


def test_sub_agents_are_counted_and_left_out():
    """Records of sub-agents, inline or in progress records, are no part of this window."""
    progress = {"type": "progress", "uuid": "p", "data": {"type": "agent_progress", "agentId": "x", "message": {}}}
    found = session(
        user("u1", "go"), user("k1", "sub", isSidechain=True), user("k2", "b", "k1", isSidechain=True), progress
    )
    assert ([m.id for m in found.messages], found.subagents) == (["u1"], 2)
    assert found.notes == (
        "2 sub-agents ran in windows of their own; 3 of their records are in this file, and left out",
    )


def test_a_sub_agent_known_by_its_result_only():
    """Its records are said to be elsewhere."""
    found = session(user("u1", "go"), user("r1", [result("t1")], toolUseResult={"agentId": "x"}))
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_the_file_of_a_sub_agent_is_a_session():
    """A file of side-chain records only opens as its own session."""
    records = [
        user("k1", "sub", isSidechain=True, agentId="x"),
        reply("k2", text("done"), isSidechain=True, agentId="x"),
    ]
    found = session(*records)
    assert ([m.id for m in found.messages], found.id, found.subagents) == (["k1", "k2"], "x", 0)


def test_a_record_with_an_earlier_uuid_is_left_out():
    """Some versions append old records again."""
    found = session(user("u1", "go"), reply("a1", text("x")), user("u1", "go"))
    assert [m.id for m in found.messages] == ["u1", "a1"]
    assert found.notes == ("1 record left out: same uuid as an earlier one",)


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
    assert found.notes == ("2 messages left out: on branches that were gone back from (rewound)",)


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


def test_the_first_prompt_is_the_title():
    """Without a title the first line of the first typed prompt serves, cut to 80 characters."""
    found = session(user("u1", "<command-name>/init</command-name>"), user("u2", "word " * 40))
    assert found.title == ("word " * 40)[:79] + "…"
    assert (
        session(user("u1", "<command-name>/init</command-name>\n<command-args>all</command-args>")).title == "/init all"
    )
