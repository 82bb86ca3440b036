"""The fate of a text in runs of every manner: recorded, simulated, live."""

import pytest

from core import FoldlineError, LiveContext, Message, Session, fate, meter, policy, replay, simulate
from core.model.session import RecordedCompaction
from core.trace.trace import Trace, as_session
from core.why.words import line, title
from tests.support import assistant, calls, result, system, user, with_ids


def _states(trace: Trace, text: str) -> list[tuple[int, int, str]]:
    return [(stretch.start, stretch.end, stretch.state) for stretch in fate(trace, text).lane]


def _kinds(trace: Trace, text: str) -> list[tuple[int, str, str]]:
    return [(event.step, event.kind, event.message) for event in fate(trace, text).events]


def _recorded(summary: str = "They talked.", **known: object) -> Trace:
    """Five messages, of which a recorded compaction took the first three, and what it put in."""
    said = [user("Keep tabs."), assistant("I will."), user("And the header?"), assistant("Kept."), user("Good.")]
    messages = with_ids(said)
    put = Message(id="s1", role="user", content=summary, injected="summary")
    found = RecordedCompaction.model_validate({"at": 4, "summary": "s1", "kept": ("m4",), **known})
    return replay(Session(messages=(*messages[:4], put, *messages[4:]), compactions=(found,)), meter=meter("agentkit"))


def test_a_text_of_the_system_prompt_stays() -> None:
    """The policy pins the prompt, so it is in every window."""
    turns = [message for i in range(12) for message in (user(f"line {i} " + "x " * 40), assistant("ok"))]
    messages = with_ids([system("Be brief and kind."), *turns])
    trace = simulate(as_session(messages), policy("agentkit.memory", budget=120, keep_recent=2))
    assert trace.compactions
    assert _states(trace, "Be\n brief  and") == [(0, len(trace) - 1, "verbatim")]


def test_a_text_of_a_recorded_summary_alone() -> None:
    """It is said by no message that arrives: it begins with the summary."""
    trace = _recorded("They use tabs everywhere.")
    assert _states(trace, "tabs everywhere") == [(0, 3, "before"), (4, 5, "summary")]
    assert _kinds(trace, "tabs everywhere") == [(4, "in_summary", "s1")]


def test_a_recorded_compaction_that_does_not_say_what_it_kept() -> None:
    """Everything in front of it counts as taken."""
    trace = _recorded(kept=())
    assert _states(trace, "Kept.") == [(0, 2, "before"), (3, 3, "verbatim"), (4, 5, "gone")]
    assert _kinds(trace, "Keep tabs") == [(0, "said", "m1"), (4, "taken", "m1"), (4, "left_out", "s1")]


def test_a_summary_that_nobody_can_read() -> None:
    """What it says is not known, and the answer does not claim that it left anything out."""
    trace = _recorded("[encrypted]", unreadable="encrypted")
    found = fate(trace, "Keep tabs")
    assert (
        title(found, found.lane[-1]) == "Out of sight since compaction 1: nobody can read whether summary #1 says it."
    )
    (left_out,) = [event for event in found.events if event.kind == "left_out"]
    assert line(found, left_out) == "Out of sight: nobody can read whether summary #1 says it"


@pytest.mark.parametrize("text", ["only the provider can read", "ENCRYPTED"])
def test_the_words_in_place_of_a_summary_that_nobody_can_read_are_no_summary(text: str) -> None:
    """Recorded, or of a policy whose item nobody can read: no step has a text of the placeholder."""
    placeholder = "(encrypted: only the provider can read what this item holds)"
    recorded = _recorded(placeholder, unreadable="encrypted")
    said = with_ids([part for i in range(12) for part in (user(f"line {i} " + "x " * 400), assistant("ok"))])
    opaque = policy("openai.responses_compact", compact_threshold=1_500, item_tokens=40)
    made = simulate(as_session(said), opaque, meter("agentkit"))
    assert placeholder in (made.compactions[0].summary or user("")).content
    for trace in (recorded, made):
        assert _states(trace, text) == [(0, len(trace) - 1, "before")]


def test_a_text_in_the_arguments_of_a_call_alone() -> None:
    """Strings and numbers at any depth count, names of tools and of arguments do not."""
    call = assistant("", calls("c1", "search", query={"words": ["never  mind"], "most": 20411}))
    trace = simulate(as_session(with_ids([user("Hi."), call])), policy("agentkit.memory"))
    assert _kinds(trace, "never mind") == [(1, "said", "m2")]
    assert _kinds(trace, "20411") == [(1, "said", "m2")]
    assert _states(trace, "query") == [(0, 1, "before")]


def test_a_result_that_brings_it_again_is_read_again() -> None:
    """The second tool result with the text, not the first, and no message of a person."""
    read = [assistant("", calls("c1", "read", path="a.md")), result("c1", "limit is nine")]
    again = [assistant("", calls("c2", "read", path="a.md")), result("c2", "limit is nine"), user("limit is nine?")]
    trace = simulate(as_session(with_ids([user("Read it."), *read, *again])), policy("agentkit.memory"))
    assert [(kind, id) for _, kind, id in _kinds(trace, "limit is nine")] == [
        ("said", "m3"),
        ("read_again", "m5"),
        ("said", "m6"),
    ]


def test_what_is_cleared_in_place_is_taken() -> None:
    """The result stays in the window without its body: the text is gone, and no summary left it out."""
    rounds = [
        message
        for i in range(6)
        for message in (assistant("", calls(f"c{i}", "read", path="a")), result(f"c{i}", f"round {i} " + "x " * 200))
    ]
    rule = policy("langchain.clear_tool_uses", trigger=300, keep=1)
    trace = simulate(as_session(with_ids([user("Go."), *rounds])), rule, meter=meter("agentkit"))
    kinds = [kind for _, kind, _ in _kinds(trace, "round 1")]
    found = fate(trace, "round 1")
    assert kinds == ["said", "taken"]
    assert title(found, found.lane[-1]).endswith(" cleared it.")


def test_a_live_run_while_it_grows_and_by_hand() -> None:
    """The lane grows with the run; a message that a person removes is taken, by no policy."""
    context = LiveContext(policy("agentkit.memory"), meter=meter("agentkit"))
    context.append(user("Keep tabs."))
    assert _states(context.trace(), "tabs") == [(0, 0, "verbatim")]
    context.append(assistant("I will."))
    context.drop([0])
    context.append(user("Go on."))
    found = fate(context.trace(), "tabs")
    assert [(stretch.start, stretch.end, stretch.state) for stretch in found.lane] == [
        (0, 1, "verbatim"),
        (2, 3, "gone"),
    ]
    assert [(event.step, event.kind, event.compaction) for event in found.events] == [(0, "said", 0), (2, "taken", 1)]
    assert title(found, found.lane[-1]) == "Gone since edit 1: it was removed manually."


def test_an_attempt_that_failed_is_no_step() -> None:
    """A summarizer that gives nothing leaves the window alone: nothing was taken."""

    def fails(messages: object, prior: object) -> str:
        raise RuntimeError("no model")

    messages = with_ids([user(f"line {i} " + "x " * 40) for i in range(12)] + [assistant("ok"), assistant("ok")])
    trace = simulate(as_session(messages), policy("agentkit.memory", budget=60, keep_recent=2), summarizer=fails)
    assert trace.failed
    assert _states(trace, "line 3") == [(0, 2, "before"), (3, len(trace) - 1, "verbatim")]


def test_a_session_without_messages() -> None:
    """There are no steps, and so no lane."""
    assert _states(replay(Session()), "x") == []


def test_a_blank_text_is_refused() -> None:
    """There is nothing to follow in white space."""
    with pytest.raises(FoldlineError, match="no text to follow"):
        fate(replay(Session()), " \t\n")


@pytest.mark.parametrize("text", ["naïve 日本", "日本 🙂", "ÉTÉ", "\ud800", "ﷺ", "a" * 20_000, "line\u2028end"])
def test_texts_of_every_script(text: str) -> None:
    """Nothing is too odd to be followed; what is written is found."""
    trace = simulate(as_session(with_ids([user(f"so: {text} !"), user("no")])), policy("agentkit.memory"))
    expected = "\ufffd" if text == "\ud800" else text
    assert _states(trace, expected)[0][2] == "verbatim"
    fate(trace, text)


def test_a_summary_of_other_messages_leaves_nothing_out() -> None:
    """What has the text stays behind the cut: it is not taken, and the summary is not asked for it."""
    turns = [message for i in range(4) for message in (user(f"line {i} " + "x " * 40), assistant("ok"))]
    messages = with_ids([*turns, user("Keep tabs."), assistant("I will.")])
    trace = simulate(as_session(messages), policy("agentkit.memory", budget=60, keep_recent=3), meter=meter("agentkit"))
    assert trace.compactions[-1].at == 9
    assert [kind for _, kind, _ in _kinds(trace, "Keep tabs")] == ["said"]


def test_a_message_that_is_shortened_around_the_text_is_not_taken() -> None:
    """Its copy still has the text: the same message has it before and after, and nothing happened to it."""
    long = user("Keep tabs. " + "x " * 400)
    left = with_ids([long])[0].model_copy(update={"content": "Keep tabs. [shortened]", "injected": "cleared"})
    found = RecordedCompaction(at=2, policy="x", window=("m1",), left=(left,), cleared=("m1",))
    for reply, taken in (("ok", []), ("Keep tabs: yes.", [(2, "taken", "m2")])):
        messages = tuple(with_ids([long, assistant(reply), user("Go on.")]))
        trace = replay(Session(messages=messages, compactions=(found,)), meter=meter("agentkit"))
        assert _states(trace, "Keep tabs")[-1][2] == "verbatim"
        assert [event for event in _kinds(trace, "Keep tabs") if event[1] != "said"] == taken
