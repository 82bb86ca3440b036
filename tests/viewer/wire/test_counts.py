"""One session has one size, wherever it is told: header, choosers, Library, command line."""

import json
from pathlib import Path

import pytest

from core import Session, load_all, meter, policy, replay, save
from core.cli import main
from core.cli.show import summary
from core.engine.counts import counts
from core.engine.default_meter import default_meter
from core.engine.live_context import LiveContext
from core.library import Index, Place, build
from core.model.agent_windows import agent_windows
from core.model.session import RecordedCompaction
from tests.support import assistant, calls, result, scaled_session, tight, user
from viewer.wire.header import trace_header
from viewer.wire.lists import lane_title, session_rows
from viewer.wire.view import columns

SAMPLES = Path(__file__).parents[3] / "sample_sessions"
PATHS = [path for path in sorted(SAMPLES.glob("*/*")) if not path.name.startswith("__")]
Size = tuple[int, int, int]


def header(session: Session) -> Size:
    """The messages that the cursor walks, tokens and compactions as the header of the debugger has them."""
    found = trace_header("s", replay(session, meter=meter(default_meter(session))))
    return found["n"], found["total"], found["recordedCompactions"]


def listed(session: Session) -> Size:
    """The same as a list of sessions has them: microcompactions are counted among the compactions."""
    messages, tokens, compactions = header(session)
    return messages, tokens, compactions + trace_header("s", replay(session))["recordedMicrocompactions"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(SAMPLES).as_posix())
def test_header_choosers_and_command_line_agree(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For every session of every sample; for its sub-agents, where only messages are told."""
    agree(path, capsys)


def test_all_agree_on_a_session_that_is_calibrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Header, chooser, command line and Library take the same meter where o200k_base is not the default."""
    session, path = scaled_session(1.25), tmp_path / "scaled.json"
    save(session, path)
    assert header(session) == (24, 14_203, 0)
    agree(path, capsys)
    index = Index(tmp_path / "library.db")
    build(index, [Place("", tmp_path)])
    assert [row.tokens for row in index.listing().rows] == [14_203]


def agree(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every place says the same of every session of the file."""
    sessions = tuple(load_all(path))
    sizes = [header(session) for session in sessions]
    assert [row[2:5] for row in session_rows(sessions)] == list(map(listed, sessions))
    for number, (session, (messages, tokens, compactions)) in enumerate(zip(sessions, sizes, strict=True)):
        for window in agent_windows(session):
            assert lane_title(window).endswith(
                f" · {header(window.session)[0]:,} messages".replace(" 1 messages", " 1 message")
            )

        main(("show", str(path), "--session", str(number), "--json"))
        told = json.loads(capsys.readouterr().out)
        said = told["counts"]
        added = said.get("added_by_compactions", 0)
        assert (sum(said["messages"].values()) - added, said["tokens"], said["compactions"]) == (
            messages,
            tokens,
            compactions,
        )
        assert [lane["messages"] for lane in told["lanes"]] == [
            header(w.session)[0] for w in agent_windows(session)[1:]
        ]
        main(("show", str(path), "--session", str(number), "--messages"))
        last = capsys.readouterr().out.splitlines()[-1].replace("~", "")
        more = f" and {added:,} added by compactions" if added else ""
        assert last.startswith(f"{messages:,} messages{more}, {tokens:,} tokens by {default_meter(session)}")


def test_the_library_agrees(tmp_path: Path) -> None:
    """For every session that it lists of the samples."""
    index = Index(tmp_path / "library.db")
    build(index, [Place("", SAMPLES)])
    rows = index.listing().rows
    known = {path: tuple(load_all(path)) for path in sorted({row.path for row in rows})}
    assert len(rows) >= 30
    for row in rows:
        assert (row.messages, row.tokens, row.compactions) == listed(known[row.path][row.number]), row.path


def test_a_recorded_summary_is_counted_beside_the_messages() -> None:
    """They are those that the cursor walks, the tokens are of both, each once; a result that was emptied is not counted again.

    The two kinds of compactions are told apart.
    """
    summary = user("what was said").model_copy(update={"id": "s", "injected": "summary"})
    first = RecordedCompaction(at=2, summary="s")
    micro = RecordedCompaction(at=4, kind="microcompaction", cleared=("t",))
    asked = assistant("", calls("c", "read"))
    answer = result("c", "a long file").model_copy(update={"id": "t"})
    session = Session(messages=(user("a"), assistant("b"), summary, asked, answer), compactions=(first, micro))
    found = counts(session)
    assert (found.messages, found.added, found.turns, found.compactions, found.microcompactions) == (4, 1, 1, 1, 1)
    assert trace_header("s", replay(session))["messages"] == 5
    assert session_rows((session,))[0][4] == 2  # a list has one column for both
    assert found.tokens == sum(map(meter("o200k_base").count, session.messages))
    assert trace_header("s", replay(session))["recorded"]["micro"] == [1]
    assert counts(session, meter("agentkit")).tokens == sum(map(meter("agentkit").count, session.messages))


def test_what_a_person_removes_is_no_compaction() -> None:
    """In a live run, in its saved file and in one saved before edits had a name: one count of each, wherever it is told."""
    context = LiveContext(tight(policy("agentkit.memory")))
    for text in ("one", "two", "three"):
        context.append(user(text))
    edit = context.drop([1])
    assert (edit.by_hand, edit.policy) == (True, "by hand")  # as the files of runs have always had it
    session = context.session()
    found = counts(session)
    assert (found.compactions, found.microcompactions, found.edits) == (0, 0, 1)
    header = trace_header("s", replay(session))
    assert (header["recordedCompactions"], header["recordedEdits"], header["recorded"]["edits"]) == (0, 1, [0])
    assert columns(context.compactions, {})["edit"] == columns(replay(session).compactions, {})["edit"] == [1]
    told = summary(replay(session))
    assert (told["counts"]["edits"], len(told["edits"]), told["compactions"]) == (1, 1, [])
