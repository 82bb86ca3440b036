"""What the browser is shown of messages, compactions, policies and parameters, as plain rows."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from core import Message, ToolCall, meter, policies, policy, replay, simulate
from core.model.session import Image, RecordedCompaction, Usage
from core.trace.trace import Trace, as_session
from core.window.measured import Measured
from core.window.ranges import ADDED
from tests.support import EXAMPLES, LESSON_SUMMARY, assistant, calls, lesson_session, result, sessions, system, user
from viewer.wire import present
from viewer.wire.card import compaction_card
from viewer.wire.search import find_messages


def lesson() -> Trace:
    """The lesson's run with the compaction it prints."""
    rule = policy("agentkit.memory", budget=100, keep_recent=3)
    return simulate(lesson_session(), rule, meter=meter("agentkit"), summarizer=lambda ms, prior: LESSON_SUMMARY)


def test_a_compaction_card() -> None:
    """The lesson's card: 108 -> 82, summary #1 of 6, messages 1 to 6 removed, 0 and 7 to 9 kept, three findings."""
    card = compaction_card(lesson(), 0)
    assert (card["index"], card["number"], card["folded"], card["before"], card["after"]) == (0, 1, 6, 108, 82)
    assert (card["removed"], card["kept"], card["cleared"]) == ([[1, 7]], [[0, 1], [7, 10]], [])
    assert (card["recorded"], card["recorded_before"], card["limit"]) == (False, None, 100)
    assert card["summary"] == f"[summary #1 of 6 earlier messages]\n{LESSON_SUMMARY}"
    assert [(f["kind"], f["messages"]) for f in card["findings"]] == [
        ("orphaned_tool_result", [7, 6]),
        ("leading_assistant", [7, 1]),
        ("first_user_message_lost", [1]),
    ]


def test_a_card_has_the_keys_of_the_wire() -> None:
    """Every key that docs/wire.md promises is there, and the whole is JSON."""
    promised = (
        "index number folded status reason trigger recorded fidelity kind before after recorded_before recorded_after"
        " limit summary summary_tokens removed kept findings line timestamp"
    )
    card = compaction_card(lesson(), 0)
    assert set(promised.split()) <= set(card)
    assert json.loads(json.dumps(card)) == card


def test_the_card_of_a_recorded_compaction() -> None:
    """Recorded tokens stand beside the meter's, and a summary the file does not hold is null."""
    event = RecordedCompaction(at=2, tokens_before=900, tokens_after=100, line=7, trigger="auto")
    session = as_session([user("abcd" * 10), assistant("b"), user("c")], compactions=(event,))
    card = compaction_card(replay(session, meter=meter("agentkit")), 0)
    assert (card["recorded_before"], card["recorded_after"], card["before"], card["after"]) == (900, 100, 19, 0)
    assert (card["summary"], card["line"], card["removed"], card["kept"]) == (None, 7, [[0, 2]], [])


def test_a_second_card_counts_over_the_pool() -> None:
    """The summary that a later pass folds is named by its place behind the session's messages."""
    texts = [m for i in range(6) for m in (user(f"question {i} " * 20), assistant(f"answer {i}"))]
    rule = policy("agentkit.memory", budget=150, keep_recent=2)
    trace = simulate(as_session([system("s"), *texts]), rule, meter=meter("agentkit"), summarizer=lambda m, p: "short")
    assert compaction_card(trace, 1)["removed"][-1] == [ADDED, ADDED + 1]


def test_a_message_that_arrives_later_is_found_too() -> None:
    """A finding may name a message outside the windows of its compaction: the card has its place all the same."""
    work = [user("x" * 400), assistant("", calls("c", "build")), user("hm"), assistant("hm"), result("c", "built")]
    rule = policy("agentkit.memory", budget=60, keep_recent=1)
    trace = simulate(as_session([*work, assistant("done")]), rule, meter=meter("agentkit"))
    late = [f for f in compaction_card(trace, 0)["findings"] if f["kind"] == "orphaned_later"]
    assert [f["messages"] for f in late] == [[4, 1]]


@settings(max_examples=EXAMPLES)
@given(session=sessions())
def test_removed_and_kept_are_the_window_before(session: Any) -> None:
    """On every card what was removed, cleared and kept is the window before, each message once."""
    for rule in policies():
        trace = simulate(session, rule.with_settings(_small(rule)), meter=meter("agentkit"))
        for j, event in enumerate(trace.compactions):
            card = compaction_card(trace, j)
            shown = [i for part in (*card["removed"], *card["kept"], *card["cleared"]) for i in range(*part)]
            assert sorted(shown) == sorted(i for part in event.layout_before for i in range(*part))


def _small(rule: Any) -> dict[str, int]:
    numbers = (p for p in rule.parameters if p.kind == "number" and p.whole)
    return {p.name: max(60 if p.unit == "tokens" else 1, int(p.at_least)) for p in numbers}


def test_a_message_whole() -> None:
    """A message is sent with its label, tokens, arguments as pretty JSON, usage and the shape of its images."""
    message = Message(
        id="a",
        role="assistant",
        content="Reading.",
        tool_calls=(ToolCall(id="c1", name="Read", arguments={"path": "ä.py"}), ToolCall(name="x", raw="{")),
        images=(Image(media_type="image/png", width=3, height=4, source="data:…"),),
        usage=Usage(output=5),
    )
    body = present.message_body(message, 9, 4, pairs=[5])
    assert (body["index"], body["tokens"], body["label"], body["pairs"]) == (4, 9, "→ Read +1", [5])
    assert body["tool_calls"][0] == {
        "id": "c1",
        "name": "Read",
        "arguments": '{\n  "path": "ä.py"\n}',
        "arguments_total": 20,
        "raw": None,
    }
    assert body["tool_calls"][1]["raw"] == "{"
    assert body["images"] == [{"media_type": "image/png", "width": 3, "height": 4}]
    assert body["usage"] == {"input_uncached": 0, "cache_read": 0, "cache_write": 0, "output": 5}


def test_a_long_body_comes_in_pieces() -> None:
    """Content is sent 200,000 characters at a time; the pieces together are the whole, and arguments are cut."""
    text = "".join(chr(97 + i % 26) for i in range(450_000))
    message = Message(role="assistant", content=text, tool_calls=(calls("c", "w", text="x" * 300_000),))
    bodies = [present.message_body(message, 1, 0, start) for start in (0, 200_000, 400_000, 9_000_000)]
    assert [len(b["content"]) for b in bodies] == [200_000, 200_000, 50_000, 0]
    assert "".join(b["content"] for b in bodies) == text
    assert {b["total"] for b in bodies} == {450_000}
    assert (len(bodies[0]["tool_calls"][0]["arguments"]), bodies[0]["tool_calls"][0]["arguments_total"]) == (
        200_000,
        300_016,
    )


def test_arguments_nested_too_deeply() -> None:
    """Arguments nested too deeply to print are replaced by a note."""
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    call = ToolCall.model_construct(id="c", name="n", arguments=deep, raw=None)
    message = Message.model_construct(id="m", role="assistant", tool_calls=(call,))
    assert present.message_body(message, 1, 0)["tool_calls"][0]["arguments"] == "(nested too deeply to show)"


def test_tool_partners() -> None:
    """A call names its results and a result its call, the nearest of its id."""
    both = assistant("", calls("c1", "a"), calls("c2", "b"))
    window = [user("x"), both, result("c2", "2"), result("c1", "1"), assistant("", calls("c1", "a")), result("c1", "3")]
    window.append(result("nowhere", "4"))
    base = Measured(window, [1] * 7)
    assert [present.tool_partners(base, i) for i in range(7)] == [[], [2, 3], [1], [1], [5], [4], []]
    assert present.message_of(base, 2)["pairs"] == [1]


@pytest.mark.parametrize(
    ("q", "hits"),
    [
        ("HELLO", [0]),
        ("straße", [1]),
        ("STRASSE", [1]),
        ("привет", [2]),
        ("Read_File", [3]),
        ("src/App", [3]),
        ("deep", [3]),
        ("pondering", [4]),
        ("42", [3]),
        ("one\ntwo", [5]),
        ("", []),
        ("   ", []),
        ("absent", []),
        ("🙂 smile", [5]),
    ],
)
def test_find(q: str, hits: list[int]) -> None:
    """A text is found in content, thinking, tool names and arguments however nested, case aside."""
    messages = [
        user("Say Hello"),
        user("Die Straße, ça va"),
        user("ПРИВЕТ"),
        assistant("", calls("c", "read_file", path="src/app.py", more={"k": ["DEEP", 42]})),
        Message(role="assistant", thinking="Pondering"),
        user("one\ntwo 🙂 SMILE \ud800"),
    ]
    assert find_messages(messages, q) == {"q": q, "total": len(hits), "hits": hits}
