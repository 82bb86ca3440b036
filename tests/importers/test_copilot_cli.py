"""Copilot CLI: events told apart, replies in several parts, sub-agents, compactions, and usage that sums up a session."""

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

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)).decode()
SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "copilot-cli" / "ferry-times.jsonl"
START = {"type": "session.start", "data": {"sessionId": "s1", "context": {"cwd": "/w"}}, "id": "e0", "parentId": None}


def session(*events: Any) -> Session:
    """What load makes of events, behind the start of a session; each is named by its place, from e1."""
    known = {"timestamp": "T", "parentId": None}
    named = [{"id": f"e{n}", **known, **e} if isinstance(e, dict) else e for n, e in enumerate(events, 1)]
    return load(name="s", data="\n".join(json.dumps(e) for e in (START, *named)) + "\n")


def event(kind: str, agent: str = "", **data: Any) -> dict[str, Any]:
    """One event."""
    return {"type": kind, "data": data, **({"agentId": agent} if agent else {})}


def user(text: str = "go", agent: str = "", **more: Any) -> dict[str, Any]:
    """What a person typed."""
    return event("user.message", agent, content=text, **more)


def assistant_reply(text: str = "", *calls: str, agent: str = "", **more: Any) -> dict[str, Any]:
    """A reply that makes calls."""
    requests = [{"toolCallId": c, "name": "bash", "arguments": {"command": c}} for c in calls]
    return event("assistant.message", agent, content=text, toolRequests=requests, **more)


def done(call: str, text: str = "out", agent: str = "", **more: Any) -> dict[str, Any]:
    """The result of a call."""
    known = {"toolCallId": call, "success": True, "result": {"content": text, "detailedContent": "long"}}
    return event("tool.execution_complete", agent, **{**known, **more})


def compacted(**data: Any) -> dict[str, Any]:
    """The end of a compaction."""
    return event("session.compaction_complete", **{"success": True, "summaryContent": "S", **data})


def shutdown(given: int, output: int, read: int = 0, **more: Any) -> dict[str, Any]:
    """The end of a session, with the tokens it used."""
    usage = {"inputTokens": given, "outputTokens": output, "cacheReadTokens": read, "cacheWriteTokens": 0}
    return event("session.shutdown", modelMetrics={"m": {"usage": usage}}, **more)


def test_what_is_said_called_and_answered():
    """The model's text, thoughts and calls are one message, each result another; the rest of the events is counted."""
    found = session(
        event("system.message", role="system", content="You are"),
        user("typed", transformedContent="<now>typed"),
        assistant_reply("look", "c1", "c2", reasoningText="hm", model="m1", outputTokens=7, apiCallId="a1"),
        event("tool.execution_start", toolCallId="c1", toolName="bash"),
        done("c1"),
        done("c2", success=False, result=None, error={"message": "denied"}),
    )
    system, typed, reply, one, two = found.messages
    assert (system.role, typed.content, typed.injected, found.title) == ("system", "<now>typed", "", "typed")
    assert (reply.content, reply.thinking, reply.model, reply.reply_id, reply.line) == ("look", "hm", "m1", "a1", 4)
    assert [(c.id, c.name, c.arguments) for c in reply.tool_calls][1] == ("c2", "bash", {"command": "c2"})
    assert (one.tool_call_id, one.name, one.content, one.is_error) == ("c1", "bash", "out", False)
    assert (two.content, two.is_error, two.id) == ("denied", True, "e6")
    assert (found.id, found.project, found.model, found.records) == ("s1", "/w", "m1", 7)
    assert found.other == {"session.start": 1, "tool.execution_start": 1}


def test_a_reply_in_several_parts_is_one_message():
    """Parts share the id of the API call; the tokens are those of the whole."""
    found = session(
        user(),
        assistant_reply("a", "c1", apiCallId="a1", outputTokens=9, reasoningText="x"),
        assistant_reply("b", "c2", apiCallId="a1", outputTokens=9),
        assistant_reply("c", apiCallId="a2"),
    )
    assert [(m.content, len(m.tool_calls)) for m in found.messages[1:]] == [("a\nb", 2), ("c", 0)]
    assert found.messages[1].usage == Usage(output=9)


def test_grammar_calls_stay_text():
    """A custom tool is given text, not an object."""
    request = {"toolCallId": "c1", "name": "apply_patch", "type": "custom", "arguments": "*** Begin"}
    found = session(user(), event("assistant.message", content="", toolRequests=[request]))
    assert (found.messages[1].tool_calls[0].arguments, found.messages[1].tool_calls[0].raw) == ({}, "*** Begin")


def test_thoughts_of_their_own_belong_to_the_next_reply():
    """Unless it has them itself."""
    thought = event("assistant.reasoning", content="hm", reasoningId="r")
    found = session(user(), thought, assistant_reply("a"), thought, assistant_reply("b", reasoningText="other"))
    assert [m.thinking for m in found.messages[1:]] == ["hm", "other"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({}, ""),
        ({"source": "user"}, ""),
        ({"source": "skill-pdf"}, "skill"),
        ({"source": "system"}, "system"),
        ({"isAutopilotContinuation": True}, "autopilot"),
    ],
)
def test_only_what_a_person_typed_starts_a_turn(data, kind):
    """Skills, agents, schedules and the autopilot speak as the user, too."""
    found = session(user(**data))
    assert (found.messages[0].injected, found.turns) == (kind, int(not kind))


def test_notifications_and_commands_of_the_person():
    """Both are told to the model as the user's; neither was typed to it."""
    found = session(
        user(),
        event("system.notification", content="shell done"),
        event("tool.user_requested", toolCallId="x1", toolName="bash", arguments={"command": "ls"}),
        done("x1", "a.py"),
    )
    assert [(m.role, m.content, m.injected) for m in found.messages[1:]] == [
        ("user", "shell done", "notification"),
        ("user", "! ls\na.py", "command"),
    ]


def test_a_call_the_model_made_is_its_own():
    """Also where an event says that a person asked for it."""
    found = session(user(), assistant_reply("", "c1"), event("tool.user_requested", toolCallId="c1"), done("c1"))
    assert (found.messages[2].role, found.messages[2].injected) == ("tool", "")


def test_pictures_are_no_text():
    """Pasted, written once and referred to, returned by a tool, or left out for their size."""
    blob = {"type": "blob", "mimeType": "image/png", "data": PNG}
    asset = event("session.binary_asset", assetId="sha256:1", mimeType="image/png", data=PNG)
    referred, unknown = {"type": "file", "assetId": "sha256:1"}, {"assetId": "sha256:2", "mimeType": "application/pdf"}
    omitted = {"type": "image", "mimeType": "image/png", "omittedReason": "too_large"}
    file = {"type": "file", "path": "/w/a.py", "displayName": "a.py"}
    found = session(
        asset,
        user(attachments=[blob, referred, unknown, omitted, file]),
        assistant_reply("", "c1"),
        done("c1", result={"content": "seen", "binaryResultsForLlm": [blob], "contents": [blob]}),
    )
    png = Image(media_type="image/png", width=640, height=480, source="base64")
    assert found.messages[0].images == (
        png,
        png,
        Image(media_type="application/pdf", source="sha256:2"),
        Image(media_type="image/png"),
    )
    assert (found.messages[2].content, found.messages[2].images) == ("seen", (png,))


def test_a_sub_agent_is_a_child():
    """Its events carry its id, or in older files the call that started it; what it was asked nobody typed."""
    found = session(
        user(),
        assistant_reply("", "c1", "c2"),
        event("subagent.started", "a1", toolCallId="c1", agentDisplayName="Explore"),
        user("find", "a1"),
        assistant_reply("", "d1", agent="a1", model="m2"),
        done("d1", agent="a1"),
        assistant_reply("old", parentToolCallId="c2"),
        event("subagent.started", "a3", toolCallId="c3", agentName="gone"),
        done("c1", "found"),
    )
    new, old = found.children
    assert (new.id, new.name, new.message, new.call, new.session.model) == ("a1", "Explore", "e2", "c1", "m2")
    assert [(m.role, m.injected) for m in new.session.messages] == [("user", "agent"), ("assistant", ""), ("tool", "")]
    assert (old.id, old.call, [m.content for m in old.session.messages]) == ("c2", "c2", ["old"])
    assert ([m.id for m in found.messages], found.subagents) == (["e1", "e2", "e9"], 3)
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_sub_agents_of_sub_agents():
    """A child has children; those that name each other in a circle are the session's."""
    found = session(
        user(),
        assistant_reply("", "c1"),
        assistant_reply("", "d1", parentToolCallId="c1"),
        assistant_reply("deep", parentToolCallId="d1"),
        assistant_reply("", "r2", parentToolCallId="r1"),
        assistant_reply("", "r1", parentToolCallId="r2"),
    )
    assert [child.id for child in found.children] == ["c1", "r1", "r2"]
    assert [child.call for child in found.children[0].session.children] == ["d1"]
    assert found.subagents == 4


def test_a_compaction_replaces_all_but_what_came_meanwhile():
    """It sums up what was there when it started; tokens are recorded."""
    found = session(
        event("system.message", role="system", content="You are"),
        user(),
        assistant_reply("", "c1", apiCallId="a"),
        done("c1"),
        event("session.compaction_start", trigger="threshold", currentTokens=900),
        assistant_reply("meanwhile", apiCallId="b"),
        compacted(
            preCompactionTokens=700,
            postCompactionTokens=90,
            preCompactionMessagesLength=4,
            messagesRemoved=3,
            compactionTokensUsed={"inputTokens": 800, "outputTokens": 80, "cacheReadTokens": 500},
        ),
        user("on"),
    )
    (cut,) = found.compactions
    assert (cut.at, cut.summary, cut.kept, cut.trigger, cut.fidelity) == (5, "e7", ("e6",), "threshold", "exact")
    assert (cut.tokens_before, cut.before_from) == (700, "the agent's own count (`preCompactionTokens`)")
    assert (cut.tokens_after, cut.after_from) == (90, "the agent's own count (`postCompactionTokens`)")
    summary = found.messages[5]
    assert (summary.content, summary.injected) == ("S", "summary")
    assert summary.usage == Usage(input_uncached=300, cache_read=500, output=80)
    assert [m.id for m in replay(found).compactions[0].after] == ["e1", "e7", "e6"]


def test_a_compaction_without_its_summary():
    """The text is not in the file; before is what the start of it says."""
    found = session(
        user(), event("session.compaction_start", currentTokens=900), compacted(summaryContent=None), compacted()
    )
    first, second = found.compactions
    assert (first.unreadable, first.tokens_before, first.before_from) == (
        "not recorded",
        900,
        "the agent's own count (`currentTokens`)",
    )
    assert (first.fidelity, found.messages[1].content) == ("partial", "[the summary is not recorded]")
    assert (second.at, second.kept, second.unreadable) == (1, (), "")


def test_a_compaction_that_failed_is_none():
    """It is said in a note."""
    found = session(user(), compacted(success=False, error="Nothing to compact"))
    assert (found.compactions, found.notes) == ((), ("1 compaction failed, the first one: Nothing to compact",))


def test_truncation_and_clearing_drop_messages():
    """The oldest that many; or all. A truncation that removed none only shortened what is not told."""
    counts = {"preTruncationTokensInMessages": 50, "postTruncationTokensInMessages": 20}
    found = session(
        user("a"),
        user("b"),
        user("c"),
        event("session.truncation", messagesRemovedDuringTruncation=2, **counts),
        event("session.truncation", messagesRemovedDuringTruncation=0),
        event("session.context_cleared", messagesCleared=1, initialMessage="anew"),
    )
    one, two = found.compactions
    assert (one.at, one.kept, one.edit, one.trigger) == (3, ("e3",), "dropped", "truncation")
    assert (one.tokens_before, one.tokens_after, one.fidelity) == (50, 20, "partial")
    assert (two.at, two.kept, two.edit, two.fidelity) == (3, (), "dropped", "exact")
    assert (found.messages[3].content, found.messages[3].injected) == ("anew", "context")


def test_a_summary_is_the_oldest_message():
    """A truncation drops it first."""
    truncated = event("session.truncation", messagesRemovedDuringTruncation=1)
    found = session(user(), compacted(), user("b"), user("c"), truncated, compacted(success=False))
    assert found.compactions[1].kept == ("e3", "e4")


def test_the_prompt_written_again_is_left_out():
    """One that changed is a message, and no compaction removes it."""
    prompt = [event("system.message", content=text) for text in ("one", "one", "two")]
    found = session(prompt[0], user(), prompt[1], prompt[2], user(), compacted())
    assert [m.content for m in found.messages if m.role == "system"] == ["one", "two"]
    assert found.compactions[0].kept == ("e4",)
    assert found.notes == ("1 system message skipped: the same as before",)


def test_usage_is_recorded_when_a_session_shuts_down():
    """The input holds what was cached. Totals count on over a resumed session, unless they began again."""
    found = session(
        user(), assistant_reply("a", outputTokens=5), shutdown(100, 5, 60), shutdown(150, 9, 80), shutdown(20, 3)
    )
    assert found.usage == Usage(input_uncached=90, cache_read=80, output=12)
    assert found.notes == ()


def test_usage_of_agents_where_it_is_told_apart():
    """The session has its own, a sub-agent its own."""
    metrics = {a: {"modelMetrics": {"m": {"usage": {"inputTokens": n}}}} for a, n in (("main", 70), ("a1", 30))}
    started = event("subagent.started", "a1", toolCallId="c1")
    found = session(
        user(),
        assistant_reply("", "c1"),
        started,
        assistant_reply("x", agent="a1", outputTokens=2),
        shutdown(100, 0, agentMetrics=metrics),
    )
    assert (found.usage, found.children[0].session.usage) == (Usage(input_uncached=70), Usage(input_uncached=30))


def test_usage_of_each_reply_where_it_was_recorded():
    """By the API call, or else the last reply; a compaction's is not a reply's."""
    found = session(
        user(),
        assistant_reply("a", apiCallId="a1", outputTokens=4),
        event("assistant.usage", apiCallId="a1", inputTokens=50, outputTokens=4, cacheReadTokens=20),
        event("assistant.usage", interactionType="conversation-compaction", inputTokens=9),
        event("assistant.usage", inputTokens=60, outputTokens=6),
        assistant_reply("b", apiCallId="a2"),
    )
    assert [m.usage for m in found.messages[1:]] == [
        Usage(input_uncached=30, cache_read=20, output=4),
        Usage(input_uncached=60, output=6),
    ]


def test_a_session_that_did_not_shut_down_says_so():
    """Its usage is what the replies say themselves."""
    found = session(user(), assistant_reply("a", outputTokens=5))
    assert (found.usage, len(found.notes)) == (Usage(output=5), 1)
    assert found.notes[0].startswith("usage covers only the output of the replies")


def test_what_is_repeated_orphaned_or_wrong_is_said():
    """Events with an id there was, results without a call, errors."""
    found = session(user(), {**user("again"), "id": "e1"}, done("c9"), event("session.error", message="rate limited"))
    assert found.notes == (
        "1 record skipped: same id as an earlier one (line 3)",
        "1 tool result without a call in the file",
        "1 error recorded, the first one: rate limited",
    )
    assert (found.messages[1].role, found.messages[1].tool_call_id) == ("tool", "c9")


def test_what_it_claims():
    """The start of a session, or events where its line is damaged; not any record with a type."""
    text = SAMPLE.read_text(encoding="utf-8").split("\n", 1)
    assert claimed_by(head_of(Source("s", data=("{oops\n" + text[1]).encode()))) == ["copilot-cli"]
    assert "copilot-cli" not in claimed_by(head_of(Source("s", data=b'{"type": "session.start"}\n{"type": "x"}\n')))
    with pytest.raises(TranscriptError, match="contains no messages"):
        session(event("session.shutdown"))


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, True, [[{}]], [None]])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    kinds = ("user.message", "assistant.message", "assistant.usage", "tool.execution_complete", "subagent.started")
    kinds += ("session.compaction_start", "session.compaction_complete", "session.truncation", "session.shutdown")
    kinds += ("session.context_cleared", "session.binary_asset", "tool.user_requested", "session.start", "x")
    keys = "content transformedContent attachments source toolRequests apiCallId outputTokens reasoningText toolCallId"
    keys += " result error success summaryContent compactionTokensUsed preCompactionTokens messagesRemoved modelMetrics"
    keys += " agentMetrics parentToolCallId inputTokens assetId data mimeType context arguments initialMessage"
    keys += " messagesRemovedDuringTruncation agentDisplayName sessionId selectedModel"
    inner = [{"toolCallId": value, "name": value, "arguments": value}, value]
    whole = [{"type": kind, "data": dict.fromkeys(keys.split(), value)} for kind in kinds]
    odd = [{"type": kind, "data": {**dict.fromkeys(keys.split(), value), "success": True}} for kind in kinds]
    bare = [{"type": kind, "data": value, "agentId": value} for kind in (*kinds, value)]
    parts = [event("assistant.message", toolRequests=inner), done("c", result={"content": value, "contents": value})]
    parts += [event("session.shutdown", modelMetrics={"m": value, "n": {"usage": value}}, agentMetrics={"main": value})]
    found = session(user(), *whole, *odd, *bare, *parts, {"id": value, "type": "user.message", "data": {}})
    assert found.messages[0].content == "go"
    assert found.model_dump_json()


def test_the_sample():
    """A sub-agent, a command of the person, and a compaction that ran in the background."""
    found = load(SAMPLE)
    (cut,), (child,) = found.compactions, found.children
    assert (found.turns, len(found.messages), child.name, child.call) == (2, 17, "Explore", "c-1")
    assert (cut.at, cut.kept, cut.tokens_before, cut.tokens_after) == (12, ("e-030", "e-032"), 9200, 410)
    assert found.usage == Usage(input_uncached=7100, cache_read=48000, cache_write=9000, output=812)
    assert child.session.usage == Usage(input_uncached=5100, output=65)
