"""Anthropic messages: lists, requests, responses, and compaction by the server."""

import json
from typing import Any

import pytest

from core.importers import load
from core.model.own_text import own_text
from core.model.session import Session, ToolCall, Usage


def session(value: Any) -> Session:
    """What load makes of the value."""
    return load(name="x.json", data=json.dumps(value).encode())


USE = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a"}}


def test_tool_results_are_messages_of_their_own():
    """Results of parallel calls come in one user message; each is a tool message here, before what else was said."""
    results = [{"type": "tool_result", "tool_use_id": "t1", "content": "A"}]
    results += [
        {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "B"}], "is_error": True}
    ]
    found = session(
        [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, USE, {**USE, "id": "t2"}]},
            {"role": "user", "content": [*results, {"type": "text", "text": "well?"}]},
        ]
    )
    assert found.format == "anthropic-messages"
    assert [m.role for m in found.messages] == ["user", "assistant", "tool", "tool", "user"]
    assert [(m.tool_call_id, m.name, m.content, m.is_error) for m in found.messages[2:4]] == [
        ("t1", "read_file", "A", False),
        ("t2", "read_file", "B", True),
    ]
    assert (found.messages[1].thinking, found.turns) == ("hm", 2)


def test_a_request_has_its_system_message_first():
    """`system`, a text or blocks, is the first message and says whose format this is."""
    found = session(
        {
            "model": "claude-x",
            "system": [{"type": "text", "text": "Be brief."}],
            "messages": [{"role": "user", "content": "hi"}],
        }
    )
    assert [(m.role, m.content) for m in found.messages] == [("system", "Be brief."), ("user", "hi")]
    assert (found.format, found.model) == ("anthropic-messages", "claude-x")


def test_plain_texts_are_openai_messages():
    """A list without blocks could be either; it is read as OpenAI's, which gives the same messages."""
    assert session([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]).format == "openai-chat"


def test_the_server_compacts():
    """A compaction block is a recorded compaction with its summary; its call is on the summary, and in the bill."""
    rounds = [
        {"type": "compaction", "input_tokens": 60_000, "output_tokens": 500},
        {"type": "message", "input_tokens": 700, "output_tokens": 90},
    ]
    content = [{"type": "compaction", "content": "We spoke of foxes."}, {"type": "text", "text": "Yes."}]
    reply = {"type": "message", "id": "m", "role": "assistant", "model": "claude-x", "content": content}
    found = session({**reply, "usage": {"input_tokens": 700, "output_tokens": 90, "iterations": rounds}})
    (compaction,) = found.compactions
    assert (compaction.at, compaction.tokens_before, compaction.tokens_after) == (0, 60_000, 700)
    assert compaction.before_from == "prompt of the model call that compacted (`usage.iterations`)"
    assert compaction.after_from == "prompt of the reply itself (`usage.iterations`)"
    assert [(m.content, m.injected) for m in found.messages] == [("We spoke of foxes.", "summary"), ("Yes.", "")]
    assert compaction.summary == found.messages[0].id
    assert found.usage == Usage(input_uncached=60_700, output=590)


def test_a_summary_that_is_sent_back_stands_where_it_was_made():
    """In a request the summary counts for no message that arrived."""
    content = [{"type": "compaction", "content": "So far."}, {"type": "text", "text": "Hello."}]
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": content},
        {"role": "user", "content": "b"},
    ]
    found = session({"system": "s", "messages": messages})
    assert [m.content for m in found.messages] == ["s", "a", "So far.", "Hello.", "b"]
    assert [(c.at, c.tokens_before, c.before_from) for c in found.compactions] == [(2, None, "")]
    assert found.compactions[0].fidelity == "partial"


@pytest.mark.parametrize("encrypted", [{}, {"encrypted_content": "abc"}])
def test_a_compaction_that_failed_changes_nothing(encrypted):
    """Its block has no summary; it is sent back like any other."""
    content = [{"type": "compaction", "content": None, **encrypted}, {"type": "text", "text": "Hello."}]
    found = session([{"role": "user", "content": "a"}, {"role": "assistant", "content": content}])
    assert [m.content for m in found.messages] == ["a", "Hello."]
    assert (found.compactions, found.notes) == ((), ("1 compaction of the server failed and changed nothing",))


def pairs(*names: str) -> list[dict[str, Any]]:
    """A prompt and one tool pair for each name, whose id is the letter in the name's place."""
    found: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for id, name in zip("abc", names, strict=False):
        result = {"type": "tool_result", "tool_use_id": id, "content": f"out {id}"}
        found.append({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": {}}]})
        found.append({"role": "user", "content": [result]})
    return found


def answer(cleared: int, tokens: int = 0) -> dict[str, Any]:
    """A reply whose prompt had tool results left out."""
    edit = {"type": "clear_tool_uses_20250919", "cleared_tool_uses": cleared, "cleared_input_tokens": tokens}
    known = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "ok"}]}
    return {**known, "usage": {"input_tokens": 40}, "context_management": {"applied_edits": [edit]}}


def test_a_request_with_its_response():
    """One object of both; tool results that the server left out are the oldest, but for those of tools to spare."""
    request = {
        "model": "claude-x",
        "system": "Be brief.",
        "messages": pairs("read", "memory", "read"),
        "context_management": {"edits": [{"type": "clear_tool_uses_20250919", "exclude_tools": ["memory"]}]},
    }
    found = session({"request": request, "response": answer(2, 500)})
    assert [m.role for m in found.messages][-3:] == ["assistant", "tool", "assistant"]
    (edit,) = found.compactions
    cleared = [m.content for m in found.messages if m.id in edit.cleared]
    assert (edit.kind, edit.at, cleared, edit.fidelity) == ("microcompaction", 8, ["out a", "out c"], "partial")
    assert (edit.tokens_before, edit.tokens_after, edit.trigger) == (540, 40, "context editing")
    assert (found.model, found.format, found.notes) == ("claude-x", "anthropic-messages", ())


def test_results_are_left_out_once():
    """Each reply says how many in all: only those that came since the last one are new."""
    found = session([*pairs("read", "read", "read"), answer(1), answer(1), answer(3)])
    contents = {m.id: m.content for m in found.messages}
    assert [[contents[id] for id in c.cleared] for c in found.compactions] == [["out a"], ["out b", "out c"]]


def test_results_that_are_not_in_the_file_cannot_be_named():
    """A response alone says how many there were."""
    found = session(answer(8, 50_000))
    assert found.compactions == ()
    assert found.notes == ("the server left 8 tool results out of a prompt; the file does not say which",)


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, True])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    keys = ("id", "content", "input", "name", "tool_use_id", "source", "text", "thinking", "is_error")
    blocks = [
        {**dict.fromkeys(keys, value), "type": k} for k in ("tool_use", "tool_result", "compaction", "image", value)
    ]
    edit = {"type": "clear_tool_uses", "cleared_tool_uses": value}
    edits = {"applied_edits": [edit, value], "edits": [{"exclude_tools": [value]}, value]}
    known = {"type": "message", "role": "assistant", "content": blocks}
    usages = (value, {"iterations": [value, {"type": "compaction", "input_tokens": value}]})
    replies = [{**known, "usage": u, "context_management": c} for u in usages for c in (value, edits)]
    request = {"system": value, "context_management": edits, "messages": [{"role": "user", "content": "a"}, *replies]}
    for data in (request, request["messages"], replies[0], {"request": request, "response": replies[-1]}):
        assert session(data).model_dump_json()


def test_a_second_compaction_does_not_count_the_first_summary():
    """Positions are in the messages that arrived: the system message, a, Hello, b."""
    folded = {
        "role": "assistant",
        "content": [{"type": "compaction", "content": "So far."}, {"type": "text", "text": "x"}],
    }
    messages = [{"role": "user", "content": "a"}, folded, {"role": "user", "content": "b"}, folded]
    assert [c.at for c in session({"system": "s", "messages": messages}).compactions] == [2, 4]


def test_tools_of_the_server_are_pairs_too():
    """A server's tool use is a call, its result a tool message, an error is an error."""
    content = [
        {"type": "server_tool_use", "id": "s1", "name": "bash_code_execution", "input": {"command": "ls"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "s1", "content": {"stdout": "a.py", "stderr": ""}},
        {"type": "web_search_tool_result", "tool_use_id": "s2", "content": {"error_code": "max_uses"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "s3", "content": {"stdout": "b", "return_code": 1}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "s4", "content": {"stdout": "c", "return_code": 0}},
    ]
    found = session({"type": "message", "role": "assistant", "content": content})
    assert [(m.role, m.content, m.is_error) for m in found.messages] == [
        ("assistant", "", False),
        ("tool", "a.py", False),
        ("tool", "max_uses", True),
        ("tool", "b", True),
        ("tool", "c", False),
    ]


def test_the_answer_of_a_reply_with_tools_of_the_server_follows_their_last_result():
    """What it said between its calls is no answer; without text behind the last result, or in front of it, none is marked."""
    ran = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
    ]

    def said(*content):
        reply = session({"type": "message", "role": "assistant", "content": list(content)}).messages[0]
        return reply.content, own_text(reply)

    first, then, done, more = (
        {"type": "text", "text": text} for text in ("Let me see.", "And then:", "Done.", "See [1].")
    )
    whole = "Let me see.\nAnd then:\nDone.\nSee [1]."
    assert said(first, *ran, then, *ran, done, more) == (whole, "Done.\nSee [1].")
    assert said(first, then, *ran) == ("Let me see.\nAnd then:", "Let me see.\nAnd then:")
    assert said(*ran, done) == ("Done.", "Done.")


def test_the_usage_of_a_reply_with_tools_of_the_server_is_no_prompt():
    """It is a sum over the calls between them, which counts in the total; where these are told, the last is the reply's own."""
    content = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "text", "text": "Found."},
    ]
    reply = {"type": "message", "role": "assistant", "content": content}
    summed = session({**reply, "usage": {"input_tokens": 900, "output_tokens": 60}})
    assert [m.usage for m in summed.messages] == [None]
    assert summed.usage == Usage(input_uncached=900, output=60)
    assert summed.notes == (
        "1 model call ran tools on the server: the tokens are a sum, which counts only in the total",
    )
    rounds = [{"type": "message", "input_tokens": n, "output_tokens": 30} for n in (400, 500)]
    told = session({**reply, "usage": {"input_tokens": 900, "output_tokens": 60, "iterations": rounds}})
    assert [m.usage for m in told.messages] == [Usage(input_uncached=500, output=30)]
    assert (told.usage, told.notes) == (Usage(input_uncached=900, output=60), ())


def test_documents():
    """A document's text is text, a PDF is a picture of unknown size."""
    blocks = [
        {"type": "document", "source": {"type": "text", "data": "words"}},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}},
    ]
    (message,) = session([{"role": "user", "content": blocks}]).messages
    assert (message.content, [i.media_type for i in message.images]) == ("words", ["application/pdf"])


def test_arguments_that_were_wrapped_are_unwrapped() -> None:
    """A call that was no JSON is sent back as an object of one key: it is read as what the model wrote."""
    block = {"type": "tool_use", "id": "a", "name": "add", "input": {"INVALID_JSON": '{"a": '}}
    session = load(name="x.json", data=json.dumps([{"role": "assistant", "content": [block]}]))
    assert session.messages[0].tool_calls == (ToolCall(id="a", name="add", raw='{"a": '),)
