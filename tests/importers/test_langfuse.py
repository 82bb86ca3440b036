"""Langfuse: inputs and outputs of any shape, put together to conversations; tools, sub-agents, usage in parts."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import CLEARED, replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "langfuse" / "tool-library.trace.json"


def observation(
    id: str, kind: str, given: Any = None, answered: Any = None, at: int = 0, parent: str = "", **more: Any
) -> Any:
    """An observation, `at` seconds after the start; input and output are JSON in texts, as the app has them."""
    times = {"startTime": f"2026-01-01T00:00:{at:02d}.000Z", "endTime": f"2026-01-01T00:00:{at + 1:02d}.000Z"}
    known = {
        "id": id,
        "traceId": "t1",
        "type": kind,
        "parentObservationId": parent or None,
        "name": f"name {id}",
        **times,
    }
    return {**known, "input": json.dumps(given), "output": json.dumps(answered), "usageDetails": {}, **more}


def export(*observations: Any, **trace: Any) -> str:
    """A download."""
    return json.dumps({"trace": {"id": "t1", "name": "run", **trace}, "observations": observations})


def session(*observations: Any, **trace: Any) -> Session:
    """What load makes of a download."""
    return load(name="t.json", data=export(*observations, **trace))


def outline(found: Session) -> list[str]:
    """Each message in a line: its role's letter, what it says, what it calls, what it answers."""
    calls = [" ".join(f"{c.name}({c.arguments})" for c in m.tool_calls) for m in found.messages]
    return [f"{m.role[0]}:{m.content}{call}" for m, call in zip(found.messages, calls, strict=True)]


SAID = ["s:Be brief", "u:And the sea?", "a:look({'at': 'sea'})", "t:calm", "a:It is calm"]
LOOK = {"name": "look", "arguments": '{"at": "sea"}'}
ITEM = {"type": "function_call", "call_id": "c1", **LOOK}
CHATML = [
    {"role": "system", "content": "Be brief"},
    {"role": "user", "content": "And the sea?"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": LOOK}]},
    {"role": "tool", "tool_call_id": "c1", "content": "calm"},
]
ANTHROPIC = [
    {"role": "user", "content": "And the sea?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "sea"}}]},
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "calm"}]}],
    },
]
RESPONSES = [
    {"role": "user", "content": [{"type": "input_text", "text": "And the sea?"}]},
    ITEM,
    {"type": "function_call_output", "call_id": "c1", "output": "calm"},
]
RESPONSE = {
    "object": "response",
    "instructions": "Be brief",
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is calm"}]},
    ],
}


def lc(name: str, **known: Any) -> dict[str, Any]:
    """A message as LangChain dumps it."""
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": known}


CALLED = [{"name": "look", "args": {"at": "sea"}, "id": "c1", "type": "tool_call"}]
DUMPED = [
    lc("SystemMessage", content="Be brief"),
    lc("HumanMessage", content="And the sea?", type="human"),
    lc("AIMessage", content="", tool_calls=CALLED),
    lc("ToolMessage", content="calm", tool_call_id="c1"),
]
TYPED = [
    {"type": "system", "content": "Be brief"},
    {"type": "human", "content": "And the sea?"},
    {
        "type": "ai",
        "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "sea"}}],
        "tool_calls": CALLED,
    },
    {"type": "tool", "content": "calm", "tool_call_id": "c1"},
]
GEMINI = {
    "systemInstruction": {"parts": [{"text": "Be brief"}]},
    "contents": [
        {"role": "user", "parts": [{"text": "And the sea?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"at": "sea"}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": "calm"}}]},
    ],
}
SDK = [
    *CHATML[:2],
    {
        "role": "assistant",
        "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"at": "sea"}}],
    },
    {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "look", "result": "calm"}]},
]
ANSWER = {"role": "assistant", "content": "It is calm"}
ADK = {
    "model": "gemini",
    "config": {"system_instruction": "Be brief", "tools": []},
    "contents": [
        {"role": "user", "parts": [{"text": "And the sea?"}]},
        {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "look", "args": {"at": "sea"}}}]},
        {
            "role": "user",
            "parts": [{"function_response": {"id": "c1", "name": "look", "response": "calm"}}],
        },
    ],
}
THOUGHT = {"content": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "It is calm"}]}}
SHAPES = {
    "adk": (ADK, THOUGHT),
    "tools among messages": ([*CHATML, {"role": "tool", "content": {"type": "function", "function": LOOK}}], ANSWER),
    "blocks of LlamaIndex": (
        [
            *CHATML[:1],
            {"role": "MessageRole.USER", "blocks": [{"block_type": "text", "text": "And the sea?"}]},
            *CHATML[2:],
        ],
        ANSWER,
    ),
    "chat": (CHATML, ANSWER),
    "request": (
        {"model": "m", "messages": CHATML},
        {"choices": [{"message": ANSWER}, {"message": {"content": "other"}}]},
    ),
    "nested": ([CHATML], "It is calm"),
    "anthropic": ({"system": "Be brief", "messages": ANTHROPIC}, {"content": [{"type": "text", "text": "It is calm"}]}),
    "blocks": (
        {"system": [{"type": "text", "text": "Be brief"}], "messages": ANTHROPIC},
        [{"type": "text", "text": "It is calm"}],
    ),
    "responses": (RESPONSES, RESPONSE),
    "input": ({"instructions": "Be brief", "input": RESPONSES}, RESPONSE["output"]),
    "dumped": (
        {"messages": [DUMPED]},
        {"generations": [[{"text": "x", "message": lc("AIMessage", content="It is calm")}]]},
    ),
    "typed": ({"messages": TYPED}, {"messages": [{"type": "ai", "content": "It is calm"}]}),
    "data": ([{"type": m["type"], "data": m} for m in TYPED], {"type": "ai", "data": {"content": "It is calm"}}),
    "gemini": (GEMINI, {"candidates": [{"content": {"role": "model", "parts": [{"text": "It is calm"}]}}]}),
    "sdk": (SDK, {"text": "It is calm"}),
    "echo": (CHATML, [*CHATML, ANSWER]),
    "completion": (CHATML, {"completion": "It is calm"}),
}


PACKINGS = {"json": lambda x: x, "text": json.dumps, "twice": lambda x: json.dumps(json.dumps(x))}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_says_the_same(shape, packing):
    """System prompt, question, call, result and answer, each once, however they are packed."""
    given, answered = map(PACKINGS[packing], SHAPES[shape])
    found = session({**observation("1", "GENERATION"), "input": given, "output": answered})
    assert outline(found) == SAID
    assert found.messages[3].tool_call_id == found.messages[2].tool_calls[0].id
    assert (found.notes, found.messages[-1].id, found.format) == ((), "1", "langfuse")


@pytest.mark.parametrize(
    "data",
    [
        export(observation("1", "GENERATION", CHATML, ANSWER)),
        json.dumps({"trace": {"id": "t1", "observations": [observation("1", "GENERATION", CHATML, ANSWER)]}}),
        json.dumps({"id": "t1", "name": "x", "observations": [observation("1", "GENERATION", CHATML, ANSWER)]}),
        json.dumps([observation("1", "GENERATION", CHATML, ANSWER)]),
        json.dumps(observation("1", "GENERATION", CHATML, ANSWER)),
        json.dumps(observation("1", "GENERATION", CHATML, ANSWER)) + "\n" + json.dumps(observation("2", "SPAN", at=3)),
    ],
)
def test_every_way_to_hold_observations(data):
    """The app's download, a trace of the API, a list of observations, one a line."""
    assert claimed_by(head_of(Source("x", data=data.encode()))) == ["langfuse"]
    assert outline(load(name="x", data=data)) == SAID


def test_keys_as_exports_to_a_bucket_have_them():
    """With underlines; one observation a line."""
    one = observation("1", "GENERATION", CHATML, ANSWER, 3, "9")
    names = {"traceId": "trace_id", "parentObservationId": "parent_observation_id", "startTime": "start_time"}
    line = {names.get(k, k): v for k, v in one.items()} | {"provided_model_name": "m", "usage_details": {"input": 5}}
    found = load(name="x", data=json.dumps(line) + "\n" + json.dumps(line | {"type": "SPAN", "id": "9"}))
    assert (outline(found), found.model, found.id, found.records) == (SAID, "m", "t1", 2)
    assert (found.messages[0].timestamp, found.usage) == ("2026-01-01T00:00:03.000Z", Usage(input_uncached=5))


def test_other_objects_with_observations_are_not_claimed():
    """Of weather stations, for instance."""
    data = json.dumps({"observations": [{"type": "rain", "startTime": 1}], "trace": 5}).encode()
    assert claimed_by(head_of(Source("x", data=data))) == []


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        ({"input": 5, "output": 7, "total": 12}, (5, 0, 0, 7)),
        (
            {"input": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 4, "output": 7, "total": 106},
            (5, 90, 4, 7),
        ),
        ({"input": 95, "input_cached_tokens": 90, "output": 7, "total": 102}, (5, 90, 0, 7)),
        (
            {"input": 5, "input_cached_tokens": 90, "output": 7, "output_reasoning_tokens": 3, "total": 105},
            (5, 90, 0, 10),
        ),
        ({"input": 5, "output": 7, "output_reasoning_tokens": 3, "total": 12}, (5, 0, 0, 7)),
        ({"input": 55, "output": 15, "total": 70, "prompt_details.cache_read": 50}, (5, 50, 0, 15)),
        ({"input": 5.0, "output": "7"}, (5, 0, 0, 0)),
    ],
)
def test_usage_of_a_call(details, usage):
    """Parts do not overlap; where the recorded total says that they do they are taken apart."""
    fresh, read, written, output = usage
    found = session(observation("1", "GENERATION", CHATML, ANSWER, usageDetails=details))
    assert found.usage == Usage(input_uncached=fresh, cache_read=read, cache_write=written, output=output)


def test_usage_in_the_older_way():
    """And where nothing is recorded there is none."""
    older = {"usageDetails": None, "usage": {"input": 5, "output": 7, "total": 12, "unit": "TOKENS"}}
    assert session(observation("1", "GENERATION", CHATML, ANSWER, **older)).usage == Usage(input_uncached=5, output=7)
    assert session(observation("1", "GENERATION", CHATML, ANSWER)).usage is None


def test_a_reply_carries_what_its_observation_records():
    """Model, time, place in the list; what was asked has those of the call."""
    found = session(
        observation("0", "SPAN"), observation("1", "GENERATION", CHATML[:2], ANSWER, 3, model="m-1"), sessionId="s9"
    )
    reply = found.messages[-1]
    assert (reply.model, reply.timestamp, reply.line, reply.reply_id) == ("m-1", "2026-01-01T00:00:04.000Z", 2, "1")
    assert (found.id, found.model, found.records, found.other) == ("s9", "m-1", 2, {"span/SPAN": 1})
    assert (found.title, found.turns, found.messages[0].timestamp) == ("And the sea?", 1, "2026-01-01T00:00:03.000Z")


def test_a_call_around_another_is_not_counted_twice():
    """The AI SDK has one around all steps; the result behind the last step comes from the tool."""
    metadata = json.dumps({"attributes": {"ai.toolCall.id": "c1"}})
    called = [{"toolCallId": "c1", "toolName": "look", "input": '{"at": "sea"}'}]
    found = session(
        observation("0", "GENERATION", {"prompt": "And the sea?"}, called),
        observation("1", "GENERATION", CHATML[:2], called, 1, "0"),
        observation("2", "TOOL", {"at": "sea"}, "calm", 2, "0", metadata=metadata),
    )
    assert outline(found) == SAID[:4]


def test_what_a_prompt_empties_was_a_microcompaction():
    """Results that say less than before."""
    long = [*CHATML[:3], {**CHATML[3], "content": "calm, as far as the eye can see"}]
    short = [*CHATML[:3], {**CHATML[3], "content": "(cleared)"}, ANSWER, {"role": "user", "content": "more?"}]
    found = session(
        observation("1", "GENERATION", long, ANSWER), observation("2", "GENERATION", short, {"content": "b"}, 2)
    )
    (cut,) = found.compactions
    assert (cut.kind, cut.at, cut.fidelity, cut.timestamp) == (
        "microcompaction",
        5,
        "inferred",
        "2026-01-01T00:00:02.000Z",
    )
    assert [m.content for m in replay(found).compactions[0].after][3:] == [CLEARED, "It is calm"]


def test_an_agent_below_a_tool_is_a_sub_agent():
    """Its window is a child of the one that called the tool."""
    inner = [{"role": "user", "content": "Look"}]
    found = session(
        observation("0", "AGENT"),
        observation("1", "GENERATION", CHATML[:2], CHATML[2], 1, "0"),
        observation("2", "TOOL", {"at": "sea"}, "calm", 2, "0", name="look"),
        observation("3", "AGENT", None, None, 2, "2", name="diver"),
        observation("4", "GENERATION", inner, {"content": "calm"}, 3, "3"),
        observation("5", "GENERATION", CHATML, ANSWER, 5, "0"),
    )
    (child,) = found.children
    assert (outline(found), found.subagents) == (SAID, 1)
    assert (child.name, child.message, child.call) == ("diver", "1", "c1")
    assert (outline(child.session), child.session.turns) == (["u:Look", "a:calm"], 0)


def test_calls_that_repeat_nothing():
    """LangSmith's exporter leaves the name of a key where an input should be; the trace has the system prompt."""
    asked = json.dumps(json.dumps({"prompt": "And the sea?", "system": "Be brief"}))
    use = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "sea"}}]}
    found = session(
        observation("1", "GENERATION", CHATML[1], use),
        observation(
            "2", "TOOL", {"input": {"at": "sea"}}, {"content": [{"type": "text", "text": "calm"}]}, 1, name="look"
        ),
        observation("3", "GENERATION", {"content": "role"}, ANSWER, 2),
        input=asked,
    )
    assert (outline(found), found.compactions) == (SAID, ())
    assert "prompts contain only new messages" in found.notes[0]


def test_traces_of_a_list_are_sessions():
    """Observations of several traces, each its own."""
    more = [
        {**observation(f"{n}", "GENERATION", [{"role": "user", "content": f"q{n}"}], ANSWER, n), "traceId": f"t{n}"}
        for n in (1, 2)
    ]
    found = list(load_all(name="x", data=json.dumps(more)))
    assert [(s.id, outline(s)) for s in found] == [("t1", ["u:q1", "a:It is calm"]), ("t2", ["u:q2", "a:It is calm"])]


def test_what_is_left_out_is_said():
    """Failed calls, those without content, items that are no observations."""
    failed = observation("2", "GENERATION", None, None, 2, level="ERROR", statusMessage="overloaded")
    found = session(
        observation("1", "GENERATION", CHATML, ANSWER),
        failed,
        observation("3", "GENERATION", None, None, 3),
        5,
        {"type": "x"},
    )
    assert (outline(found), found.malformed_lines) == (SAID, 2)
    assert found.notes == (
        "1 model call skipped: no messages recorded",
        "1 reply failed: overloaded",
        "2 observations skipped: unknown type",
    )


def test_observations_without_content_are_refused_clearly():
    """Nothing was said, as far as the file goes."""
    with pytest.raises(TranscriptError, match="contain no messages: content recording was off"):
        session(observation("1", "GENERATION"), observation("2", "SPAN", {"a": 1}, {"b": 2}))
    with pytest.raises(TranscriptError, match="contains no spans"):
        session()


@pytest.mark.parametrize(
    "odd", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [[]], [[[{"role": 5}]]], "[{", {"messages": 5}]
)
def test_values_of_the_wrong_kind_are_no_crash(odd):
    """Whatever stands where something else belongs."""
    whole = observation("1", "GENERATION", CHATML, ANSWER)
    keys = (*whole, "metadata", "sessionId", "level", "usage", "model", "statusMessage")
    broken = [
        {**observation(f"x{i}", kind), key: odd}
        for i, key in enumerate(keys)
        for kind in ("GENERATION", "TOOL", "AGENT", "SPAN")
    ]
    blocks = [{"role": "user", "content": [{"type": kind, **dict.fromkeys(BLOCK, odd)}]} for kind in KINDS]
    items = [dict.fromkeys(BLOCK, odd) | {"role": role} for role in ("user", "assistant", "tool", "system", odd)]
    kinds = [dict.fromkeys(BLOCK, odd) | {"type": kind} for kind in KINDS]
    shapes = [
        observation(f"y{i}", "GENERATION", given, given, i)
        for i, given in enumerate((blocks, items, kinds, odd, [odd], {"messages": odd}))
    ]
    used = [
        observation(f"z{key}", "GENERATION", CHATML, ANSWER, usageDetails={key: odd, "input": 5})
        for key in ("input", "output", "total")
    ]
    found = list(load_all(name="x", data=export(whole, *broken, *shapes, *used, odd, input=odd, sessionId=odd)))
    assert found
    assert all(s.model_dump_json() for s in found)


KINDS = (
    *(
        "text",
        "tool_use",
        "tool_result",
        "tool-call",
        "tool-result",
        "function_call",
        "function_call_output",
        "reasoning",
    ),
    *(
        "thinking",
        "image",
        "image_url",
        "blob",
        "uri",
        "file",
        "functionCall",
        "document",
        "message",
        "human",
        "ai",
        "other",
    ),
)
BLOCK = (
    *(
        "text",
        "content",
        "input",
        "output",
        "source",
        "image_url",
        "image",
        "data",
        "id",
        "name",
        "toolCallId",
        "summary",
    ),
    *("arguments", "functionCall", "tool_calls", "function_call", "additional_kwargs", "parts", "kwargs", "is_error"),
)


def test_the_sample():
    """Observations in no order; two results emptied before the last but one call, an expert behind a tool."""
    found = load(SAMPLE)
    (cut,), (child,) = found.compactions, found.children
    assert (len(found.messages), found.turns, found.id) == (13, 2, "chat-2026-0914-17")
    assert (cut.kind, cut.at, len(cut.cleared), cut.tokens_before, cut.tokens_after) == (
        "microcompaction",
        9,
        2,
        568,
        402,
    )
    assert (child.name, child.message, child.call, len(child.session.messages)) == (
        "wood expert",
        "obs-05",
        "toolu_03",
        3,
    )
    assert found.usage == Usage(input_uncached=1158, cache_read=850, cache_write=550, output=279)
