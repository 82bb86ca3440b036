"""A summary that nobody can read: its size is in no sum, and the words in its place are no text of the session."""

from core import fate, meter, replay
from core.engine.counts import counts
from core.exports.markdown import compaction_text
from core.exports.tables import compaction_rows
from core.model.session import RecordedCompaction, Session
from tests.support import assistant, user

PLACEHOLDER = "[encrypted summary: only the provider can read it]"


def sealed() -> Session:
    """Three messages, of which a compaction kept the last; its summary is encrypted."""
    summary = user(PLACEHOLDER).model_copy(update={"id": "sealed", "injected": "summary"})
    said = [user("the limit is 40"), assistant("noted"), user("go on")]
    event = RecordedCompaction(at=3, summary="sealed", unreadable="encrypted", kept=(said[2].id,))
    return Session(messages=(*said, summary), compactions=(event,))


def test_its_placeholder_is_in_no_sum() -> None:
    """The window after it holds the tokens of what was kept, and so does the whole session."""
    session, count = sealed(), meter("o200k_base")
    kept = count.count(session.messages[2])
    event = replay(session).compactions[0]
    assert (event.window_after, event.summary_tokens, event.known_summary_tokens) == (kept, 0, None)
    assert counts(session).tokens == sum(map(count.count, session.messages[:3]))


def test_its_size_is_told_nowhere() -> None:
    """A table leaves the size out, and Markdown says why."""
    trace = replay(sealed())
    assert next(iter(compaction_rows(trace)))["summary_tokens"] is None
    assert "nobody can read it: encrypted" in compaction_text(trace, 0)


def test_the_words_in_its_place_are_no_text_of_the_session() -> None:
    """A word of the placeholder is found nowhere."""
    assert fate(replay(sealed()), "only the provider").match == "none"
