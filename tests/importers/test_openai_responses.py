"""OpenAI Responses: items become replies, what the server ran holds its result, a compaction item hides what was before."""

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

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "openai-responses" / "day-walk.json"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)
DATA = base64.b64encode(PNG).decode()

Item = dict[str, Any]


def items(*given: Any) -> Session:
    """What load makes of a list of items."""
    return load(name="s.json", data=json.dumps(given))


def reply(*output: Any, **more: Any) -> Item:
    """A reply with these items."""
    return {"id": "resp_1", "object": "response", "model": "m1", "status": "completed", "output": output, **more}


def user_item(text: str = "go") -> Item:
    """A message with a role alone."""
    return {"role": "user", "content": text}


def answered(text: str, **more: Any) -> Item:
    """What a model said."""
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}], **more}


def thought(text: str = "") -> Item:
    """Reasoning."""
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}] if text else []}


def call(id: str, name: str = "read", arguments: Any = '{"a": 1}') -> Item:
    """A call of a function."""
    return {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name, "arguments": arguments}


def result(id: str, output: Any = "ok") -> Item:
    """What came back from it."""
    return {"type": "function_call_output", "call_id": id, "output": output}


SEALED = {"type": "compaction", "id": "cmp_1", "encrypted_content": "g" * 1234}
USAGE = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 60}, "output_tokens": 9}


def test_items_of_a_reply_are_one_message():
    """It ends with what a person or a tool says; parallel calls belong together, results come behind them."""
    found = items(
        user_item(), thought("hm"), call("1"), call("2", "find"), result("1"), result("2"), thought(), answered("done")
    )
    first, last = found.messages[1], found.messages[4]
    assert [m.role for m in found.messages] == ["user", "assistant", "tool", "tool", "assistant"]
    assert (first.id, first.thinking, [c.id for c in first.tool_calls]) == ("line-2", "hm", ["1", "2"])
    assert [(m.tool_call_id, m.name, m.content) for m in found.messages[2:4]] == [
        ("1", "read", "ok"),
        ("2", "find", "ok"),
    ]
    assert (last.content, last.line, found.title, found.turns, found.notes) == ("done", 7, "go", 1, ())


def test_a_request():
    """Instructions are a system message, as are those of a developer; a text alone is what a person asked."""
    request = {
        "model": "m1",
        "instructions": "Be brief.",
        "input": [{"role": "developer", "content": "x"}, user_item()],
    }
    found = load(name="s.json", data=json.dumps(request))
    assert [(m.role, m.content) for m in found.messages] == [("system", "Be brief."), ("system", "x"), ("user", "go")]
    short = load(name="s.json", data=json.dumps({"model": "m1", "input": "go", "stream": True}))
    assert ([m.content for m in short.messages], short.model) == (["go"], "m1")


def test_a_reply_is_one_message_whatever_the_server_ran():
    """Calls that hold their result are answered behind it; input includes what was cached."""
    found = load(
        name="s.json",
        data=json.dumps(
            reply(
                {"type": "mcp_list_tools", "id": "l1", "server_label": "s", "tools": [{"name": "t"}]},
                thought("hm"),
                {"type": "mcp_call", "id": "p1", "name": "t", "arguments": '{"q": 1}', "output": "out", "error": None},
                thought("so"),
                {"type": "mcp_call", "id": "p2", "name": "t", "arguments": "{", "output": None, "error": {"code": 5}},
                {"type": "file_search_call", "id": "f1", "queries": ["q"], "results": [{"text": "hit"}]},
                {
                    "type": "code_interpreter_call",
                    "id": "i1",
                    "code": "1",
                    "outputs": [{"type": "logs", "logs": "1\n"}],
                },
                {"type": "image_generation_call", "id": "g1", "result": DATA},
                {"type": "web_search_call", "id": "w1", "action": {"type": "search", "query": "q"}},
                {"type": "shell_call", "call_id": "s1", "action": {"commands": ["ls"]}},
                {"type": "shell_call_output", "call_id": "s1", "output": [{"stdout": "a", "stderr": ""}]},
                thought(),
                answered("done"),
                usage=USAGE,
                created_at=1_790_000_000,
                instructions="Be brief.",
            )
        ),
    )
    system, said, *results = found.messages
    assert (system.content, said.content, said.thinking, said.reply_id) == ("Be brief.", "done", "hm\nso", "resp_1")
    assert said.usage == found.usage == Usage(input_uncached=40, cache_read=60, output=9)
    assert (said.timestamp, said.model) == ("2026-09-21T14:13:20Z", "m1")
    assert [(c.name, c.arguments, c.raw) for c in said.tool_calls] == [
        ("mcp_list_tools", {"server_label": "s"}, None),
        ("t", {"q": 1}, None),
        ("t", {}, "{"),
        ("file_search", {"queries": ["q"]}, None),
        ("code_interpreter", {"code": "1"}, None),
        ("image_generation", {}, None),
        ("web_search", {"type": "search", "query": "q"}, None),
        ("shell", {"commands": ["ls"]}, None),
    ]
    assert [(m.tool_call_id, m.content, m.is_error) for m in results] == [
        ("l1", '[{"name": "t"}]', False),
        ("p1", "out", False),
        ("p2", '{"code": 5}', True),
        ("f1", "hit", False),
        ("i1", "1\n", False),
        ("g1", "", False),
        ("s1", "a", False),
    ]
    assert results[5].images == (Image(media_type="image/png", width=640, height=480, source="base64"),)
    assert found.notes == ("only a reply: its request is not in this file",)


def test_a_request_and_its_reply():
    """Both are one session; the instructions, which the reply repeats, stand in it once. A body may lie in an envelope."""
    pair = {
        "request": {"model": "m", "instructions": "Be brief.", "input": [user_item()]},
        "response": reply(answered("done"), usage=USAGE, instructions="Be brief."),
    }
    wrapped = {key: {"body": value, "headers": {}} for key, value in pair.items()}
    for given in (pair, wrapped):
        found = load(name="s.json", data=json.dumps(given))
        assert [(m.role, m.content) for m in found.messages] == [
            ("system", "Be brief."),
            ("user", "go"),
            ("assistant", "done"),
        ]
        assert (found.id, found.model, found.records, found.notes) == ("resp_1", "m1", 2, ())


def test_tools_that_are_searched_for():
    """A search that the server ran names no call; tools that were added take up context."""
    tools = {"type": "additional_tools", "role": "developer", "tools": [{"name": "t"}]}
    searched = {"type": "tool_search_output", "call_id": None, "execution": "server", "tools": [{"name": "u"}]}
    found = items(
        user_item(),
        {"type": "tool_search_call", "id": "s1", "call_id": None, "execution": "server", "arguments": {"q": 1}},
        searched,
        call("1"),
        result("1"),
        tools,
    )
    said, search, _, added = found.messages[1:]
    assert [(c.id, c.name) for c in said.tool_calls] == [("s1", "tool_search"), ("1", "read")]
    assert (search.tool_call_id, search.content) == ("s1", '[{"name": "u"}]')
    assert (added.role, added.injected, added.content) == ("system", "tools", '[{"name": "t"}]')


@pytest.mark.parametrize(
    ("kind", "more", "text", "failed"),
    [
        ("shell_call_output", {"output": [{"stdout": "a", "stderr": "b", "outcome": {}}]}, "a\nb", False),
        ("apply_patch_call_output", {"output": "no such file", "status": "failed"}, "no such file", True),
        ("function_call_output", {"output": [{"type": "input_text", "text": "t"}]}, "t", False),
        (
            "computer_call_output",
            {"output": {"type": "computer_screenshot", "image_url": "https://x/y.png"}},
            "",
            False,
        ),
        ("mcp_approval_response", {"approval_request_id": "1", "approve": True}, "approved", False),
        ("mcp_approval_response", {"approve": False, "reason": "costs"}, "refused: costs", False),
    ],
)
def test_results_of_all_kinds(kind, more, text, failed):
    """What a shell printed, content, a picture of a screen, whether a person agreed."""
    found = items(user_item(), call("1"), {"type": kind, "call_id": "1", **more})
    last = found.messages[-1]
    assert (last.role, last.tool_call_id, last.content, last.is_error) == ("tool", "1", text, failed)
    assert len(last.images) == (kind == "computer_call_output")


def test_what_a_person_must_agree_to_is_a_call():
    """With the tool it is about among its arguments; a person's files and pictures are no text."""
    request = {"type": "mcp_approval_request", "id": "r1", "name": "pay", "server_label": "s", "arguments": "{}"}
    blocks = [
        {"type": "input_text", "text": "see"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{DATA}"},
        {"type": "input_image", "file_id": "file-1"},
        {"type": "input_file", "filename": "a.pdf", "file_data": DATA},
    ]
    found = items({"type": "message", "role": "user", "content": blocks}, request)
    assert found.messages[0].content == "see"
    assert [(i.media_type, i.width, i.source) for i in found.messages[0].images] == [
        ("image/png", 640, "base64"),
        ("", 0, "file-1"),
        ("file", 0, "a.pdf"),
    ]
    (asks,) = found.messages[1].tool_calls
    assert (asks.id, asks.name) == ("r1", "mcp_approval_request")
    assert asks.arguments == {"name": "pay", "server_label": "s", "arguments": "{}"}


def test_a_compaction_item_hides_what_was_before():
    """In a request the messages before it had been in the window; only the summary, which is encrypted, took their place."""
    found = items({"role": "system", "content": "s"}, user_item(), answered("a"), SEALED, user_item("on"))
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.fidelity, cut.unreadable, cut.tokens_before) == (3, (), "partial", "encrypted", None)
    trace = replay(found)
    assert [m.content for m in trace.window(len(trace) - 1)] == [
        "s",
        "[encrypted summary, 1,234 characters: only the provider can read it]",
        "on",
    ]


def test_messages_of_a_person_before_it_were_kept():
    """The endpoint that compacts gives back what was asked, and the item: nothing else is left to be seen."""
    compacted = {
        "id": "r1",
        "object": "response.compaction",
        "output": [user_item("one"), user_item("two"), SEALED],
        "usage": USAGE,
    }
    found = load(name="s.json", data=json.dumps(compacted))
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.lead, cut.tokens_before) == (2, ("line-1", "line-2"), 2, 100)
    assert (cut.before_from, found.messages[-1].usage) == ("prompt of the reply (`usage.input_tokens`)", found.usage)
    assert found.usage == Usage(input_uncached=40, cache_read=60, output=9)


def test_a_second_compaction_begins_where_the_first_ended():
    """Its window is what came after the first, whose summary it takes up."""
    found = items(
        user_item("one"), SEALED, {**SEALED, "id": "cmp_2"}, user_item("two"), answered("a"), {**SEALED, "id": "cmp_1"}
    )
    assert [(c.at, c.kept, c.summary) for c in found.compactions] == [
        (1, ("line-1",), "cmp_1"),
        (1, (), "cmp_2"),
        (3, (), "cmp_1~2"),
    ]


@pytest.mark.parametrize(
    ("about", "note"),
    [
        ({"previous_response_id": "r0"}, "continues response r0"),
        ({"conversation": {"id": "c"}}, "continues a conversation stored by the provider"),
    ],
)
def test_what_the_provider_stored_before_is_not_in_the_file(about, note):
    """Such a file begins in the middle of its session."""
    pair = {"request": {"model": "m", "input": "go"}, "response": reply(answered("a"), **about)}
    found = load(name="s.json", data=json.dumps(pair))
    assert found.notes == (note, "begins in the middle of a session: what came before is not in this file")
    assert found.starts_midway


@pytest.mark.parametrize(
    ("about", "note"),
    [
        ({"error": {"message": "Too many."}, "status": "failed"}, "1 reply failed: Too many."),
        ({"status": "failed"}, "1 reply failed: no reason recorded"),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            "the reply is incomplete: max_output_tokens",
        ),
    ],
)
def test_why_a_reply_is_not_whole_is_noted(about, note):
    """A reply that failed, or was cut short."""
    pair = {"request": {"model": "m", "input": "go"}, "response": reply(answered("a"), **about)}
    found = load(name="s.json", data=json.dumps(pair))
    assert found.notes == (note,)
    assert found.messages[-1].is_error is (about.get("status") == "failed")


def test_items_that_cannot_be_shown_are_counted():
    """References to what the provider keeps, results without a call, types nobody knows, and what is no object."""
    found = items(user_item(), {"type": "item_reference", "id": "m1"}, result("0"), call("1"), answered("a"))
    assert found.other == {"item_reference": 1}
    assert found.notes == (
        "1 item by reference only: the content is not in this file",
        "1 tool result without a call in the file",
    )
    odd = load(name="s.json", data=json.dumps(reply(answered("a"), {"type": "new_thing"}, 5)))
    assert (odd.other, odd.malformed_lines, odd.notes[-1]) == ({"new_thing": 1}, 1, "1 item skipped: not an object")


def test_one_item_a_line():
    """As an agent's memory may be kept; one single item is a session, too."""
    lines = "".join(json.dumps(i) + "\n" for i in (user_item(), call("1"), result("1"), answered("a")))
    assert [m.role for m in load(name="s", data=lines).messages] == ["user", "assistant", "tool", "assistant"]
    assert [m.content for m in load(name="s", data=json.dumps(answered("a"), indent=1)).messages] == ["a"]


def a_run(*output: Any, **more: Any) -> Item:
    """A run of an agent as NeMo Gym collects it."""
    return {"responses_create_params": {"input": [user_item()]}, "response": reply(*output, **more), "reward": 0.5}


def test_a_file_of_runs_is_a_session_of_each():
    """A message of each reply between the results of tools; the tokens are those of the run; named by its task."""
    first = a_run(thought("hm"), call("1"), result("1"), thought("so"), answered("done"), usage=USAGE)
    second = {**a_run(answered("at once"), usage=USAGE), "instance_id": "astropy-12907"}
    one, two = load_all(name="s", data="\n".join(map(json.dumps, (first, {"a": 1}, second))))
    assert [(m.role, m.content, m.thinking, m.line) for m in one.messages] == [
        ("user", "go", "", 1),
        ("assistant", "", "hm", 1),
        ("tool", "ok", "", 1),
        ("assistant", "done", "so", 1),
    ]
    assert one.usage == two.usage == Usage(input_uncached=40, cache_read=60, output=9)
    assert ([m.usage for m in one.messages], two.messages[-1].usage) == ([None] * 4, two.usage)
    assert (one.title, two.title, two.messages[-1].line) == ("go", "astropy-12907, reward 0.5", 3)
    assert (two.notes, two.malformed_lines) == (("1 record before this one skipped: not a run",), 1)


@pytest.mark.parametrize("given", [a_run(call("1"), result("1")), [a_run(call("1"), result("1"))]])
def test_one_run_or_a_list_of_runs(given):
    """Beside the API's own pair, its request needs no model. Tokens that nobody counted are none."""
    found = load(name="s.json", data=json.dumps(given, indent=1))
    assert ([m.role for m in found.messages], found.usage) == (["user", "assistant", "tool"], None)


def test_a_run_whose_prompt_was_not_kept_says_so():
    """An agent of its own makes its prompt, and the request is empty."""
    run = {**a_run(answered("a"), call("1"), result("1"), usage={"input_tokens": 0}), "responses_create_params": {}}
    found = load(name="s.json", data=json.dumps(run))
    assert (found.notes, found.usage) == (("only a reply: its request is not in this file",), None)


@pytest.mark.parametrize(
    "value",
    [
        [user_item()],
        {"model": "m", "input": "go"},
        {"model": "m", "input": [user_item()], "messages": []},
        {"model": "m", "input": [user_item()], "output": {}, "type": "GENERATION"},
        [{"type": "message", "role": "assistant", "content": [{"type": "tool_use"}]}],
        [{"type": "message", "role": "assistant", "content": [{"type": "text"}], "usage": {}}],
        [{"type": "message", "message": {"role": "user"}}],
        [{"type": "tool_call", "role": "assistant"}],
        {"object": "response", "output": {}},
    ],
)
def test_what_other_apis_write_is_not_claimed(value):
    """Messages with a role alone, embeddings, observations of a trace, blocks of Anthropic's, entries of agents."""
    assert "openai-responses" not in claimed_by(head_of(Source("s.json", data=json.dumps(value).encode())))


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [{"type": "message", "role": []}]])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    keys = (
        "role",
        "content",
        "call_id",
        "name",
        "namespace",
        "arguments",
        "output",
        "summary",
        "action",
        "error",
        "tools",
    )
    kinds = ("message", "reasoning", "function_call", "shell_call", "file_search_call", "code_interpreter_call", value)
    others = (
        "tool_search_output",
        "mcp_list_tools",
        "mcp_call",
        "mcp_approval_request",
        "compaction",
        "additional_tools",
    )
    held = dict.fromkeys(("results", "outputs", "result", "encrypted_content", "id", "queries", "status"), value)
    odd = [{"type": kind, **dict.fromkeys(keys, value), **held} for kind in (*kinds, *others, "image_generation_call")]
    told = ("id", "model", "usage", "error", "status", "instructions", "created_at", "previous_response_id")
    about = dict.fromkeys((*told, "incomplete_details", "context_management", "conversation"), value)
    inner = {"input_tokens": value, "input_tokens_details": value, "output_tokens": value}
    for given in ({**reply(*odd, value), **about}, {**reply(answered("a")), "usage": inner}, {**about, "input": odd}):
        pair = {"request": {**about, "input": value}, "response": {**given, "object": "response", "output": odd}}
        found = load(
            name="s.json", data=json.dumps({"request": pair["request"], "response": reply(answered("a"), *odd)})
        )
        assert found.messages
        assert load(name="s.json", data=json.dumps(pair)).model_dump_json()


def test_a_reply_that_says_nothing_holds_no_messages():
    """It is known for what it is."""
    with pytest.raises(TranscriptError, match="contains no messages"):
        load(name="s.json", data=json.dumps(reply()))


def test_the_sample():
    """Nothing but the instructions and the summary was before the last question; the reply is one message."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    assert (len(found.messages), found.turns, found.messages[-4].thinking) == (
        14,
        3,
        "Ask for Saturday's trains, then the way from the station.",
    )
    assert (cut.at, cut.trigger, cut.kept, cut.line) == (8, "auto", (), 10)
    assert found.usage == Usage(input_uncached=1866, cache_read=1024, output=231)
    assert len(found.messages[6].images) == 1
