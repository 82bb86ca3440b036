"""pydantic-ai: requests and responses part by part, retries, files, summaries of providers and harnesses."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage
from tests.serving import share
from tests.support import with_odd_field

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "pydantic-ai" / "ferry-with-a-van.json"
GIF = "R0lGODlhAQACAAAA"


def session(*messages: Any, **envelope: Any) -> Session:
    """What load makes of a list of messages, or of an object that holds one."""
    return load(name="m.json", data=json.dumps({**envelope, "messages": messages} if envelope else messages))


def request(*parts: Any, **more: Any) -> dict[str, Any]:
    """A request to the model."""
    return {"kind": "request", "parts": list(parts), "timestamp": "t1", **more}


def response(*parts: Any, **more: Any) -> dict[str, Any]:
    """A response of the model."""
    return {"kind": "response", "parts": list(parts), "model_name": "m1", "timestamp": "t2", **more}


def part(kind: str, content: Any = None, **more: Any) -> dict[str, Any]:
    """A part of either."""
    return {"part_kind": kind, "content": content, **more}


def typed(content: Any = "go") -> dict[str, Any]:
    """A prompt that a person typed."""
    return part("user-prompt", content)


def call(id: Any, args: Any = None, name: str = "f", kind: str = "tool-call") -> dict[str, Any]:
    """A call."""
    return {"part_kind": kind, "tool_name": name, "args": args, "tool_call_id": id}


def result(id: Any, content: Any = "ok", name: str = "f", **more: Any) -> dict[str, Any]:
    """What a tool gave back."""
    return part("tool-return", content, tool_name=name, tool_call_id=id, **more)


def test_the_sample():
    """Parallel calls, arguments that do not decode, a retry that answers a call, a tool of the provider, a summary."""
    found = load(SAMPLE)
    assert (found.id, found.format, found.model, found.records, found.turns) == (
        "conv-ferry",
        "pydantic-ai",
        "claude-sonnet-4-5",
        12,
        3,
    )
    first = found.messages[2]
    assert (first.content, first.thinking) == ("Let me look.", "I need the timetable and whether vans are allowed.")
    assert [(c.arguments, c.raw) for c in first.tool_calls] == [
        ({"to": "Holm", "day": "friday"}, None),
        ({}, '{"kind": "van", "to": "Holm"'),
    ]
    assert (first.reply_id, first.line, first.usage) == (
        "msg_01",
        2,
        Usage(input_uncached=20, cache_write=600, output=60),
    )
    assert [m.is_error for m in found.messages if m.role == "tool"] == [False, True, False, False, True]
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.fidelity, cut.unreadable) == (9, (), "partial", "")
    assert (cut.tokens_before, cut.before_from, cut.tokens_after) == (930, "prompt of the model call before", 480)
    assert [m.role for m in replay(found).compactions[0].after] == ["system", "assistant"]


def test_system_prompts_and_instructions():
    """Instructions stand on every request: they are told once, behind the system prompts, and where they change."""
    found = session(
        request(part("system-prompt", "be good"), typed(), instructions="I"),
        response(part("text", "hi")),
        request(typed("more"), instructions="I"),
        request(typed("now"), part("instruction-delta", "K", id="a"), instructions="J"),
    )
    assert [(m.role, m.content, m.injected) for m in found.messages] == [
        ("system", "be good", ""),
        ("system", "I", "instructions"),
        ("user", "go", ""),
        ("assistant", "hi", ""),
        ("user", "more", ""),
        ("system", "J", "instructions"),
        ("user", "now", ""),
        ("system", "K", "instructions"),
    ]
    assert found.notes == ("the instructions changed 1 time: the model saw only the newest; all are shown",)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {"input_tokens": 100, "cache_read_tokens": 60, "cache_write_tokens": 30, "output_tokens": 7},
            Usage(input_uncached=10, cache_read=60, cache_write=30, output=7),
        ),
        (
            {"request_tokens": 9, "response_tokens": 2, "details": {"cached_tokens": 4}},
            Usage(input_uncached=5, cache_read=4, output=2),
        ),
        (
            {
                "requests": 1,
                "request_tokens": 9,
                "details": {"cache_read_input_tokens": 1, "cache_creation_input_tokens": 3},
            },
            Usage(input_uncached=5, cache_read=1, cache_write=3),
        ),
        ({"input_tokens": 0}, None),
        ("x", None),
    ],
)
def test_usage_under_both_names(usage, expected):
    """The input includes what was cached."""
    assert session(request(typed()), response(part("text", "a"), usage=usage)).messages[1].usage == expected


def test_retries():
    """One that answers a call is its result; any other the harness says, nobody typed it."""
    found = session(
        request(typed()),
        response(call("c1")),
        request(part("retry-prompt", "bad", tool_name="f", tool_call_id="c1")),
        request(part("retry-prompt", "no tool", tool_name=None, tool_call_id="x")),
        request(part("retry-prompt", "unknown", tool_name="g", tool_call_id="y")),
        request(part("retry-feedback", [{"type": "missing"}], retry={"cause": "validation_error"})),
    )
    assert [(m.role, m.content, m.injected, m.is_error) for m in found.messages[2:]] == [
        ("tool", "bad", "", True),
        ("user", "no tool", "retry", False),
        ("user", "unknown", "retry", False),
        ("user", '[{"type":"missing"}]', "retry", False),
    ]
    assert (found.turns, found.notes) == (1, ())


def test_results_as_the_model_is_told():
    """A text as it is, anything else as JSON; files are no text, wherever they lie."""
    file = {"kind": "binary", "data": GIF, "media_type": "image/gif"}
    contents = ["a", {"n": 1}, [1, 2], None, file, ["see", file], [1, 2, file], {"deep": [file]}]
    calls = [call(f"c{n}") for n in range(len(contents))]
    back = [result(f"c{n}", content) for n, content in enumerate(contents)]
    results = session(request(typed()), response(*calls), request(*back)).messages[2:]
    assert [m.content for m in results] == [
        "a",
        '{"n":1}',
        "[1,2]",
        "",
        "",
        "see",
        "[1,2]",
        '{"deep":[{"kind":"binary","media_type":"image/gif"}]}',
    ]
    assert [[(i.width, i.height) for i in m.images] for m in results] == [[]] * 4 + [[(1, 2)]] * 3 + [[]]
    odd = session(request(typed()), response(call("c")), request(result("c", "no", outcome="denied")))
    assert odd.messages[2].is_error


def test_prompts_with_files():
    """Texts, links, embedded and uploaded files; a mark for the cache says nothing."""
    content = [
        "look",
        {"kind": "text-content", "content": "here", "metadata": {"a": 1}},
        {"kind": "image-url", "url": "https://x.org/a.png"},
        {"kind": "uploaded-file", "file_id": "f1", "media_type": "application/pdf"},
        {"kind": "cache-point"},
        {"kind": "binary", "data": GIF, "media_type": "image/gif"},
    ]
    (said,) = session(request(typed(content))).messages
    assert (said.content, [i.source for i in said.images]) == ("look\nhere", ["https://x.org/a.png", "f1", "base64"])
    assert said.images[1].media_type == "application/pdf"


def test_what_a_tool_gives_besides_was_not_typed():
    """A prompt behind a result in the same request is the tool's."""
    found = session(request(typed()), response(call("c1")), request(result("c1"), typed("the page")))
    assert [m.injected for m in found.messages] == ["", "", "", "attachment"]


def test_tools_of_the_provider_and_files_of_the_model():
    """Call and result lie in the same response: the result stands behind the reply."""
    builtin = [call("s1", {"q": "x"}, "search", "builtin-tool-call"), result("s1", "found", "search")]
    builtin[1]["part_kind"] = "builtin-tool-return"
    picture = part("file", {"kind": "binary", "data": GIF, "media_type": "image/gif"})
    found = session(request(typed()), response(part("text", "so"), *builtin, part("text", "yes"), picture))
    assert [(m.role, m.content) for m in found.messages[1:]] == [("assistant", "so\nyes"), ("tool", "found")]
    assert (found.messages[1].images[0].width, found.messages[2].tool_call_id) == (1, "s1")


def test_results_without_an_id_answer_in_order():
    """Old files name no call: the first of that tool that still waits is the one."""
    found = session(
        request(typed()),
        response(call(None), call(None, name="g"), call(None)),
        request(result(None, name="g"), result(None)),
    )
    made = [c.id for c in found.messages[1].tool_calls]
    assert [m.tool_call_id for m in found.messages[2:]] == [made[1], made[0]]


def test_speech():
    """What was said aloud is its transcript; the sound is no text."""
    audio = {"kind": "binary", "data": "AAAA", "media_type": "audio/wav"}
    spoken = {"part_kind": "speech", "transcript": "hello", "audio": audio}
    found = session(request(spoken), response(spoken))
    assert [(m.role, m.content, m.images[0].media_type) for m in found.messages] == [
        ("user", "hello", "audio/wav"),
        ("assistant", "hello", "audio/wav"),
    ]


def test_an_encrypted_summary():
    """OpenAI's cannot be read: a placeholder says how long it is; nothing else stays."""
    secret = part("compaction", None, provider_name="openai", provider_details={"encrypted_content": "x" * 1234})
    found = session(
        request(typed()), response(part("text", "a")), request(typed("b")), response(secret), request(typed("c"))
    )
    (cut,) = found.compactions
    assert found.messages[3].content == "[encrypted summary, 1,234 characters: only the provider can read it]"
    assert (cut.unreadable, cut.kept, cut.at, cut.summary) == ("encrypted", (), 3, "message-4")
    assert [m.role for m in found.messages] == ["user", "assistant", "user", "assistant", "user"]
    bare = session(request(typed()), response(part("compaction", None, provider_name="openai")))
    assert (bare.compactions[0].unreadable, bare.messages[1].content) == ("not recorded", "[summary not recorded]")


def test_a_compaction_that_failed_is_none():
    """Anthropic writes a part without content: nothing was compacted."""
    failed = part("compaction", None, provider_name="anthropic")
    found = session(request(typed()), response(failed, part("text", "a")))
    assert (found.compactions, found.other) == ((), {"compaction that failed": 1})


def test_a_summary_of_a_harness():
    """It stands in a request: what it replaced is gone from the list, and what is in front of it stayed."""
    found = session(
        request(part("system-prompt", "s"), typed()), request(part("compaction", "S")), response(part("text", "a"))
    )
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.lead, cut.fidelity) == (2, ("message-1-2",), 1, "partial")
    assert [m.content for m in replay(found).compactions[0].after] == ["s", "go", "S"]


def test_sizes_around_a_summary():
    """The reply that holds the summary tells nothing of the size after it: the next one does."""
    used = [{"usage": {"input_tokens": n, "output_tokens": 1}} for n in (50, 60, 20)]
    summary = part("compaction", "S", provider_name="openai")
    found = session(
        request(typed()),
        response(part("text", "a"), **used[0]),
        response(summary, part("text", "b"), **used[1]),
        response(part("text", "c"), **used[2]),
    )
    assert (found.compactions[0].tokens_before, found.compactions[0].tokens_after) == (50, 20)


def test_what_is_left_out_is_said():
    """Parts of unknown kinds are counted; what is no message is noted; a result without a call is shown."""
    delta = part("tool-availability-delta", tools_added=["x"])
    found = session(
        request(typed(), delta, 5), request(result("lost")), {"kind": "other"}, 7, response(finish_reason="error")
    )
    assert found.other == {"part/tool-availability-delta": 1}
    assert found.notes == (
        "3 records skipped: not messages of pydantic-ai, or not their parts",
        "1 tool result without a call in the file",
    )
    assert (found.messages[-1].role, found.messages[-1].is_error, found.malformed_lines) == ("assistant", True, 3)


def test_dumps_of_results_and_chats():
    """The list may lie in an object, or in the state in it; the object's own total stands in where no reply has any."""
    messages = [request(typed(), run_id="r1"), response(part("text", "a"))]
    dump = session(*messages, output="a", usage={"input_tokens": 5, "output_tokens": 1}, title="T", id="i")
    assert (dump.id, dump.title, dump.usage) == ("i", "T", Usage(input_uncached=5, output=1))
    old = load(name="x", data=json.dumps({"output": "a", "_state": {"message_history": messages}}))
    assert (old.id, len(old.messages)) == ("r1", 2)
    assert len(load(name="x", data=json.dumps(messages[0])).messages) == 1


def test_several_in_a_file():
    """Objects in a list or on lines are a session each; messages on lines are one; damage is said with the last."""
    chats = [{"id": n, "messages": [request(typed(n))]} for n in "ab"]
    assert [s.id for s in load_all(name="x", data=json.dumps(chats))] == ["a", "b"]
    lines = "\n".join([*map(json.dumps, chats), '{"no": 1}', "{oops"]) + "\n"
    first, last = load_all(name="x", data=lines)
    assert (first.notes, last.malformed_lines) == ((), 2)
    assert last.notes == ("line 4 could not be read and was skipped", "1 record skipped: without a list of messages")
    loose = "\n".join(json.dumps(request(typed(n))) for n in "ab") + "\n"
    assert [m.line for m in load(name="x", data=loose).messages] == [1, 2]


@pytest.mark.parametrize("odd", share([None, 5, "x", [1], {"a": {"b": 1}}, True, [{"kind": "binary", "data": 7}]]))
def test_wrong_types_are_no_crash(odd):
    """Every field of a message and of a part may hold anything."""
    for messages in with_odd_field(json.loads(SAMPLE.read_bytes()), odd):
        assert session(*messages).messages


def test_what_is_not_ours():
    """Other lists of parts are left to others."""
    for value in ([{"role": "user", "parts": [{"type": "text", "text": "x"}]}], {"kind": "request"}, {"messages": []}):
        assert "pydantic-ai" not in claimed_by(head_of(Source("x", data=json.dumps(value).encode())))
    with pytest.raises(TranscriptError, match="contains no messages"):
        session(request())
