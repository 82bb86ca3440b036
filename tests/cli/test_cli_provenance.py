"""`foldline provenance`: where the sentences of a summary come from."""

import json
from pathlib import Path

import pytest

from core import Session, save
from core.cli import main
from tests.support import user

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "openai-chat" / "coding-session.json"
SIMULATED = ("--policy", "agentkit.memory", "--set", "budget=16000", "--set", "keep_recent=8", "--meter", "o200k_base")


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["provenance", str(SAMPLE), *arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_given_sentence_is_looked_for_in_what_was_folded(capsys: pytest.CaptureFixture[str]) -> None:
    """Compactions count from 1; each sentence has its verdict and the messages it may come from, the best first."""
    found = _json(capsys, *SIMULATED, "--compaction", "1", "--sentence", "No new dependency, not even a small one.")
    assert found["compaction"] == 1
    (one,) = found["sentences"]  # type: ignore[misc]
    assert one["verdict"] == "supported"
    assert one["sources"][0]["message"] == "m-26554b062da9"


def test_a_compaction_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The error says how many there are."""
    assert main(["provenance", str(SAMPLE), *SIMULATED, "--compaction", "9"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "error: there is no compaction 9",
        "hint: there are 3, counted from 1",
    ]


def test_the_table_counts_the_sentences_in_the_words_of_the_card(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --json a table for people: how many are found in the messages, and how many in part."""
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["provenance", str(SAMPLE), *SIMULATED, "--compaction", "2"]) == 0
    assert "\nsentences   21: 18 found in the messages, 3 partly; words were compared" in capsys.readouterr().out


def test_compactions_are_counted_as_the_app_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A microcompaction before it is counted apart: the first compaction is compaction 1."""
    micro = {"at": 1, "kind": "microcompaction"}
    first, second = ({"at": at, "trigger": "auto", "edit": "dropped"} for at in (2, 3))
    messages = [user(text) for text in ("one", "two", "three")]
    save(Session.model_validate({"messages": messages, "compactions": [micro, first, second]}), tmp_path / "s.json")
    assert main(["provenance", str(tmp_path / "s.json"), "--compaction", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "compaction  2 of 2"
    assert main(["provenance", str(tmp_path / "s.json"), "--compaction", "3"]) == 1
    assert "there are 2, counted from 1" in capsys.readouterr().err
