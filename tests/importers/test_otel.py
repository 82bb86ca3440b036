"""OpenTelemetry: spans of model calls in five vocabularies, put together to conversations with their sub-agents."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.importers._shapes.spans import Span
from core.model.errors import TranscriptError
from core.model.session import Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "otel" / "lantern-stall.jsonl"
CHAT = {"gen_ai.operation.name": "chat"}


def value(given: Any) -> dict[str, Any]:
    """A value as OTLP has it: numbers as text, lists and objects as such."""
    if isinstance(given, bool):
        return {"boolValue": given}
    if isinstance(given, int):
        return {"intValue": str(given)}
    if isinstance(given, list):
        return {"arrayValue": {"values": [value(item) for item in given]}}
    if isinstance(given, dict):
        return {"kvlistValue": {"values": pairs(given)}}
    return {"stringValue": given}


def pairs(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes."""
    return [{"key": key, "value": value(v)} for key, v in given.items()]


def span(id: str, attributes: dict[str, Any], at: int = 0, parent: str = "", **more: Any) -> dict[str, Any]:
    """A span that begins `at` seconds after the start, and takes one."""
    times = {"startTimeUnixNano": str((at + 1) * 10**9), "endTimeUnixNano": str((at + 2) * 10**9)}
    known = {"traceId": "t1", "spanId": id, "parentSpanId": parent, "name": f"span {id}", **times}
    return {**known, "attributes": pairs(attributes), **more}


def wrapped(*spans: Any) -> dict[str, Any]:
    """Spans as one export request."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def session(*spans: Any) -> Session:
    """What load makes of spans."""
    return load(name="t.json", data=json.dumps(wrapped(*spans)))


def text(role: str, words: str) -> dict[str, Any]:
    """A message of the conventions."""
    return {"role": role, "parts": [{"type": "text", "content": words}]}


def chat(id: str, sent: list[Any], answered: Any, at: int = 0, parent: str = "", **more: Any) -> dict[str, Any]:
    """A model call of the conventions, its messages as JSON in a text."""
    said = {"gen_ai.input.messages": json.dumps(sent), "gen_ai.output.messages": json.dumps([answered])}
    return span(id, {**CHAT, **said, **more}, at, parent)


def outline(found: Session) -> list[str]:
    """Each message in a line: its role's letter, what it says, what it calls, what it answers."""
    return [
        f"{m.role[0]}:{m.content}"
        + "".join(f" {c.name}({c.arguments})#{c.id}" for c in m.tool_calls)
        + tail(m.tool_call_id)
        for m in found.messages
    ]


def tail(call: str | None) -> str:
    """The call that a result answers."""
    return f" ={call}" if call else ""


CALL = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"at": "sea"}}]}
RESULT = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "calm"}]}
SAID = ["s:Be brief", "u:And the sea?", "a: look({'at': 'sea'})#c1", "t:calm =c1", "a:It is calm"]


def conventions() -> list[Any]:
    """Two model calls as the conventions have them since 1.37."""
    system = {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief"}])}
    asked = text("user", "And the sea?")
    return [
        chat("1", [asked], CALL, **system),
        chat("2", [asked, CALL, RESULT], text("assistant", "It is calm"), 3, **system),
    ]


def structured() -> list[Any]:
    """The same with lists and objects instead of JSON in texts."""
    sent = [text("system", "Be brief"), text("user", "And the sea?")]
    said = {**CHAT, "gen_ai.input.messages": [*sent, CALL, RESULT]}
    return [span("2", {**said, "gen_ai.output.messages": [text("assistant", "It is calm")]})]


def events() -> list[Any]:
    """Events of the conventions up to 1.36; content is a text, calls are JSON in one."""
    call = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}]
    said = [
        ("gen_ai.system.message", {"content": "Be brief"}),
        ("gen_ai.user.message", {"content": "And the sea?"}),
        ("gen_ai.assistant.message", {"tool_calls": json.dumps(call)}),
        ("gen_ai.tool.message", {"content": "calm", "id": "c1"}),
        ("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": json.dumps({"content": "It is calm"})}),
        ("gen_ai.choice", {"index": 1, "message": json.dumps({"content": "another choice"})}),
    ]
    return [span("2", CHAT, events=[{"name": name, "attributes": pairs(body)} for name, body in said])]


def logged_events() -> list[Any]:
    """Logfire's: the same events as a list in one attribute."""
    look = {"name": "look", "arguments": {"at": "sea"}}
    said = [
        {"event.name": "gen_ai.system.message", "content": "Be brief"},
        {"event.name": "gen_ai.user.message", "content": "And the sea?"},
        {"event.name": "gen_ai.assistant.message", "tool_calls": [{"id": "c1", "function": look}]},
        {"event.name": "gen_ai.tool.message", "content": "calm", "id": "c1"},
        {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "It is calm"}},
    ]
    return [span("2", {**CHAT, "events": json.dumps(said)})]


def openinference() -> list[Any]:
    """Numbers in the names; a call's id and its result's are there."""
    before = "llm.input_messages"
    return [
        span(
            "2",
            {
                "openinference.span.kind": "LLM",
                f"{before}.0.message.role": "system",
                f"{before}.0.message.content": "Be brief",
                f"{before}.1.message.role": "user",
                f"{before}.1.message.contents.0.message_content.type": "text",
                f"{before}.1.message.contents.0.message_content.text": "And the sea?",
                f"{before}.2.message.role": "assistant",
                f"{before}.2.message.tool_calls.0.tool_call.id": "c1",
                f"{before}.2.message.tool_calls.0.tool_call.function.name": "look",
                f"{before}.2.message.tool_calls.0.tool_call.function.arguments": '{"at": "sea"}',
                f"{before}.3.message.role": "tool",
                f"{before}.3.message.tool_call_id": "c1",
                f"{before}.3.message.content": "calm",
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.content": "It is calm",
            },
        )
    ]


def traceloop() -> list[Any]:
    """OpenLLMetry's, of which the number ten comes behind nine."""
    said: dict[str, Any] = {"llm.request.type": "chat", "gen_ai.completion.0.role": "assistant"}
    messages: list[dict[str, str]] = [
        {"role": "system", "content": "Be brief"},
        {"role": "user", "content": json.dumps([{"type": "text", "text": "And the sea?"}])},
        {
            "role": "assistant",
            "tool_calls.0.id": "c1",
            "tool_calls.0.name": "look",
            "tool_calls.0.arguments": '{"at": "sea"}',
        },
        {"role": "tool", "tool_call_id": "c1", "content": "calm"},
    ]
    for number, message in enumerate(messages, 8):
        said |= {f"gen_ai.prompt.{number}.{key}": v for key, v in message.items()}
    return [span("2", {**said, "gen_ai.completion.0.content": "It is calm"})]


def vercel() -> list[Any]:
    """The AI SDK's: a span around one for each step, whose reply stands in two attributes."""
    sent = [
        {"role": "system", "content": "Be brief"},
        {"role": "user", "content": [{"type": "text", "text": "And the sea?"}]},
    ]
    step = {"ai.operationId": "ai.generateText.doGenerate"}
    called = [{"toolCallId": "c1", "toolName": "look", "input": '{"at": "sea"}'}]
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"at": "sea"}}
    back = {"type": "tool-result", "toolCallId": "c1", "toolName": "look", "output": {"type": "text", "value": "calm"}}
    more = [*sent, {"role": "assistant", "content": [call]}, {"role": "tool", "content": [back]}]
    outer = {
        "ai.operationId": "ai.generateText",
        "ai.prompt": json.dumps({"prompt": "And the sea?"}),
        "ai.response.text": "no",
    }
    return [
        span("0", outer),
        span(
            "1", {**step, "ai.prompt.messages": json.dumps(sent), "ai.response.toolCalls": json.dumps(called)}, 1, "0"
        ),
        span("2", {**step, "ai.prompt.messages": json.dumps(more), "ai.response.text": "It is calm"}, 4, "0"),
    ]


def values() -> list[Any]:
    """OpenInference's fall-back: what was handed over, as it is. The call has no id."""
    call = {"function": {"name": "look", "arguments": '{"at": "sea"}'}}
    sent = [
        {"role": "system", "content": "Be brief"},
        {"role": "user", "content": "And the sea?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", **call}]},
        {"role": "tool", "content": "calm"},
    ]
    reply = {"choices": [{"message": {"role": "assistant", "content": "It is calm"}}]}
    given = {"input.value": json.dumps({"messages": sent}), "output.value": json.dumps(reply)}
    return [span("2", {"openinference.span.kind": "LLM", **given})]


VOCABULARIES = (conventions, structured, events, logged_events, openinference, traceloop, vercel, values)


@pytest.mark.parametrize("spans", VOCABULARIES, ids=lambda f: f.__name__)
def test_every_vocabulary_says_the_same(spans):
    """System prompt, question, call, result and answer, each once."""
    found = session(*spans())
    assert outline(found) == SAID
    assert (found.messages[-1].id, found.compactions, found.notes, found.format) == ("2", (), (), "otel")


@pytest.mark.parametrize(
    "data",
    [
        json.dumps([wrapped(span) for span in conventions()]),
        "\n".join(json.dumps(wrapped(span)) for span in conventions()),
        json.dumps(wrapped(*reversed(conventions())), indent=1),
        json.dumps({"resource_spans": [{"scope_spans": [{"spans": conventions()}]}]}),
        json.dumps({"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": conventions()}]}]}),
    ],
)
def test_every_way_to_wrap_spans(data):
    """A list, one a line, one object over many lines, other names; the order of spans is that of time."""
    assert claimed_by(head_of(Source("x", data=data.encode()))) == ["otel"]
    assert outline(load(name="x", data=data)) == SAID


def test_ids_in_base64_are_the_hex_they_mean():
    """Protobuf writes bytes so."""
    raw = {"traceId": base64.b64encode(bytes(range(16))).decode(), "spanId": base64.b64encode(bytes(8)).decode()}
    found = session({**conventions()[1], **raw})
    assert (found.id, found.messages[-1].id) == ("000102030405060708090a0b0c0d0e0f", "00" * 8)


@pytest.mark.parametrize(
    ("numbers", "usage"),
    [
        ({"input_tokens": 100, "cache_read.input_tokens": 60, "cache_creation.input_tokens": 30}, (10, 60, 30, 0)),
        ({"input_tokens": 100, "output_tokens": 7}, (100, 0, 0, 7)),
        ({"input_tokens": 3, "cache_read.input_tokens": 60, "output_tokens": 7}, (3, 60, 0, 7)),
        (
            {"input_tokens": 100, "cache_read.input_tokens": 60, "output_tokens": 7, "total_tokens": 167},
            (100, 60, 0, 7),
        ),
        ({"input_tokens": 100, "cache_read.input_tokens": 60, "output_tokens": 7, "total_tokens": 107}, (40, 60, 0, 7)),
        ({"prompt_tokens": "12", "completion_tokens": 3.0}, (12, 0, 0, 3)),
        ({"prompt_tokens": "many", "completion_tokens": -5}, (0, 0, 0, 0)),
    ],
)
def test_usage_of_a_call(numbers, usage):
    """The input includes what was cached, as the conventions demand; where that cannot be, or the total denies it, not."""
    names = {f"gen_ai.usage.{name}": n if isinstance(n, (int, str)) else str(int(n)) for name, n in numbers.items()}
    fresh, read, written, output = usage
    found = session(chat("1", [text("user", "q")], text("assistant", "a"), **names))
    assert found.usage == Usage(input_uncached=fresh, cache_read=read, cache_write=written, output=output)
    assert session(*conventions()).usage is None


def test_a_reply_carries_what_its_span_records():
    """The answering model, the time it ended, the line; what was sent has the time and the line of the call."""
    more = {"gen_ai.request.model": "m", "gen_ai.response.model": "m-1"}
    found = load(
        name="x", data=json.dumps([wrapped(), wrapped(chat("1", [text("user", "q")], text("assistant", "a"), **more))])
    )
    asked, reply = found.messages
    assert (reply.model, reply.timestamp, reply.line, reply.reply_id) == ("m-1", "1970-01-01T00:00:02.000Z", 2, "1")
    assert (asked.timestamp, asked.line, found.model, found.title) == ("1970-01-01T00:00:01.000Z", 2, "m-1", "q")


def test_what_a_prompt_leaves_out_was_compacted():
    """With a summary in its place, at the call that has it."""
    sent = [text("user", "q"), CALL, RESULT]
    found = session(
        chat("1", sent[:1], CALL, **{"gen_ai.usage.input_tokens": 50}),
        chat("2", sent, text("assistant", "a2"), 2, **{"gen_ai.usage.input_tokens": 90}),
        chat(
            "3",
            [text("user", "In short: calm"), text("assistant", "a2"), text("user", "more?")],
            text("assistant", "a3"),
            4,
        ),
    )
    (cut,) = found.compactions
    assert (cut.fidelity, cut.at, cut.tokens_before, cut.line, cut.timestamp) == (
        "inferred",
        4,
        90,
        1,
        "1970-01-01T00:00:05.000Z",
    )
    assert [m.content for m in replay(found).compactions[0].after] == ["In short: calm", "a2"]


FLAG = {"gen_ai.conversation.compacted": True}
LONG = [text("user", "q"), CALL, RESULT]


def part(role: str, *words: str, **known: Any) -> dict[str, Any]:
    """A message that begins with a compaction part."""
    return {"role": role, "parts": [{"type": "compaction", **known}, *({"type": "text", "content": w} for w in words)]}


def compacted(*between: Any, **flag: Any) -> Session:
    """A run of three calls, the last of them sent a summary in the place of the first messages; spans between the two."""
    short = [text("user", "In short: calm"), text("assistant", "a2"), text("user", "more?")]
    calls = chat("1", LONG[:1], CALL), chat("2", LONG, text("assistant", "a2"), 2)
    return session(*calls, *between, chat("3", short, text("assistant", "a3"), 8, **flag))


def test_a_call_that_says_it_was_sent_a_compacted_conversation() -> None:
    """What its prompt shows to be gone was compacted: that is recorded, and what stayed is what the prompt holds."""
    (cut,) = compacted(**FLAG).compactions
    assert (cut.fidelity, cut.at, cut.trigger, cut.duration_ms) == ("exact", 4, "", None)
    assert [m.content for m in replay(compacted(**FLAG)).compactions[0].after] == ["In short: calm", "a2"]


def test_a_call_that_says_so_though_nothing_is_gone() -> None:
    """That there was a compaction is all that is known; the calls after it say so as well, and there was no other."""
    first = chat("1", LONG[:1], CALL)
    found = session(
        first, chat("2", LONG, text("assistant", "a"), 2, **FLAG), chat("3", LONG, text("assistant", "b"), 4, **FLAG)
    )
    (cut,) = found.compactions
    assert (cut.kind, cut.at, cut.cleared, cut.fidelity) == ("microcompaction", 3, (), "partial")
    assert "1 compaction changed nothing that the next prompt shows" in found.notes
    assert session(chat("1", LONG[:1], CALL, **FLAG)).compactions == ()


ADK = {
    "gen_ai.operation.name": "compact_events",
    "gen_ai.compaction.trigger": "token_threshold",
    "gen_ai.compaction.event_count": 4,
    "gen_ai.compaction.result_event_id": "e-7",
}


def test_the_span_of_a_compaction_says_when_why_and_how_long() -> None:
    """ADK's names what started it; it ended before the call that was sent its result."""
    took = {"endTimeUnixNano": str(6_500_000_000)}
    (cut,) = compacted(span("x", ADK, 4, **took)).compactions
    assert (cut.fidelity, cut.trigger, cut.duration_ms, cut.timestamp) == (
        "exact",
        "token_threshold",
        1500,
        "1970-01-01T00:00:06.500Z",
    )


def adk_call(id: str, sent: list[tuple[str, Any]], answered: Any, at: int) -> list[dict[str, Any]]:
    """The two spans that ADK makes of a model call: the outer one has the request and the response, as Gemini's."""
    contents = [{"role": role, "parts": [part]} for role, part in sent]
    request = {"model": "m-1", "config": {"system_instruction": "calm"}, "contents": contents}
    response = {"content": {"role": "model", "parts": [answered]}, "usage_metadata": {"prompt_token_count": 5}}
    known = {"gcp.vertex.agent.llm_request": json.dumps(request), "gcp.vertex.agent.llm_response": json.dumps(response)}
    inner = {"gen_ai.operation.name": "generate_content", "gen_ai.usage.input_tokens": 5}
    return [span(id, {**known, "gcp.vertex.agent.session_id": "s-1"}, at), span(f"{id}i", inner, at, parent=id)]


def test_what_adk_itself_traces() -> None:
    """Its own attributes; a model call is one, though it has two spans; a compaction takes the place of what it covers."""
    call = {"function_call": {"id": "f1", "name": "look", "args": {"at": "sea"}}}
    result = {"function_response": {"id": "f1", "name": "look", "response": {"result": "calm"}}}
    asked, summed = ("user", {"text": "q"}), ("model", {"text": "In short: calm"})
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gcp.vertex.agent.llm_request": "{}"}
    found = session(
        *adk_call("1", [asked], call, 0),
        span("t", {**tool, "gcp.vertex.agent.tool_response": json.dumps({"result": "calm"})}, 1, parent="1"),
        *adk_call("2", [asked, ("model", call), ("user", result)], {"text": "a2"}, 2),
        span("x", {**ADK, "gen_ai.conversation.id": "s-1"}, 4, traceId="t2"),
        *adk_call("3", [summed, ("user", {"text": "more?"})], {"text": "a3"}, 8),
    )
    (cut,) = found.compactions
    assert outline(found) == [
        "s:calm",
        "u:q",
        "a: look({'at': 'sea'})#f1",
        't:{"result": "calm"} =f1',
        "a:a2",
        "a:In short: calm",
        "u:more?",
        "a:a3",
    ]
    assert (found.id, cut.at, cut.trigger, cut.duration_ms, cut.fidelity) == (
        "s-1",
        5,
        "token_threshold",
        1000,
        "exact",
    )
    assert (cut.summary, found.notes) == (found.messages[5].id, ())


@pytest.mark.parametrize("before", ["compaction.tokens_before", "gen_ai.compaction.old_tokens"])
def test_the_span_of_a_compaction_may_count_tokens(before: str) -> None:
    """The name of the attribute is the source of the number."""
    after = before.replace("before", "after").replace("old", "new")
    (cut,) = compacted(span("x", {**FLAG, before: 900, after: 80}, 5)).compactions
    assert (cut.tokens_before, cut.before_from) == (900, f"the span's attribute (`{before}`)")
    assert (cut.tokens_after, cut.after_from) == (80, f"the span's attribute (`{after}`)")


@pytest.mark.parametrize(
    "attributes",
    [
        {**ADK, "gen_ai.compaction.declined": "the range was taken"},
        {name: value for name, value in ADK.items() if "result" not in name},
        {"gen_ai.operation.name": "rerank"},
    ],
)
def test_a_compaction_that_came_to_nothing_is_none(attributes: dict[str, Any]) -> None:
    """Declined, or without a result: what the prompt shows is inferred as ever."""
    (cut,) = compacted(span("x", attributes, 5)).compactions
    assert (cut.fidelity, cut.trigger) == ("inferred", "")
    (cut,) = compacted(span("x", ADK, 5, status={"code": 2, "message": "no"})).compactions
    assert cut.fidelity == "inferred"


def test_a_compaction_that_no_call_came_after_is_counted() -> None:
    """What it left is in no prompt."""
    found = session(chat("1", LONG[:1], CALL), span("x", ADK, 5))
    assert found.compactions == ()
    assert found.notes[0] == ("1 compaction with no later model call: what stayed is not recorded")


def test_compactions_before_a_conversation_are_not_gone_through_at_each_of_its_calls(monkeypatch) -> None:
    """They stay without a call of theirs: so many times so many would be slow."""
    reads = 0

    def end(span: Span) -> int:
        nonlocal reads
        reads += 1
        return ends.__get__(span)

    early = [span(f"x{n}", ADK, 0) for n in range(200)]
    said = [text(role, f"{role} {n}") for n in range(200) for role in ("user", "assistant")]
    calls = [chat(str(n), said[: 2 * n + 1], said[2 * n + 1], n + 2) for n in range(200)]
    ends = vars(Span)["end"]
    monkeypatch.setattr(Span, "end", property(end, ends.__set__))
    found = session(*early, *calls)
    assert (len(found.messages), found.compactions) == (400, ())
    assert found.notes[0].startswith("200 compactions with no later model call")
    assert reads < 200 * 50


def test_compactions_between_two_calls_are_told_in_order_of_time() -> None:
    """The one that began first is the first, also where it ended last; one that began before the conversation is not its."""
    ends = [{"endTimeUnixNano": str(at * 10**9)} for at in (8, 7, 1)]
    between = [
        span(str(at), {**ADK, "gen_ai.compaction.trigger": str(at)}, at, **ends[n]) for n, at in enumerate((4, 5, 0))
    ]
    calls = [chat("1", LONG[:1], CALL), chat("2", LONG, text("assistant", "a"), 8)]
    found = session(*calls, *between)
    assert [cut.trigger for cut in found.compactions] == ["4", "5"]


def test_a_part_of_a_reply_stands_for_all_before_it() -> None:
    """The provider compacted what it was sent, and answered; the next prompt sends the part back, with or without the rest."""
    answer, more = part("assistant", "a2", content="In short: calm"), text("user", "more?")
    for sent in ([answer, more], [*LONG, answer, more]):
        calls = chat("1", LONG[:1], CALL), chat("2", LONG, answer, 2, **FLAG)
        found = session(*calls, chat("3", sent, text("assistant", "a3"), 4, **FLAG))
        (cut,) = found.compactions
        assert [m.content for m in found.messages[3:]] == ["In short: calm", "a2", "more?", "a3"]
        assert (cut.at, cut.summary, cut.in_reply, cut.kept) == (3, found.messages[3].id, True, ())
        assert (cut.unreadable, found.messages[3].injected, found.notes) == ("", "summary", ())
        assert [m.content for m in replay(found).compactions[0].after] == ["In short: calm"]


def test_a_part_of_a_prompt_stands_for_all_before_it() -> None:
    """Also in the first one of a file; what only a person said in front of it was kept."""
    found = session(
        chat("1", [text("system", "s"), part("user", content="Before: rain"), *LONG], text("assistant", "a"))
    )
    (cut,) = found.compactions
    assert (cut.at, cut.kept, [m.content for m in found.messages[:3]]) == (1, (), ["s", "Before: rain", "q"])
    said = [text("user", "q"), part("assistant", id="cmp_1"), text("user", "more?")]
    found = session(
        chat("1", LONG[:1], CALL),
        chat("2", LONG, text("assistant", "a2"), 2),
        chat("3", said, text("assistant", "a3"), 4),
    )
    (cut,) = found.compactions
    assert (cut.kept, cut.lead, cut.unreadable) == ((found.messages[0].id,), 1, "not recorded")
    assert [m.content for m in replay(found).compactions[0].after] == ["q", "[summary not recorded: cmp_1]"]


AGENT = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "diver"}
TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"}


def sub_agent(**tool: Any) -> list[Any]:
    """A tool run that is an agent of its own, with a conversation of its own."""
    inner = chat(
        "4", [text("user", "Look at the sea")], text("assistant", "calm"), 2, "3", **{"gen_ai.conversation.id": "k"}
    )
    return [span("5", {**TOOL, **tool}, 1, "0"), span("3", {**AGENT, "gen_ai.conversation.id": "k"}, 2, "5"), inner]


@pytest.mark.parametrize("tool", [{"gen_ai.tool.call.id": "c1"}, {}])
def test_an_agent_below_a_tool_is_a_sub_agent(tool):
    """Its window is a child of the one that called the tool; what it was asked nobody typed."""
    found = session(
        span("0", {**AGENT, "gen_ai.agent.name": "captain", "gen_ai.conversation.id": "j"}), *sub_agent(**tool),
        *[{**s, "parentSpanId": "0"} for s in conventions()],
    )  # fmt: skip
    (child,) = found.children
    assert (outline(found), found.id, found.subagents, found.turns) == (SAID, "j", 1, 1)
    assert (child.name, child.message, child.call, child.id) == ("diver", "1", "c1", "4")
    assert [(m.content, m.injected) for m in child.session.messages] == [("Look at the sea", "task"), ("calm", "")]


def test_a_sub_agent_belongs_to_the_last_call_before_it():
    """Where the tool's span does not name its call; a call of the model around the tool is still one itself."""
    again = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c2", "name": "look", "arguments": {}}]}
    first = chat("1", [text("user", "q")], CALL)
    second = chat("2", [text("user", "q"), CALL, RESULT], again, 6)
    found = session(first, *({**s, "parentSpanId": "1"} if s["spanId"] == "5" else s for s in sub_agent()), second)
    assert [(c.message, c.call, c.name) for c in found.children] == [("1", "c1", "diver")]
    assert outline(found)[1:3] == ["a: look({'at': 'sea'})#c1", "t:calm =c1"]


def run_of(questions: int) -> list[Any]:
    """Prompts without a system prompt, each with the history: question and answer by question and answer."""
    said = [text(role, f"{role} {n}") for n in range(questions) for role in ("user", "assistant")]
    return [chat(str(n), said[: 2 * n + 1], said[2 * n + 1], 2 * n) for n in range(questions)]


@pytest.mark.parametrize(
    ("at", "parent", "size", "compactions", "windows"),
    [(20, "", 2, 1, 1), (6, "", 2, 0, 2), (20, "9", 2, 0, 2), (20, "", 9, 0, 2)],
    ids=["after", "beside", "another agent's", "not smaller"],
)
def test_a_run_without_a_system_prompt_is_compacted_too(at, parent, size, compactions, windows):
    """What is smaller, comes after it, and has the same agent goes on with it; all else is a window of its own."""
    sent = [text("user", f"new {n}") for n in range(size)]
    spans = [*run_of(4), span("9", AGENT), chat("8", sent, text("assistant", "b"), at, parent)]
    found = session(*spans)
    assert (len(found.compactions), 1 + len(found.children)) == (compactions, windows)
    assert all(cut.fidelity == "inferred" and cut.at == 8 for cut in found.compactions)


def test_a_call_beside_a_run_is_no_compaction_of_it():
    """A title is made between two calls of the run, which goes on as it was."""
    *run, last = run_of(5)
    found = session(*run, chat("8", [text("user", "A title?")], text("assistant", "Sea"), 7), last)
    assert (len(found.messages), found.compactions, len(found.children)) == (10, (), 1)


def test_a_system_prompt_alone_binds_a_long_run_only():
    """Two short calls with the same one are two windows; of a run it is a compaction that left nothing else."""
    system, short = text("system", "Be brief"), text("user", "In short: calm, then wind")
    long = [system, text("user", "q"), CALL, RESULT, text("assistant", "a"), text("user", "r")]
    one, two = chat("1", long[:2], text("assistant", "a")), chat("2", [system, short], text("assistant", "b"), 2)
    assert len(session(one, two).children) == 1
    found = session(chat("1", long, CALL), chat("2", [system, short], text("assistant", "b"), 2))
    assert (found.children, [m.injected for m in found.messages if m.content == short["parts"][0]["content"]]) == (
        (),
        ["summary"],
    )


def test_a_call_of_another_kind_has_a_window_of_its_own():
    """One that writes a title from the same question neither ends nor continues the conversation."""
    asked = [text("system", "You write titles"), text("user", "And the sea?")]
    title = chat("9", asked, text("assistant", "Sea state"), 1)
    first, second = conventions()
    found = session(first, title, second)
    assert outline(found) == SAID
    assert [outline(c.session) for c in found.children] == [["s:You write titles", "u:And the sea?", "a:Sea state"]]
    assert (found.compactions, found.children[0].message) == ((), "")


def test_conversations_and_traces_are_sessions():
    """By the conversation that a span or one above it names, by the only one of its trace, else by the trace."""
    more = [text("user", "one"), text("assistant", "a"), text("user", "two")]
    spans = [
        chat("1", more[:1], text("assistant", "a"), **{"gen_ai.conversation.id": "x"}),
        {**chat("2", more, text("assistant", "b"), 2, **{"session.id": "x"}), "traceId": "t2"},
        {**chat("3", [text("user", "other")], text("assistant", "c"), 4), "traceId": "t3"},
    ]
    found = list(load_all(name="x", data=json.dumps(wrapped(*spans))))
    assert [(s.id, s.turns, [m.content for m in s.messages]) for s in found] == [
        ("x", 2, ["one", "a", "two", "b"]),
        ("t3", 1, ["other", "c"]),
    ]


def test_prompts_that_hold_only_what_is_new_are_put_behind_each_other():
    """A provider keeps the history; results come from the tools' own spans, as far as they had ended."""
    late = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c2", "name": "look", "arguments": {}}]}
    found = session(
        chat("1", [text("user", "q")], CALL),
        span("2", {**TOOL, "gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "calm"}, 1),
        chat("3", [text("user", "go on")], text("assistant", "a"), 2),
        chat("4", [text("user", "and?")], late, 4),
        chat("6", [text("user", "well?")], text("assistant", "b"), 6),
        span("5", {**TOOL, "gen_ai.tool.call.result": "storm"}, 9),
    )
    assert outline(found)[:5] == ["u:q", "a: look({'at': 'sea'})#c1", "t:calm =c1", "u:go on", "a:a"]
    assert outline(found)[5:] == ["u:and?", "a: look({})#c2", "u:well?", "a:b"]
    assert found.compactions == ()
    assert "prompts contain only new messages" in found.notes[0]


def test_turns_of_one_conversation_in_several_traces_are_put_behind_each_other():
    """Each prompt holds what was typed, nothing else."""
    turns = [
        chat(f"{n}", [text("user", f"q{n}")], text("assistant", f"a{n}"), n, **{"session.id": "x"}) for n in range(3)
    ]
    found = session(*({**turn, "traceId": f"t{n}"} for n, turn in enumerate(turns)))
    assert (outline(found), found.children) == (["u:q0", "a:a0", "u:q1", "a:a1", "u:q2", "a:a2"], ())


def test_a_prompt_that_is_but_the_result_goes_on():
    """The Responses API with an earlier response's id."""
    found = session(
        chat("1", [text("user", "q")], CALL),
        chat("2", [RESULT], text("assistant", "a"), 2),
    )
    assert (outline(found)[1:], found.compactions) == (["a: look({'at': 'sea'})#c1", "t:calm =c1", "a:a"], ())


def test_calls_that_have_nothing_to_do_with_each_other_are_windows():
    """A pipeline asks three questions: nothing was compacted."""
    found = session(*(chat(str(n), [text("user", f"q{n}")], text("assistant", f"a{n}"), n) for n in range(3)))
    assert (len(found.messages), len(found.children), found.compactions, found.notes) == (2, 2, (), ())


def test_the_result_behind_the_last_call_comes_from_the_tools_span():
    """No later prompt holds it; a failed run gives its error."""
    run = span("2", {**TOOL, "gen_ai.tool.call.id": "c1"}, 1, status={"code": 2, "message": "no lamp"})
    found = session(chat("1", [text("user", "q")], CALL), run)
    assert (outline(found)[-1], found.messages[-1].is_error) == ("t:no lamp =c1", True)


def test_calls_without_ids_find_their_results():
    """By the name of the tool, in order; the same in every prompt."""
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in ("look", "hear")]
    sent: list[Any] = [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": calls}]
    sent += [{"role": "tool", "name": "hear", "content": "h"}, {"role": "tool", "name": "look", "content": "l"}]
    found = session(span("1", {**CHAT, "input.value": json.dumps(sent)}))
    look, hear = found.messages[1].tool_calls
    assert (look.id.startswith("call-"), look.id != hear.id) == (True, True)
    assert [(m.content, m.tool_call_id) for m in found.messages[2:]] == [("h", hear.id), ("l", look.id)]


def test_spans_without_content_are_refused_clearly():
    """Content recording is off unless somebody turns it on."""
    with pytest.raises(TranscriptError, match="contain no messages: content recording was off") as caught:
        session(span("1", CHAT), span("2", AGENT))
    assert "CAPTURE_MESSAGE_CONTENT" in caught.value.hint
    with pytest.raises(TranscriptError, match="contains no spans"):
        session()


def test_where_tools_alone_hold_content_they_are_shown():
    """Each run as a call and its result, with a note that the rest is missing."""
    found = session(
        span("0", {**AGENT, "gen_ai.request.model": "m"}),
        span("1", CHAT, 1, "0"),
        span("2", {**TOOL, "gen_ai.tool.call.arguments": '{"at": "sea"}', "gen_ai.tool.call.result": "calm"}, 2, "0"),
    )
    assert (outline(found), found.title, found.model) == (["a: look({'at': 'sea'})#2", "t:calm =2"], "diver", "m")
    assert "1 model call hold" in found.notes[0]


def test_an_agents_span_may_hold_what_its_model_calls_do_not():
    """What it was asked and answered at each turn, with its tools between; what is repeated is there once."""

    def turn(id: str, sent: list[Any], answer: str, at: int) -> Any:
        said = {
            "gen_ai.input.messages": json.dumps(sent),
            "gen_ai.output.messages": json.dumps([text("assistant", answer)]),
        }
        return {**span(id, {**AGENT, **said}, at), "endTimeUnixNano": str((at + 5) * 10**9)}

    run = span("2", {**TOOL, "gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "calm"}, 1, "1")
    inside = span("4", {**TOOL, "gen_ai.tool.call.id": "c9", "gen_ai.tool.call.result": "no"}, 1, "2")
    asked = [text("user", "q"), CALL, RESULT, text("assistant", "a"), text("user", "r")]
    found = session(turn("1", asked[:1], "a", 0), run, inside, turn("3", asked, "b", 9))
    assert outline(found) == ["u:q", "a: look({})#c1", "t:calm =c1", "a:a", "u:r", "a:b"]
    assert found.messages[0].id == "1-user-0"


def test_what_is_left_out_is_said():
    """Calls without messages, failed ones, results to no call, replies asked for again, spans that stand twice."""
    one = chat("1", [text("user", "q"), {**RESULT}], text("assistant", "bad"))
    again = chat("2", [text("user", "q"), {**RESULT}], text("assistant", "good"), 2)
    broken = span(
        "4",
        CHAT,
        4,
        status={"code": "STATUS_CODE_ERROR"},
        events=[{"name": "exception", "attributes": pairs({"exception.message": "overloaded"})}],
    )
    found = session(one, one, again, span("3", CHAT, 3), broken)  # fmt: skip
    assert [m.content for m in found.messages] == ["q", "calm", "good"]
    assert found.notes == (
        "1 model call skipped: no messages recorded",
        "1 reply skipped: the model was called again",
        "1 tool result without a call in the file",
        "1 reply failed: overloaded",
        "1 span appeared twice in the file",
    )


def test_records_that_are_no_spans_are_counted():
    """With their lines."""
    lines = [json.dumps(wrapped(*conventions())), '{"resourceLogs": []}', "{{{", '{"resourceSpans": 5}']
    found = load(name="x", data="\n".join(lines))
    assert (outline(found), found.malformed_lines) == (SAID, 3)
    assert "2 records skipped: not spans (line or item 2, 4)" in found.notes


def test_a_truncated_attribute_is_shown_as_the_text_it_is():
    """An exporter may cut long values: what is left is no JSON."""
    cut = json.dumps([text("user", "q" * 50)])[:40]
    found = session(span("1", {**CHAT, "gen_ai.input.messages": cut, "gen_ai.output.messages": "plain"}))
    assert [m.content for m in found.messages] == [cut, "plain"]


def test_a_picture_is_no_text():
    """Whatever way it came."""
    parts = [
        {"type": "blob", "mime_type": "image/png", "modality": "image", "content": "aGVsbG8="},
        {"type": "uri", "mime_type": "image/jpeg", "modality": "image", "uri": "https://example.org/a.jpg"},
        {"type": "text", "content": "look"},
    ]
    asked = session(chat("1", [{"role": "user", "parts": parts}], text("assistant", "a"))).messages[0]
    assert (asked.content, [i.media_type for i in asked.images]) == ("look", ["image/png", "image/jpeg"])


def test_parents_in_a_ring_and_spans_without_ids_are_no_trouble():
    """A ring is cut; spans without an id are all there."""
    ring = [span("8", AGENT, parent="9"), span("9", AGENT, parent="8")]
    assert outline(session(*ring, *({**s, "parentSpanId": "8"} for s in conventions()))) == SAID
    bare = [{**chat("", [text("user", "q")], text("assistant", a), n), "spanId": ""} for n, a in enumerate("ab")]
    assert [m.content for m in session(*bare).messages] == ["q", "b"]


@pytest.mark.parametrize("odd", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [[]], {"stringValue": 5}, "[{", "[]"])
def test_values_of_the_wrong_kind_are_no_crash(odd):
    """Whatever stands where something else belongs."""
    keys = [k for f in VOCABULARIES for s in f() for k in (p["key"] for p in s["attributes"])]
    usage = ["gen_ai.usage.input_tokens", "gen_ai.tool.call.arguments", "session.id", "gen_ai.tool.name"]
    wrong = [{"key": key, "value": odd} for key in (*keys, *usage)]
    texts = [{"key": key, "value": {"stringValue": odd}} for key in (*keys, *usage)]
    spans = [{"attributes": a} for a in (odd, wrong, texts, [odd])]
    spans += [{**s, key: odd} for s in (*events(), *conventions()) for key in s]
    spans += [
        {**s, "events": [odd, {"name": odd, "attributes": odd}, {"name": "gen_ai.choice", "attributes": texts}]}
        for s in events()
    ]
    spans += [{**s, "attributes": [*s["attributes"], *texts[:3]]} for f in VOCABULARIES for s in f()]
    found = list(
        load_all(
            name="x",
            data=json.dumps([wrapped(*conventions(), odd, *spans), odd, {"resourceSpans": [odd, {"scopeSpans": odd}]}]),
        )
    )
    assert found
    assert all(s.model_dump_json() for s in found)


def test_the_sample():
    """One conversation with a compaction worked out from its prompts, and the window of the weather desk."""
    found = load(SAMPLE)
    (cut,), (child,) = found.compactions, found.children
    assert (len(found.messages), found.turns, found.id) == (15, 3, "conv_harbour_2026")
    assert (cut.at, len(cut.kept), cut.lead, cut.tokens_before, cut.tokens_after) == (10, 2, 0, 556, 318)
    assert (child.name, child.call, len(child.session.messages)) == ("weather desk", "call_f3", 5)
    assert found.usage == Usage(input_uncached=1053, cache_read=1280, output=267)


def test_spans_without_ids_make_messages_with_ids():
    """They count as no copies of each other."""
    asked = chat("", [text("user", "hi")], text("assistant", "yes"))
    run = span("", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "f"}, 1)
    assert all(m.id for s in load_all(name="t.json", data=json.dumps(wrapped(asked, run))) for m in s.messages)
