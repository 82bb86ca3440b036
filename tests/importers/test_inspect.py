"""Inspect: samples as sessions, from archives and single files; runs put together from what model calls were sent."""

import base64
import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of, opened
from core.model.errors import TranscriptError
from core.model.session import Image, Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "inspect" / "cold-room.json"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)
URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
EVAL = {"task": "tides", "run_id": "r1", "model": "orchard/large"}

SYS = {"role": "system", "content": "be good"}
USR = {"id": "u1", "role": "user", "content": "go", "source": "input"}


def log(*samples: Any, **more: Any) -> dict[str, Any]:
    """A log."""
    return {"version": 2, "status": "success", "eval": EVAL, "samples": list(samples), **more}


def sample(*messages: Any, events: Any = (), **more: Any) -> dict[str, Any]:
    """A sample."""
    known = {"id": "s1", "epoch": 1, "input": "go", "target": "", "store": {}, "uuid": "uu1"}
    return {
        **known,
        "messages": list(messages),
        "events": list(events) if isinstance(events, tuple) else events,
        **more,
    }


def session(*messages: Any, events: Any = (), **more: Any) -> Session:
    """What load makes of a log of one sample."""
    return load(name="l.json", data=json.dumps(log(sample(*messages, events=events, **more))))


def reply(id: str, text: Any = "", *calls: str, **more: Any) -> dict[str, Any]:
    """A reply, with a call of each id."""
    made = [{"id": c, "function": "bash", "arguments": {"cmd": c}} for c in calls]
    return {"id": id, "role": "assistant", "content": text or id, "tool_calls": made or None, **more}


def out(call: str, text: str = "", **more: Any) -> dict[str, Any]:
    """The result of a call."""
    return {"id": f"t-{call}", "role": "tool", "content": text or f"out {call}", "tool_call_id": call, **more}


def model(sent: Any, answer: Any, tokens: Any = None, span: str = "", **more: Any) -> dict[str, Any]:
    """A model call: input tokens, output tokens, cached ones."""
    names = ("input_tokens", "output_tokens", "input_tokens_cache_read")
    usage = {**dict(zip(names, tokens, strict=False)), "total_tokens": sum(tokens)} if tokens else None
    output = {"model": "large", "choices": [{"message": answer}] if answer else [], "usage": usage}
    return {"event": "model", "span_id": span, "model": "orchard/large", "input": sent, "output": output, **more}


def span(id: str, kind: str, name: str = "", parent: str = "") -> dict[str, Any]:
    """A span that begins."""
    return {"event": "span_begin", "id": id, "span_id": id, "parent_id": parent, "type": kind, "name": name or id}


def compaction(kind: str = "summary", **more: Any) -> dict[str, Any]:
    """A compaction that was written down."""
    return {"event": "compaction", "type": kind, "source": "inspect", "timestamp": "T9", **more}


def archive(files: dict[str, Any], pack: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of JSON files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", pack) as packed:
        for name, value in files.items():
            packed.writestr(name, value if isinstance(value, (str, bytes)) else json.dumps(value))
    return made.getvalue()


def after(found: Session, number: int = 0) -> list[str]:
    """The contents of the window right after a compaction."""
    return [m.content for m in replay(found).compactions[number].after]


def test_messages_of_a_sample():
    """Its end, with the tokens, the model and the time of each reply from the call it came from."""
    a1, a2 = (
        reply("a1", [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "look"}], "c1"),
        reply("a2"),
    )
    done = {"event": "tool", "id": "c1", "function": "bash", "result": "out c1", "completed": "T2"}
    events = [
        model([SYS, USR], a1, (10, 3, 60), completed="T1"),
        done,
        model([SYS, USR, a1, out("c1")], a2, (20, 4, 70)),
    ]
    found = session(SYS, USR, a1, out("c1", function="bash"), a2, events=events)
    said, result, last = found.messages[2:]
    assert [(m.role, m.content) for m in found.messages] == [
        ("system", "be good"),
        ("user", "go"),
        ("assistant", "look"),
        ("tool", "out c1"),
        ("assistant", "a2"),
    ]
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [("c1", "bash", {"cmd": "c1"})]
    assert (said.id, said.thinking, said.model, said.timestamp, said.line) == ("a1", "hm", "large", "T1", 3)
    assert (result.tool_call_id, result.name, result.timestamp) == ("c1", "bash", "T2")
    assert (said.usage, last.usage) == (
        Usage(input_uncached=10, cache_read=60, output=3),
        Usage(input_uncached=20, cache_read=70, output=4),
    )
    assert (found.id, found.title, found.format) == ("uu1", "tides · sample s1 · epoch 1", "inspect")
    assert (found.turns, found.records, found.compactions, found.notes) == (1, 8, (), ())
    assert (found.usage, found.other) == (Usage(input_uncached=30, cache_read=130, output=7), {"event/tool": 1})


@pytest.mark.parametrize(
    ("recorded", "usage"),
    [
        ((100, 7, 60, 0, 167), Usage(input_uncached=100, cache_read=60, output=7)),
        ((100, 7, 60, 0, 107), Usage(input_uncached=40, cache_read=60, output=7)),
        ((100, 7, 60, 30, 107), Usage(input_uncached=10, cache_read=60, cache_write=30, output=7)),
        ((10, 7, 60, 0, 17), Usage(input_uncached=10, cache_read=60, output=7)),
        ((100, 7, 60, 0, None), Usage(input_uncached=100, cache_read=60, output=7)),
        ((0, 0, 0, 0, 0), None),
    ],
)
def test_whether_the_input_holds_what_was_cached(recorded, usage):
    """Not in newer logs; in older ones for some providers: the total tells, unless more was cached than there is."""
    names = ("input_tokens", "output_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "total_tokens")
    call = model([USR], reply("a1"))
    call["output"]["usage"] = dict(zip(names, recorded, strict=True))
    assert session(USR, reply("a1"), events=[call]).usage == usage


def test_a_total_counts_only_where_no_reply_has_tokens():
    """Of all models together."""
    each = {"input_tokens": 5, "output_tokens": 1}
    assert session(USR, reply("a1"), model_usage={"a": each, "b": each}).usage == Usage(input_uncached=10, output=2)


def test_only_what_a_person_typed_starts_a_turn():
    """It is marked as input; where nothing is, all that users say is taken for typed."""
    scaffold = {"role": "user", "content": "please go on"}
    picture = {"role": "user", "content": "see", "tool_call_id": ["c1"]}
    assert [m.injected for m in session(USR, scaffold, picture).messages] == ["", "scaffold", "tool"]
    assert session(scaffold, reply("a1"), scaffold).turns == 2


def test_content_of_every_kind():
    """Pictures, sound and papers are no text; what only the provider reads is left out; other kinds are shown."""
    parts = [
        {"type": "text", "text": "see"},
        {"type": "image", "image": URL},
        {"type": "audio", "audio": "a.wav", "format": "wav"},
        {"type": "document", "document": "p.pdf", "mime_type": "application/pdf"},
        {"type": "data", "data": {"secret": "x"}},
        {"type": "novel", "x": 1},
    ]
    (message,) = session({**USR, "content": parts}).messages
    assert message.content == 'see\n{"type": "novel", "x": 1}'
    assert message.images == (
        Image(media_type="image/png", width=640, height=480, source="base64"),
        Image(media_type="audio/wav", source="a.wav"),
        Image(media_type="application/pdf", source="p.pdf"),
    )


def test_thinking_that_is_locked_away():
    """Its summary, if there is one."""
    locked = {"type": "reasoning", "reasoning": "gAAA", "redacted": True}
    found = session(USR, reply("a1", [locked, {**locked, "summary": "thought"}]), {**reply("a2"), "reasoning": "old"})
    assert [m.thinking for m in found.messages] == ["", "thought", "old"]


def test_calls_that_failed():
    """The model is told the error; arguments that did not decode are kept as what was said of them."""
    bad = {"id": "c2", "function": "bash", "arguments": {}, "parse_error": "not JSON: {cmd"}
    found = session(
        USR,
        {**reply("a1", "", "c1"), "tool_calls": [*reply("a1", "", "c1")["tool_calls"], bad]},
        out("c1", "half", error={"type": "timeout", "message": "took too long"}),
        out("c2", tool_error="no arguments"),
    )
    assert (found.messages[1].tool_calls[1].arguments, found.messages[1].tool_calls[1].raw) == ({}, "not JSON: {cmd")
    assert [(m.content, m.is_error) for m in found.messages[2:]] == [("took too long", True), ("no arguments", True)]


def test_tools_that_the_provider_ran():
    """They stand in the reply, with what came of them."""
    ran = {"type": "tool_use", "id": "w1", "name": "web_search", "arguments": '{"q": "tide"}', "result": "found"}
    found = session(USR, reply("a1", [ran, {"type": "text", "text": "so"}]))
    said, result = found.messages[1:]
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [("w1", "web_search", {"q": "tide"})]
    assert (said.content, result.role, result.tool_call_id, result.content) == ("so", "tool", "w1", "found")


def test_attachments_are_put_back():
    """In messages, in arguments, in pictures; also as they were named until 2024. One that is not there is noted."""
    kept = {"h1": "long text", "h2": URL}
    made = reply("a1", "attachment://h1", "c1")
    made["tool_calls"][0]["arguments"] = {"cmd": ["attachment://h1"]}
    user = {**USR, "content": [{"type": "image", "image": "tc://h2"}, {"type": "text", "text": "attachment://gone"}]}
    found = session(user, made, attachments=kept)
    assert (found.messages[0].images[0].width, found.messages[0].content) == (640, "attachment://gone")
    assert (found.messages[1].content, found.messages[1].tool_calls[0].arguments) == (
        "long text",
        {"cmd": ["long text"]},
    )
    assert found.notes == ("1 attachment not in the file: the name is shown",)


def test_events_until_2024():
    """They lie in a transcript, with its own attachments, and have steps for spans."""
    step = {"event": "step", "action": "begin", "type": "scorer", "name": "match"}
    sent = [{"role": "user", "content": "tc://h1", "source": "input"}]
    old = {
        "content": {"h1": "go"},
        "events": [
            model(sent, reply("a1"), (5, 1)),
            step,
            model(sent, reply("g1"), (9, 9)),
            {**step, "action": "end"},
        ],
    }
    found = session({**USR, "id": None}, reply("a1"), events=None, transcript=old)
    assert found.usage == Usage(input_uncached=5, output=1)
    assert found.other == {"event/step": 2, "model call/scorer": 1}


def compacted(*written: dict[str, Any], tool: str = "out c1") -> Session:
    """A run whose second call was sent a summary for what went before, while the sample keeps all of it."""
    a1, t1, s, a2 = (
        reply("a1", "", "c1"),
        out("c1", tool),
        {"role": "user", "content": "S", "metadata": {}},
        reply("a2"),
    )
    wrote = model([SYS, USR, a1, t1, {"role": "user", "content": "sum up"}], reply("w1"), (80, 8))
    events = [model([SYS, USR], a1, (50, 5)), wrote, *written, model([SYS, USR, s], a2, (60, 6))]
    return session(SYS, USR, a1, t1, s, a2, events=events)


def test_a_compaction_that_is_written_down():
    """What stayed is in the next call's prompt, word for word; the call that wrote the summary is no part of the run."""
    found = compacted(compaction(tokens_before=90, tokens_after=30))
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.lead, cut.fidelity, cut.trigger) == (4, ("u1",), 1, "exact", "auto")
    assert (cut.tokens_before, cut.before_from) == (90, "the compaction event (`tokens_before`)")
    assert (cut.tokens_after, cut.after_from) == (30, "the compaction event (`tokens_after`)")
    assert (cut.line, cut.timestamp) == (3, "T9")
    assert [m.content for m in found.messages] == ["be good", "go", "a1", "out c1", "S", "a2"]
    assert [m.injected for m in found.messages] == ["", "", "", "", "summary", ""]
    assert after(found) == ["be good", "go", "S"]
    assert (found.usage, found.turns) == (Usage(input_uncached=110, output=11), 1)
    assert (found.other, found.notes) == ({"event/compaction": 1, "model call/apart": 1}, ())


def test_a_compaction_that_nobody_wrote_down():
    """It is inferred from what the call was sent."""
    (cut,) = compacted().compactions
    assert (cut.at, cut.kept, cut.fidelity, cut.trigger) == (4, ("u1",), "inferred", "")
    assert (cut.tokens_before, cut.tokens_after) == (50, 60)


def test_a_compaction_without_tokens():
    """Those of the calls before and after stand there, as what they are."""
    (cut,) = compacted(compaction()).compactions
    assert (cut.tokens_before, cut.before_from, cut.fidelity) == (50, "prompt of the model call before", "exact")


def test_what_came_after_the_last_reply():
    """No call was sent it, but it stands in the end."""
    s, a2 = {"role": "user", "content": "S"}, reply("a2", "", "c2")
    events = [model([USR], reply("a1")), compaction(), model([USR, s], a2)]
    found = session(USR, reply("a1"), s, a2, out("c2"), events=events)
    assert [m.content for m in found.messages] == ["go", "a1", "S", "a2", "out c2"]


def test_a_run_that_was_trimmed():
    """The sample keeps its end alone: what went is in the calls."""
    a1, a2, a3 = reply("a1", "", "c1"), reply("a2", "", "c2"), reply("a3")
    events = [
        model([USR], a1),
        model([USR, a1, out("c1")], a2),
        compaction("trim", tokens_before=9),
        model([USR, a2, out("c2")], a3),
    ]
    found = session(USR, a2, out("c2"), a3, events=events)
    (cut,) = found.compactions
    assert [m.content for m in found.messages] == ["go", "a1", "out c1", "a2", "out c2", "a3"]
    assert (cut.summary, cut.edit, cut.fidelity, cut.tokens_before) == (None, "dropped", "exact", 9)
    assert set(cut.kept) >= {"u1", "a2"}
    assert not {"a1", "t-c1"} & set(cut.kept)


@pytest.mark.parametrize("result", ["a long result, longer than what takes its place", "ok"])
def test_results_that_were_emptied(result):
    """However short they were."""
    a1, a2 = reply("a1", "", "c1"), reply("a2", "", "c2")
    gone = {**out("c1", "(Tool result removed)"), "id": "new"}
    events = [
        model([USR], a1),
        model([USR, a1, out("c1", result)], a2),
        compaction("edit", tokens_before=90, tokens_after=40),
        model([USR, a1, gone, a2, out("c2")], reply("a3")),
    ]
    found = session(USR, a1, out("c1", result), a2, out("c2"), reply("a3"), events=events)
    (cut,) = found.compactions
    assert (cut.kind, cut.cleared, cut.fidelity, cut.tokens_before) == ("microcompaction", ("t-c1",), "exact", 90)
    assert [m.content for m in found.messages] == ["go", "a1", result, "a2", "out c2", "a3"]
    assert "[cleared]" in after(found)


def test_a_compaction_that_changed_nothing_to_be_seen():
    """Thinking alone was left out, for instance: the tokens are kept, with a note."""
    events = [model([USR], reply("a1")), compaction("edit", tokens_before=9, tokens_after=8)]
    more = {"role": "user", "content": "more"}
    found = session(USR, reply("a1"), more, reply("a2"), events=[*events, model([USR, reply("a1"), more], reply("a2"))])
    (cut,) = found.compactions
    assert (cut.kind, cut.cleared, cut.tokens_before, cut.fidelity) == ("microcompaction", (), 9, "partial")
    assert found.notes == ("1 compaction changed nothing that the next prompt shows",)


def test_a_compaction_at_the_end():
    """No model call shows what it left."""
    found = session(USR, reply("a1"), events=[model([USR], reply("a1")), compaction()])
    assert ([m.content for m in found.messages], found.compactions) == (["go", "a1"], ())
    assert found.notes == ("1 compaction at the end, with no later model call: what stayed is not recorded",)


@pytest.mark.parametrize("where", ["message_pool", "events_data"])
def test_prompts_that_name_their_messages(where):
    """By their places in a pool, from one up to another."""
    a1, s, a2 = reply("a1"), {"role": "user", "content": "S"}, reply("a2")
    pool = [SYS, USR, a1, s]
    events = [model([], a1, input_refs=[[0, 2]]), model([], a2, input_refs=[[0, 2], [3, 4]])]
    found = session(
        SYS, USR, a2, events=events, **{where: pool if where == "message_pool" else {"messages": pool, "calls": []}}
    )
    assert [m.content for m in found.messages] == ["be good", "go", "S", "a2"]
    events[1] = model([], a2, input_refs=[[0, 3], 3])
    found = session(SYS, USR, a1, s, a2, events=events, message_pool=pool)
    assert ([m.content for m in found.messages], found.compactions) == (["be good", "go", "a1", "S", "a2"], ())


@pytest.mark.parametrize("refs", [5, [[5]], [[-1, 2]], [[0, 10**12]], [["a", None]], [[3, 1]], [True], [10**20]])
def test_places_that_are_none(refs):
    """What the call was sent is not known then: the end tells."""
    found = session(USR, reply("a1"), events=[model([], reply("a1"), (5, 1), input_refs=refs)], message_pool=[USR])
    assert [m.content for m in found.messages] == ["go", "a1"]
    assert (found.usage, found.compactions) == (Usage(input_uncached=5, output=1), ())


def test_calls_that_are_no_one_conversation():
    """Each was sent something of its own: the messages of the sample are shown as they are, with the tokens."""
    q1, q2 = ({"role": "user", "content": q} for q in ("first", "second"))
    events = [model([q1], reply("a1"), (5, 1)), model([q2], reply("a2"), (6, 1))]
    found = session(USR, reply("a1"), reply("a2"), events=events)
    assert ([m.content for m in found.messages], found.compactions) == (["go", "a1", "a2"], ())
    assert found.usage == Usage(input_uncached=11, output=2)
    assert found.notes == ("the model calls sent other messages than the sample records; the sample's are shown",)


def test_a_prompt_that_names_far_more_than_there_is():
    """It is left aside, with a note: nothing is made of it."""
    call = model([], reply("a1"), (5, 1), input_refs=[[0, 1]] * 100_000)
    found = session(USR, reply("a1"), events=[call], message_pool=[USR])
    assert ([m.content for m in found.messages], found.usage) == (["go", "a1"], Usage(input_uncached=5, output=1))
    assert found.notes == ("1 prompt skipped: there are too many",)


def test_agents_behind_tools_are_children():
    """With the call that started them; calls of scorers and critics are counted."""
    a1 = reply("a1", "", "c1", "c2")
    done = [{"event": "tool", "id": c, "function": "ask", "span_id": "main"} for c in ("c1", "c2")]
    q, r = {"role": "user", "content": "dig"}, {"role": "user", "content": "cook"}
    events = [
        span("main", "agent", "react"),
        model([USR], a1, (5, 1), "main"),
        span("t1", "tool", "ask", "main"),
        span("dig", "agent", "digger", "t1"),
        model([q], reply("d1", "", "k1"), (7, 2), "dig"),
        model([q, reply("d1", "", "k1"), out("k1")], reply("d2"), (8, 2), "dig"),
        done[0],
        span("t2", "tool", "ask", "main"),
        model([r], reply("k2"), (3, 1), "t2"),
        done[1],
        model([USR, a1], reply("critic"), span="main"),
        span("score", "scorers"),
        model([USR], reply("judge"), (99, 9), "score"),
    ]
    found = session(USR, a1, out("c1"), out("c2"), events=events)
    first, second = found.children
    assert (first.name, first.message, first.call) == ("digger", "a1", "c1")
    assert [m.content for m in first.session.messages] == ["dig", "d1", "out k1", "d2"]
    assert first.session.usage == Usage(input_uncached=15, output=4)
    assert (second.name, second.call, [m.content for m in second.session.messages]) == ("ask", "c2", ["cook", "k2"])
    assert (found.subagents, found.usage) == (2, Usage(input_uncached=5, output=1))
    assert {k: n for k, n in found.other.items() if k.startswith("model")} == {
        "model call/apart": 1,
        "model call/scorer": 1,
    }


def test_agents_inside_the_event_of_a_tool():
    """As it was until 2025; newer events name the agent's span."""
    inside = {
        "event": "tool",
        "id": "c1",
        "function": "ask",
        "events": [model([{"role": "user", "content": "q"}], reply("d"))],
    }
    named = {"event": "tool", "id": "c2", "function": "ask", "agent_span_id": "x"}
    far = model([{"role": "user", "content": "p"}], reply("e"), span="x")
    a1 = reply("a1", "", "c1", "c2")
    found = session(USR, a1, events=[model([USR], a1), inside, span("x", "agent", "cook"), far, named])
    assert [(c.name, c.call, c.message) for c in found.children] == [("ask", "c1", "a1"), ("cook", "c2", "a1")]


def test_how_a_sample_ended():
    """An error, a limit, tries before."""
    found = session(
        USR,
        reply("a1"),
        events=[model([USR], reply("a1")), model([USR, reply("a1")], None, error="overloaded")],
        error={"message": "boom\nlong", "traceback": "x"},
        limit={"type": "message", "limit": 30},
        error_retries=[{"message": "once"}],
    )
    assert found.all_notes == (
        "1 try before this one failed: once",
        "1 reply failed: overloaded",
        "the run ended with boom",
    )
    assert session(USR, limit={"type": "message", "limit": 30}).ended_with == "its message limit: 30"


def test_an_evaluation_that_ended_badly():
    """The log says so; its samples open."""
    data = json.dumps(log(sample(USR), status="error", error={"message": "no network"}))
    assert load(name="l.json", data=data).notes == ("the evaluation ended as error: no network",)


@pytest.mark.parametrize("pack", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_holds_a_session_for_each_sample(pack):
    """In the order people count, by id and epoch."""
    names = ("10_epoch_1", "9_epoch_2", "9_epoch_1")
    files = {f"samples/{n}.json": sample(USR, id=n, uuid=n) for n in names}
    data = archive({"header.json": log(), "summaries.json": [], **files}, pack)
    found = list(load_all(name="x", data=data))
    assert [s.id for s in found] == ["9_epoch_1", "9_epoch_2", "10_epoch_1"]
    assert found[0].notes == ()
    assert claimed_by(head_of(opened(Source("x", data=data)))) == ["inspect"]


def test_an_archive_packed_with_zstd():
    """The way newer logs are packed, which Python's own reader does not know."""
    plain = {"header.json": log(), "samples/1_epoch_1.json": sample(USR)}
    packed = {n: zstandard.ZstdCompressor().compress(json.dumps(v).encode()) for n, v in plain.items()}
    data = bytearray(archive(packed, zipfile.ZIP_STORED))
    for sign, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = data.find(sign)
        while at >= 0:
            data[at + place : at + place + 2] = struct.pack("<H", 93)
            at = data.find(sign, at + 4)
    assert [s.id for s in load_all(name="x", data=bytes(data))] == ["uu1"]


def test_a_log_that_is_still_being_written():
    """It has no header; the samples that have ended open. Without any there is nothing to see yet."""
    started = {"_journal/start.json": {"version": 2, "eval": EVAL, "plan": {}}, "_journal/summaries/1.json": []}
    found = load(name="x", data=archive({**started, "samples/1_epoch_1.json": sample(USR)}))
    assert found.notes == ("the log has no header: the evaluation was still running, or was interrupted",)
    assert found.title == "tides · sample s1 · epoch 1"
    with pytest.raises(TranscriptError, match="contains no finished sample"):
        load(name="x", data=archive(started))


def test_samples_that_cannot_be_read_are_noted():
    """With the next one that can, or with the last."""
    files = {"header.json": log(), "samples/1.json": "{", "samples/2.json": sample(USR), "samples/3.json": "[1"}
    (found,) = load_all(name="x", data=archive(files))
    assert [note[:28] for note in found.notes] == ["1 sample could not be read: ", "1 sample could not be read: "]
    with pytest.raises(TranscriptError):
        load(name="x", data=archive({"header.json": log(), "samples/1.json": "{"}))


def test_a_sample_in_pieces():
    """Messages, events and attachments in files of their own, each named by the place of its first item."""
    a1, s, a2 = reply("a1", "attachment://1"), {"role": "user", "content": "S"}, reply("a2")
    shell = {k: v for k, v in sample().items() if k not in ("messages", "events")} | {"message_refs": [[0, 1], [2, 4]]}
    at = "samples/s/1_epoch_1"
    files = {
        "header.json": log(),
        f"{at}/sample.json": shell,
        f"{at}/skeleton.json": {},
        f"{at}/messages/0.json": [USR, a1],
        f"{at}/messages/2.json": [s, a2],
        f"{at}/events/0.json": [model([], a1, input_refs=[[0, 1]]), model([], a2, input_refs=[[0, 1], [2, 3]])],
        f"{at}/events/stats.json": {},
        f"{at}/attachments/0.json": ["zero", "one"],
    }
    (found,) = load_all(name="x", data=archive(files))
    assert [m.content for m in found.messages] == ["go", "S", "a2"]
    files[f"{at}/sample.json"]["message_refs"] = [[0, 4]]
    assert [m.content for m in load(name="x", data=archive(files)).messages] == ["go", "one", "S", "a2"]


def test_a_folder_and_a_sample_of_it(tmp_path):
    """An archive that was unpacked, and one file of it alone."""
    (tmp_path / "samples").mkdir()
    (tmp_path / "header.json").write_text(json.dumps(log()))
    (tmp_path / "samples" / "1_epoch_1.json").write_text(json.dumps(sample(USR)))
    assert load(tmp_path).title == "tides · sample s1 · epoch 1"
    assert load(tmp_path / "samples" / "1_epoch_1.json").title == "go"


def test_numbers_that_are_none():
    """Inspect writes NaN where a score has none."""
    data = json.dumps(log(sample(USR, scores={"x": {"value": float("nan")}})))
    assert load(name="l.json", data=data).notes == ("NaN, Infinity or a number too large was read as null (1 time)",)


def test_several_samples_of_one_file():
    """Each is a session; without an id of its own it goes by sample and epoch."""
    found = list(load_all(name="l.json", data=json.dumps(log(sample(USR), 5, sample(USR, uuid=None, epoch=2)))))
    assert [s.id for s in found] == ["uu1", "s1_epoch_2"]


def test_messages_that_are_none_are_counted():
    """Of no role, or no objects."""
    found = session(USR, 5, None, {"role": "judge", "content": "x"})
    assert ([m.content for m in found.messages], found.malformed_lines) == (["go"], 3)
    assert found.notes == ("3 messages skipped: unknown role",)


@pytest.mark.parametrize("odd", [None, 5, True, 1.5, "text", [], [[1]], {}, {"x": 5}, [None, {"event": "model"}]])
def test_any_field_may_be_of_any_kind(odd):
    """A session comes out, whatever stands where."""
    keys = ("id", "content", "source", "tool_calls", "tool_call_id", "error", "model", "metadata", "function")
    messages = [{**m, k: odd} for m in (reply("a1", "", "c1"), out("c1"), SYS) for k in keys]
    calls = [{**model([USR], reply("a9")), k: odd} for k in ("input", "input_refs", "output", "error", "span_id")]
    spans = [{**span("x", "agent"), k: odd} for k in ("id", "parent_id", "type", "name")]
    tools = [{"event": "tool", "id": odd, "function": odd, "events": odd, "agent_span_id": odd}]
    cuts = [compaction(tokens_before=odd, tokens_after=odd, span_id=odd), {"event": odd}, odd]
    own = dict.fromkeys(("attachments", "events_data", "message_pool", "error", "limit", "error_retries", "uuid"), odd)
    events = [model([USR], reply("a9")), *calls, *spans, *tools, *cuts, model([USR, *messages], reply("a8"))]
    found = session(USR, *messages, reply("a9"), events=events, model_usage=odd, transcript=odd, **own)
    assert found.messages[0].content == "go"
    assert session(USR, events=odd).messages[0].content == "go"


@pytest.mark.parametrize(
    ("value", "ours"),
    [
        (log(sample(USR)), True),
        (sample(USR), True),
        ({"version": 2, "eval": EVAL, "plan": {}}, True),
        ({"eval": {}, "samples": []}, False),
        ({"eval": "x", "status": "y"}, False),
        ({"messages": [USR], "id": 1}, False),
    ],
)
def test_what_is_a_log(value, ours):
    """An object with an evaluation, or one sample of it."""
    assert (claimed_by(head_of(Source("x", data=json.dumps(value).encode()))) == ["inspect"]) is ours


def test_the_sample():
    """As it was written: a summary, a sub-agent, prompts from the pool, an attachment."""
    found = load(SAMPLE)
    assert [int(m.id[1:]) for m in found.messages] == [1, 2, 3, 4, 5, 6, 11, 14, 15, 16, 17]
    assert [(c.at, c.summary, c.tokens_before, c.tokens_after) for c in found.compactions] == [(7, "m14", 719, 144)]
    assert [(c.name, c.call, len(c.session.messages)) for c in found.children] == [("librarian", "c3", 4)]
    assert found.messages[5].content.startswith("time,shelf,celsius")


def test_a_sample_whose_messages_are_no_list():
    """A log is refused, not a crash: nothing of it can be shown."""
    broken = {"id": 1, "epoch": 1, "input": "x", "messages": 1840, "events": []}
    files = {"header.json": json.dumps(log()).encode(), "samples/1_epoch_1.json": json.dumps(broken).encode()}
    with pytest.raises(TranscriptError):
        load(name="x", files=files)
