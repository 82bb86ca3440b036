"""Anthropic messages: lists, requests, responses, and compaction by the server."""

import json
from typing import Any

from core.importers import load
from core.model import Session, Usage


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
    assert [(c.at, c.tokens_before, c.fidelity) for c in found.compactions] == [(2, None, "partial")]


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
    ]
    found = session({"type": "message", "role": "assistant", "content": content})
    assert [(m.role, m.content, m.is_error) for m in found.messages] == [
        ("assistant", "", False),
        ("tool", "a.py", False),
        ("tool", "max_uses", True),
    ]


def test_documents():
    """A document's text is text, a PDF is a picture of unknown size."""
    blocks = [
        {"type": "document", "source": {"type": "text", "data": "words"}},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}},
    ]
    (message,) = session([{"role": "user", "content": blocks}]).messages
    assert (message.content, [i.media_type for i in message.images]) == ("words", ["application/pdf"])
