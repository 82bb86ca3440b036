"""What must hold of whatever came out of a damaged transcript. Each check raises AssertionError with what is wrong."""

import json
from collections.abc import Iterator

from core import Message
from core.analyse import call_findings, trace_findings
from core.engine.replay import replay
from core.importers import load
from core.model.errors import TranscriptError
from core.model.session import Session
from core.trace.trace import conversation
from tests.fuzzing.originals import Transcript

SAVED = 3
"""So many sessions of a transcript are saved and opened again."""


class Quick:
    """A meter that takes no time."""

    def count(self, message: Message) -> int:
        """About the tokens of one message."""
        return 1 + len(message.content) // 4


def check(transcript: Transcript) -> list[Session]:
    """The sessions in it, all sound; none where it was refused as it should be. Raises what it should not."""
    sessions = []
    try:
        for session in transcript.opened():
            sessions.append(session)
            sound(session)
            if session.messages and len(sessions) <= SAVED:
                saved(session)
    except TranscriptError as error:
        refused(transcript, error)
    return sessions


def refused(transcript: Transcript, error: TranscriptError) -> None:
    """An error is one line, not long, about this transcript; memory was enough."""
    assert str(error).startswith(transcript.name), f"names no file: {error}"
    assert "\n" not in str(error) + error.hint, f"more than one line: {error} · {error.hint}"
    assert len(str(error)) < 300, f"long: {error}"
    assert "MemoryError" not in str(error), str(error)


def sound(session: Session) -> None:
    """Holds together and can be replayed; so can those below it."""
    for one in family(session):
        whole(one)
        replayed(one)


def saved(session: Session) -> None:
    """Is the same session when it was saved and opened again."""
    text = json.dumps({"foldline": "session", **session.model_dump(mode="json")}, ensure_ascii=False)
    assert load(name="saved", data=text.encode()) == session, "saved and opened, it is another"


def family(session: Session) -> Iterator[Session]:
    """The session and all below it."""
    yield session
    for child in session.children:
        yield from family(child.session)


def whole(session: Session) -> None:
    """Ids are there once, and what names a message names one of its own."""
    ids = {m.id for m in session.messages}
    assert len(ids) == len(session.messages), "an id is there twice"
    assert "" not in ids, "a message without an id"
    arriving = len(conversation(session))
    for event in session.compactions:
        assert 0 <= event.at <= arriving, f"a compaction at {event.at} of {arriving}"
        assert not event.summary or event.summary in ids, "the summary is no message"
        assert {*event.kept, *event.cleared} <= ids, "a compaction names messages that do not exist"
    assert all(child.message in ids or not child.message for child in session.children), "started by no message"
    assert all("\n" not in note for note in session.notes), "a note of several lines"


def replayed(session: Session) -> None:
    """Replay gives a window at every compaction and at the end, whose tokens add up; findings are found."""
    trace = replay(session, meter=Quick())
    if not len(trace):
        return
    unreadable = {event.summary.id for event in trace.compactions if event.unreadable and event.summary}
    around = [trace.compaction_step(k) for k in range(len(trace.compactions))][:50]
    for step in {0, *around, len(trace) - 1}:
        window = trace.window(step)
        counted = sum(Quick().count(message) for message in window if message.id not in unreadable)
        assert counted == trace.step(step).tokens, f"step {step} does not add up"
        assert len({m.id for m in window}) == len(window), f"a message is twice in the window of step {step}"
        assert trace.regions(step).keys() == {m.id for m in window}, f"a message of step {step} is in no region"
    list(trace_findings(trace))
    list(call_findings(trace))
