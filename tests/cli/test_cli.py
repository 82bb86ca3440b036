"""The command line: what it prints, as JSON and as tables, its errors, and hostile text."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core import Trace, Usage, load, meter, policy, save, simulate
from core.cli import main
from core.cli.terminal import display_width, preview, safe_line, truncate
from core.meters import approximate
from core.model.session import Session
from core.summaries.summarizers import structural, summarizers
from core.trace.trace import as_session
from tests.serving import PATIENCE
from tests.support import assistant, lesson_session, scaled_session, system, user

ROOT = Path(__file__).parents[2]
CODEX = str(ROOT / "sample_sessions" / "codex" / "tide-tables.jsonl")


@pytest.fixture
def lesson(tmp_path: Path) -> str:
    """The lesson's run in a file."""
    path = tmp_path / "lesson.json"
    save(lesson_session(), path)
    return str(path)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command that must succeed; gives what it printed, as on a terminal of 160 columns."""
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments: str) -> str:
        assert main(arguments) == 0
        return capsys.readouterr().out

    return run


def claude(tmp_path: Path) -> str:
    """A Claude Code transcript with one recorded compaction, usage, a cut line and a tool pair."""

    def record(uuid: str, parent: str | None, kind: str, **more: Any) -> dict[str, Any]:
        return {
            "type": kind,
            "uuid": uuid,
            "parentUuid": parent,
            "sessionId": "s",
            "timestamp": "2026-01-01T00:00:00Z",
        } | more

    usage = {"input_tokens": 3, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 7}
    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}}
    reply = {"id": "msg_1", "role": "assistant", "model": "claude-x", "content": [call], "usage": usage}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "print(1)"}]}
    boundary = {"subtype": "compact_boundary", "content": "", "compactMetadata": {"trigger": "auto", "preTokens": 900}}
    records = [
        record("1", None, "user", message={"role": "user", "content": "read a.py"}),
        record("2", "1", "assistant", message=reply),
        record("3", "2", "user", message=answer),
        record("4", None, "system", logicalParentUuid="3", **boundary),
        record("5", "4", "user", message={"role": "user", "content": "It was read."}, isCompactSummary=True),
        record("6", "5", "user", message={"role": "user", "content": "and now?"}),
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + '\n{"type": "user", "mess', encoding="utf-8")
    return str(path)


def test_show_tells_what_a_transcript_holds(printed: Any, tmp_path: Path) -> None:
    """Format, counts, usage and recorded compactions, under the names outside programs rely on."""
    found = json.loads(printed("show", claude(tmp_path), "--json"))
    assert list(found) == [
        *("format", "id", "title", "model", "project", "counts", "usage", "unseen"),
        *("compactions", "microcompactions", "lanes", "notes"),
    ]
    assert (found["format"], found["model"]) == ("claude-code", "claude-x")
    counts = found["counts"]
    assert (counts["messages"], counts["turns"]) == ({"user": 3, "assistant": 1, "tool": 1}, 2)
    assert (counts["tool_calls"], counts["tool_results"], counts["compactions"]) == (1, 1, 1)
    assert (counts["microcompactions"], counts["subagents"], counts["malformed_lines"]) == (0, 0, 1)
    assert found["usage"] == {"input_uncached": 3, "cache_read": 100, "cache_write": 20, "output": 7}
    assert len(found["notes"]) >= 1


def test_show_tells_of_each_recorded_compaction(printed: Any, tmp_path: Path) -> None:
    """Where it happened, why, its recorded tokens, and how many messages went."""
    [found] = json.loads(printed("show", claude(tmp_path), "--json"))["compactions"]
    assert (found["step"], found["line"], found["trigger"]) == (3, 4, "auto")
    assert (found["tokens_before"], found["tokens_after"], found["removed"], found["kept"]) == (900, None, 3, 0)
    assert (found["summary_available"], found["fidelity"]) == (True, "partial")


def test_the_table_of_show_has_the_sizes_that_the_card_shows(printed: Any, tmp_path: Path) -> None:
    """The prompts beside it where the agent's own counts are in doubt; JSON has the counts as they are recorded."""
    counts = {"tokens_before": 900, "tokens_after": 100, "prompt_before": 734, "prompt_after": 111}
    path = tmp_path / "s.json"
    cut = {"at": 1, "trigger": "auto", "edit": "dropped"} | counts
    save(Session.model_validate({"messages": [user("a"), user("b")], "compactions": [cut]}), path)
    shown = printed("show", str(path)).splitlines()
    head, _, row = (line.split() for line in shown[shown.index("recorded compactions") + 1 :][:3])
    assert head[:5] == ["#", "message", "line", "trigger", "before"]
    assert row[:6] == ["1", "1", "-", "auto", "734", "111"]
    [found] = json.loads(printed("show", str(path), "--json"))["compactions"]
    assert (found["tokens_before"], found["tokens_after"]) == (900, 100)


def test_show_prints_no_size_that_the_card_denies(printed: Any, tmp_path: Path) -> None:
    """Where prompts deny what a microcompaction counts, and the file names nothing that went, it says what the card says."""
    prompts = {0: {"usage": Usage(input_uncached=46_000)}, 2: {"usage": Usage(input_uncached=46_500)}}
    said = [assistant(f"m{k}").model_copy(update={"id": f"m{k}", **prompts.get(k, {})}) for k in range(3)]
    cut = {"at": 1, "kind": "microcompaction", "trigger": "auto", "tokens_before": 13_000, "tokens_after": 11_000}
    path = tmp_path / "s.json"
    save(Session.model_validate({"messages": said, "compactions": [cut]}), path)
    shown = printed("show", str(path)).splitlines()
    table = shown[shown.index("recorded microcompactions") :]
    assert " ".join(table[3].split()).endswith(" auto - 2,000 cleared ? 1 no partial")
    assert table[5:] == [
        "?: the file does not say what left the window, or what was cleared",
        "cleared: as the file says; the prompts around it do not show it",
    ]


def test_a_prompt_that_shrank_makes_the_window_uncertain(printed: Any, tmp_path: Path) -> None:
    """`show` says from where on, and `window` at each of those steps."""
    said = [
        message
        for k, prompt in enumerate((300, 600, 320))
        for message in (
            user(f"{k} one two" * 100),
            assistant("ok").model_copy(update={"usage": Usage(input_uncached=prompt)}),
        )
    ]
    path = tmp_path / "shrank.json"
    save(as_session([m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(said)]), path)
    assert json.loads(printed("show", str(path), "--json"))["unseen"]["uncertain"] == [[5, None]]
    words = "uncertain from message 6 on: the recorded prompt shrank, and no compaction is recorded"
    assert words in " ".join(printed("show", str(path)).split())
    assert "uncertain from message 6 on: the recorded prompt shrank" in printed("window", str(path), "--step", "5")
    assert "uncertain" not in printed("window", str(path), "--step", "4")


@pytest.mark.parametrize(
    ("fidelity", "line"),
    [
        ("partial", "partial: the file does not record what stayed, or what the summary says"),
        ("inferred", "inferred: the file records no compactions; this one is inferred from the prompts"),
        ("exact", None),
    ],
)
def test_show_says_what_a_fidelity_means(fidelity: str, line: str | None, printed: Any, tmp_path: Path) -> None:
    """Below the table, once, and only where a row of it is not exact."""
    cuts = [{"at": at, "edit": "dropped", "fidelity": fidelity} for at in (1, 2)]
    path = tmp_path / "s.json"
    save(Session.model_validate({"messages": [user(f"m{n}") for n in range(3)], "compactions": cuts}), path)
    shown = printed("show", str(path)).splitlines()
    after = shown[shown.index("recorded compactions") + 5 :]
    assert after == ([line] if line else [])


def test_summaries_that_the_transcript_recorded_can_be_used(printed: Any, tmp_path: Path) -> None:
    """`--summaries recorded` folds with the transcript's own summary, in `simulate` and in the plan of `window`."""
    given = [claude(tmp_path), "--policy", "agentkit.memory", "--set", "budget=1", "--set", "keep_recent=0"]
    found = json.loads(printed("simulate", *given, "--summaries", "recorded", "--json"))
    assert "It was read." in found["compactions"][0]["added"][0]["content"]
    shown = json.loads(printed("window", *given, "--step", "0", "--summaries", "recorded", "--json"))
    assert "It was read." in shown["plan"]["summary"]


@pytest.mark.parametrize("command", ["window", "simulate"])
def test_help_names_the_summaries_there_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every summarizer is named where it is chosen."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert all(info.name in said for info in summarizers())


def test_show_says_what_a_session_cost_where_that_is_recorded(printed: Any, tmp_path: Path) -> None:
    """In US dollars, apart from the tokens; elsewhere there is no such key."""
    sample = str(ROOT / "sample_sessions" / "cline" / "kiln-log")
    assert json.loads(printed("show", sample, "--json"))["cost"] == 0.028
    assert re.search(r"(?m)^cost +\$0\.028000 as recorded$", printed("show", sample))
    assert "cost" not in json.loads(printed("show", claude(tmp_path), "--json"))


def test_show_without_usage_says_null(printed: Any, lesson: str) -> None:
    """A transcript that recorded no usage has none, rather than zeros."""
    assert json.loads(printed("show", lesson, "--json"))["usage"] is None


def test_show_prints_a_table_for_people(printed: Any, tmp_path: Path) -> None:
    """Without --json the same stands there in words and aligned columns."""
    text = printed("show", claude(tmp_path))
    assert "messages               4 and 1 added by compactions (3 user, 1 assistant, 1 tool)" in text
    assert ["compactions", "1"] in map(str.split, text.splitlines())
    assert ["microcompactions", "0"] in map(str.split, text.splitlines())
    assert "recorded compactions" in text
    assert "   3     4  auto        123  -            3     0  yes      partial" in text


def test_what_a_compaction_added_has_no_number_among_the_messages(printed: Any, tmp_path: Path) -> None:
    """A message has the number that the app gives it."""
    rows = printed("show", claude(tmp_path), "--messages").splitlines()
    assert [row.split()[0] for row in rows[2:-2]] == ["1", "2", "3", "–", "4"]
    assert rows[-1].startswith("4 messages and 1 added by compactions, ")


def test_messages_are_one_row_each(printed: Any, lesson: str) -> None:
    """Id, role, turn, tokens, meter, line and preview of every message."""
    rows = json.loads(printed("show", lesson, "--messages", "--meter", "agentkit", "--json"))
    assert [r["tokens"] for r in rows] == [20, 28, 9, 6, 9, 6, 9, 6, 9, 6, 18]
    assert [r["turn"] for r in rows] == [0, *[1] * 10]
    assert list(rows[2]) == ["id", "role", "turn", "tokens", "meter", "line", "preview"]
    assert (rows[2]["meter"], rows[2]["preview"]) == ("agentkit", "-> add(a=1, b=2)")


def test_an_estimate_carries_a_tilde(printed: Any, lesson: str) -> None:
    """Marked are a heuristic's numbers, and a tokenizer's for a model that is not its own."""
    assert "11 messages, ~126 tokens by agentkit" in printed("show", lesson, "--messages", "--meter", "agentkit")
    assert "~" in printed("show", lesson, "--messages", "--meter", "o200k_base")
    assert (approximate("o200k_base", "gpt-5.2"), approximate("o200k_base", "claude-opus-4-5")) == (False, True)
    assert (approximate("agentkit", "gpt-5.2"), approximate("reported", "claude-opus-4-5")) == (True, False)


LESSON = ("--policy", "agentkit.memory", "--set", "budget=100", "--set", "keep_recent=3")


def test_window_shows_regions_tokens_and_the_plan(printed: Any, lesson: str) -> None:
    """At the step before the lesson's compaction: what is pinned, what goes, and that it is due."""
    found = json.loads(printed("window", lesson, "--step", "9", *LESSON, "--json"))
    assert (found["tokens"], found["regions"]) == (108, {"system": 20, "compactable": 67, "recent": 21})
    assert [r["tokens"] for r in found["messages"]] == [20, 28, 9, 6, 9, 6, 9, 6, 9, 6]
    plan = found["plan"]
    assert (plan["over_budget"], plan["counted"], plan["limit"], plan["tokens_before"]) == (True, 108, 100, 108)
    assert plan["removed"] == [r["id"] for r in found["messages"] if r["region"] == "compactable"]
    assert plan["kept"] == [r["id"] for r in found["messages"] if r["region"] != "compactable"]
    assert plan["summary"].startswith("[summary #1 of 6 earlier messages]\n")


def test_window_of_a_recorded_run_is_told_with_hindsight(printed: Any) -> None:
    """What the next recorded compaction took and kept, and how good its record is; behind the last one nobody knows."""
    found = json.loads(printed("window", CODEX, "--step", "25", "--json"))
    assert found["hindsight"] == {"compaction": 0, "step": 26, "fidelity": "partial"}
    assert {"compactable", "recent"} <= found["regions"].keys()
    assert sum(found["regions"].values()) == found["tokens"]
    assert "with hindsight: compactable is what compaction 1, the next, removed or cleared (partial record)" in printed(
        "window", CODEX, "--step", "25"
    )
    last = json.loads(printed("window", CODEX, "--step", "27", "--json"))
    assert (last["hindsight"], "message" in last["regions"]) == (None, True)
    assert "no later compaction is recorded" in printed("window", CODEX, "--step", "27")


def test_window_of_a_run_driven_here_is_under_the_policy_in_force_at_the_step(printed: Any) -> None:
    """With its parameters then: this one's trigger was raised on the way."""
    path = str(ROOT / "sample_sessions" / "foldline-run" / "bell-tower.jsonl")
    limits = [json.loads(printed("window", path, "--step", step, "--json"))["plan"]["limit"] for step in ("12", "31")]
    assert limits == [620, 900]
    assert "as recorded, under langchain.summarization" in printed("window", path, "--step", "12")


def test_window_says_what_a_further_pass_may_take(printed: Any, lesson: str) -> None:
    """The system prompt is certain to stay; what a cut keeps of a policy with more than one pass may."""
    rules = ("--policy", "letta.sliding", "--set", "context_window=100")
    found = json.loads(printed("window", lesson, "--step", "5", *rules, "--json"))
    assert [(r["region"], r["may_stay"]) for r in found["messages"]] == [
        ("system", False),
        ("compactable", False),
        *[("recent", True)] * 4,
    ]
    shown = printed("window", lesson, "--step", "5", *rules)
    assert shown.count("\nrecent, may stay") == 4
    assert "a compaction now removes 1 message and keeps 5" in shown


def test_window_says_the_plan_in_a_sentence(printed: Any, lesson: str) -> None:
    """Over budget, within it, and with everything pinned, each in words."""
    assert "~8 tokens over budget; a compaction now removes 6 messages and keeps 4" in printed(
        "window", lesson, "--step", "9", *LESSON
    )
    assert "~52 tokens below budget; everything is pinned" in printed("window", lesson, "--step", "1", *LESSON)
    assert "none without --policy" in printed("window", lesson, "--step", "1")


def test_looking_at_a_plan_changes_nothing(lesson: str) -> None:
    """The plan is worked out beside the trace, which stays as it was."""
    from core.cli.window import plan

    trace = simulate(load(lesson), policy("agentkit.memory", budget=100, keep_recent=3))
    before = trace.model_dump_json()
    plan(trace, 9, meter("agentkit"), structural)
    assert trace.model_dump_json() == before
    assert len(trace._pool.added) == 1


def test_simulate_prints_the_trace(printed: Any, lesson: str) -> None:
    """The JSON is a trace that can be read back, equal to what the library gives."""
    text = printed("simulate", lesson, *LESSON, "--json")
    expected = simulate(load(lesson), policy("agentkit.memory", budget=100, keep_recent=3))
    assert Trace.model_validate_json(text) == expected
    assert "1       10    ~108" in printed("simulate", lesson, *LESSON)


def test_simulate_shows_the_passes_that_failed(printed: Any, lesson: str) -> None:
    """Where the summaries fail the table and the JSON name the first pass of each run of failures, and a note counts them."""
    text = printed("simulate", lesson, *LESSON, "--summaries", "error")
    row = next(line for line in text.splitlines() if " failed " in line and line.split()[0] == "-")
    assert row.split()[:7] == ["-", "10", "~108", "~108", "0", "10", "failed"]
    assert (
        "1 compaction attempt failed, after 10 messages: 108 tokens > 100, but the summarizer failed: the model" in text
    )
    found = json.loads(printed("simulate", lesson, *LESSON, "--summaries", "error", "--json"))
    assert (found["summarizer"], found["compactions"]) == ("error", [])
    assert [(c["at"], c["status"]) for c in found["failed"]] == [(10, "failed")]


@pytest.mark.parametrize(
    ("what", "name"), [("policies", "agentkit.memory"), ("formats", "claude-code"), ("meters", "o200k_base")]
)
def test_what_there_is_can_be_listed(printed: Any, what: str, name: str) -> None:
    """Policies, formats and meters are listed by name, in JSON and in words."""
    assert name in [one["name"] for one in json.loads(printed(what, "--json"))]
    assert name in printed(what)


def test_policies_come_with_defaults_source_date_and_fidelity(printed: Any) -> None:
    """Each policy says what it takes, where it comes from, when that was checked and how sure it is."""
    [found] = [p for p in json.loads(printed("policies", "--json")) if p["name"] == "agentlib.summarizing"]
    assert found["defaults"] == {"active_window_tokens": 3000, "summary_max_tokens": 600, "summary_prompt": None}
    assert (found["fidelity"], found["checked"][:2], found["source"][:5]) == ("exact", "20", "https")


def test_policies_say_what_they_leave_out(printed: Any) -> None:
    """As a list in JSON; in words next to "exact", or on a line of its own."""
    found = {p["name"]: p["not_modelled"] for p in json.loads(printed("policies", "--json"))}
    assert (found["agentkit.memory"], found["strands.summarizing"][0]) == ([], "pin_first")
    said = " ".join(printed("policies").split())
    assert "agentkit.memory (exact) " in said
    assert f"strands.summarizing (exact, except {'; '.join(found['strands.summarizing'])})" in said
    assert f"not modelled {'; '.join(found['strands.sliding_window'])} defaults" in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["show", "nowhere.json"], 1, "nowhere.json"),
        (["simulate", "LESSON", "--policy", "none"], 1, "unknown policy 'none'"),
        (
            ["simulate", "LESSON", "--policy", "agentkit.memory", "--set", "size=1"],
            1,
            "agentkit.memory has no parameter 'size'",
        ),
        (["simulate", "LESSON", "--policy", "agentkit.memory", "--set", "budget=x"], 1, "budget='x' is not valid"),
        (["simulate", "LESSON", "--policy", "agentkit.memory", "--meter", "m"], 1, "unknown meter 'm'"),
        (["window", "LESSON", "--step", "11", "--json"], 1, "step 11 is outside this trace"),
        (["window", "LESSON", "--step", "-1"], 1, "step -1 is outside this trace"),
        (["serve", "nowhere.json"], 1, "no such file"),
        (["window", "LESSON", "--step", "one"], 2, "invalid int value"),
        (["window", "LESSON"], 2, "--step"),
        (["simulate", "LESSON"], 2, "--policy"),
        (["simulate", "LESSON", "--policy", "agentkit.memory", "--set", "budget"], 2, "not of the form name=value"),
        (["fly"], 2, "fly"),
        (["show"], 2, "FILE"),
    ],
)
def test_errors_are_a_line_and_a_hint(
    arguments: list[str], code: int, said: str, lesson: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What goes wrong is said in one line on stderr, with a hint below, nothing on stdout, and 1, or 2 for wrong usage."""
    try:
        got = main([lesson if a == "LESSON" else a for a in arguments])
    except SystemExit as stop:
        got = int(str(stop.code))
    out, err = capsys.readouterr()
    assert (got, out) == (code, "")
    first, second = err.splitlines()
    assert first.startswith("error: ")
    assert said in first
    assert second.startswith("hint: ")


HOSTILE = "\x1b]0;owned\x07\x1b[31mred\u202egnp.exe\u200b\x9b2J\r\n<script>\tend"


def test_hostile_text_reaches_no_terminal(printed: Any, tmp_path: Path) -> None:
    """Control, direction-turning and invisible characters are written out, in tables and in JSON."""
    path = tmp_path / "hostile.json"
    save(as_session([system(HOSTILE), user(HOSTILE), assistant(HOSTILE)], title=HOSTILE, model=HOSTILE), path)
    commands = (
        ["show"],
        ["show", "--messages"],
        ["window", "--step", "2"],
        ["window", "--step", "2", "--json"],
        ["show", "--json"],
    )
    for name, *options in commands:
        text = printed(name, str(path), *options)
        assert not [c for c in text if c != "\n" and not c.isprintable()]
        assert "\\u202e" in text


def test_a_line_shows_what_it_escapes() -> None:
    """Each unsafe character becomes its code, line ends become spaces, the rest stays."""
    assert safe_line("naïve 日本 🙂") == "naïve 日本 🙂"
    assert safe_line("a\x1b[1mb\u202ec\ud800\U000e0041\n\n d") == "a\\x1b[1mb\\u202ec\\ud800\\U000e0041 d"


def test_what_is_cut_is_marked() -> None:
    """A preview that leaves something out ends in …, and is no wider than it may be."""
    assert preview("short") == "short"
    assert (len(preview("x" * 500)), preview("x" * 500)[-2:]) == (96, "x…")
    assert (truncate("日本語", 5), display_width("日本…")) == ("日本…", 5)


def test_tables_fit_the_terminal(lesson: str, printed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal of 80 columns no line is longer, and what does not fit is marked."""
    monkeypatch.setenv("COLUMNS", "80")
    for command in (
        ["show", lesson, "--messages"],
        ["window", lesson, "--step", "5"],
        ["show", claude(tmp_path)],
        ["simulate", lesson, *LESSON],
        ["policies"],
        ["meters"],
        ["formats"],
    ):
        text = printed(*command)
        assert max(map(display_width, text.splitlines())) <= 80
    assert "…" in printed("show", lesson, "--messages")


def test_no_command_starts_the_app(monkeypatch: pytest.MonkeyPatch, lesson: str) -> None:
    """`foldline`, `foldline FILE` and `foldline serve` with all its options hand over to the viewer in its own process."""
    started: list[list[str]] = []
    monkeypatch.setattr("os.execv", lambda path, command: None)
    monkeypatch.setattr("subprocess.call", lambda command: started.append(command[1:]) or 0)
    options = ["--port", "9000", "--no-browser", "--no-token"]
    for arguments in ([], [lesson], ["serve", lesson, *options]):
        assert main(arguments) == 0
    viewer = ["-m", "viewer.serve"]
    assert started == [viewer, [*viewer, lesson], [*viewer, lesson, *options]]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nosuch.jsonl"], "there is no file or command 'nosuch.jsonl'"),
        (["shwo", "a.json"], "there is no file or command 'shwo'"),
        (["x" * 300], f"there is no file or command '{'x' * 59}…'"),
        (["a\0b"], r"there is no file or command 'a\x00b'"),
    ],
    ids=["file", "command", "long", "nul"],
)
def test_what_is_neither_a_file_nor_a_command_is_told(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its name, with the way out, also where no file can have such a name."""
    with pytest.raises(SystemExit) as left:
        main(given)
    told = f"error: {said}\nhint: check the path; foldline --help lists the commands\n"
    assert (left.value.code, capsys.readouterr().err) == (2, told)


def test_a_file_with_options_behind_it_needs_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The hint has it."""
    with pytest.raises(SystemExit):
        main([CODEX, "--port", "9000"])
    assert "foldline serve " in capsys.readouterr().err


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    """As pyproject.toml has it."""
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    declared = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert declared is not None
    assert (left.value.code, capsys.readouterr().out) == (0, f"foldline {declared[1]}\n")


def test_only_the_version_needs_the_file_that_has_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, printed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a checkout without pyproject.toml every other command works."""
    monkeypatch.setattr("core.model.import_name.IMPORT_ROOT", tmp_path)
    assert "agentkit" in printed("meters")
    assert main(["--version"]) == 1
    assert "pyproject.toml" in capsys.readouterr().err


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """`python -m core` in a process of its own."""
    command = [sys.executable, "-m", "core", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, **more)


def test_it_runs_as_a_module() -> None:
    """`python -m core` is the command line."""
    done = run("formats", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "claude-code" in [f["name"] for f in json.loads(done.stdout)]


def test_a_terminal_that_knows_only_ascii_is_no_trouble(tmp_path: Path) -> None:
    """Text that the terminal's encoding does not have is written as codes."""
    path = tmp_path / "japanese.json"
    save(as_session([user("日本 🙂")]), path)
    done = run("show", str(path), "--messages", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u65e5\\u672c \\U0001f642" in done.stdout


def test_a_reader_that_goes_away_is_no_error(lesson: str) -> None:
    """`foldline … | head` ends quietly."""
    command = f'"{sys.executable}" -m core simulate "{lesson}" --policy agentkit.memory --json | head -c 1'
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("{", "")


def test_listing_does_not_load_the_app() -> None:
    """`foldline policies` starts fast: no Streamlit, no client of a provider, no network and no subprocess is loaded for it."""
    code = "import sys; from core.cli import main; main(['policies']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    loaded = set(done.stderr.replace("'", " ").replace(",", " ").split())
    assert not loaded & {"streamlit", "anthropic", "openai", "viewer", "numpy", "asyncio", "ssl", "subprocess"}


def test_parameters_without_a_policy_are_wrong_usage(
    printed: Any, lesson: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would be ignored otherwise: exit 2 says that nothing was done."""
    assert main(["window", lesson, "--step", "0", "--set", "budget=3"]) == 2
    assert capsys.readouterr().err.startswith("error: --set needs --policy")
    assert main(["window", lesson, "--step", "0", "--pin", "0"]) == 2
    assert capsys.readouterr().err.startswith("error: --pin needs --policy")


def test_a_pinned_message_stays_in_the_simulated_window(printed: Any, lesson: str) -> None:
    """Message 2 is among those that go; pinned it stays, and both commands say so. JSON has its place, from 0."""
    whole = json.loads(printed("simulate", lesson, *LESSON, "--json"))
    pinned = json.loads(printed("simulate", lesson, *LESSON, "--pin", "2", "--json"))
    id = whole["compactions"][0]["removed"][0]
    assert (whole["pinned"], pinned["pinned"]) == ([], [1])
    assert pinned["compactions"][0]["removed"] == whole["compactions"][0]["removed"][1:]
    rows = json.loads(printed("window", lesson, "--step", "10", *LESSON, "--pin", id, "--json"))["messages"]
    assert id in [row["id"] for row in rows]
    assert id in printed("simulate", lesson, *LESSON, "--pin", id)


def test_show_says_what_is_wrong_with_a_file_of_many_sessions(printed: Any, tmp_path: Path) -> None:
    """The sums over all sessions, each line counted once, and the notes, with the session behind the damage."""
    chat = json.dumps({"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]})
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join([chat, chat, "{broken", chat, chat + chat, '{"a": 1}', chat]) + "\n")
    found = json.loads(printed("show", str(path), "--json"))
    assert [s["counts"]["malformed_lines"] for s in found["sessions"]] == [0, 0, 1, 1, 0, 1]
    assert (found["malformed_lines"], found["recovered_records"]) == (3, 2)
    assert found["notes"] == [
        "session 2: line 3 could not be read and was skipped",
        "session 3: line 5 had several records run together; 2 were recovered",
        "session 5: 1 record of the file skipped: not a conversation",
    ]
    said = printed("show", str(path))
    assert "malformed lines    3" in said
    assert all(note in said for note in found["notes"])


def test_a_session_is_counted_by_its_default_meter(printed: Any, tmp_path: Path) -> None:
    """`show`, its list of messages and `window` name it with its error; another one where asked for."""
    path = str(tmp_path / "scaled.json")
    save(scaled_session(1.25), Path(path))
    assert "by calibrated (±2.4 % of the prompt, 11 calls)" in printed("show", path)
    assert "tokens by calibrated (±2.4 % of the prompt, 11 calls)" in printed("show", path, "--messages")
    assert "by calibrated (±2.4 % of the prompt, 11 calls)" in printed("window", path, "--step", "4")
    assert "tokens by o200k_base" in printed("show", path, "--messages", "--meter", "o200k_base")


def test_show_splits_what_is_unseen(printed: Any, tmp_path: Path) -> None:
    """What is not in the transcript, and what the meter undercounts; they add up. In words and as JSON."""
    path = str(tmp_path / "scaled.json")
    save(scaled_session(1.25), Path(path))
    found = json.loads(printed("show", path, "--json"))["unseen"]
    assert (found["typical"], found["meter"]) == (10_706, "calibrated")
    assert found["parts"] == {"not_in_transcript": 10_135, "undercounted": 571}
    assert found["meter_error"] == {
        "calls": 11,
        "typical": pytest.approx(0.0242, abs=1e-4),
        "tenth": pytest.approx(0.0256, abs=1e-4),
    }
    said = " ".join(printed("show", path).split())
    assert (
        "~10,706 in the median of 12, by calibrated: ~10,135 not in the transcript, ~571 undercounted by the meter"
        in said
    )
    save(scaled_session(1.0), Path(path))
    assert json.loads(printed("show", path, "--json"))["unseen"]["parts"] is None


@pytest.mark.parametrize(
    ("sample", "error"),
    [
        ("cline/kiln-log", "what arrives between calls is counted 1.8 % too low"),
        ("aider/seedbank.md", "what arrives between calls is counted 40 % too low"),
        ("inspect/cold-room.json", "the count agrees with the recorded prompts where they can be compared"),
    ],
)
def test_show_says_how_far_the_count_is_off(printed: Any, sample: str, error: str) -> None:
    """The meter's count against the recorded prompts, in the words that the page uses."""
    said = " ".join(printed("show", str(ROOT / "sample_sessions" / sample)).split())
    assert f"by o200k_base; {error}" in said


def test_window_says_what_the_next_prompt_comes_to(printed: Any, tmp_path: Path) -> None:
    """The last recorded prompt and what arrived since; not before there is one."""
    path = str(tmp_path / "scaled.json")
    save(scaled_session(1.0), Path(path))
    sizes = [json.loads(printed("window", path, "--step", str(i), "--json"))["next_prompt"] for i in range(3)]
    assert sizes == [None, 10_994 + 6, 10_994 + 6 + 994]
    assert "next prompt  ~11,000 tokens" in printed("window", path, "--step", "1")
