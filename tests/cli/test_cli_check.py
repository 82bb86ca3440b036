"""`foldline check`: a line for each rule, and the exit code."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.cli import main
from tests.serving import ROOT

SAMPLE = str(ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json")
RULE = "No new dependency, not even a small one"
LARGE = ("--policy", "agentkit.memory", "--set", "budget=48000")


def _checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of a check of the sample, and what it prints."""
    code = main(["check", SAMPLE, *arguments])
    return code, capsys.readouterr().out


def test_a_policy_that_keeps_a_rule_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """One line a rule."""
    code, found = _checked(capsys, *LARGE, "--keep", RULE, "--max-misses", "2%", "--no-finding", "orphaned")
    assert code == 0
    assert [line.split(SAMPLE)[0] for line in found.splitlines()[:3]] == ["ok      "] * 3
    assert found.splitlines()[3:] == ["", "all 3 checks hold"]


def test_a_recorded_session_that_lost_a_rule_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With its story, on the terminal and in the files for other programs."""
    rules = tmp_path / "rules.txt"
    rules.write_text(f"# what must stay\n\n{RULE}\nis_spending\n")
    out, table = tmp_path / "out.xml", tmp_path / "out.md"
    code, found = _checked(capsys, "--keep-file", str(rules), "--junit", str(out), "--markdown", str(table))
    assert code == 1
    assert f"FAILED  {SAMPLE}: keep “{RULE}”: lost at compaction 2 of 3, after message 133" in found
    assert "          compaction 2: Gone: summary #2 left it out" in found
    assert "2 of 2 checks failed" in found
    assert ElementTree.parse(out).getroot().get("failures") == "2"
    assert table.read_text().startswith("### foldline check: 2 of 2 checks failed")


@pytest.mark.parametrize(
    ("rules", "counted"),
    [
        ((*LARGE, "--keep", RULE), "1 check holds"),
        ((*LARGE, "--keep", RULE, "--keep", "is_spending"), "all 2 checks hold"),
        (("--keep", RULE, "--max-misses", "100%"), "1 of 2 checks failed"),
        (("--keep", RULE), "1 of 1 check failed"),
        ((*LARGE, "--keep", "nobody says this"), "1 of 1 check failed, 1 skipped"),
    ],
)
def test_checks_are_counted_in_words(
    rules: tuple[str, ...], counted: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One is one, and a rule that says nothing of a session is no check of it; in the table as on the terminal."""
    table = tmp_path / "out.md"
    assert _checked(capsys, *rules, "--markdown", str(table))[1].splitlines()[-1] == counted
    assert table.read_text().splitlines()[0] == f"### foldline check: {counted}"


def test_a_session_that_never_says_it_is_no_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It is counted apart, and so is what is broken no worse than in the baseline."""
    other, base = tmp_path / "other.json", ("--baseline", str(tmp_path / "base.json"))
    other.write_text('[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good day"}]')
    assert _checked(capsys, str(other), *LARGE, "--keep", RULE)[1].splitlines()[-1] == "1 check holds, 1 skipped"
    written = _checked(capsys, "--keep", RULE, *base, "--update-baseline")[1].splitlines()[-2:]
    assert written == ["1 of 1 check failed", f"{tmp_path / 'base.json'} has what is broken now"]
    assert _checked(capsys, "--keep", RULE, *base)[1].splitlines()[-1] == "no check holds, 1 broken as in the baseline"
    found = _checked(capsys, "--keep", RULE, "--max-misses", "100%", *base)[1]
    assert found.splitlines()[-1] == "1 check holds, 1 broken as in the baseline"


def test_json_has_every_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """With its amount and its story."""
    code, printed = _checked(capsys, "--keep", RULE, "--json")
    found = json.loads(printed)
    assert (code, found["failed"]) == (1, 1)
    assert found["verdicts"][0].keys() == {"session", "id", "rule", "status", "text", "story", "amount"}


def test_a_file_that_cannot_be_read_is_named_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In front, as every session is; behind it stands why."""
    file = str(tmp_path / "nosuch.json")
    assert main(["check", file, "--keep", "x"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == f"FAILED  {file}: readable: no such file"


def test_a_baseline_forgives_what_was_broken_before(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Written once, then only what is worse fails; a file that is not there is an error."""
    base = ("--baseline", str(tmp_path / "base.json"))
    assert main(["check", SAMPLE, "--keep", RULE, *base]) == 2
    assert "write it with --update-baseline" in capsys.readouterr().err
    assert _checked(capsys, "--keep", RULE, "--max-misses", "10%", *base, "--update-baseline")[0] == 0
    code, found = _checked(capsys, "--keep", RULE, "--max-misses", "10%", *base)
    assert (code, found[:5]) == (0, "known")
    assert _checked(capsys, "--keep", RULE, "--max-misses", "9%", *base)[0] == 1


def test_a_file_that_comes_or_goes_shifts_no_baseline(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session is compared with itself alone, and it is said which is new and which is gone."""
    monkeypatch.chdir(tmp_path)
    Path("kept").mkdir()
    Path("kept/m.json").write_bytes(Path(SAMPLE).read_bytes())
    given = ("check", "kept", "--keep", RULE, "--baseline", "base.json")
    assert main([*given, "--update-baseline"]) == 0
    Path("kept/a.json").write_bytes(Path(SAMPLE).read_bytes())  # read before the one that is known
    capsys.readouterr()
    assert main(list(given)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines if RULE in line] == ["FAILED  kept/a.json", "known   kept/m.json"]
    assert lines[-2:] == [
        "1 of 2 checks failed, 1 broken as in the baseline",
        "1 session is new since the baseline: kept/a.json",
    ]
    Path("kept/m.json").unlink()
    assert main([*given, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["new"], found["gone"]) == (["kept/a.json"], ["kept/m.json"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "there is nothing to check"),
        (("--keep", "x", "--set", "budget=1"), "--set needs --policy"),
        (("--no-finding", "blub"), "unknown finding 'blub'"),
        (("--max-misses", "a lot"), "no limit of misses"),
        (("--max-cost", "-1"), "no amount of dollars"),
        (("--keep", "x", "--policy", "blub"), "unknown policy 'blub'"),
        (("--keep", "x", "--update-baseline"), "there is no baseline to update"),
        (("--keep", " "), "there is no text to keep"),
        (("--keep-file", "no/such/file"), "no/such/file cannot be read"),
    ],
)
def test_wrong_usage_exits_with_2(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A build must not pass because a rule was misspelled."""
    try:
        code = main(["check", SAMPLE, *arguments])
    except SystemExit as left:  # argparse leaves by itself
        code = left.code  # type: ignore[assignment]
    assert (code, said in capsys.readouterr().err) == (2, True)


def test_a_file_that_cannot_be_read_fails_and_the_rest_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is one more line."""
    (tmp_path / "empty.json").write_text("")
    code = main(["check", str(tmp_path / "empty.json"), SAMPLE, *LARGE, "--keep", RULE])
    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert "empty.json: readable: " in lines[0]
    assert lines[1].startswith("ok")
