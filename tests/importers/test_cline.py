"""Cline and Roo Code: the SDK's sessions, tasks of the extensions, who said what, tokens of requests, what was left out."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import agent_of, claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Image, RecordedCompaction, Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "cline" / "kiln-log"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)).decode()
ENV = "<environment_details>\n# Current Working Directory (/home/ada/kiln) Files\na.py\n</environment_details>"
NOTICE = "<SYSTEM_NOTICE>\nEarlier context was compacted.\n</SYSTEM_NOTICE>"


def text(words: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": words}


def call(id: str, **more: Any) -> dict[str, Any]:
    """A call of a tool."""
    return {"type": "tool_use", "id": id, "name": "read_file", "input": {"path": id}, **more}


def result(id: str, content: Any = "out", **more: Any) -> dict[str, Any]:
    """What came back from a call."""
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def user(*blocks: Any, **more: Any) -> dict[str, Any]:
    """A user message: texts, and blocks."""
    return {"role": "user", "content": [text(b) if isinstance(b, str) else b for b in blocks], **more}


def reply(*blocks: Any, **more: Any) -> dict[str, Any]:
    """A reply."""
    return user(*blocks, **more) | {"role": "assistant"}


def sdk(*messages: Any, **more: Any) -> Session:
    """What load makes of a session of the SDK."""
    value = {"version": 1, "agent": "lead", "sessionId": "17_a", "system_prompt": "S", "messages": messages, **more}
    return load(name="s.json", data=json.dumps(value))


def request_shown(tokens: int = 0, ts: int = 0, index: int | None = None, **more: Any) -> dict[str, Any]:
    """A request as it was shown, with its tokens."""
    told = {"tokensIn": tokens, "tokensOut": 1, "cacheReads": 60, "cacheWrites": 5, **more} if tokens else {}
    shown = {"ts": ts, "type": "say", "say": "api_req_started", "text": json.dumps(told)}
    return shown | ({} if index is None else {"conversationHistoryIndex": index})


def task(*messages: Any, shown: Any = None, **files: Any) -> Session:
    """What load makes of a task's folder."""
    given = {"api_conversation_history": list(messages), "ui_messages": shown, **files}
    held = {f"17/{name}.json": json.dumps(v).encode() for name, v in given.items() if v is not None}
    return load(name="task", files=held)


def claims(value: Any) -> list[str]:
    """Who claims a file with this value."""
    return claimed_by(head_of(Source("s.json", data=json.dumps(value).encode())))


def windows(found: Session) -> list[list[str]]:
    """The ids in the window after each compaction."""
    return [[m.id for m in c.after] for c in replay(found).compactions]


def test_a_session_of_the_sdk():
    """The prompt stands in front; an attached file belongs to what was typed; input includes what was cached."""
    metrics = {"inputTokens": 100, "outputTokens": 7, "cacheReadTokens": 60, "cacheWriteTokens": 5}
    file = {"type": "file", "path": "/w/a.py", "content": "x = 1"}
    thought = {"type": "thinking", "thinking": "hm"}
    found = sdk(
        user("fix @a.py", file, id="u1", ts=1767430800000),
        reply(thought, "look", call("c1"), id="a1", modelInfo={"id": "m1"}, metrics=metrics),
        user(result("c1"), id="r1"),
        reply("done", id="a2", metrics={"inputTokens": 10, "outputTokens": 1, "cacheReadTokens": 60}),
    )
    prompt, typed, said, seen, _ = found.messages
    assert [(m.id, m.role) for m in (prompt, typed, seen)] == [
        ("system-prompt", "system"),
        ("u1", "user"),
        ("r1-result-0", "tool"),
    ]
    assert (typed.content, typed.timestamp, typed.line) == ("fix @a.py\n/w/a.py\nx = 1", "2026-01-03T09:00:00.000Z", 1)
    assert (said.content, said.thinking, said.usage) == (
        "look",
        "hm",
        Usage(input_uncached=35, cache_read=60, cache_write=5, output=7),
    )
    assert (seen.tool_call_id, seen.name, seen.content) == ("c1", "read_file", "out")
    assert found.messages[4].usage == Usage(input_uncached=10, cache_read=60, output=1)
    assert (found.id, found.title, found.model, found.turns, found.records) == ("17_a", "fix @a.py", "m1", 1, 4)


def test_pictures_are_no_text():
    """In whatever shape they come, also inside of a result; a result all of which failed is an error."""
    inline, nested = {"type": "image", "data": PNG, "mediaType": "image/png"}, {"type": "text", "text": "t"}
    anthropic = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    items = [{"query": "q", "result": [inline, nested], "success": False}]
    found = sdk(user("see", inline, anthropic), reply(call("c1")), user(result("c1", items)))
    png = Image(media_type="image/png", width=640, height=480, source="base64")
    assert (found.messages[1].images, found.messages[3].images) == ((png, png), (png,))
    assert (found.messages[3].is_error, PNG in found.model_dump_json()) == (True, False)
    assert json.loads(found.messages[3].content)["query"] == "q"


def test_a_compaction_of_the_sdk_that_lists_what_was_done():
    """The notice stands behind what was typed, in the place of what is gone; the tokens told are no window's."""
    told = {
        "kind": "compaction",
        "reason": "manual_compaction",
        "messagesRemoved": 22,
        "usageBefore": {"inputTokens": 9},
    }
    found = sdk(user("go", NOTICE, id="u1", metadata=told), reply("a", id="a1"), user("on", NOTICE, id="u2"))
    (cut,) = found.compactions
    assert (cut.at, cut.lead, cut.kept, cut.summary) == (2, 1, ("u1",), "u1-notice")
    assert (cut.trigger, cut.fidelity, cut.tokens_before, cut.edit) == ("manual", "partial", None, "summarised")
    assert windows(found) == [["system-prompt", "u1", "u1-notice"]]
    assert found.notes == ("a compaction removed 22 messages that the file no longer contains",)
    assert [(m.id, m.injected) for m in found.messages[1:3]] == [("u1", ""), ("u1-notice", "summary")]
    assert found.turns == 2


def test_a_compaction_of_the_sdk_stands_behind_what_stayed_at_it():
    """Replies are marked that stayed; the time of the request with the notice is not that of the compaction."""
    told, stayed = {"kind": "compaction", "messagesRemoved": 4}, {"metadata": {"compaction": "preserved"}}
    asked = user("go", NOTICE, id="u1", metadata=told, ts=1767430800000)
    found = sdk(
        asked, reply("a", id="a1", **stayed), user("on", id="u2"), reply("b", id="b1", **stayed), user("x", id="u3")
    )
    (cut,) = found.compactions
    assert (cut.at, cut.lead, cut.kept, cut.summary, cut.timestamp) == (5, 1, ("u1", "a1", "u2", "b1"), "u1-notice", "")
    assert windows(found) == [["system-prompt", "u1", "u1-notice", "a1", "u2", "b1"]]


def test_a_compaction_of_the_sdk_with_a_summary():
    """It is the first message."""
    told = {
        "kind": "compaction_summary",
        "tokensBefore": 900,
        "generatedAt": 1767430800000,
        "reason": "auto_compaction",
    }
    found = sdk(user("Context summary:\n\nS", id="s1", metadata=told), user("go", id="u1"))
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.summary, cut.trigger) == (1, (), "s1", "auto")
    assert (cut.tokens_before, cut.before_from, cut.timestamp) == (
        900,
        "the agent's own count (`metadata.tokensBefore`)",
        "2026-01-03T09:00:00.000Z",
    )
    assert (found.messages[1].injected, found.turns, windows(found)) == ("summary", 1, [["system-prompt", "s1"]])


def test_two_compactions_of_the_sdk_under_one_id():
    """Each names its own summary, so that the session opens again after it is saved."""
    told = user("go", NOTICE, id="u1", metadata={"kind": "compaction"})
    found = sdk(told, reply("a", id="a1"), told)
    assert [cut.summary for cut in found.compactions] == ["u1-notice", "u1~3-notice"]
    saved = json.dumps({"foldline": "session", **found.model_dump(mode="json")})
    assert load(name="saved.json", data=saved) == found


def test_what_the_sdk_puts_in():
    """An overflow's notice stands for what was dropped; what only a person sees is no message."""
    found = sdk(
        user(NOTICE, id="o1", metadata={"kind": "overflow_truncation", "displayRole": "system"}),
        user("menu", metadata={"displayRole": "system"}),
        reply("compacting", metadata={"displayOnly": True}),
        user("go", metadata={"kind": "compaction"}),
    )
    assert [m.injected for m in found.messages[1:]] == ["truncation", "meta", ""]
    assert [(c.at, c.summary, c.edit, c.trigger) for c in found.compactions] == [
        (1, None, "dropped", "overflow"),
        (4, None, "dropped", ""),
    ]
    assert found.other == {"for the eyes only": 1}


def test_sub_agents_of_the_sdk():
    """Their files lie beside the session's; the call whose result names one started it. Other sessions are their own."""
    started = [call("c1", name="spawn_agent"), call("c2", name="spawn_agent")]
    lead = [user("go"), reply(*started, id="a1"), user(result("c1", "agent_8 began"), result("c2", "agent_9 began"))]
    sessions = {"root": ("17_a", lead), "zz": ("17_a__agent_9", [user("dig")]), "other": ("18_b", [user("hello")])}
    files = {
        f"s/{name}.messages.json": json.dumps({"agent": "x", "sessionId": id, "messages": m}).encode()
        for name, (id, m) in sessions.items()
    }
    other, found = load_all(name="s", files=files)
    (child,) = found.children
    assert (child.name, child.message, child.call, found.subagents) == ("agent_9", "a1", "c2", 1)
    assert (child.session.id, child.session.turns, other.id, other.children) == ("17_a__agent_9", 1, "18_b", ())


@pytest.mark.parametrize(
    ("blocks", "kind"),
    [
        (["<task>\nfix it\n</task>", ENV], ""),
        (["fix it"], ""),
        ([ENV], "environment"),
        (["[read_file for 'a.py'] Result:", "<task> is a word in it", ENV], "observation"),
        (["[execute_command for 'ls\n-l'] Result:\n\na.py", ENV], "observation"),
        (["[attempt_completion] Result:", "The user has provided feedback:\n<feedback>\nmore\n</feedback>", ENV], ""),
        (["[ask_followup_question for 'q'] Result:", "<answer>\nyes\n</answer>"], ""),
        (["[read_file for 'a.py'] Result:", "text", "and this, too"], ""),
        (["[ERROR] You did not use a tool in your previous response!", ENV], "meta"),
        (["[TASK RESUMPTION] It was interrupted.\n<user_message>\ngo on\n</user_message>", ENV], ""),
        (["[TASK RESUMPTION] It was interrupted.", ENV], "meta"),
        ([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}, ENV], ""),
    ],
)
def test_who_said_what_in_a_user_message(blocks, kind):
    """Results of tools and details stand beside what a person typed; any of that makes the message typed."""
    found = task(user(*blocks))
    assert (found.messages[0].injected, found.turns) == (kind, int(not kind))


def test_a_task_with_tools():
    """A result is a message of its own, what stands beside it another; title, folder and model come from what was put in."""
    model = "<environment_details>\n<model>m1</model>\n</environment_details>"
    found = task(
        user("<task>\nfix it\n</task>", ENV, ts=1767430800000),
        reply({"type": "reasoning", "text": "hm"}, "look", call("c1"), id="resp_1"),
        user(result("c1", is_error=True), model),
        {"type": "reasoning", "role": "assistant", "summary": [text("so")], "encrypted_content": "…"},
        reply("done", {"type": "thoughtSignature", "thoughtSignature": "…"}, modelInfo={"modelId": "m2"}),
        reply("again"),
    )
    assert [(m.id, m.role, m.injected) for m in found.messages] == [
        ("message-1", "user", ""),
        ("message-2", "assistant", ""),
        ("message-3-result-0", "tool", ""),
        ("message-3", "user", "environment"),
        ("message-5", "assistant", ""),
        ("message-6", "assistant", ""),
    ]
    assert (found.title, found.project, found.messages[0].timestamp) == (
        "fix it",
        "/home/ada/kiln",
        "2026-01-03T09:00:00.000Z",
    )
    assert (found.messages[1].thinking, found.messages[1].reply_id, found.messages[2].is_error) == (
        "hm",
        "resp_1",
        True,
    )
    assert (found.messages[4].thinking, found.messages[4].content) == ("so", "done")
    assert [m.model for m in found.messages if m.role == "assistant"] == ["", "m2", "m1"]
    assert (found.records, found.other) == (6, {"reasoning": 1})


def test_which_of_the_two_wrote_it():
    """The SDK is Cline's; what only one extension writes tells a task; where nothing does, it may be either's."""
    talk = [user("<task>\nx\n</task>", ENV), reply("b"), user("c")]
    cut = {"ts": 5, "type": "say", "conversationHistoryDeletedRange": [1, 1]}
    second = json.dumps({"version": 2, "messages": talk})
    assert sdk(user("go")).agent == "Cline"
    assert task(*talk, shown=[cut]).agent == "Cline"
    assert task(*talk, condensed()).agent == task(*talk, history_item={"id": "t-1"}).agent == "Roo Code"
    assert task(user("<task>\nx\n</task>", f"{ENV}\n<model>m1</model>")).agent == "Roo Code"
    assert load(name="x", data=second).agent == "Roo Code"
    assert task(*talk).agent == ""
    assert [agent_of(found) for found in (sdk(user("go")), task(*talk))] == ["Cline", "Cline or Roo Code"]


def test_the_other_files_of_a_task():
    """Roo Code's list names task, folder and sub-tasks; the metadata name the model where no message does."""
    found = task(
        user("<task>\nx\n</task>", ENV),
        history_item={"id": "t-1", "task": "Fix the log", "workspace": "/w", "childIds": ["t-2", "t-3"]},
        task_metadata={"model_usage": [{"model_id": "m1"}, {"model_id": "m2"}]},
    )
    assert (found.id, found.title, found.project, found.model, found.subagents) == ("t-1", "Fix the log", "/w", "m2", 2)
    assert found.notes == ("2 sub-agents ran in windows of their own; their records are in other files",)


def used(found: Session) -> list[int]:
    """The uncached input of each reply; -1 where none is recorded."""
    return [m.usage.input_uncached if m.usage else -1 for m in found.messages if m.role == "assistant"]


def test_tokens_of_requests_go_to_the_replies_in_order():
    """Where there are as many of both. Cline's input is without what was cached, late Roo Code's with it."""
    talk = [user("a"), reply("b"), user("c"), reply("d")]
    assert used(task(*talk, shown=[request_shown(100), request_shown(), request_shown(200)])) == [100, 200]
    assert used(
        task(*talk, shown=[request_shown(100, apiProtocol="anthropic"), request_shown(12, apiProtocol="openai")])
    ) == [35, 12]
    assert task(*talk, shown=[request_shown(100), request_shown(200)]).usage == Usage(
        input_uncached=300, cache_read=120, cache_write=10, output=2
    )


def test_the_cost_of_a_request_goes_to_its_reply():
    """With the tokens, in what is shown on the screen; a 0 is no cost: Cline writes it where it knows no price."""
    talk = [user("a"), reply("b"), user("c"), reply("d")]
    found = task(*talk, shown=[request_shown(100, cost=0.25), request_shown(200, cost=0)])
    assert [m.usage.cost for m in found.messages if m.usage] == [0.25, None]


def test_tokens_of_a_request_whose_reply_is_not_there():
    """Requests are told apart by the message or the time they came after; what fits none is said."""
    talk = [user("a", ts=10), reply("b", ts=20), user("c", ts=30), reply("d", ts=50)]
    by_index = task(*talk, shown=[request_shown(100, 11, -1), request_shown(150, 31, 1), request_shown(200, 41, 1)])
    by_time = task(*talk, shown=[request_shown(100, 11), request_shown(150, 31), request_shown(200, 41)])
    assert (used(by_index), used(by_time)) == ([100, 150], [100, 200])
    assert by_time.notes == ("the tokens of 1 request belong to no reply in the file",)
    assert (
        used(task(*talk, shown=[request_shown(200, 41)]))
        == used(task(*talk, shown=[request_shown(200, 0, 1)]))
        == [-1, 200]
    )


def test_requests_that_failed_are_said():
    """The first one in its own words."""
    failed = {"type": "ask", "ask": "api_req_failed", "text": "overloaded", "ts": 1}
    found = task(user("a"), reply("b"), shown=[request_shown(streamingFailedMessage="x"), failed, request_shown(9)])
    assert found.notes == ("1 reply failed: overloaded",)


def test_cline_leaves_messages_out_without_a_trace():
    """The range is known from what was shown; it grows. The file keeps all."""
    talk = [m for n in range(5) for m in (user(f"u{n}"), reply(f"a{n}"))]
    said = {"ts": 5, "type": "say", "say": "text"}
    shown = [
        {**said, "conversationHistoryIndex": 5},
        {**said, "conversationHistoryIndex": 6, "conversationHistoryDeletedRange": [2, 3]},
        {**said, "conversationHistoryIndex": 7, "conversationHistoryDeletedRange": [2, 3]},
        {**said, "say": "tool", "text": '{"tool": "summarizeTask", "content": "S"}'},
        {**said, "conversationHistoryIndex": 8, "conversationHistoryDeletedRange": [2, 7]},
    ]
    found = task(*talk, shown=shown)
    first, second = found.compactions
    assert (first.at, first.kept) == (7, tuple(f"message-{n}" for n in (1, 2, 5, 6, 7)))
    assert (first.edit, first.summary, first.fidelity, first.line) == ("dropped", None, "exact", 2)
    assert (second.at, second.kept, second.edit) == (9, ("message-1", "message-2", "message-9"), "summarised")
    assert windows(found)[1] == ["message-1", "message-2", "message-9"]
    assert len(found.messages) == 10


def test_cline_may_not_say_when():
    """Then the time does, or nothing: the record is partial."""
    talk = [user("a", ts=1), reply("b", ts=2), user("c", ts=3), reply("d", ts=4), user("e", ts=9)]
    cut = {"ts": 5, "type": "say", "conversationHistoryDeletedRange": [2, 3]}
    assert [(c.at, c.fidelity) for c in task(*talk, shown=[cut]).compactions] == [(4, "partial")]
    assert [(c.at, c.fidelity) for c in task(*talk, shown=[cut | {"ts": 0}]).compactions] == [(5, "partial")]


def condensed(id: str = "c1", ts: int = 0, **more: Any) -> dict[str, Any]:
    """A summary of Roo Code."""
    return reply(f"S {id}", isSummary=True, condenseId=id, ts=ts, **more)


def roo(*messages: Any, shown: Any = None) -> tuple[Session, RecordedCompaction]:
    """A task with one compaction."""
    found = task(*messages, shown=shown)
    (cut,) = found.compactions
    return found, cut


def test_roo_code_condenses():
    """The summary stands before what was kept behind it; what was shown tells when, and from how many tokens to how many."""
    hidden = [reply("b", ts=2, condenseParent="c1"), user("c", ts=3, condenseParent="c1")]
    behind = [reply("d", ts=5), user("e", ts=6), reply("f", ts=7), user("g", ts=9)]
    told = {"condenseId": "c1", "prevContextTokens": 900, "newContextTokens": 300}
    shown = [{"ts": 8, "type": "say", "say": "condense_context", "contextCondense": told}]
    found, cut = roo(user("a", ts=1), *hidden, condensed(ts=4), *behind, shown=shown)
    assert (cut.at, cut.lead, cut.kept) == (6, 1, ("message-1", "message-5", "message-6", "message-7"))
    assert (cut.summary, cut.fidelity, cut.tokens_before, cut.tokens_after) == ("message-4", "exact", 900, 300)
    assert (cut.before_from, cut.after_from) == (
        "the agent's own count (`contextCondense.prevContextTokens`)",
        "the agent's own count (`contextCondense.newContextTokens`)",
    )
    assert windows(found) == [["message-1", "message-4", "message-5", "message-6", "message-7"]]
    assert (found.messages[3].injected, found.turns, cut.timestamp) == ("summary", 4, "1970-01-01T00:00:00.008Z")


def test_roo_code_condenses_and_nothing_tells_when():
    """Its time is one before that of the first of three it kept; in newer files it keeps none."""
    hidden = reply("b", ts=2, condenseParent="c1")
    behind = [user("d", ts=5), reply("e", ts=6), user("f", ts=7), reply("g", ts=8)]
    assert roo(user("a", ts=1), hidden, condensed(ts=4), *behind)[1].at == 5
    _, cut = roo(user("a", ts=1, condenseParent="c1"), hidden, condensed(ts=3), *behind)
    assert (cut.at, cut.kept, cut.lead) == (2, (), 0)


def test_roo_code_condenses_twice():
    """A summary that a later one stands for goes with the rest."""
    found = task(
        user("a"),
        reply("b", condenseParent="c1"),
        condensed("c1", condenseParent="c2"),
        reply("c", condenseParent="c2"),
        condensed("c2"),
        user("d"),
    )
    assert windows(found) == [["message-1", "message-3"], ["message-1", "message-5"]]
    assert [(c.at, c.summary) for c in found.compactions] == [(2, "message-3"), (3, "message-5")]


def test_roo_code_truncates():
    """A marker stands where the hidden messages were; it is sent, and sums up nothing."""
    marker = user("[hidden]", isTruncationMarker=True, truncationId="t1", ts=3)
    told = {"truncationId": "t1", "prevContextTokens": 90, "newContextTokens": 40}
    shown = [{"ts": 5, "type": "say", "say": "sliding_window_truncation", "contextTruncation": told}]
    talk = [user("a", ts=1), reply("b", ts=2, truncationParent="t1"), marker, user("c", ts=4), reply("d", ts=6)]
    found, cut = roo(*talk, shown=shown)
    assert (cut.at, cut.kept, cut.summary, cut.edit) == (4, ("message-1", "message-3", "message-4"), None, "dropped")
    assert (cut.tokens_before, found.messages[2].injected, cut.fidelity) == (90, "truncation", "exact")
    assert roo(*talk)[1].at == 3


def test_what_was_hidden_is_seen_again_where_its_summary_is_gone():
    """A task that was gone back in: nothing happened."""
    assert task(user("a"), reply("b", condenseParent="c9"), user("c", truncationParent="t9")).compactions == ()


def test_a_summary_of_old_roo_code():
    """What it stands for was removed from the file."""
    found, cut = roo(user("a"), reply("S", isSummary=True), user("b"))
    assert (cut.at, cut.kept, cut.lead, cut.fidelity) == (1, ("message-1",), 1, "partial")
    assert found.notes == ("the messages that a summary replaced were removed from the file",)


def test_the_second_version_of_roo_code():
    """An object with messages whose blocks are the AI SDK's."""
    asked = {"type": "tool-call", "toolCallId": "c1", "toolName": "read_file", "input": {"path": "a"}}
    seen = {"type": "tool-result", "toolCallId": "c1", "output": {"type": "error-text", "value": "no"}}
    picture = {"type": "image", "image": f"data:image/png;base64,{PNG}"}
    talk = [user("<user_message>\nx\n</user_message>", picture, ENV), reply(asked), {"role": "tool", "content": [seen]}]
    found = load(name="x", data=json.dumps({"version": 2, "messages": talk}))
    tool = found.messages[2]
    assert (tool.tool_call_id, tool.name, tool.content, tool.is_error) == ("c1", "read_file", "no", True)
    assert (found.title, found.messages[0].images[0].width, found.format) == ("x", 640, "cline")


def test_one_file_of_a_task(tmp_path):
    """The others are found beside it; what was shown leads to what was said, and alone is refused with a way out."""
    talk, shown = [user("<task>\nx\n</task>", ENV), reply("b")], [request_shown(100, 1)]
    for name, value in (("api_conversation_history", talk), ("ui_messages", shown)):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    for path in (tmp_path, *tmp_path.glob("*.json")):
        assert used(load(path)) == [100]
    (tmp_path / "api_conversation_history.json").unlink()
    with pytest.raises(TranscriptError, match="is only what Cline or Roo Code showed") as caught:
        load(tmp_path / "ui_messages.json")
    assert "open the task's folder" in caught.value.hint


def test_several_tasks_in_a_folder():
    """Each is a session; what was shown is listed with none of them twice."""
    files = {
        f"tasks/{n}/{name}.json": json.dumps(value).encode()
        for n in (1, 2)
        for name, value in (
            ("api_conversation_history", [user(f"<task>\n{n}\n</task>", ENV)]),
            ("ui_messages", [request_shown(1)]),
        )
    }
    assert [s.title for s in load_all(name="tasks", files=files)] == ["1", "2"]
    files = {f"{n}api_conversation_history.json": json.dumps([user(ENV)]).encode() for n in ("", "old/")}
    assert len(list(load_all(name="nested", files=files))) == 2


def test_a_file_beside_it_that_is_broken_is_said():
    """What can be read is."""
    files = {"api_conversation_history.json": json.dumps([user("a", ENV)]).encode(), "ui_messages.json": b'[{"ts": 1,'}
    assert load(name="t", files=files).notes == ("ui_messages.json was skipped: line 1: the JSON ends early",)
    with pytest.raises(TranscriptError, match="is not a list of messages"):
        load(name="t", files={"api_conversation_history.json": b"{}", "ui_messages.json": b"[]"})


def test_what_is_left_out_is_said():
    """Items that are none, roles unknown here, results without a call: of a task, and of a session of the SDK."""
    odd = [5, {"role": "narrator", "content": "x"}, user(result("c9"))]
    for found in (task(user("a", ENV), *odd), sdk(user("a"), *odd)):
        assert found.malformed_lines == 2
        assert found.notes == (
            "2 messages skipped: unknown role",
            "1 tool result without a call in the file, the first in message 4",
        )


def test_what_is_claimed():
    """Marks that only Cline and Roo Code make; other lists of messages are not taken from their importers."""
    talk = [user("<task>\nx\n</task>"), reply("b", call("c1"))]
    assert claims([*talk, user(result("c1"), ENV)]) == ["cline"]
    assert claims([{**talk[0], "ts": 1767430800000}, talk[1]]) == ["cline"]
    assert claims([*talk, reply("S", isSummary=True)]) == ["cline"]
    assert claims([*talk, user(result("c1"))]) == ["anthropic-messages"]
    assert claims([{"role": "user", "content": f"what are {ENV}"}]) == ["openai-chat"]


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [None], [[5, 7]], 2**60])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    kinds = ("text", "file", "image", "thinking", "tool_use", "tool_result", "tool-call", "tool-result", "else", value)
    keys = ("text", "content", "path", "source", "data", "image", "id", "name", "input", "tool_use_id", "output")
    blocks = [{"type": kind, **dict.fromkeys(keys, value)} for kind in kinds]
    blocks += [result("c1", [value, {"query": value, "result": value}, {"result": [value, {"type": "image"}]}])]
    marks = (
        "ts",
        "id",
        "metrics",
        "modelInfo",
        "metadata",
        "isSummary",
        "condenseId",
        "condenseParent",
        "truncationId",
    )
    odd = [
        dict.fromkeys(marks, value) | {"role": role, "content": blocks} for role in ("user", "assistant", "tool", value)
    ]
    odd += [{"role": "user", "content": value}, {"type": "reasoning", "summary": value}, value]
    kinds = ("compaction", "compaction_summary", "overflow_truncation", value)
    told = [
        dict.fromkeys(("reason", "tokensBefore", "messagesRemoved", "generatedAt"), value) | {"kind": k} for k in kinds
    ]
    shown = [value, {"say": value, "text": value, "ts": value}, {"say": "api_req_started", "text": json.dumps(value)}]
    shown += [{"type": "say", "say": "condense_context", "ts": value, "contextCondense": value}]
    shown += [
        {"type": "say", "conversationHistoryIndex": value, "conversationHistoryDeletedRange": r}
        for r in (value, [2, 9])
    ]
    assert sdk(*odd, *[user("x", NOTICE, metadata=t) for t in told], system_prompt=value).model_dump_json()
    for given in (shown, value):
        found = task(user("a"), *odd, reply("S", isSummary=True), shown=given, task_metadata=given, history_item=value)
        assert found.model_dump_json()
        assert replay(found)


def test_the_sample():
    """One summary, which stands for the first half and holds the call that a kept result answers."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    assert (found.id, found.project, len(found.messages), found.turns) == ("0194a1c2-kiln-log", "/home/ada/kiln", 21, 2)
    assert (cut.at, len(cut.kept), cut.lead, cut.summary) == (16, 6, 1, "message-9")
    assert (cut.tokens_before, cut.tokens_after, cut.fidelity) == (6130, 5790, "exact")
    assert found.usage == Usage(input_uncached=74, cache_read=33060, cache_write=6750, output=477, cost=0.028)
