"""A context while a run happens: its trace, its session, and what a cancelled attempt leaves behind."""

from collections.abc import Callable, Sequence

import pytest

from core import FoldlineError, LiveContext, Message, Session, policy
from core.model.errors import RunCancelledError
from core.summaries.summarizers import Structural
from core.window.ranges import ADDED
from tests.support import assistant, user


def context(summarizer: Callable[[Sequence[Message], str | None], str] | None = None) -> LiveContext:
    """One under a policy that keeps the newest message, with a long message typed."""
    made = LiveContext(policy("agentkit.memory", budget=120, keep_recent=1), summarizer=summarizer or Structural())
    made.append(user("Look it up. " * 20))
    made.append(assistant("one moment " * 20))
    return made


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made.append(user("and more")),
        lambda made: made.compact(),
        lambda made: made.maybe_compact("before_call"),
        lambda made: made.set_policy(policy("agentkit.memory", budget=900, keep_recent=1)),
        lambda made: made.pin([0]),
        lambda made: made.drop([0]),
    ],
    ids=["append", "compact", "maybe_compact", "set_policy", "pin", "drop"],
)
def test_a_trace_is_built_once_for_each_change(
    change: Callable[[LiveContext], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often its trace and its session are asked for, they are built anew only after something changed."""
    built = list[int]()
    whole = LiveContext._traced
    monkeypatch.setattr(LiveContext, "_traced", lambda self: built.append(1) or whole(self))
    made = context()
    for _ in range(3):
        assert made.trace() is made.trace()
        assert made.session(title="a").title == "a"
    assert len(built) == 1
    before = made.trace()
    change(made)
    assert made.trace() != before
    assert made.trace() is made.trace()
    assert len(built) == 2


def test_what_is_asked_before_a_failure_is_not_kept() -> None:
    """A failed attempt changes the trace as well: it is among its failures."""

    def broken(messages: Sequence[Message], prior: str | None) -> str:
        raise FoldlineError("no summary today")

    made = context(broken)
    assert made.trace().failed == ()
    found = made.maybe_compact("before_call")
    assert found is not None
    assert [one.status for one in made.trace().failed] == ["failed"]


def test_a_cancelled_attempt_leaves_nothing_behind() -> None:
    """Where a run is cancelled while a summary is written, the window and what was added are as before."""

    def cancelled(messages: Sequence[Message], prior: str | None) -> str:
        raise RunCancelledError

    made = context(cancelled)
    before = made.messages()
    with pytest.raises(RunCancelledError):
        made.compact()
    assert made.messages() == before
    assert made.added == []
    made.summarizer = Structural()
    made.compact()
    assert made.compactions[0].layout_after[0] == (ADDED, ADDED + 1)


def test_the_session_of_a_run() -> None:
    """Its messages with the summary where it came in, its compaction, and what the caller knows of it."""
    made = context()
    made.compact()
    made.append(user("and more"))
    session = made.session(id="r", title="Bees")
    assert isinstance(session, Session)
    assert (session.id, session.title, session.records) == ("r", "Bees", 3)
    assert [m.injected for m in session.messages] == ["", "", "summary", ""]
    (recorded,) = session.compactions
    assert (recorded.at, recorded.summary, recorded.window) == (2, session.messages[2].id, recorded.window)
    assert recorded.window[0] == recorded.summary
