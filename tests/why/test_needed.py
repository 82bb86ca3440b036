"""When the model used a text that its prompt had no more."""

from core import Message, Trace, fate, meter, policy, replay, simulate
from core.trace.trace import as_session
from tests.support import assistant, calls, result, system, user, with_ids

RULE = "Never add a dependency without asking me, the build has no network."


def _trace(*later: Message, summary: str = "They talked.") -> Trace:
    """The rule is said first; a compaction takes it and all but the newest two messages before the last that come."""
    before = [system("You are a coder."), user(RULE), *[user(f"line {i} " + "x " * 30) for i in range(20)]]
    messages = with_ids([*before, *later])
    rule = policy("agentkit.memory", budget=200, keep_recent=2)
    return simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: summary)


def _needed(trace: Trace, text: str) -> list[tuple[str, str]]:
    return [(event.match, event.evidence) for event in fate(trace, text).events if event.kind == "needed"]


def _gone(trace: Trace, text: str) -> bool:
    return fate(trace, text).lane.at(trace.message_step(22) - 1).state == "gone"


def test_the_text_itself() -> None:
    """The model writes it, in what it says or in a tool call, while nothing in its prompt has it."""
    quoted = _trace(assistant("You said: never add a dependency without asking me."))
    called = _trace(assistant("", calls("c1", "note", text="never  add a dependency without\nasking me")))
    for trace in (quoted, called):
        assert _gone(trace, "add a dependency without asking me")
        assert _needed(trace, "add a dependency without asking me") == [("text", "add a dependency without asking me")]


def test_a_reply_that_goes_on_after_a_result_with_the_text() -> None:
    """Its prompt had lost the text, whatever arrived while it was written."""
    text = "add a dependency without asking me"
    opens, goes_on = assistant("", calls("c1", "bash", command="ls")), assistant(f"I may not {text}.")
    parts = [message.model_copy(update={"reply_id": "r1"}) for message in (opens, goes_on)]
    trace = _trace(parts[0], result("c1", f"README: {text}"), parts[1])
    assert _gone(trace, text)
    assert _needed(trace, text) == [("text", text)]


def test_words_of_it_in_another_form() -> None:
    """Enough of its rare words, known by their common beginning, are a word match."""
    trace = _trace(assistant("", calls("c1", "bash", command="grep -n dependencies pyproject.toml")))
    assert _needed(trace, "add a dependency without") == [("words", "dependencies")]


def test_words_that_the_window_still_has_are_no_need() -> None:
    """Another message in the prompt says the words: that is where the model has them from."""
    trace = _trace(
        user("Are there dependencies?"), assistant("", calls("c1", "bash", command="grep dependencies pyproject.toml"))
    )
    assert _needed(trace, "add a dependency without") == []


def test_a_name_in_it() -> None:
    """The model names a file of the text, and no message of its prompt shows that name."""
    said = [user("Keep src/core/money.py as it is, please.")]
    filler = [user(f"line {i} " + "x " * 30) for i in range(20)]
    read = assistant("", calls("c1", "edit", path="/srv/app/src/core/money.py"))
    rule = policy("agentkit.memory", budget=200, keep_recent=2)
    shown = [result("c0", "src/core/money.py: 12 lines")]
    for between, expected in (([], [("name", "core/money.py")]), (shown, [])):
        session = as_session(with_ids([*said, *filler, *between, read]))
        trace = simulate(session, rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "They talked.")
        assert _needed(trace, "Keep src/core/money.py as it is") == expected


def test_a_reply_of_several_messages_counts_once() -> None:
    """Its first message that has the text is the need; the others only say it again."""
    parts = [
        assistant("Never add a dependency without asking me: I remember.").model_copy(update={"reply_id": "r"}),
        assistant("So: never add a dependency without asking me.").model_copy(update={"reply_id": "r"}),
    ]
    found = fate(_trace(*parts), "add a dependency without asking me")
    assert [event.kind for event in found.events if 22 <= event.place < 30] == ["needed", "said"]


def test_a_use_while_it_is_there_is_no_need() -> None:
    """A summary still has the text: the model's use of its words is a use, not a need."""
    trace = _trace(
        assistant("", calls("c1", "bash", command="grep -n dependencies pyproject.toml")),
        summary="add a dependency without asking: never",
    )
    found = fate(trace, "add a dependency without")
    assert [event.kind for event in found.events if event.kind == "needed"] == []
    assert [(use.match, use.evidence) for use in found.uses] == [("words", "dependencies")]


def test_what_the_harness_puts_in_is_no_use() -> None:
    """A reply that a harness wrote is not the model's."""
    injected = assistant("add a dependency without asking me").model_copy(update={"injected": "meta"})
    assert _needed(_trace(injected), "add a dependency without asking me") == []


def test_words_far_apart_in_a_long_message_say_nothing() -> None:
    """Each of the words may stand in a long reply by chance: only close together do they say one thing."""
    filler = [user(f"line {i} " + "x " * 30) for i in range(20)]
    chosen = policy("agentkit.memory", budget=200, keep_recent=2)
    for between, expected in (("and the ", ["words"]), ("and so on " * 40, [])):
        messages = with_ids([user("tigers elephants"), *filler, assistant(f"The tigers {between}elephants.")])
        trace = simulate(
            as_session(messages), chosen, meter=meter("agentkit"), summarizer=lambda messages, prior: "Talk."
        )
        assert [match for match, _ in _needed(trace, "tigers elephants")] == expected


def _used(text: str, reply: str) -> list[tuple[str, tuple[str, ...]]]:
    """The uses, with how they are told, of a text that is still there by a reply, after talk of other things."""
    filler = [user(f"line {i} " + "x " * 30) for i in range(20)]
    trace = replay(as_session(with_ids([*filler, user(text), assistant(reply)])))
    return [(event.match, event.words) for event in fate(trace, text).uses]


def test_a_use_wants_more_than_an_ordinary_word() -> None:
    """Two words of some length, or three, or one that is long and rare; two short ones stand in any reply."""
    asked = "can you update the numbers of the last checkpoint with the correct values?"
    assert _used(asked, "That is correct.") == []
    assert _used(asked, "The values are correct.") == []
    assert _used(asked, "The checkpoint has the correct numbers.") == [("words", ("checkpoint", "numbers", "correct"))]
    assert _used("yes, add an integration test of many steps", "I add an integration test.") == [
        ("words", ("integration",))
    ]
    assert _used("ok, let's implement this", "I implement it.") == []
    assert _used("rebase, or several rebases", "Then rebase.") == [], "two forms of one word are one"


def test_who_does_what_a_rule_forbids_does_not_use_it() -> None:
    """It has the words of a clause that denies, and denies nothing; a question, a denial and a quoted rule are no breach."""
    rule = "Never delete an original in the folder: the printed catalogue links to them."
    both = ("originals", "delete")
    assert _used(rule, "Nothing links to the large ones, so I delete the originals.") == [("against", both)]
    assert _used(rule, "I do not delete the originals.") == [("words", both)]
    assert _used(rule, "Shall I delete the originals?") == [("words", both)]
    assert _used(rule, "The originals stay, I delete the copies.") == [("words", both)]
    assert _used("Always delete each original in the folder.", "I delete the originals.") == [("words", both)]
