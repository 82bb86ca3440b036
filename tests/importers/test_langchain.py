"""LangChain: dumps of three kinds, states, checkpoints, runs; what was taken out and put in."""

import json
from pathlib import Path
from typing import Any

import pytest

from core import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.importers.langchain import message_list as _message_list
from core.model.errors import TranscriptError
from core.model.session import Image, Session, ToolCall, Usage

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "langchain" / "ferry-timetable.json"


def session(value: Any) -> Session:
    """What load makes of the value."""
    return load(name="x.json", data=json.dumps(value))


def lines(*records: Any) -> list[Session]:
    """What load_all makes of JSONL."""
    return list(load_all(name="x.jsonl", data="\n".join(map(json.dumps, records))))


def flat(kind: str, content: Any = "x", **fields: Any) -> dict[str, Any]:
    """A message as a state of LangGraph holds it."""
    return {"type": kind, "content": content, **fields}


def stored(kind: str, content: Any = "x", **fields: Any) -> dict[str, Any]:
    """A message as messages_to_dict gives it."""
    return {"type": kind, "data": {"content": content, "type": kind, **fields}}


def built(name: str, content: Any = "x", path: str = "langchain_core", **fields: Any) -> dict[str, Any]:
    """A message as dumpd gives it."""
    id = [path, *(["schema"] if path == "langchain" else []), "messages", name]
    return {"lc": 1, "type": "constructor", "id": id, "kwargs": {"content": content, **fields}}


def call(id: str = "c1", name: str = "add", **args: Any) -> dict[str, Any]:
    """A tool call."""
    return {"name": name, "args": args, "id": id, "type": "tool_call"}


def used(prompt: int, out: int = 1, **inside: int) -> dict[str, Any]:
    """A reply's usage."""
    tokens = {"input_tokens": prompt, "output_tokens": out, "total_tokens": prompt + out}
    return {"usage_metadata": {**tokens, "input_token_details": inside}}


SUMMED = {"additional_kwargs": {"lc_source": "summarization"}}


@pytest.mark.parametrize(
    "value",
    [
        [flat("human", "hi"), flat("ai", "yes"), flat("tool", "t", tool_call_id="c")],
        [stored("human", "hi"), stored("ai", "yes"), stored("tool", "t", tool_call_id="c")],
        [built("HumanMessage", "hi"), built("AIMessageChunk", "yes"), built("ToolMessage", "t", tool_call_id="c")],
        [built("HumanMessage", "hi", "langchain"), flat("AIMessageChunk", "yes"), stored("tool", "t")],
        {"messages": [flat("human", "hi"), flat("ai", "yes"), flat("tool", "t")]},
        {"values": {"messages": [flat("human", "hi"), flat("ai", "yes"), flat("tool", "t")]}, "next": []},
        {"checkpoint": {"channel_values": {"messages": [flat("human", "hi"), flat("ai", "yes"), flat("tool", "t")]}}},
        {"messages": [[built("HumanMessage", "hi"), built("AIMessage", "yes"), built("ToolMessage", "t")]]},
        [[built("HumanMessage", "hi"), built("AIMessage", "yes"), built("ToolMessage", "t")]],
        {"messages": [{"role": "user", "content": "hi"}, {"role": "ai", "content": "yes", **used(1)}, stored("tool")]},
    ],
)
def test_the_shapes_are_one_format(value: Any) -> None:
    """Constructors of either language, stored messages and flat ones, wherever they are kept, read alike."""
    assert claimed_by(head_of(Source("x", data=json.dumps(value).encode()))) == ["langchain"]
    found = session(value)
    assert [m.role for m in found.messages] == ["user", "assistant", "tool"]
    assert ([m.content for m in found.messages[:2]], found.title, found.format) == (["hi", "yes"], "hi", "langchain")


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "content": "hi"}],
        {"messages": [{"role": "assistant", "content": "hi", "type": "message"}]},
        [{"role": "user", "parts": [{"type": "text", "text": "hi"}]}],
        {"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "PromptTemplate"], "kwargs": {"content": "x"}},
        {"type": "system", "subtype": "init", "content": "x"},
        {"inputs": {"question": "hi"}, "outputs": {"answer": "yes"}, "run_type": "chain"},
        {"id": "a", "data": {"content": "x"}},
    ],
)
def test_other_formats_are_not_claimed(value: Any) -> None:
    """Messages by role alone, objects of LangChain that are no messages, runs without messages."""
    assert "langchain" not in claimed_by(head_of(Source("x", data=json.dumps(value).encode())))


def test_calls_that_the_content_repeats_are_read_once() -> None:
    """An Anthropic model's blocks hold the calls a second time, an OpenAI model's extras a third: the tool_calls count."""
    blocks = [
        {"type": "thinking", "thinking": "so", "signature": "x"},
        {"type": "text", "text": "adding"},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
        {"type": "input_json_delta", "partial_json": '{"a'},
    ]
    old = {"tool_calls": [{"id": "c1", "function": {"name": "add", "arguments": '{"a": 1}'}}]}
    found = session([flat("ai", blocks, tool_calls=[call(a=1)], additional_kwargs=old), flat("human")]).messages[0]
    assert (found.content, found.thinking) == ("adding", "so")
    assert found.tool_calls == (ToolCall(id="c1", name="add", arguments={"a": 1}),)


def test_calls_in_other_places() -> None:
    """Blocks alone, LangChain 1's own blocks, and what the OpenAI API gave, count where there is nothing else."""
    found = session(
        [
            flat("ai", [{"type": "tool_use", "id": "c1", "name": "a", "input": {}}]),
            flat("ai", [{"type": "tool_call", "id": "c2", "name": "b", "args": {"x": 1}}]),
            flat("ai", additional_kwargs={"tool_calls": [{"id": "c3", "function": {"name": "c", "arguments": "{}"}}]}),
            flat("ai", additional_kwargs={"function_call": {"name": "d", "arguments": '{"y": 2}'}}),
            flat("ai", [{"type": "function_call", "call_id": "c5", "id": "fc", "name": "e", "arguments": "{}"}]),
        ]
    )
    calls = [m.tool_calls[0] for m in found.messages]
    assert [(c.id, c.name) for c in calls] == [("c1", "a"), ("c2", "b"), ("c3", "c"), ("", "d"), ("c5", "e")]
    assert (calls[1].arguments, calls[3].arguments) == ({"x": 1}, {"y": 2})


def test_invalid_calls_keep_their_text() -> None:
    """Arguments that were no JSON stand apart; the call was made all the same, and its result answers it."""
    broken = [{"name": "add", "args": "{bad", "id": "c9", "error": "no JSON", "type": "invalid_tool_call"}]
    found = session([flat("ai", tool_calls=[call()], invalid_tool_calls=broken), flat("tool", tool_call_id="c9")])
    assert [(c.id, c.raw) for c in found.messages[0].tool_calls] == [("c1", None), ("c9", "{bad")]
    assert (found.messages[1].name, found.notes) == ("add", ())


def test_usage_is_without_what_was_cached() -> None:
    """LangChain's input includes the cache; writes may be told by how long they last; else the provider's numbers count."""
    openai = {
        "token_usage": {"prompt_tokens": 9, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4}}
    }
    anthropic = {"usage": {"input_tokens": 3, "output_tokens": 1, "cache_read_input_tokens": 5}}
    found = session(
        [
            flat("ai", **used(100, 7, cache_read=60, cache_creation=30)),
            flat("ai", **used(100, 7, cache_read=60, cache_creation=0, ephemeral_5m_input_tokens=20)),
            flat("ai", response_metadata=openai),
            flat("ai", response_metadata=anthropic),
            flat("ai"),
        ]
    )
    assert [m.usage for m in found.messages] == [
        Usage(input_uncached=10, cache_read=60, cache_write=30, output=7),
        Usage(input_uncached=20, cache_read=60, cache_write=20, output=7),
        Usage(input_uncached=5, cache_read=4, output=1),
        Usage(input_uncached=3, cache_read=5, output=1),
        None,
    ]


def test_who_said_what() -> None:
    """A developer speaks as the system; other roles and what a middleware says were typed by nobody."""
    found = session(
        [
            flat("system"),
            flat("chat", role="developer"),
            flat("chat", role="critic"),
            flat("human", additional_kwargs={"lc_source": "reminder"}),
            flat("human", "typed"),
            flat("ai", response_metadata={"model_name": "gpt-x", "id": "r1"}, id="run-1"),
            flat("tool", tool_call_id="c", status="error", artifact={"big": 1}),
        ]
    )
    said = [(m.role, m.injected) for m in found.messages[:5]]
    assert said == [("system", ""), ("system", ""), ("user", "critic"), ("user", "reminder"), ("user", "")]
    assert (found.model, found.messages[5].reply_id, found.messages[5].id, found.turns) == ("gpt-x", "r1", "run-1", 1)
    assert found.messages[6].is_error
    assert found.notes == ("1 tool result without a call in the file",)


def test_pictures_are_no_text() -> None:
    """In the shapes of LangChain 0.3 and 1, of the providers, and other media."""
    png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHg"
    content = [
        {"type": "image", "source_type": "base64", "mime_type": "image/png", "data": png},
        {"type": "image", "base64": png, "mime_type": "image/png"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}},
        {"type": "image", "url": "https://example.org/a.png"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}},
        {"type": "audio", "base64": "AAAA"},
        {"type": "text", "text": "look"},
    ]
    (message,) = session([flat("human", content)]).messages
    inside = Image(media_type="image/png", width=640, height=480, source="base64")
    linked, sound = Image(source="https://example.org/a.png"), Image(media_type="audio", source="base64")
    assert (message.content, message.images) == ("look", (inside, inside, inside, linked, inside, sound))


def test_thinking_in_every_place() -> None:
    """A block of the provider, of LangChain, or beside the content."""
    found = session(
        [
            flat("ai", [{"type": "reasoning", "reasoning": "a"}]),
            flat("ai", [{"type": "reasoning", "summary": [{"text": "b"}]}]),
            flat("ai", [{"type": "reasoning_content", "reasoning_content": {"text": "c"}}]),
            flat("ai", additional_kwargs={"reasoning_content": "d"}),
            flat("ai", additional_kwargs={"reasoning": {"summary": [{"text": "e"}]}}),
        ]
    )
    assert "".join(m.thinking for m in found.messages) == "abcde"


def test_tools_of_the_provider_give_results_of_their_own() -> None:
    """The call and its result stand in one reply: here the result is a tool message behind it."""
    own = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "text", "text": "found"}]},
        {"type": "server_tool_call", "id": "s2", "name": "run", "args": {}},
        {"type": "server_tool_result", "tool_call_id": "s2", "status": "error", "output": "no"},
    ]
    found = session([flat("ai", own)])
    assert [(m.role, m.name, m.content, m.is_error) for m in found.messages[1:]] == [
        ("tool", "web_search", "found", False),
        ("tool", "run", "no", True),
    ]


def test_a_state_that_begins_with_a_summary() -> None:
    """What it replaced is not in the file: a compaction of which the summary alone is known."""
    found = session(
        [flat("system"), flat("human", "so far", id="s", **SUMMED), flat("human", "on"), flat("ai", **used(9))]
    )
    (cut,) = found.compactions
    assert (cut.at, cut.summary, cut.kept, cut.fidelity, cut.tokens_before) == (1, "s", (), "partial", None)
    assert ([m.injected for m in found.messages], found.title) == (["", "summary", "", ""], "on")
    assert [m.content for m in replay(found).compactions[0].after] == ["x", "so far"]


def test_an_update_that_removes_everything() -> None:
    """RemoveMessage, the summary, and what is kept under its old ids: exactly what the window became."""
    kept = flat("human", "b", id="2")
    found = session(
        [
            flat("human", "a", id="1"),
            flat("ai", id="r1", **used(50)),
            kept,
            flat("remove", "", id="__remove_all__"),
            flat("human", "S", id="s", **SUMMED),
            kept,
            flat("ai", id="r2", **used(20)),
        ]
    )
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.summary, cut.lead, cut.fidelity, cut.line) == (3, ("2",), "s", 0, "exact", 5)
    assert (cut.tokens_before, cut.before_from) == (50, "prompt of the model call before")
    assert (cut.tokens_after, cut.after_from) == (20, "prompt of the model call after")
    assert ([m.id for m in found.messages], found.other) == (["1", "r1", "2", "s", "r2"], {"RemoveMessage": 1})
    assert found.notes == ()


def test_messages_removed_one_by_one() -> None:
    """Without a summary they were dropped; a summary comes behind what stays; a stranger's id is said."""
    three = [flat("human", "a", id="1"), flat("ai", id="2"), flat("human", "c", id="3")]
    gone = [flat("remove", "", id="1"), flat("remove", "", id="2"), flat("remove", "", id="?")]
    found = session([*three, *gone, flat("ai", id="4")])
    (cut,) = found.compactions
    assert (cut.edit, cut.kept, cut.summary, cut.at) == ("dropped", ("3",), None, 3)
    assert found.notes == ("1 message removed that the list does not contain",)
    summed = session([*three, *gone[:2], flat("human", "S", id="s", **SUMMED)])
    assert [m.id for m in replay(summed).compactions[0].after] == ["3", "s"]


def test_a_summary_between_messages_replaces_those_before_it() -> None:
    """Where nothing says what was removed, everything was."""
    found = session([flat("human", "a", id="1"), flat("human", "S", id="s", **SUMMED), flat("human", "b", id="2")])
    assert [(c.at, c.kept, c.fidelity) for c in found.compactions] == [(1, (), "partial")]


def test_a_summary_kept_beside_the_messages() -> None:
    """deepagents leaves the messages be; from which call on it was sent instead is seen from the prompts."""
    messages = [flat("human", "a", id="1"), flat("ai", id="2", **used(50)), flat("human", "b", id="3")]
    messages += [flat("ai", id="4", **used(70)), flat("human", "c", id="5"), flat("ai", id="6", **used(30))]
    event = {"cutoff_index": 2, "summary_message": flat("human", "S", **SUMMED), "file_path": "/history.md"}
    found = session({"messages": messages, "_summarization_event": event})
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.fidelity) == (5, ("3", "4", "5"), "partial")
    assert (cut.tokens_before, cut.tokens_after) == (70, 30)
    assert [m.content for m in replay(found).window(len(replay(found)) - 1)] == ["S", "b", "x", "c", "x"]
    for message in messages:
        message.pop("usage_metadata", None)
    assert session({"messages": messages, "_summarization_event": event}).compactions[0].at == 5


def test_an_id_that_comes_again_is_the_newer_message() -> None:
    """As LangGraph's own reducer has it."""
    found = session([flat("human", "a", id="1"), flat("ai", id="2"), flat("human", "A", id="1")])
    assert [m.content for m in found.messages] == ["A", "x"]
    assert found.notes == ("1 message written a second time under the same id: the last one counts",)


def test_checkpoints_of_a_thread_are_one_session() -> None:
    """Newest first or last; what goes missing between two was compacted. Each thread is a session."""

    def snapshot(step: int, thread: str, *messages: Any) -> dict[str, Any]:
        config = {"configurable": {"thread_id": thread}}
        return {"values": {"messages": list(messages)}, "config": config, "metadata": {"step": step}, "next": []}

    a, b, c = flat("human", "a"), flat("ai", "b", **used(10)), flat("human", "c")
    history = [
        snapshot(4, "t", flat("human", "S", **SUMMED), c, flat("ai", "d")),
        snapshot(3, "t", a, b, c),
        snapshot(1, "t", a),
        snapshot(1, "u", flat("human", "other")),
    ]
    for found in (list(load_all(name="x", data=json.dumps(history))), lines(*history)):
        first, second = found
        assert ([m.content for m in first.messages], first.id, second.id) == (["a", "b", "c", "S", "d"], "t", "u")
        assert [(cut.at, cut.fidelity, len(cut.kept)) for cut in first.compactions] == [(3, "inferred", 1)]


def test_a_state_of_roles_in_a_checkpoint() -> None:
    """Messages by role alone are LangGraph's where a checkpoint holds them."""
    found = session({"channel_values": {"messages": [{"role": "user", "content": "hi"}]}, "channel_versions": {}})
    assert (found.format, found.turns) == ("langchain", 1)


def run(kind: str, inputs: Any, outputs: Any, at: str, **fields: Any) -> dict[str, Any]:
    """A run of LangSmith."""
    return {"run_type": kind, "inputs": inputs, "outputs": outputs, "start_time": at, "trace_id": "tr", **fields}


def generated(content: str, **fields: Any) -> dict[str, Any]:
    """What a model's run gave."""
    return {"generations": [[{"text": content, "message": built("AIMessage", content, **fields)}]]}


def test_model_runs_of_a_trace_are_put_together() -> None:
    """Each repeats the prompt; another window is a sub-agent's; the call that summarized is left out."""
    ask, answer = built("HumanMessage", "a"), built("AIMessage", "b")
    other = {"messages": [[built("HumanMessage", "sub")]]}
    runs = [
        run("llm", {"messages": [[ask, answer, built("HumanMessage", "c")]]}, generated("d"), "2", parent_run_id="r"),
        run("llm", {"messages": [[ask]]}, generated("b", **used(5)), "1", parent_run_id="r"),
        run("llm", other, generated("done"), "3", parent_run_id="r"),
        run("llm", other, generated("S"), "4", extra={"metadata": {"lc_source": "summarization"}}, parent_run_id="r"),
        run("chain", {"messages": [ask]}, {"messages": [ask, answer]}, "0", id="r"),
    ]
    (found,) = load_all(name="x", data=json.dumps({"runs": runs}))
    assert [m.content for m in found.messages] == ["a", "b", "c", "d"]
    assert (found.messages[1].usage, found.id, found.subagents) == (Usage(input_uncached=5, output=1), "tr", 1)
    assert [m.content for m in found.children[0].session.messages] == ["sub", "done"]


def test_a_run_alone() -> None:
    """A model's with its reply, a chain's by what came out of it; roles alone will do."""
    role = {"role": "user", "content": "hi"}
    one = session(run("llm", {"messages": [[role]]}, generated("yes"), "1"))
    two = session(
        run("chain", {"messages": [role]}, {"messages": [role, {"role": "assistant", "content": "yes"}]}, "1")
    )
    three = session(
        run("chain", {"messages": [flat("human", "hi")]}, {"output": {"messages": [flat("ai", "yes")]}}, "1")
    )
    four = session(run("llm", {"messages": [[role]]}, {"role": "assistant", "content": "yes"}, "1"))
    assert [[m.content for m in s.messages] for s in (one, two, three, four)] == [["hi", "yes"]] * 4


def test_messages_as_lines() -> None:
    """A message a line is one session; a damaged line is said."""
    data = "\n".join([json.dumps(flat("human", "a")), "{broken", json.dumps(flat("ai", "b"))])
    found = load(name="x.jsonl", data=data)
    assert ([m.content for m in found.messages], found.malformed_lines) == (["a", "b"], 1)
    assert found.notes == ("line 2 could not be read and was skipped",)


def test_sub_agents_are_counted() -> None:
    """deepagents' `task` runs one whose messages are not kept."""
    task = call("c1", "task", subagent_type="x", description="y")
    found = session([flat("ai", tool_calls=[task]), flat("tool", tool_call_id="c1")])
    assert found.subagents == 1
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_what_is_no_message_is_counted() -> None:
    """Items of other kinds are left out, with a note."""
    found = session([flat("human", "a"), 5, None, {"type": "ai"}, {"lc": 1, "type": "not_implemented", "id": ["x"]}])
    assert (len(found.messages), found.records, found.malformed_lines) == (1, 5, 4)
    assert found.notes == ("4 items of the list skipped: not messages",)


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [[]], {}])
def test_values_of_the_wrong_kind_are_no_crash(value: Any) -> None:
    """Whatever stands where something else belongs."""
    keys = ("id", "content", "tool_calls", "invalid_tool_calls", "additional_kwargs", "response_metadata", "name")
    odd = dict.fromkeys((*keys, "usage_metadata", "tool_call_id", "status", "role"), value)
    kinds = ("human", "ai", "tool", "system", "chat", "remove", "function", value)
    blocks = ("text", "tool_use", "reasoning", "image", "tool_call", "server_tool_result", "reasoning_content", value)
    inner = ("text", "id", "name", "args", "base64", "url", "summary", "reasoning", "source", "output")
    items = [flat("human", "a"), *({**odd, "type": kind} for kind in kinds), *({"type": k, "data": odd} for k in kinds)]
    items += [flat("ai", [{"type": kind, **dict.fromkeys(inner, value)} for kind in blocks], tool_calls=[odd])]
    event = {"cutoff_index": value, "summary_message": value or flat("human")}
    found = session({"messages": items, "_summarization_event": event, "config": value, "metadata": value})
    assert found.messages[0].content == "a"
    assert found.model_dump_json()
    for shape in (
        run("llm", value, generated("x"), "1"),
        run("chain", {"messages": items}, value, "1"),
        [items, value],
    ):
        with_names = {**shape, "extra": value, "trace_id": value} if isinstance(shape, dict) else shape
        try:
            assert session(with_names).messages
        except TranscriptError:
            assert shape is not items


def test_many_removals_take_no_square_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lists what it kept: beyond a bound no more of them are recorded, and that is said."""
    monkeypatch.setattr(_message_list, "_ROOM", 1_000)
    items = [flat("human", "a", id=f"{n}") for n in range(90)]
    items += [i for n in range(30) for i in (flat("remove", "", id=f"{n}"), flat("ai", "b", id=f"r{n}"))]
    found = load(name="x", data=json.dumps(items))
    assert (len(found.compactions), len(found.messages)) == (11, 120)
    assert found.notes == ("too many removals: only the first ones are shown as compactions",)


def test_the_sample() -> None:
    """One update replaced seven of ten messages; a call with broken arguments was answered all the same."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    assert (len(found.messages), found.turns, cut.at, cut.fidelity) == (17, 3, 10, "exact")
    assert (cut.kept, cut.tokens_before, cut.tokens_after) == (("h-2", "lc_run--ferry-4-0", "tool-4"), 4719, 4437)
    assert [c.raw is None for m in found.messages for c in m.tool_calls] == [True] * 5 + [False]
    assert found.usage == Usage(input_uncached=33, cache_read=26344, cache_write=5285, output=500)
