"""Policies that compute the window anew from the whole history: what they remove again is not reported again."""

from core import Compaction, Message
from core.analyse import findings, findings_at, trace_findings
from core.trace.trace import Trace
from tests.analyse.events import event, kinds_of, of_kind, run
from tests.support import assistant, calls, result, user


def view(messages: list[Message], *looks: tuple[int, int]) -> Trace:
    """A trace of looks (`at`, and the place from which on messages are sent) that each begin with the whole history."""
    made = [event(at, [(0, at)], [(start, at)], ("dropped", (0, start))) for at, start in looks]
    return run(messages, *made)


WORK = [
    user("do it"),
    assistant("", calls("c1", "read")),
    result("c1", "x"),
    assistant("", calls("c2", "read")),
    result("c2", "y"),
    assistant("done"),
    user("more"),
    assistant("yes"),
]


def test_what_was_gone_already_is_reported_once() -> None:
    """The first look parts a pair, loses the first message and begins with a result; the second, the same, tells nothing."""
    first, second = (findings_at(view(WORK, (5, 2), (6, 2)), k) for k in (0, 1))
    assert {"orphaned_tool_result", "first_user_message_lost", "leading_assistant"} <= set(kinds_of(first))
    assert second == ()


def test_what_is_cut_anew_is_reported() -> None:
    """A look that parts another pair tells of that one."""
    trace = view(WORK, (5, 2), (6, 4))
    (orphan,) = of_kind("orphaned_tool_result", findings_at(trace, 1))
    assert orphan.messages == (WORK[4].id, WORK[3].id)
    assert orphan in findings(*reversed(trace.compactions))


def test_what_arrived_since_is_reported() -> None:
    """A pair that arrived after the first look and is parted at the second is news."""
    talk = [
        user("go"),
        assistant("hm"),
        user("and?"),
        assistant("", calls("c", "read")),
        result("c", "x"),
        assistant("ok"),
    ]
    (orphan,) = of_kind("orphaned_tool_result", findings_at(view(talk, (2, 1), (5, 4)), 1))
    assert orphan.messages == (talk[4].id, talk[3].id)


def test_what_comes_back_is_no_loss() -> None:
    """A view may show again what it left out: nothing is lost by that, and nothing kept was missing."""
    trace = view(WORK, (5, 3), (8, 1))
    assert findings_at(trace, 1) == ()


def test_a_long_history_is_not_read_at_each_look(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Looks behind the first read what was sent and what arrived, and never the whole history."""
    talk = [m for i in range(200) for m in (user(f"question {i}"), assistant(f"answer {i}"))]
    trace = view(talk, *((at, at - 4) for at in range(5, 400, 2)))
    read = list[int]()
    before = Compaction.before.fget
    assert before
    monkeypatch.setattr(Compaction, "before", property(lambda self: read.append(self.at) or before(self)))
    trace_findings(trace)
    assert read == [5]
