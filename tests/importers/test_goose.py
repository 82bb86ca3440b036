"""goose sessions in JSONL: who sees a message, results in a user's message, and what a compaction left."""

import json
from pathlib import Path
from typing import Any

from core import Session
from core.importers import load

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "goose" / "lamp-rota.jsonl"


def session(*records: dict[str, Any]) -> Session:
    """The session of a file with these lines."""
    return load(name="x", data="\n".join(map(json.dumps, records)).encode())


def message(role: str, *content: Any, created: int = 0, seen: bool = True, sent: bool = True) -> dict[str, Any]:
    """A message, for the person and for the agent; texts are blocks."""
    blocks = [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]
    metadata = {"userVisible": seen, "agentVisible": sent}
    return {"role": role, "created": created, "content": blocks, "metadata": metadata}


def test_the_sample() -> None:
    """One compaction replaced everything; the typed message behind it is a copy and starts no turn."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    assert (found.title, found.project, len(found.messages), found.turns) == (
        "Lamp rota",
        "/home/ada/lighthouse",
        17,
        4,
    )
    assert (cut.at, cut.summary, cut.kept, cut.trigger, cut.fidelity) == (10, "record-11", (), "auto", "exact")
    assert [m.injected for m in found.messages[10:13]] == ["summary", "ack", "repeated"]
    assert found.usage is not None
    assert (found.usage.input_uncached, found.usage.output) == (16_800, 650)


def test_a_message_holds_calls_thoughts_and_pictures() -> None:
    """Calls have their arguments; one that did not parse keeps the error as its text."""
    found = load(SAMPLE)
    first = found.messages[1]
    assert (first.thinking, first.tool_calls[0].name) == (
        "The rota is a file: read it first.",
        "developer__text_editor",
    )
    assert first.tool_calls[0].arguments == {"command": "view", "path": "/home/ada/lighthouse/rota.csv"}
    assert (found.messages[-1].images[0].width, found.messages[0].timestamp) == (8, "2025-09-16T05:20:07.000Z")
    broken = {"type": "toolRequest", "id": "c", "toolCall": {"status": "error", "error": "-32602: no JSON"}}
    call = session(message("user", "go"), message("assistant", broken)).messages[1].tool_calls[0]
    assert (call.id, call.arguments, call.raw) == ("c", {}, "-32602: no JSON")


def test_results_say_what_the_model_was_sent() -> None:
    """Not what was for the person alone; errors are results, too; newer files hold an object around the pieces."""
    found = [m for m in load(SAMPLE).messages if m.role == "tool"]
    assert [(m.tool_call_id, m.name, m.is_error) for m in found] == [
        ("call_1", "developer__text_editor", False),
        ("call_2", "developer__shell", False),
        ("call_3", "developer__shell", True),
        ("call_4", "developer__text_editor", False),
    ]
    assert (found[0].content, found[2].content) == (
        "week,keeper\n37,Brand\n38,Osk\n39,Brand",
        "-32603: log/38.txt: no such file",
    )
    newer = {"content": [{"type": "text", "text": "late"}], "isError": True}
    result = {"type": "toolResponse", "id": "c", "toolResult": {"status": "success", "value": newer}}
    (one,) = session(message("user", result)).messages
    assert (one.role, one.content, one.is_error) == ("tool", "late", True)


def test_an_old_summary_is_known_though_nobody_sees_it_any_more() -> None:
    """A second compaction hides the first summary from the agent as well; one asked for repeats nothing."""
    found = session(
        message("user", "go", sent=False),
        message("assistant", "done", sent=False),
        message("user", "S1", seen=False, sent=False),
        message("assistant", "ok", seen=False, sent=False),
        message("user", "more", sent=False),
        message("user", "S2", seen=False),
        message("assistant", "ok", seen=False),
        message("user", "new"),
    )
    assert [(c.at, c.summary, c.trigger) for c in found.compactions] == [(2, "record-3", ""), (4, "record-6", "")]
    assert [m.injected for m in found.messages] == ["", "", "summary", "ack", "", "summary", "ack", ""]


def test_notices_are_no_messages() -> None:
    """What only the app shows is counted; a file without its header opens all the same."""
    notice = {"type": "conversationCompacted", "msg": "Conversation compacted"}
    found = session(message("user", "go"), message("assistant", notice), {"odd": 1})
    assert (len(found.messages), found.other) == (1, {"content/conversationCompacted": 1, "record/unknown": 1})
