"""The messages behind the counts of the overview."""

from hypothesis import given

from core import Message, replay
from core.analyse.called import called
from core.analyse.overview import overview
from core.model.session import Session
from core.trace.trace import as_session
from tests.support import assistant, calls, result, sessions, user
from viewer.wire.overview import called_body, session_overview

REFUSED = "The user doesn't want to proceed with this tool use"


def failed(id: str, text: str = "no such file") -> Message:
    """A result that the transcript marks as an error."""
    return result(id, text).model_copy(update={"is_error": True})


def test_a_call_is_told_by_its_result() -> None:
    """Once each, though several are in one message; by its message where no result came.

    A file that was moved has the name that it has in the end.
    """
    messages = (
        user("mend it"),
        assistant("", calls("c1", "edit", path="src/a.py"), calls("c2", "edit", path="src/a.py")),
        result("c1", "done"),
        result("c2", "done"),
        assistant("", calls("c3", "bash", command="mv src/a.py src/b.py")),
        result("c3", ""),
        assistant("", calls("c4", "bash", command="rm src/b.py")),
        failed("c4", REFUSED),
        assistant("", calls("c5", "edit", path="c.py")),
        failed("c5"),
        assistant("", calls("c6", "edit", path="c.py")),
    )
    assert called(replay(as_session(list(messages)))) == {
        "tool": {"edit": [2, 3, 9, 10], "bash": [5, 7]},
        "wrote": {"src/b.py": [2, 3]},
        "is": {"shell": [5, 7], "refused": [7], "error": [9]},
    }


@given(sessions())
def test_as_many_as_the_overview_counts(session: Session) -> None:
    """Of each tool and file, of errors, of calls that never ran and of shell commands; under the names that the page has."""
    trace = replay(session)
    found, told, wire = called(trace), overview(trace), session_overview(trace)
    sizes = {kind: {name: len(places) for name, places in some.items()} for kind, some in found.items()}
    assert sizes["tool"] == dict(told.tools)
    assert sizes["wrote"] == dict(told.written)
    counts = {"error": wire["sums"]["errors"], "shell": wire["sums"]["shell"], **wire["sums"]["unrun"]}
    assert sizes["is"] == {name: count for name, count in counts.items() if count}
    body = called_body(trace)
    assert {name for name, *_ in wire["tools"]} <= body["tool"].keys()
    assert {name for name, *_ in wire["files"]} <= body["wrote"].keys()
