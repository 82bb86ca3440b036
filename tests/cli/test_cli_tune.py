"""`foldline tune`: a row for each session and setting."""

import csv
import io
import json
from pathlib import Path

import pytest

from core import save
from core.cli import main
from core.engine.simulate import simulate
from core.importers import load
from core.meters import meter
from core.model.session import Driven
from core.policies import policy
from tests.serving import ROOT

SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"
FORGOTTEN = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"
ASKED = (
    "tune",
    str(SAMPLE),
    "--policy",
    "agentkit.memory",
    "--grid",
    "budget=8000,16000",
    "keep_recent=8",
    "--meter",
    "agentkit",
)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints."""
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_json_has_the_numbers_of_simulate(capsys: pytest.CaptureFixture[str]) -> None:
    """Each setting is a full simulation."""
    rows = json.loads(printed(capsys, *ASKED, "--json"))["rows"]
    session = load(SAMPLE)
    for row, budget in zip(rows, (8000, 16000), strict=True):
        trace = simulate(session, policy("agentkit.memory", budget=budget, keep_recent=8), meter("agentkit"))
        assert (row["session"], row["settings"]) == (str(SAMPLE), {"budget": budget, "keep_recent": 8})
        assert (row["compactions"], row["peak_tokens"]) == (len(trace.compactions), max(s.tokens for s in trace.steps))
        assert 0 < row["misses"] < row["uses"]
        assert row["cost"] is None


def test_prices_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    """In dollars a million tokens; the table says where they come from, and what every figure takes as given."""
    found = printed(capsys, *ASKED, "--prices", "5,0.5,6.25,25")
    assert "Prices: as given." in found
    assert "it would have acted otherwise" in found
    assert found.count("$") == 2


def test_a_recommendation_stands_below_the_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What the best setting comes to beside the runs as recorded, which are no rows; of one session, why there is none."""
    assert "\nOne session is no basis for a default. Choose 3 or more for a recommendation.\n" in printed(
        capsys, *ASKED
    )
    for name in ("a.json", "b.json", "c.json"):
        (tmp_path / name).write_bytes(SAMPLE.read_bytes())
    grid = ("--grid", "budget=8000,32000", "keep_recent=8", "--meter", "agentkit")
    lines = printed(capsys, "tune", str(tmp_path), "--policy", "agentkit.memory", *grid).splitlines()
    assert [line.split()[0] for line in lines[2:8]] == ["a.json", "a.json", "b.json", "b.json", "c.json", "c.json"]
    assert lines[8:10] == [
        "",
        "agentkit.memory, budget 32,000: 30 % fewer tokens sent than as recorded; misses 3.8 % (median 3.8 %, "
        "p10–p90 3.8–3.8 %) over 3 sessions; misses more in 3, sends more in 0.",
    ]


def test_csv_has_a_column_for_each_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """Settings are JSON."""
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *ASKED, "--csv"))))
    assert [json.loads(row["settings"])["budget"] for row in rows] == [8000, 16000]
    assert {"misses", "regret", "rebound_calls"} <= set(rows[0])


def test_a_wrong_price_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With the form that is wanted."""
    assert main((*ASKED, "--prices", "5,1")) == 1
    assert "'5,1' is not four prices" in capsys.readouterr().err


def test_every_session_of_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each under its path."""
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(SAMPLE.read_bytes())
    rows = json.loads(printed(capsys, "tune", str(tmp_path), "--policy", "agentkit.memory", "--json"))["rows"]
    assert len({row["session"] for row in rows}) == 2


def test_what_cannot_be_read_is_said_and_the_rest_is_done(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line and a hint for each file; the exit code is 0 while there are rows, and 1 where there are none."""
    notes = tmp_path / "notes.txt"
    notes.write_text("no transcript")
    assert main(("tune", str(notes), str(tmp_path / "missing.json"), *ASKED[1:], "--json")) == 0
    found = capsys.readouterr()
    assert len(json.loads(found.out)["rows"]) == 2
    assert f"error: {notes}: is neither JSON nor JSONL" in found.err
    assert "missing.json: no such file" in found.err
    assert found.err.splitlines()[-1].startswith("1 session, 2 runs in 0:0")
    assert found.err.splitlines()[-1].endswith("; 2 left out")
    assert main(("tune", str(notes), "--policy", "agentkit.memory")) == 1
    assert capsys.readouterr().out == ""


def test_several_processes_print_what_one_does(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In the order of the paths and settings, whoever is done first."""
    (tmp_path / "a.json").write_bytes(SAMPLE.read_bytes())
    for output in ("--json", "--csv"):
        one = printed(capsys, "tune", str(tmp_path), *ASKED[1:], output, "--workers", "0")
        assert printed(capsys, "tune", str(tmp_path), *ASKED[1:], output, "--workers", "2") == one


def test_parquet_is_written_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Started again, only what is missing is done: here, another budget."""
    out = tmp_path / "out"
    assert printed(capsys, *ASKED, "--parquet", str(out)).startswith(f"{out}: 2 rows, 2 of them new\n")
    assert printed(capsys, *ASKED, "--parquet", str(out)).startswith(f"{out}: 2 rows, 0 of them new\n")
    more = ["budget=8000,12000" if part.startswith("budget=") else part for part in ASKED]
    said = printed(capsys, *more, "--parquet", str(out))
    assert said.startswith(f"{out}: 3 rows, 1 of them new\n")
    assert "the setting that misses least, agentkit.memory budget=" in said
    assert sorted(path.name for path in out.glob("*")) == [".lock", "rows.parquet", "sweep.json"]


def test_findings_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """They are null then; the other figures are the same."""
    rows = json.loads(printed(capsys, *ASKED, "--json"))["rows"]
    without = json.loads(printed(capsys, *ASKED, "--json", "--no-findings"))["rows"]
    assert all(row["findings"] >= 0 for row in rows)
    assert without == [{**row, "findings": None} for row in rows]


@pytest.mark.parametrize(
    "wrong", [("--workers", "-1"), ("--workers", "2", "--cluster", "local:2"), ("--json", "--csv")]
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...]) -> None:
    """It is named, with exit code 2."""
    with pytest.raises(SystemExit, match="2"):
        main((*ASKED, *wrong))
    assert "error: " in capsys.readouterr().err


def test_several_policies_take_the_parameters_they_have(capsys: pytest.CaptureFixture[str]) -> None:
    """A value of the grid is tried in each policy that has such a parameter, and every row says which policy it is."""
    asked = [
        *ASKED,
        "--grid",
        "keep_recent_turns=2,3",
        "--policy",
        "minimal_agent.rolling",
        "--set",
        "max_input_tokens=9000",
    ]
    rows = json.loads(printed(capsys, *asked, "--json"))["rows"]
    assert [(row["policy"], row["settings"]) for row in rows] == [
        ("agentkit.memory", {"budget": 8000, "keep_recent": 8}),
        ("agentkit.memory", {"budget": 16000, "keep_recent": 8}),
        ("minimal_agent.rolling", {"max_input_tokens": 9000, "keep_recent_turns": 2}),
        ("minimal_agent.rolling", {"max_input_tokens": 9000, "keep_recent_turns": 3}),
    ]
    table = printed(capsys, *asked)
    assert "agentkit.memory budget=8000 keep_recent=8" in table
    assert table.count("minimal_agent.rolling ") == 2


@pytest.mark.parametrize("more", [[], ["--policy", "minimal_agent.rolling"]])
def test_a_parameter_that_no_policy_has(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    """The error names the policies, the parameter, and those that there are."""
    assert main(["tune", str(SAMPLE), "--policy", "agentkit.memory", *more, "--grid", "budgte=1000"]) == 1
    error = capsys.readouterr().err
    assert "'budgte'" in error
    assert "agentkit.memory" in error
    assert "budget, keep_recent" in error
    assert ("max_input_tokens" in error) == bool(more)


def test_the_size_of_a_fixed_summary(capsys: pytest.CaptureFixture[str]) -> None:
    """`simulate` puts in summaries of that size, as `tune` counts them."""
    rule = ("--policy", "agentkit.memory", "--set", "budget=8000", "--meter", "agentkit", "--summaries", "fixed size")
    sizes = {}
    for tokens in ("100", "500"):
        trace = json.loads(printed(capsys, "simulate", str(SAMPLE), *rule, "--summary-tokens", tokens, "--json"))
        row = json.loads(printed(capsys, "tune", str(SAMPLE), *rule, "--summary-tokens", tokens, "--json"))["rows"][0]
        added = [c["added_tokens"][0] for c in trace["compactions"]]
        assert row["summarizer_out"] == sum(added)
        sizes[tokens] = added[0]
    assert sizes["500"] - sizes["100"] == 400


@pytest.mark.parametrize(
    ("files", "policies", "expected"),
    [
        ((SAMPLE,), ("agentkit.memory",), {"agentkit"}),
        ((SAMPLE, FORGOTTEN), ("agentkit.memory",), {"agentkit"}),
        ((SAMPLE,), ("agentkit.memory", "aider"), {"o200k_base"}),
        ((SAMPLE, FORGOTTEN), ("aider",), {"o200k_base"}),
    ],
)
def test_one_meter_counts_a_whole_sweep(
    files: tuple[Path, ...], policies: tuple[str, ...], expected: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The one that the policies come with, if they all do; figures of two meters are never compared."""
    named = [part for name in policies for part in ("--policy", name)]
    assert main(["tune", *map(str, files), *named, "--no-findings", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["meter"] for row in rows} == expected
    assert len(rows) == len(files) * len(policies)


def test_each_session_is_counted_by_its_own_meter_where_that_is_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As on the Tune page, whichever meter the policy comes with: a run that was driven here by the one that counted it."""
    driven = load(SAMPLE).model_copy(update={"driven": Driven(meter="agentlib", policies=())})
    save(driven, tmp_path / "driven.json")
    rule = ("--policy", "agentkit.memory", "--set", "budget=8000", "--meter", "own", "--no-findings", "--json")
    rows = json.loads(printed(capsys, "tune", str(SAMPLE), str(tmp_path / "driven.json"), *rule))["rows"]
    assert [row["meter"] for row in rows] == ["o200k_base", "agentlib"]
