"""A trace in other forms: nothing is lost, nothing is run, and what an outsider reads of it is what the trace says."""

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import Message, Trace, load, meter, policy, replay, simulate
from core.exports.forms import FORMS
from core.exports.markdown import cell, code, compaction_near, compaction_text, fenced
from core.model.errors import FoldlineError
from core.model.session import Session
from core.trace.trace import as_session
from tests.serving import ROOT
from tests.support import calls

SAMPLE = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A sample under a policy that compacts it nine times."""
    return simulate(load(SAMPLE), policy("agentkit.memory", budget=6000, keep_recent=6), meter=meter("agentkit"))


def of_one(text: str) -> Trace:
    """The run of a session with one message."""
    return replay(as_session([Message(id="m1", role="user", content=text)]), meter=meter("agentkit"))


def table(trace: Trace, name: str) -> list[dict[str, str]]:
    """The rows of a table as CSV."""
    return list(csv.DictReader(io.StringIO(FORMS[name].write(trace, 0, ()).decode())))


def test_a_trace_is_read_back() -> None:
    """As JSON it is the same trace."""
    made = simulate(load(SAMPLE), policy("agentkit.memory", budget=9000, keep_recent=6), meter=meter("agentkit"))
    assert Trace.model_validate_json(FORMS["trace"].write(made, 0, ())) == made


@pytest.mark.parametrize(
    "path",
    [
        "foldline/forgotten-rule.json",
        "claude-code/with-helpers/7d1f0c52-9a3e-4b61-8c07-5e2b94d1a6f0.jsonl",
        "codex/tide-tables.jsonl",
    ],
)
def test_a_session_is_opened_again_and_equal(path: str) -> None:
    """foldline's own form of a session is one that foldline opens: recorded compactions, usage and sub-agents are there."""
    session = load(ROOT / "sample_sessions" / path)
    assert load(name="s.json", data=FORMS["session"].write(replay(session), 0, ())) == session


def test_messages_are_those_of_the_apis(trace: Trace) -> None:
    """One for one in OpenAI's form; in Anthropic's the system messages stand apart."""
    openai = json.loads(FORMS["openai"].write(trace, 0, ()))
    assert [m["role"] for m in openai] == [m.role for m in trace.messages]
    anthropic = json.loads(FORMS["anthropic"].write(trace, 0, ()))
    assert set(anthropic) == {"system", "messages"}
    assert [block["text"] for block in anthropic["system"]] == [m.content for m in trace.messages if m.role == "system"]


def test_forms_of_apis_say_how_much_they_leave_out() -> None:
    """Each kind with its count; Anthropic's joins messages of one role, and system messages stand apart in it."""
    said = [
        Message(id="s1", role="system", content="Be brief."),
        Message(id="u1", role="user", content="Hello"),
        Message(id="u2", role="user", content="Read a.txt"),
        Message(id="a1", role="assistant", thinking="Which?", tool_calls=(calls("c1", "read"), calls("c2", "read"))),
        Message(id="t1", role="tool", tool_call_id="c1", content="one"),
        Message(id="u3", role="user", content="And?"),
        Message(id="t9", role="tool", tool_call_id="c9", content="of none"),
        Message(id="a2", role="assistant", thinking="Hm."),
        Message(id="a3", role="assistant", content="One.", tool_calls=(calls("c3", "read"),)),
    ]
    run = replay(as_session(said), meter=meter("agentkit"))
    both = ["the thinking of 2 messages.", "2 calls without a result.", "1 result without a call."]
    both.append("1 message with nothing else in it.")
    assert FORMS["openai"].left_out(run) == both
    assert FORMS["anthropic"].left_out(run) == [
        *both,
        "2 messages of their own: each is joined with the one before it, of the same role.",
    ]
    assert len(json.loads(FORMS["openai"].write(run, 0, ()))) == 7
    assert len(json.loads(FORMS["anthropic"].write(run, 0, ()))["messages"]) == 4
    assert FORMS["anthropic"].left_out(of_one("Hello")) == FORMS["trace"].left_out(run) == []


def test_tables_say_what_the_trace_says(trace: Trace) -> None:
    """A row for each message, step and compaction, with its tokens; the columns of Parquet are those of CSV."""
    assert [int(r["tokens"]) for r in table(trace, "messages.csv")] == list(trace.tokens)
    assert [int(r["tokens"]) for r in table(trace, "steps.csv")] == [step.tokens for step in trace.steps]
    rows = table(trace, "compactions.csv")
    assert [(int(r["window_before"]), int(r["window_after"])) for r in rows] == [
        (c.window_before, c.window_after) for c in trace.compactions
    ]
    assert [r["removed"].split() for r in rows] == [list(c.removed) for c in trace.compactions]
    for name in ("messages", "steps", "compactions"):
        stored = pq.read_table(pa.BufferReader(FORMS[f"{name}.parquet"].write(trace, 0, ())))
        assert stored.column_names == list(table(trace, f"{name}.csv")[0])
        assert stored.num_rows == len(table(trace, f"{name}.csv"))


def test_the_table_of_compactions_has_the_sizes_that_the_card_shows() -> None:
    """The prompts beside one where the agent's own counts are in doubt."""
    counts = {"tokens_before": 900, "tokens_after": 100, "prompt_before": 734, "prompt_after": 111}
    said = [{"role": "user", "content": text} for text in "ab"]
    cut = {"at": 1, "edit": "dropped"} | counts
    found = replay(Session.model_validate({"messages": said, "compactions": [cut]}), meter=meter("agentkit"))
    (row,) = table(found, "compactions.csv")
    assert (row["tokens_before"], row["tokens_after"]) == ("734", "111")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_is_a_formula(text: str) -> None:
    """In CSV it begins with an apostrophe; Parquet has it as it is."""
    assert table(of_one(text), "messages.csv")[0]["content"] == f"'{text}"
    stored = pq.read_table(pa.BufferReader(FORMS["messages.parquet"].write(of_one(text), 0, ())))
    assert stored["content"].to_pylist() == [text]


@pytest.mark.parametrize("form", [name for name in FORMS if name not in ("compaction", "answer")])
def test_a_lone_surrogate_is_written(form: str) -> None:
    """What has no UTF-8 is a question mark, in every form."""
    assert FORMS[form].write(of_one("a \ud800 b"), 0, ())


def test_a_compaction_as_markdown(trace: Trace) -> None:
    """It says where, by which policy, from how many tokens to how many, what went, and the summary."""
    text = compaction_text(trace, 0)
    event = trace.compactions[0]
    assert text.startswith("## Compaction 1 of 9, simulated\n")
    assert "- policy: `agentkit.memory budget=6000 keep_recent=6`" in text
    assert f"- window: ~{event.window_before:,} → ~{event.window_after:,} tokens by agentkit" in text
    assert f"- took: {event.folded} messages, kept {len(event.kept)}" in text
    assert "### Summary #1," in text
    assert [f"| `{id}` |" in text for id in event.removed] == [True] * len(event.removed)


def test_which_compaction_a_step_means(trace: Trace) -> None:
    """The one at it, else the last before it, else the first; without any it is an error."""
    first, second = trace.compaction_step(0), trace.compaction_step(1)
    near = [compaction_near(trace, step) for step in (0, first - 1, first, second - 1, second, len(trace) - 1)]
    assert near == [0, 0, 0, 0, 1, 8]
    with pytest.raises(FoldlineError, match="no compaction"):
        compaction_near(of_one("hello"), 0)


HOSTILE = "<img src=x onerror=run()> ```\n# heading @someone [a](http://x) | cell ``` \u202e `"


def test_text_of_a_transcript_stays_code() -> None:
    """No fence in it ends the code around it, and no bar a cell."""
    assert code("a `b` ``c") == "```a `b` ``c```"
    assert cell("a | b") == "`a \\| b`"
    assert list(fenced("x\n````\ny")) == ["`````text", "x", "````", "y", "`````"]
    assert "\u202e" not in code(HOSTILE)
    assert "\n" not in code(HOSTILE)
    assert code(HOSTILE).startswith("```` ")
    assert code(HOSTILE).endswith(" ````")


def test_forms_can_be_told_apart() -> None:
    """Every form has a name of its own, an ending and a media type."""
    assert len({form.suffix for form in FORMS.values()}) == len(FORMS) == 12
    assert all(form.media and form.suffix.startswith(".") for form in FORMS.values())


RULE = "Never delete an original in photos/: the printed catalogue links to them by name."


def test_an_answer_as_markdown() -> None:
    """Of a lost text: where it went, who said it, what took it, why, where it was needed, and what would have kept it."""
    recorded = replay(load(ROOT / "sample_sessions" / "foldline" / "broken-rule.json"), meter=meter("o200k_base"))
    said = FORMS["answer"].write(recorded, 30, (RULE,)).decode()
    assert said.startswith(
        f"## Where a text went, at message 30\n\n```text\n{RULE}\n```\n\n**`Gone since compaction 1: "
    )
    for line in (
        "- message 16: `Said by the user`",
        "- compaction 1: `Gone: summary #1 left it out`",
        "- message 37: `Needed, by a word match: “originals”, “delete”`",
        "- compaction 1: `agentkit.memory keeps the newest 6 messages (keep_recent); message 16 was 13th from the end.",
        "- `up to message 37, where it was needed: Pin message 16 (~61 tokens); it then sends 16,503 tokens`",
    ):
        assert line in said
    assert "**`Only in other words since message 42" in FORMS["answer"].write(recorded, 44, (RULE,)).decode()


@pytest.mark.parametrize(("step", "told"), [(26, False), (27, True), (60, True)])
def test_an_answer_says_what_helps_from_where_a_text_that_is_lost_is_said(step: int, told: bool) -> None:
    """At message 28 of the sample, before compaction 1 takes it, as behind that; not before anybody says it."""
    recorded = replay(
        load(ROOT / "sample_sessions" / "claude-code" / "recorded-compaction.jsonl"), meter=meter("o200k_base")
    )
    said = FORMS["answer"].write(recorded, step, ("Put it in the changelog.",)).decode()
    assert ("\n\nWhat helps: Compact by hand before the window is full" in said) is told


def test_an_answer_needs_a_text_and_runs_nothing(trace: Trace) -> None:
    """Without one it says what to give; what a transcript says stands in code; a text that nothing says has no story."""
    with pytest.raises(FoldlineError, match="no text to follow"):
        FORMS["answer"].write(trace, 0, ())
    assert "````text\n```\n````" in FORMS["answer"].write(of_one("a ```"), 0, ("```",)).decode()
    assert "### " not in FORMS["answer"].write(of_one("hello"), 0, ("nobody says this",)).decode()
