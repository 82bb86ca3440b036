"""What the browser is shown of messages, compactions, policies and parameters, as plain rows."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from core import Message, ToolCall, meter, policies, policy, replay, simulate
from core.model.session import Image, RecordedCompaction, Usage
from core.trace.denied import denying_prompts
from core.trace.trace import Trace, as_session
from core.window.measured import Measured
from core.window.ranges import ADDED
from tests.support import EXAMPLES, LESSON_SUMMARY, assistant, calls, lesson_session, result, sessions, system, user
from viewer.wire import present
from viewer.wire.card import compaction_card
from viewer.wire.catalogue import what_if
from viewer.wire.preview import preview
from viewer.wire.search import find_added, find_messages, snippet


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
        ("first_user_message_lost", [1]),
        ("orphaned_tool_result", [7, 6]),
        ("leading_assistant", [7, 1]),
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


def test_a_count_in_doubt_gives_way_to_the_prompts_around_it() -> None:
    """The card and the sentence take what was sent, and say what the agent counted."""
    known = {"before_from": "the agent's own count (`preTokens`)", "doubtful": True}
    event = RecordedCompaction(at=2, tokens_before=900, tokens_after=100, prompt_before=142, **known)
    session = as_session([user("abcd" * 10), assistant("b"), user("c")], compactions=(event,))
    card = compaction_card(replay(session, meter=meter("agentkit")), 0)
    assert (card["recorded_before"], card["recorded_after"]) == (142, 100)
    assert card["before_from"] == "prompt of the model call before; the agent's own count (`preTokens`): 900"
    assert card["after_from"] == ""
    assert "after a prompt of 142 tokens" in card["occasion"]


def test_a_count_that_agrees_with_its_prompt_is_not_called_wrong() -> None:
    """Within 5 % of the prompt it is the size that is shown; beyond that the prompt is, and the doubt is said."""
    doubtful = {"doubtful": True, "before_from": "the agent's own count (`preTokens`), which can be wrong"}
    wrong = "prompt of the model call before; the agent's own count (`preTokens`), which can be wrong: 150"
    for tokens, shown, said in (
        (149, "at 149", "the agent's own count (`preTokens`)"),
        (150, "after a prompt of 142", wrong),
    ):
        event = RecordedCompaction(at=2, tokens_before=tokens, prompt_before=142, **doubtful)
        session = as_session([user("abcd" * 10), assistant("b"), user("c")], compactions=(event,))
        card = compaction_card(replay(session, meter=meter("agentkit")), 0)
        assert (card["recorded_before"], card["before_from"]) == (int(shown.split()[-1]), said)
        assert f"compacted {shown} tokens" in card["occasion"]


def occasion_of(format: str = "claude-code", model: str = "claude-opus-4-5-20251101", **known: Any) -> str:
    """The sentence on the card of a recorded compaction of this kind."""
    event = RecordedCompaction(at=2, **({"tokens_before": 155_829, "trigger": "auto"} | known))
    reply = assistant("b").model_copy(update={"model": model})
    session = as_session([user("a"), reply, user("c")], format=format, compactions=(event,))
    text: str = compaction_card(replay(session, meter=meter("agentkit")), 0)["occasion"]
    return text


def test_the_card_says_why_a_recorded_compaction_happened() -> None:
    """Who compacted, how it was started, at how many tokens, which share of the window; what is unknown is left out."""
    whole = "Claude Code compacted automatically at 155,829 tokens, 78 % of claude-opus-4-5's 200,000."
    assert occasion_of() == whole
    assert occasion_of(trigger="manual") == whole.replace("automatically", "on request")
    assert occasion_of(model="some-model") == "Claude Code compacted automatically at 155,829 tokens."
    assert occasion_of(tokens_before=None) == "Claude Code compacted automatically."
    asked = occasion_of(model="some-model", before_from="prompt of the model call before")
    assert asked == "Claude Code compacted automatically after a prompt of 155,829 tokens.", "more was in the window"
    assert occasion_of(format="otel", trigger="") == whole.replace("Claude Code", "The agent").replace(
        " automatically", ""
    )
    assert occasion_of(kind="microcompaction").startswith(
        "Claude Code cleared content automatically at 155,829 tokens, 78 %"
    )
    assert compaction_card(lesson(), 0)["occasion"] == ""


def test_sizes_that_the_prompts_deny_are_no_occasion() -> None:
    """Where the prompts around did not shrink, and what arrived hides nothing, the card does not repeat the agent's number."""
    event = RecordedCompaction(at=3, tokens_before=45_700, tokens_after=43_700, trigger="auto", kind="microcompaction")
    cases = (
        (46_452, "c", "."),
        (45_674, "c", "."),
        (45_673, "c", " at 45,700 tokens."),
        (46_452, "c" * 5_200, " at 45,700 tokens."),
    )
    for after, arrived, said in cases:
        sent = ("b", 45_674), ("d", after)
        first, second = (assistant(text).model_copy(update={"usage": Usage(input_uncached=n)}) for text, n in sent)
        messages = [user("a"), first, user(arrived), second]
        trace = replay(as_session(messages, format="claude-code", compactions=(event,)), meter=meter("agentkit"))
        assert compaction_card(trace, 0)["occasion"] == f"Claude Code cleared content automatically{said}"
        assert denying_prompts(trace, 0) == ((45_674, after) if said == "." else None)


def test_a_microcompaction_that_counts_less_than_was_sent_is_denied() -> None:
    """Its window held the last prompt at least, whether the next one was smaller or not; one of another window says nothing."""
    small = RecordedCompaction(at=3, tokens_before=18_966, tokens_after=16_966, kind="microcompaction")
    sent = [("b", 70_650), ("d", 70_249)]
    first, second = (assistant(text).model_copy(update={"usage": Usage(input_uncached=n)}) for text, n in sent)
    messages = [user("a"), first, user("c"), second]
    alone = replay(as_session(messages, compactions=(small,)), meter=meter("agentkit"))
    assert denying_prompts(alone, 0) == (70_650, 70_249)
    assert compaction_card(alone, 0)["occasion"] == (
        "The agent cleared content at 18,966 tokens by its own count; the last prompt held 70,650."
    ), "both numbers, and whose each is"
    begun = (RecordedCompaction(at=2, tokens_before=70_650, tokens_after=500), small)
    assert denying_prompts(replay(as_session(messages, compactions=begun), meter=meter("agentkit")), 1) is None
    near = small.model_copy(update={"tokens_before": 67_118, "tokens_after": 65_118})
    assert denying_prompts(replay(as_session(messages, compactions=(near,)), meter=meter("agentkit")), 0) is None


def test_no_share_is_told_of_a_window_that_claude_code_may_not_have_given() -> None:
    """Of models that it gives 200,000 or 1,000,000 its transcripts do not say which; more than 200,000 do."""
    small = occasion_of(model="claude-opus-4-6", trigger="manual", tokens_before=132_627)
    assert small == "Claude Code compacted on request at 132,627 tokens."
    large = occasion_of(model="claude-opus-5", trigger="manual", tokens_before=297_190)
    assert large == "Claude Code compacted on request at 297,190 tokens, 30 % of claude-opus-5's 1,000,000."


def test_a_share_is_of_the_window_that_the_agent_gave_its_model() -> None:
    """A recorded window counts; a model's own does not where the agent compacted before half of it, or after all of it."""
    given = occasion_of("codex", "gpt-5.4", tokens_before=224_722, context_window=258_400)
    assert given == "Codex CLI compacted automatically at 224,722 tokens, 87 % of the 258,400 it gives gpt-5.4."
    assert (
        occasion_of("codex", "gpt-5.4", tokens_before=224_722) == "Codex CLI compacted automatically at 224,722 tokens."
    )
    assert occasion_of(tokens_before=230_000) == "Claude Code compacted automatically at 230,000 tokens."


def test_what_if_offers_the_agents_own_policy_and_three_others() -> None:
    """Of an agent whose policy is known; of another the three. So also where no compaction is recorded, but not of nothing."""
    event = RecordedCompaction(at=1)
    session = as_session([user("a"), assistant("b")], format="claude-code", compactions=(event,))
    first, *others = what_if(session)
    assert first == {"name": "claude_code.auto", "label": "As Claude Code does it"}
    assert {one["label"] for one in others} == {
        "Summarize the oldest, keep the newest",
        "Drop the oldest, no summary",
        "Clear old tool results in place",
    }
    assert what_if(session.model_copy(update={"format": "sharegpt"})) == others
    assert what_if(session.model_copy(update={"compactions": ()})) == [first, *others]
    assert what_if(as_session([])) == []


def test_the_preview_of_a_summary_begins_behind_its_tag() -> None:
    """What an agent puts around a summary is no part of what it says; a tag alone, and what a person typed, stay."""
    summary = user("<SYSTEM_NOTICE>\nEarlier context was compacted.\n</SYSTEM_NOTICE>").model_copy(
        update={"injected": "summary"}
    )
    assert preview(summary) == "Earlier context was compacted. </SYSTEM_NOTICE>"
    assert preview(summary.model_copy(update={"content": "<b>"})) == "<b>"
    assert preview(user("<div> is not centered")) == "<div> is not centered"


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


@pytest.mark.parametrize("q", ['don\'t say "never"', "don’t say “never”", "DONʼT SAY „NEVER“"])
def test_find_takes_quotes_as_they_are_typed(q: str) -> None:
    """Straight or curly, in the text as in the question; the place of what was found is told as it stands there."""
    messages = [user('We don\'t say "never".'), user("We don’t say “never”."), user("We dont say never.")]
    assert find_messages(messages, q)["hits"] == [0, 1]
    found = {"part": "content", "before": "We ", "match": "don’t say “never”", "after": "."}
    assert snippet(messages[1], q) == found


@pytest.mark.parametrize("q", ["should be  short", "Should\nbe short"])
def test_find_takes_white_space_as_what_parts_words(q: str) -> None:
    """A line break, or several spaces, where the question has one; the place is told as it stands there."""
    messages = [user("It should  be\n short only."), user("It shouldbe short.")]
    assert find_messages(messages, q)["hits"] == [0]
    assert snippet(messages[0], q) == {
        "part": "content",
        "before": "It ",
        "match": "should  be\n short",
        "after": " only.",
    }


def test_find_in_summaries() -> None:
    """The summaries that have the text, case aside, those of a run as recorded too."""
    trace = lesson()
    assert find_added(trace, f" {LESSON_SUMMARY[:12].upper()}") == [(0, 0)]
    assert find_added(trace, "absent") == find_added(trace, " ") == []
    recorded = trace.model_copy(update={"kind": "replay"})
    assert find_added(recorded, LESSON_SUMMARY[:12]) == [(0, 0)]


def test_the_place_of_a_text() -> None:
    """The first part of a message with the text, as it is written there, with what stands around it: "ß" is found as "ss".

    Where that is cut, it is cut at a word if there is one.
    """
    said = Message(role="assistant", content=40 * "a" + "b Große Straße, sagte er" + 200 * "z", thinking="Pondering")
    found = {
        "part": "content",
        "before": "…" + 31 * "a" + "b Große ",
        "match": "Straße",
        "after": ", sagte er" + 149 * "z" + "…",
    }
    assert snippet(said, " STRASSE ") == found
    assert snippet(said, "ponder") == {"part": "thinking", "before": "", "match": "Ponder", "after": "ing"}
    long = user(f"{'before ' * 9}here{' behind' * 30}")
    assert snippet(long, "here") == {
        "part": "content",
        "before": f"…{'before ' * 5}",
        "match": "here",
        "after": f"{' behind' * 22}…",
    }
    called = assistant("", calls("c", "read_file", path="src/app.py", more={"k": ["app", 42]}))
    assert snippet(called, "app") == {"part": "call", "before": "src/", "match": "app", "after": ".py"}, "the first one"
    assert snippet(said, "absent") is snippet(said, " ") is None
