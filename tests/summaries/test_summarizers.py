"""The structural summary says what the messages say, within bounds, and carries it on; the placeholder says it is one."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Session, ToolCall, load, meter, policy, simulate
from core.model.errors import ParameterError, UnknownNameError
from core.model.session import RecordedCompaction
from core.model.text import cut
from core.summaries.facts import facts_of
from core.summaries.reading import read
from core.summaries.summarizers import LARGEST, FixedSize, structural, summarizer, summarizers
from core.summaries.writing import write
from core.trace.trace import as_session
from tests.support import LESSON_GOAL, assistant, calls, lesson_session, result, sessions, system, user, with_ids

BAD = ["empty", "white space", "error", "too long"]


def ran(call_id: str, command: str, output: str, failed: bool = False) -> list[Message]:
    """A command and its result."""
    answer = Message(role="tool", content=output, tool_call_id=call_id, is_error=failed)
    return [assistant("", calls(call_id, "Bash", command=command)), answer]


def used(call_id: str, name: str, output: str = "ok", **arguments: Any) -> list[Message]:
    """A tool call and its result."""
    return [assistant("", calls(call_id, name, **arguments)), result(call_id, output)]


def section(text: str, heading: str) -> str:
    """What stands under a heading."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith(heading))
    end = next((i for i in range(start + 1, len(lines)) if not lines[i].startswith("- ")), len(lines))
    return "\n".join(lines[start:end])


CODING = [
    user("Fix the failing date parser test in my repo. Never edit the fixtures, and do not add dependencies."),
    assistant(
        "Let me run the tests first.", calls("c1", "Bash", command="cd /home/u/proj && pytest -q 2>&1 | tail -5")
    ),
    Message(
        role="tool",
        tool_call_id="c1",
        is_error=True,
        content="Exit code 1\nFAILED tests/test_dates.py::test_week - ValueError: week 53\n1 failed, 11 passed in 0.42s",
    ),
    *used("c2", "Read", "def parse():\n    raise ValueError('Error: week')", file_path="/home/u/proj/src/dates.py"),
    assistant(
        "The root cause is that ISO years may have 53 weeks. I'll use datetime.fromisocalendar instead of the table.",
        calls("c3", "Edit", file_path="/home/u/proj/src/dates.py", old_string="a", new_string="b"),
    ),
    result("c3", "ok"),
    *used("c4", "Edit", file_path="/home/u/proj/src/dates.py", old_string="c", new_string="d"),
    *used("c5", "Read", file_path="/home/u/proj/tests/test_dates.py"),
    *ran("c6", "pytest -q", "12 passed in 0.40s"),
    assistant("All 12 tests pass now. The parser accepts week 53 in long years."),
]


def test_a_coding_session() -> None:
    """Task, constraints, decision, cause, files, commands and error are told, each once and with the id of its message."""
    assert structural(with_ids([*CODING, user("x" * 5000)])).split("\nAsked since")[0] == (
        "Task: Fix the failing date parser test in my repo. Never edit the fixtures, and do not add dependencies. [m1]"
        " → All 12 tests pass now. The parser accepts week 53 in long years. [m14]\n"
        "Constraints: Never edit the fixtures, and do not add dependencies. [m1]\n"
        "Decided: I'll use datetime.fromisocalendar instead of the table. [m6]\n"
        "Found: The root cause is that ISO years may have 53 weeks. [m6]"
    )
    text = structural(with_ids([*CODING, assistant("y" * 5000)]))
    assert section(text, "Files") == (
        "Files (under /home/u/proj/): src/dates.py (edited 2×, read), tests/test_dates.py (read) [m4–m10]"
    )
    assert section(text, "Commands") == "Commands: pytest -q (2×: 1 failed, 11 passed; then 12 passed) [m13]"
    assert section(text, "Last error") == (
        "Last error: passes again: FAILED tests/test_dates.py::test_week - ValueError: week 53 (from `pytest -q`) [m13]"
    )


def test_the_lesson() -> None:
    """Of a calculator run: what was asked, the results so far, the call whose result is still to come."""
    assert structural(with_ids(lesson_session().messages)[1:7]) == (
        f"Task: {LESSON_GOAL} [m2]\nResults so far: add(1, 2) = 3 [m4]; add(10, 20) = 30 [m6]\n"
        "Waiting for: add(100, 200) [m7]"
    )


def test_a_chat_without_tools() -> None:
    """Of a chat: the first question, what was asked since with the first words of each answer, where things stand."""
    chat = [
        user(
            "We plan four days in Lisbon with two kids. We must not spend more than 2,000 euros. Where should we stay?"
        ),
        assistant("Belém suits you best. It is flat and near the river."),
        user("Let's go with Belém then. Is it far from the airport?"),
        assistant("It takes 25 minutes by car. The tram needs an hour."),
        user("ok thanks"),
        assistant("You're welcome!"),
        user("Which bakery is the best one there?"),
        assistant("Pastéis de Belém has the original recipe. Go before nine to avoid the queue." + " " * 900),
    ]
    assert structural(with_ids(chat)) == (
        "Task: We plan four days in Lisbon with two kids. We must not spend more than 2,000 euros. Where should we stay? [m1]"
        " → Belém suits you best. It is flat and near the river. [m2]\n"
        "Constraints: We must not spend more than 2,000 euros. [m1]\n"
        "Decided: Let's go with Belém then. [m3]\n"
        "Asked since:\n"
        "- Let's go with Belém then. Is it far from the airport? [m3]"
        " → It takes 25 minutes by car. The tram needs an hour. [m4]\n"
        "- Which bakery is the best one there? [m7]\n"
        "Last said: Pastéis de Belém has the original recipe. Go before nine to avoid the queue. [m8]"
    )


def test_what_is_not_a_constraint_or_decision() -> None:
    """Not knowing is no rule, a question and a reason no decision, and a tool's output neither."""
    said = [
        user("I don't know why it fails. Must it be JSON? I keep getting errors."),
        assistant("Should we use YAML instead?"),
        user("but guide the user where to put it, because I will use this creator and it's mine"),
    ]
    text = structural([*said, *used("c", "Read", "You must never do this. We decided to use tabs.", path="a.md")])
    assert "Constraints" not in text
    assert "Decided" not in text


def test_the_plan_tells_what_is_next() -> None:
    """A to-do list says what is next and how far it has come."""
    todos = [
        {"content": "Read the parser", "status": "completed"},
        {"content": "Fix week 53", "status": "in_progress"},
        {"content": "Run all tests", "status": "pending"},
    ]
    text = structural(with_ids([user("Fix it please."), *used("c", "TodoWrite", todos=todos)]))
    assert section(text, "Next") == "Next: Fix week 53; then Run all tests (1 of 3 steps of the plan done) [m2]"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The cache is stale. Now let me clear the build folder.", "\nNext: Clear the build folder. [m2]"),
        ("The cache is stale. I'll then look into the loader:", "\nNext: Look into the loader [m2]"),
        ("The cache is stale. Let me fix it.", "\nLast said: The cache is stale. [m2]"),
    ],
)
def test_what_was_about_to_be_done(said: str, told: str) -> None:
    """What a reply says it does next is next, without its lead-in; one that names nothing is left out."""
    assert structural(with_ids([user("Why is it slow?"), assistant(said)])).endswith(told)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y"},
            "Files: src/a.py (edited)",
        ),
        ("shell", {"command": ["apply_patch", "*** Begin Patch\n*** Add File: b.py\n+y"]}, "Files: b.py (edited)"),
        ("str_replace_editor", {"command": "view", "path": "/x/c.py"}, "Files: /x/c.py (read)"),
        ("str_replace_based_edit_tool", {"command": "create", "path": "/x/d.py"}, "Files: /x/d.py (edited)"),
        ("write_file", {"filename": "e.py", "content": "x"}, "Files: e.py (edited)"),
        ("view_file", {"path": "f.py"}, "Files: f.py (read)"),
        ("shell", {"command": ["bash", "-lc", "make test"]}, "Commands: make test"),
        ("exec_command", {"cmd": "npm run build 2>&1 | tail -3"}, "Commands: npm run build"),
        ("Grep", {"pattern": "def main", "path": "src"}, "Searched for: “def main”"),
        ("web_search", {"query": "tram 28 route"}, "Searched for: “tram 28 route”"),
        ("get_weather", {"city": "Lisbon"}, "Results so far: get_weather(Lisbon) = ok"),
        ("mcp__maps__route", {"from": "A", "to": "B"}, "Results so far: route(A, B) = ok"),
    ],
)
def test_what_a_call_did(name: str, arguments: dict[str, Any], told: str) -> None:
    """Files, commands, searches and other calls are told apart by names and arguments."""
    assert told in structural([user("Do it now please."), *used("c", name, **arguments)])


@pytest.mark.parametrize(
    ("output", "failed", "told"),
    [
        ("Exit code 2\nboom: it failed\n", True, "boom: it failed (from `make`)"),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'",
            False,
            "KeyError: 'x' (from `make`)",
        ),
        ("src/a.c:3:1: error: expected ;", False, "src/a.c:3:1: error: expected ; (from `make`)"),
        ("error[E0382]: use of moved value", False, "error[E0382]: use of moved value (from `make`)"),
        ("<returncode>1</returncode>\n<output>nothing to make</output>", False, "nothing to make"),
    ],
)
def test_the_last_error(output: str, failed: bool, told: str) -> None:
    """The line that tells what went wrong with a command is the last error."""
    assert told in section(structural([user("Build it please."), *ran("c", "make", output, failed)]), "Last error")


@pytest.mark.parametrize(
    "output", ["0 errors, 0 warnings", "ok\nProcess exited with code 0\nerror: none", "no errors found"]
)
def test_no_error_where_none_is(output: str) -> None:
    """A command that went well leaves no error."""
    assert "Last error" not in structural([user("Build it please."), *ran("c", "make", output)])


def test_the_beginning_survives_fifty_compactions() -> None:
    """After fifty passes the task, the constraint and the decision of the first turn are still told, within bounds."""
    rounds = [
        message
        for i in range(900)
        for message in (
            user(f"Now look at module number {i} as well please."),
            *used(f"r{i}", "Read", "x" * 300, file_path=f"/home/u/proj/src/module_{i}.py"),
            *ran(f"b{i}", f"pytest tests/test_{i}.py", "Exit code 1\nAssertionError: no", failed=i % 2 == 0),
            assistant(f"Module {i} is done. I've decided to keep function number {i} as it is, must be fine."),
        )
    ]
    session = as_session([system("You are careful."), *CODING, *rounds])
    trace = simulate(session, policy("agentkit.memory", budget=3000, keep_recent=6), meter=meter("agentkit"))
    assert len(trace.compactions) >= 50
    for event in trace.compactions:
        text = event.summary.content if event.summary else ""
        assert len(text) <= LARGEST + 60
        assert "Task: Fix the failing date parser test" in text
        assert "Never edit the fixtures" in text
        assert "I'll use datetime.fromisocalendar" in text


def test_a_prior_text_is_carried_on() -> None:
    """The earlier summary, given apart, is read back: counts add up, and a command that passes now settles the error."""
    prior = structural([*CODING[:4], system("z" * 2000), result("none", "z" * 2000)])
    text = structural(
        [*used("d", "Edit", file_path="/home/u/proj/src/dates.py"), *ran("e", "pytest -q", "12 passed")], prior
    )
    assert text.startswith("Task: Fix the failing date parser test")
    assert "(2×: 1 failed, 11 passed; then 12 passed)" in text
    assert "passes again" in text
    assert "passes again" not in structural([user("And now the docs please.")], text)


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        (
            ["/home/u/p/a.py", "/home/u/p/b.py", "/srv/x.py"],
            "(under /home/u/p/): /srv/x.py (read), b.py (read), a.py (read)",
        ),
        (["D:\\project\\a.py", "D:\\project\\b.py"], "(under D:\\project\\): b.py (read), a.py (read)"),
        (["src/a.py", "src/b.py"], ": src/b.py (read), src/a.py (read)"),
        (["/home/u/p/a.py", "b.py"], ": b.py (read), /home/u/p/a.py (read)"),
    ],
)
def test_the_folder_that_files_share(paths: list[str], told: str) -> None:
    """A folder that files share is named once; whichever way they are written, they are read back the same."""
    once = structural([user("Read these."), *(m for p in paths for m in used(p, "Read", "x" * 300, file_path=p))])
    assert f"Files {told}".replace("Files :", "Files:") in once
    assert list(read(once).files) == paths


def test_a_prior_text_of_another_hand_is_kept_as_prose() -> None:
    """A summary that a model wrote is carried on in its own words."""
    text = structural([user("Go on with the parser.")], "The user wants a date parser. Half of it is done.")
    assert "Earlier summary: The user wants a date parser. Half of it is done." in text


def test_a_summary_of_a_summary_alone_is_the_same() -> None:
    """Nothing is lost or added where nothing new is folded, once what was open is settled."""
    once = structural([], structural(CODING))
    assert structural([], once) == once


@given(session=sessions(), prior=st.one_of(st.none(), st.text(max_size=3000)))
def test_bounded_and_the_same_every_time(session: Any, prior: str | None) -> None:
    """Whatever is folded: some text, at most 2,400 characters, the same for the same messages."""
    text = structural(session.messages, prior)
    again = structural([m.model_copy() for m in session.messages], prior)
    assert 0 < len(text) <= LARGEST
    assert text == again


@given(prior=st.text(max_size=600), limit=st.integers(0, 2400))
def test_any_text_is_read_and_written_within_the_limit(prior: str, limit: int) -> None:
    """A ledger read from any text is written within any limit."""
    headed = f"Task: {prior}\nFiles: {prior}\nCommands:\n- {prior}\nResults so far: {prior}\nAsked since: {prior}"
    headed += f"\nTold by the user:\n- {prior} [m1]\nLast said: {prior} [m2]\nNext: {prior} [m2]\nSearched for: {prior} [m1–m2]"
    assert len(write(read(prior), limit)) <= limit
    assert len(write(read(headed), limit)) <= limit


def test_a_huge_message_is_looked_at_from_both_ends() -> None:
    """Of five million characters the first 4,000 and the last 2,000 are looked at."""
    text = f"Please sort this list. {'Aha. ' * 1_000_000} Never print it twice."
    assert structural([user(text)]).startswith("Task: Please sort this list.")
    assert "Never print it twice." in structural([user(text)])


@given(text=st.text(max_size=300), limit=st.integers(0, 200))
def test_a_cut_is_marked_and_ends_with_a_word(text: str, limit: int) -> None:
    """A text cut to a limit is no longer than that; one that fits is left as it is."""
    short = cut(text, limit)
    assert len(short) <= limit
    assert short == text if len(text) <= limit else short == "" or short.endswith("…")
    assert cut("the quick brown fox", 12) == "the quick…"


def test_facts_are_told_apart_by_identity() -> None:
    """Two messages of one id have their own facts."""
    one, two = (Message(id="m", role="user", content=text) for text in ("Sort the list.", "Print the list."))
    assert (facts_of(one).ask, facts_of(two).ask) == ("Sort the list.", "Print the list.")


def test_a_placeholder_has_the_size_it_declares() -> None:
    """The placeholder says what it is, and counts as many tokens as it says: exactly for agentkit, nearly for o200k_base."""
    text = FixedSize(300)([], None)
    assert text.startswith("[placeholder of 300 tokens, no summary was written]")
    assert len(text) == 1200
    counted = meter("o200k_base").count(user(text)) - meter("o200k_base").count(user(""))
    assert abs(counted - 300) <= 10
    assert FixedSize(3)([], None) == "[placeholder"


def test_summarizers_by_name() -> None:
    """What there is has a name and a line; an unknown name lists the known, a size of nothing is refused."""
    assert [info.name for info in summarizers()] == ["structural", "fixed size", "recorded", *BAD]
    assert summarizer("structural") is structural
    assert len(summarizer("fixed size", tokens=50)([], None)) == 200
    with pytest.raises(UnknownNameError, match="unknown summarizer 'best'"):
        summarizer("best")
    with pytest.raises(ParameterError):
        FixedSize(0)


def test_calls_without_arguments_or_names() -> None:
    """Calls whose arguments did not decode, lists in place of texts and odd shapes are told or left out, never a failure."""
    odd = [
        ToolCall(name="", raw="{broken"),
        ToolCall(name="Edit", arguments={"path": ["a"], "command": 3}),
        ToolCall(name="x", arguments={"todos": [1, 2], "plan": "none", "command": []}),
        ToolCall(name="TodoWrite", arguments={"todos": [{"content": None}, 7]}),
    ]
    assert structural([user("Try these calls."), Message(role="assistant", tool_calls=tuple(odd))])


SHARED = os.environ.get("FOLDLINE_SHARED")


@pytest.mark.skipif(not SHARED, reason="FOLDLINE_SHARED is not set")
def test_real_transcripts() -> None:
    """Real sessions are summarized within bounds, each summary with a line that says where things stand or what was done."""
    for path in sorted(Path(SHARED or "").glob("transcripts/claude-code/*.jsonl")):
        trace = simulate(load(path), policy("agentkit.memory", budget=24_000, keep_recent=8), meter=meter("agentkit"))
        texts = [event.summary.content for event in trace.compactions if event.summary]
        assert all(len(text) <= LARGEST + 60 and "\n" in text for text in texts)


def test_recorded_summaries_are_those_the_transcript_wrote_next() -> None:
    """Each fold gets the summary written after what it folds, without the recorded header; then the structural one."""
    talk = tuple(Message(id=f"m{i}", role="user", content=f"Please do task {i}.") for i in range(4))
    written = Message(id="s", role="system", content="[summary #1 of 2 earlier messages]\nas told", injected="summary")
    session = Session(messages=(*talk[:3], written, talk[3]), compactions=(RecordedCompaction(at=3, summary="s"),))
    recorded = summarizer("recorded", session=session)

    assert recorded(talk[:2], None) == "as told"
    assert recorded(talk, None) == structural(talk, None)
    with pytest.raises(ParameterError, match="no recorded summary"):
        summarizer("recorded", session=Session(messages=talk))


def test_recorded_is_offered_only_where_there_is_one() -> None:
    """The picker lists what suits the session."""
    assert [info.name for info in summarizers(Session())] == ["structural", "fixed size", *BAD]
    assert "recorded" in [info.name for info in summarizers()]


def test_a_summary_that_nobody_can_read_is_no_recorded_one() -> None:
    """Its message says only that it is encrypted: the next that can be read is taken, and without one it is not offered."""
    talk = (user("a"), user("b"), Message(id="s", role="user", content="[encrypted]"), user("c"))
    sealed = RecordedCompaction(at=2, summary="s", edit="summarised", unreadable="encrypted")
    session = Session(messages=talk, compactions=(sealed,))
    assert [info.name for info in summarizers(session)] == ["structural", "fixed size", *BAD]
    with pytest.raises(ParameterError, match="no recorded summary that can be read"):
        summarizer("recorded", session=session)
    told = Message(id="t", role="user", content="as told")
    later = RecordedCompaction(at=3, summary="t", edit="summarised")
    both = Session(messages=(*talk, told), compactions=(sealed, later))
    assert summarizer("recorded", session=both)(talk[:2], None) == "as told"


def test_a_description_is_no_constraint() -> None:
    """ "People who do not …" tells of the world; only what the user demands is a constraint."""
    told = user("The report is wrong for people who do not live in UTC. Do not change the public API.")

    text = structural([told, assistant("I will look.")], None)

    assert "Constraints: Do not change the public API." in text


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "Two injectors, actually. One of them must stay cool.",
            "Two injectors, actually. One of them must stay cool.",
        ),
        ("Add a cache\nIt must never grow beyond 1 MB.", "Add a cache. It must never grow beyond 1 MB."),
        ("It must never grow beyond 1 MB.", "It must never grow beyond 1 MB."),  # the task itself
        ("Good. And we must be home by six.", "We must be home by six."),
        (
            "We must be home by six. The ferry is slow.",
            "We must be home by six. The ferry is slow.",
        ),  # short: quoted whole
        ("They must stay as they are.", ""),
    ],
)
def test_a_constraint_can_be_read_alone(said: str, rule: str) -> None:
    """One that speaks of "one of them" comes with the sentence before it, or not at all; a leading "and" is left off."""
    text = structural(with_ids([user("Plan the trip to the lake."), user(said)]))
    assert f"Constraints: {rule} [m2]" in text.split("\n") if rule else "Constraints" not in text


def test_the_sentence_before_a_constraint_is_kept_short() -> None:
    """Of a long one the beginning is enough to tell what is meant, and what was carried on is the same constraint."""
    told = user(f"There are jars {'and more jars ' * 10}on the shelf. Both must stay cool.")
    text = structural(with_ids([user("Plan."), told, assistant("y" * 3000)]))
    [line] = [line for line in text.split("\n") if line.startswith("Constraints: ")]
    assert line.startswith("Constraints: There are jars and more jars")
    assert line.endswith("… Both must stay cool. [m2]")
    assert len(line) <= len("Constraints: ") + 80 + 1 + len("Both must stay cool. [m2]")
    assert structural([told], text).count("must stay cool") == text.count("must stay cool")


def test_calls_that_wait_are_counted() -> None:
    """What several calls wait for is named once, with how many."""
    asked = [assistant("", calls(f"c{i}", "Read", file_path=path)) for i, path in enumerate(("a.py", "b.py", "a.py"))]
    assert "Waiting for: a.py 2×; b.py" in structural(asked)
