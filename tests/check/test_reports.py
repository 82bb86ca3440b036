"""What a check writes for other programs: a baseline, JUnit XML, Markdown."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.check.baseline import read_baseline, write_baseline
from core.check.reports import junit, markdown
from core.check.verdict import Status, Verdict
from core.model.errors import FoldlineError


def _verdict(status: Status = "failed", amount: float = 2, **other: str) -> Verdict:
    return Verdict(**{"session": "a.json", "rule": "keep “x”", "text": "lost"} | other, status=status, amount=amount)


@pytest.mark.parametrize(
    ("amount", "status"), [(1, "known"), (2, "known"), (2.0000000001, "known"), (2.1, "failed"), (3, "failed")]
)
def test_only_what_is_worse_than_the_baseline_fails(amount: float, status: str, tmp_path: Path) -> None:
    """As bad as before, or better, is known; so is what differs only in the last digits of a sum."""
    write_baseline(tmp_path / "base.json", [_verdict(), _verdict("passed", 0, rule="cost at most $1")])
    known = read_baseline(tmp_path / "base.json")
    assert list(known.sessions.values()) == [{"keep “x”": 2}]
    assert known.beside(_verdict(amount=amount)).status == status


def test_what_the_baseline_does_not_know_fails(tmp_path: Path) -> None:
    """A rule that held, another session, a rule that holds now."""
    write_baseline(tmp_path / "base.json", [_verdict(), _verdict("known", 7, rule="no finding rework")])
    known = read_baseline(tmp_path / "base.json")
    assert known.beside(_verdict(rule="no finding rework", amount=7)).status == "known"
    assert known.beside(_verdict(rule="misses at most 2 %")).status == "failed"
    assert known.beside(_verdict(session="b.json")).status == "failed"
    assert known.beside(_verdict("passed", 0)).status == "passed"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 1, "broken": {}}', '{"version": 2, "sessions": {"a": 1}}']
)
def test_another_file_is_no_baseline(text: str, tmp_path: Path) -> None:
    """The hint says how to write one."""
    (tmp_path / "base.json").write_text(text)
    with pytest.raises(FoldlineError, match="is no baseline") as error:
        read_baseline(tmp_path / "base.json")
    assert "--update-baseline" in error.value.hint
    with pytest.raises(FoldlineError, match="there is no baseline"):
        read_baseline(tmp_path / "other.json")


def test_junit_has_a_suite_for_each_session_and_a_case_for_each_rule() -> None:
    """What failed is a failure with its story; skipped and known rules are skipped, with the reason."""
    failed = Verdict(session="a.json", rule="keep “x”", status="failed", text="lost", story=("said", "taken"), amount=1)
    others = [_verdict("known"), _verdict("skipped", text="not said"), _verdict("passed", session="b.json")]
    top = ElementTree.fromstring(junit([failed, *others]))
    assert top.attrib == {"name": "foldline check", "tests": "4", "failures": "1", "skipped": "2"}
    assert [(suite.get("name"), suite.get("tests")) for suite in top] == [("a.json", "3"), ("b.json", "1")]
    assert [case.find("failure") is not None for case in top.iter("testcase")] == [True, False, False, False]
    failure = top.find(".//failure")
    assert failure is not None
    assert (failure.get("message"), failure.text) == ("lost", "lost\nsaid\ntaken")
    told = [skipped.get("message") for skipped in top.iter("skipped")]
    assert told == ["no worse than in the baseline: lost", "not said"]


@given(st.text())
def test_any_text_is_well_formed_xml(text: str) -> None:
    """Control characters and lone surrogates have no place in XML."""
    found = Verdict(session=text, rule=text, status="failed", text=text, story=(text,))
    assert len(ElementTree.fromstring(junit([found])).findall(".//failure")) == 1


def test_markdown_shows_failures_first_and_text_without_markup() -> None:
    """Nothing of a transcript becomes a link, a tag or another cell."""
    hostile = "a|b <img src=x> [l](http://h) `c` **d**\n# e"
    lines = markdown([_verdict("passed", 0), _verdict(text=hostile)]).splitlines()
    assert lines[0] == "### foldline check: 1 of 2 checks failed"
    assert lines[4] == (
        "| failed | a\\.json | keep “x” | a\\|b &lt;img src=x&gt; \\[l\\]\\(http\\://h\\) \\`c\\` \\*\\*d\\*\\* \\# e |"
    )
    assert lines[5].startswith("| passed |")
