"""opencode.v2: one checkpoint message replaces all; the newest exchanges are text within it."""

from core import compact, policy, simulate
from core.model.session import Message, ToolCall
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

RULES = policy("opencode.v2", tokens=15_000)


def compacted(text: str, rules: object = RULES) -> tuple[str, list[str]]:
    """What the summarizer is given, and the ids whose text stands in the checkpoint."""
    asked = RecordingSummarizer()
    found = compact(window(text), rules, meter=BY_HAND, summarizer=asked, force=True)  # type: ignore[arg-type]
    recent = found.after[-1].content.partition("<recent-context>\n")[2]
    return asked.given[0][0], [line.split()[1] for line in recent.split("\n\n") if line.startswith("[")]


def test_the_newest_exchanges_that_fit_are_kept_as_text() -> None:
    """4,000 + 1,000 + 6,000 + 1,000 fit into 15,000; the next 8,000 do not: the second exchange and the third stay."""
    assert compacted("u2000 a8000 u1000 a6000 u1000 a4000") == ("u1 a1", ["u2", "a2", "u3", "a3"])


def test_the_tail_goes_back_to_a_user_message_however_large() -> None:
    """8,000 fit, 17,000 do not: the tail goes back to its request all the same, 18,000 in all."""
    assert compacted("u1000 a5000 u1000 a9000 a8000") == ("u1 a1", ["u2", "a2", "a3"])


def test_the_newest_message_is_kept_however_large() -> None:
    """A newest message larger than the tail still stays."""
    assert compacted("u1000 a5000 u50000") == ("u1 a1", ["u2"])


def test_where_everything_fits_only_the_newest_exchange_stays() -> None:
    """7,000 tokens fit: the newest exchange stays; where there is only one, nothing does, the open question included."""
    assert compacted("u1000 a2000 u1000 a3000") == ("u1 a1", ["u2", "a2"])
    assert compacted("u3000 a4000") == ("u1 a1", [])


def test_an_earlier_checkpoint_alone_is_summarised_again() -> None:
    """Behind a checkpoint one exchange stays whole; a checkpoint with nothing behind it is left alone."""
    once = compact(window("u3000 a4000"), RULES, meter=BY_HAND, summarizer=says("old"), force=True)
    asked = RecordingSummarizer()
    again = compact([*once.after, *window("u300 a400")], RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert asked.given == [("S", None)]
    assert shown(again.after) == "S"
    assert compact(once.after, RULES, meter=BY_HAND, summarizer=asked, force=True).status == "nothing_to_do"


def test_the_checkpoint_is_one_user_message_behind_the_system_prompt() -> None:
    """Who speaks is said; calls become prose, results are cut to 2,000 characters, failed ones are called errors."""
    call = ToolCall(id="c1", name="read", arguments={"path": "a.py"})
    given = [
        *window("s5 u30 a30"),
        Message(id="q", role="user", content="and?"),
        Message(id="r", role="assistant", content="look", thinking="hm", tool_calls=(call,)),
        Message(id="x", role="tool", content="y" * 2_001, tool_call_id="c1"),
        Message(id="z", role="tool", content="no", tool_call_id="c2", is_error=True),
    ]
    rules = policy("opencode.v2", tokens=0)
    found = compact(given, rules, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "s1 S"
    assert (found.after[1].role, found.after[1].content) == (
        "user",
        "<conversation-checkpoint>\n<summary>\nsum\n</summary>\n<recent-context>\n"
        "[User]: and?\n\n[Assistant reasoning]: hm\n\n[Assistant]: look\n\n"
        '[Assistant tool call]: read({"path": "a.py"})\n\n'
        f"[Tool result]: {'y' * 2_000}\n[truncated]\n\n[Tool error]: no\n"
        "</recent-context>\n</conversation-checkpoint>",
    )
    assert (found.folded, found.removed) == (2, ("u1", "a1", "q", "r", "x", "z"))


def test_it_acts_where_less_than_the_buffer_and_the_reply_is_left() -> None:
    """Of 1,000 tokens 200 are for the reply and 100 the buffer: 800 are too many; an input limit lowers that."""
    limits = {"limit_context": 1000, "limit_output": 200, "buffer": 100}
    at = [(799, limits), (800, limits), (799, limits | {"buffer": 201}), (699, limits | {"limit_input": 800})]
    at += [(700, limits | {"limit_input": 800})]
    statuses = [
        compact(window(f"u{n - 9} a9"), policy("opencode.v2", **known), meter=BY_HAND, summarizer=says("sum")).status
        for n, known in at
    ]
    assert [status != "not_triggered" for status in statuses] == [False, True, True, False, True]


def test_a_summarizer_that_fails_leaves_the_window() -> None:
    """An error and an empty summary change nothing; one that is too long is accepted."""
    given = window("u3000 a4000")
    for summarizer in (broken, says(""), says("\n ")):
        found = compact(given, RULES, meter=BY_HAND, summarizer=summarizer, force=True)
        assert (found.status, found.after) == ("failed", given)
    assert compact(given, RULES, meter=BY_HAND, summarizer=says("x" * 40_000), force=True).status == "inflated"


def test_one_compaction_after_another() -> None:
    """Over a long session each checkpoint swallows the one before; nothing but it stands in front of what came since."""
    turn = "u40 a10(c{0}) t60(c{0}) a30 "
    session = as_session(window("s10 " + "".join(turn.format(i) for i in range(40))))
    rules = policy("opencode.v2", tokens=150, buffer=200, limit_context=900, limit_output=100)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    assert {shown(c.after) for c in trace.compactions} == {"s1 S"}
    assert all(trace.messages[c.at].role == "assistant" for c in trace.compactions)
