"""What an agent still had after a compaction though no message of its window shows it: what it quotes in an edit."""

import pytest

from core import Message, Trace
from core.analyse import findings_at
from core.measure.had import replaced
from core.model.session import ToolCall
from tests.analyse.events import event, of_kind, run, summary
from tests.analyse.test_asked_again import BODY, edit, found, read, trace
from tests.support import assistant, calls, result, user, with_ids

FILE = "/w/src/exporter.ts"
QUOTE = "line 2 of the exporter\nline 3 of the exporter"
TALK = [user("go"), *read("a", FILE, BODY), user("go on")]
NEW = BODY.replace("line 2 of", "row 2 of")


def recorded(between: list[Message], said: str = "a summary") -> Trace:
    """A recorded run whose compaction takes a file that is read again behind some messages."""
    return trace([*TALK, *between, *read("z", FILE, NEW)], 3, 4, said).model_copy(update={"kind": "replay"})


def test_a_file_whose_lines_an_edit_quotes_was_not_gone() -> None:
    """Nothing in the window shows the two lines that the edit replaces: Claude Code puts files back that no record shows."""
    assert len(found("rework", recorded([]))) == 1
    assert found("rework", recorded(edit("w", FILE, QUOTE, "row 2 of the exporter"))) == []


@pytest.mark.parametrize(
    ("between", "said"),
    [
        (edit("w", "/w/src/importer.ts", QUOTE, "row 2 of the exporter"), "a summary"),
        (edit("w", FILE, QUOTE, "row 2 of the exporter"), f"A summary that quotes it:\n{QUOTE}"),
        ([*read("g", "/w/notes.md", QUOTE), *edit("w", FILE, QUOTE, "row 2 of the exporter")], "a summary"),
        (edit("w", FILE, "another text\nof two lines", "row 2 of the exporter"), "a summary"),
        (
            [edit("w", FILE, QUOTE, "row 2")[0], result("w", "not found").model_copy(update={"is_error": True})],
            "a summary",
        ),
    ],
    ids=["another file", "in the summary", "read since", "not of what was gone", "it failed"],
)
def test_an_edit_that_does_not_show_that_the_agent_had_the_file(between: list[Message], said: str) -> None:
    """What it quotes must be of that file, taken from the window, nowhere else in it, and in the file."""
    assert len(found("rework", recorded(between, said))) == 1


def test_of_a_simulation_the_window_is_known() -> None:
    """The recorded agent had the lines; under this policy they are gone."""
    made = trace([*TALK, *edit("w", FILE, QUOTE, "row 2 of the exporter"), *read("z", FILE, NEW)], 3, 4)
    assert len(found("rework", made)) == 1


def test_an_edit_in_front_of_another_compaction_shows_nothing_behind_it() -> None:
    """What the agent had then may be gone since."""
    talk = [*TALK, *edit("w", FILE, QUOTE, "row 2 of the exporter"), user("on"), *read("z", FILE, NEW)]
    n = len(talk)
    first = event(4, [(0, 4)], [(n, n + 1), (3, 4)], ("summarised", (0, 3)), put=[summary()], number=1)
    left, gone = [(n + 1, n + 2), (6, 7)], ("summarised", (3, 6))
    then = event(7, [(n, n + 1), (3, 7)], left, gone, put=[summary(id="second")], number=2)
    for taken, again in (([first], 0), ([first, then], 1)):
        one = run(with_ids(talk), *taken).model_copy(update={"kind": "replay"})
        assert len(of_kind("rework", [f for k in range(len(taken)) for f in findings_at(one, k)])) == again


def test_the_text_that_an_edit_replaces() -> None:
    """One, those of a list, and of a patch the lines that it takes out and those around them."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@ def run():\n around\n-old\n+new\n*** End Patch"
    one = assistant("", calls("a", "edit", edits=[{"oldText": "one"}, {"oldText": "two"}])).tool_calls[0]
    assert list(replaced(one)) == ["one", "two", ""]
    assert list(replaced(ToolCall(id="b", name="apply_patch", arguments={"input": patch}))) == ["around\nold"]
