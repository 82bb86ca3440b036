"""`foldline tune`: a row for each session and setting."""

import csv
import io
import json
from pathlib import Path

import pytest

from core.cli import main
from core.engine.simulate import simulate
from core.importers import load
from core.meters import meter
from core.policies import policy
from tests.serving import ROOT

SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"
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
