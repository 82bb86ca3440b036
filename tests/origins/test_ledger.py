"""The ledger of a compaction: what was folded, what became of it in the summary, when it was needed again."""

from collections.abc import Sequence

import pytest

from core import Message, ToolCall, load, meter, policy, provenance, replay, simulate
from core.analyse.too_long import not_looked_for
from core.origins import named
from core.origins.origin import LedgerRow
from core.trace.trace import Trace, as_session
from tests.support import assistant, calls, result, system, user, with_ids

FOLDED = [
    system("You are a coder."),
    user("Fix the report. No new dependency, not even a small one. Keep Transaction.month as it is."),
    assistant("", calls("c1", "edit_file", path="src/app/report.py", text="x")),
    result("c1", "ok"),
    assistant("", calls("c2", "bash", command="python -m pytest -q tests/test_report.py")),
    result("c2", "FAILED tests/test_report.py::test_month - KeyError: 48213"),
    assistant("The limit is 48213, as `retry_limit` says. We decided to use whole cents inside."),
]
AFTER = [
    user("Go on."),
    assistant(
        "pip install pytz: the new dependency is small.", calls("c3", "edit_file", path="src/app/report.py", text="y")
    ),
    result("c3", "ok"),
    assistant("retry_limit was 48213."),
]
SUMMARY = "Rules: Keep Transaction.month as it is. Cents are used inside, whole ones; report.py was edited."


def _trace(*later: Message, summaries: Sequence[str] = (SUMMARY,)) -> Trace:
    """What was folded before the first reply to "Go on.", and what came behind it; the first summaries are given."""
    said = iter(summaries)
    messages = with_ids([*FOLDED, *AFTER, *later])
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    return simulate(
        as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: next(said, "x")
    )


def _rows(trace: Trace, k: int = 0) -> dict[str, LedgerRow]:
    return {row.text: row for row in provenance(trace, k).ledger}


def test_a_command_that_goes_on_below_its_first_line_is_no_row() -> None:
    """Its first line may be that of many, such as a commit's whose message stands below it: also where it is cut."""
    commit = f"git add {'pages/' * 12}index.js {'styles/' * 5}a.css && git commit -q -F - <<'EOF'\none\nEOF"
    messages = [*FOLDED, assistant("", calls("c9", "bash", command=commit)), result("c9", "ok"), *AFTER]
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    trace = simulate(as_session(with_ids(messages)), rule, meter=meter("agentkit"), summarizer=lambda *_: "x")
    assert trace.compactions
    found = {
        row.text for k in range(len(trace.compactions)) for row in provenance(trace, k).ledger if row.kind == "command"
    }
    assert found == {"python -m pytest -q tests/test_report.py"}


def test_each_row_says_what_became_of_it() -> None:
    """Word for word, in other words, or gone; with the message that said it first, and its step."""
    rows = _rows(_trace())
    found = {(row.kind, text): (row.in_summary, row.message, row.said_at) for text, row in rows.items()}
    assert found["constraint", "No new dependency, not even a small one."] == ("gone", "m2", 1)
    assert found["constraint", "Keep Transaction.month as it is."] == ("verbatim", "m2", 1)
    assert found["file", "app/report.py"] == ("reworded", "m3", 2)
    assert found["number", "48213"] == ("gone", "m6", 5)
    assert found["identifier", "retry_limit"] == ("gone", "m7", 6)
    assert found["decision", "We decided to use whole cents inside."] == ("reworded", "m7", 6)
    assert found["command", "python -m pytest -q tests/test_report.py"] == ("gone", "m5", 4)


def test_what_was_needed_and_is_gone_comes_first() -> None:
    """A use behind the compaction is named by its step; what the model was told again before was not missed."""
    trace = _trace()
    listed = provenance(trace, 0).ledger
    needed = {row.text: row.needed_at for row in listed}
    assert needed["retry_limit"] is not None
    assert needed["48213"] == needed["retry_limit"]
    missed = [row.needed_at is not None and row.in_summary == "gone" for row in listed]
    assert missed == sorted(missed, reverse=True)


@pytest.mark.parametrize("read", ["retry_limit = 48213", '{"retry_limit": 48213}'])
def test_what_is_read_again_first_was_not_missed(read: str) -> None:
    """A tool result that says the name again comes before the model uses it; a key of JSON is no name, and says it, too."""
    told = [
        user("Go on."),
        assistant("I look.", calls("c9", "grep", q="limit")),
        result("c9", read),
        assistant("It is retry_limit."),
    ]
    messages = with_ids([*FOLDED, *told])
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: SUMMARY)
    assert _rows(trace)["retry_limit"].needed_at is None


def test_what_an_earlier_summary_carried_is_folded_with_it() -> None:
    """The rule that the first summary kept and the second one lost stands in the ledger of the second, as said at first."""
    later = [user("More. " * 20), assistant("Yes. " * 40), user("And more."), assistant("Done.")]
    trace = _trace(*later, summaries=(SUMMARY, "Nothing of note."))
    assert len(trace.compactions) > 1
    row = _rows(trace, 1)["Keep Transaction.month as it is."]
    assert (row.in_summary, row.said_at) == ("gone", 1)
    assert "No new dependency, not even a small one." not in _rows(trace, 1)


def test_what_stays_in_the_window_is_left_out() -> None:
    """A name that a message still in the window says is not lost."""
    messages = with_ids([*FOLDED, user("Is it retry_limit?"), assistant("Yes.")])
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: SUMMARY)
    assert "retry_limit" not in _rows(trace)


def test_the_ledger_is_bounded_and_says_what_it_left_out() -> None:
    """Hundreds of files: the most important are listed, the others counted."""
    many = [assistant("", calls(f"c{i}", "read_file", path=f"src/part{i}/file{i}.py")) for i in range(300)]
    messages = with_ids([system("Coder."), user("Read all."), *many, user("Go on."), assistant("ok")])
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "Files.")
    last = len(trace.compactions) - 1
    found = [provenance(trace, k) for k in range(last + 1)]
    assert all(len(one.ledger) <= 80 for one in found)


def test_the_rule_that_the_sample_forgets_is_first_in_its_ledger() -> None:
    """The second summary lost it; the model needed it at step 185, in other words, when nothing in the window said it."""
    trace = replay(load("sample_sessions/foldline/forgotten-rule.json"))
    first = provenance(trace, 1).ledger[0]
    assert first.text.startswith("No new dependency, not even a small one")
    assert (first.kind, first.in_summary, first.said_at, first.needed_at) == ("constraint", "gone", 1, 185)
    kept = {row.text[:24]: row.in_summary for row in provenance(trace, 1).ledger}
    assert kept["Do not change the public"] == "reworded"


def test_names_of_one_message_are_listed_in_the_same_order_each_time() -> None:
    """Those that weigh the same by their names, so that a file written twice is the same."""
    names = [f"{word}_limit" for word in ("zeta", "kappa", "alpha", "theta", "gamma", "sigma", "delta", "omega")]
    messages = with_ids(
        [user("Go."), assistant(f"Look at {' and '.join(names)} now."), user("On."), assistant("Done.")]
    )
    rule = policy("agentkit.memory", budget=40, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "x")
    listed = [row.text for row in provenance(trace, 0).ledger if row.kind == "identifier"]
    assert listed == [
        "alpha_limit", "delta_limit", "gamma_limit", "kappa_limit", "omega_limit", "sigma_limit", "theta_limit", "zeta_limit",
    ]  # fmt: skip


CODE = "I change src/app/cents.py:\n```python\nwhole_cents = round_half(rawAmount)\n```\nThe limit is retry_limit."
BLOCK = "src/app/cents.py\n<<<<<<< SEARCH\nrawAmount = 1\n=======\nwhole_cents = 1\n>>>>>>> REPLACE\nThe limit is retry_limit."
WRITTEN_OUT = '{"plan": "Mind retry_limit.", "commands": [{"keys": "cat > src/app/cents.py; whole_cents rawAmount"}]}'


@pytest.mark.parametrize(
    ("said", "made"),
    [
        (CODE, ()),
        (BLOCK, ()),
        (WRITTEN_OUT, (calls("c1", "keys", keys="cat > src/app/cents.py; whole_cents rawAmount"),)),
    ],
    ids=["a block of code", "an edit in blocks", "calls written out"],
)
def test_code_that_the_model_writes_is_nothing_it_said(said: str, made: tuple[ToolCall, ...]) -> None:
    """Names that it makes up there are no rows; the file is one, and what it says beside the code."""
    messages = with_ids([user("Go."), assistant(said, *made), user("Go on."), assistant("ok")])
    rule = policy("agentkit.memory", budget=30, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "x")
    named = {row.text for row in provenance(trace, 0).ledger if row.kind in ("identifier", "file")}
    assert named == {"retry_limit", "app/cents.py"}


def test_code_that_a_person_pastes_is_what_they_told() -> None:
    """Its names are rows."""
    messages = with_ids([user(f"Why does this fail? {CODE}"), assistant("I look."), user("Go on."), assistant("ok")])
    rule = policy("agentkit.memory", budget=30, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "x")
    assert {"whole_cents", "rawAmount", "retry_limit"} <= {row.text for row in provenance(trace, 0).ledger}


def test_what_the_model_thought_of_again_first_was_not_missed() -> None:
    """Its thoughts stand in the window with their message: a use behind them tells nothing."""
    thinks = assistant("I look.").model_copy(update={"thinking": "There was a Retry_Limit."})
    messages = with_ids([*FOLDED, user("Go on."), thinks, user("And?"), assistant("It is retry_limit.")])
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: SUMMARY)
    assert _rows(trace)["retry_limit"].needed_at is None


def test_a_name_in_code_that_the_model_shows_is_no_use_of_it() -> None:
    """The code may come from a file that the transcript does not have; what it says is one, and what it runs."""
    edit = "<<<<<<< SEARCH\nretry_limit = 1\n=======\nretry_limit = 2\n>>>>>>> REPLACE"
    ran = "I look.\n```bash\ngrep retry_limit config\n```"
    shown = "It is now:\n```python\nretry_limit = 2\n```"
    for text, used in ((edit, False), (shown, False), (f"I raise retry_limit.\n{edit}", True), (ran, True)):
        messages = with_ids([*FOLDED, user("Go on."), assistant(text)])
        rule = policy("agentkit.memory", budget=90, keep_recent=1)
        trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "x")
        assert (_rows(trace)["retry_limit"].needed_at is not None) == used


def test_what_every_model_knows_is_no_row() -> None:
    """Names of the language; an error of one's own is told by somebody."""
    said = "It raised ValueError and then LedgerError, of a DataFrame."
    messages = with_ids([user(said), assistant("I look."), user("Go on."), assistant("ok")])
    rule = policy("agentkit.memory", budget=20, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "x")
    assert [row.text for row in provenance(trace, 0).ledger if row.kind == "identifier"] == ["LedgerError"]


def test_of_a_very_long_session_names_are_looked_for_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The needs of names are those of a session that is read whole; of sentences, commands and errors there are none."""
    needed = {text: row.needed_at for text, row in _rows(_trace()).items() if row.needed_at}
    sentences = {
        "No new dependency, not even a small one.": 9,
        "FAILED tests/test_report.py::test_month - KeyError: 48213": 11,
    }
    names = {"app/report.py": 9, "retry_limit": 11, "48213": 11}
    assert needed == names | sentences
    assert not_looked_for(_trace()) == ()
    monkeypatch.setattr(named, "WHOLE", 0)
    assert {text: row.needed_at for text, row in _rows(_trace()).items() if row.needed_at} == names
    assert [text[:40] for text in not_looked_for(_trace())] == ["In a session of more than 4 million toke"]
    monkeypatch.setattr(named, "BEHIND", 2)
    behind = {text: row.needed_at for text, row in _rows(_trace()).items() if row.needed_at}
    assert behind == {"app/report.py": 9}, "of what came later than that nothing is known"


def test_of_a_very_long_session_a_name_is_needed_where_the_model_was_not_told_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A message that says a gone name first, be it a result, makes a later use no need; one that is kept may be used then."""
    monkeypatch.setattr(named, "WHOLE", 0)
    rule = policy("agentkit.memory", budget=90, keep_recent=1)
    for asked, said, needed in (
        ("Mind it.", SUMMARY, 11),
        ("Mind retry_limit.", SUMMARY, None),
        ("Mind retry_limit.", f"{SUMMARY} retry_limit counts.", 11),
    ):
        told = [user("Go on."), assistant("Yes."), user(asked), assistant("retry_limit is mended.")]
        messages = as_session(with_ids([*FOLDED, *told]))
        trace = simulate(messages, rule, meter=meter("agentkit"), summarizer=lambda m, prior, said=said: said)
        assert _rows(trace)["retry_limit"].needed_at == needed
