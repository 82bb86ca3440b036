"""How long an agent waited for its compactions."""

from core import Message, Session, replay
from core.measure.waiting import total_wait, waits
from core.model.session import RecordedCompaction
from tests.measure.worked import compacted


def _message(id: str, time: str) -> Message:
    return Message(id=id, role="user", content="x", timestamp=time)


def _session(*compactions: RecordedCompaction) -> Session:
    times = ("2026-11-01T12:00:00Z", "", "2026-11-01T12:00:10Z")
    return Session(messages=tuple(_message(f"m{i}", time) for i, time in enumerate(times)), compactions=compactions)


def test_by_its_own_duration_or_since_the_message_before() -> None:
    """The file's duration counts before the clock; a message without a time has that of the one before."""
    by_clock = RecordedCompaction(at=2, timestamp="2026-11-01T12:00:04.5Z", kept=("m1",))
    by_file = RecordedCompaction(at=3, timestamp="2026-11-01T13:00:00Z", duration_ms=1250, kept=("m2",))
    trace = replay(_session(by_clock, by_file))
    assert waits(trace) == [4.5, 1.25]
    assert total_wait(trace) == 5.75


def test_what_nobody_knows() -> None:
    """No time of its own, or none before it, and what was simulated."""
    assert total_wait(replay(_session(RecordedCompaction(at=2, kept=("m1",))))) is None
    assert total_wait(replay(_session(RecordedCompaction(at=0, timestamp="2026-11-01T12:00:04Z")))) is None
    assert total_wait(compacted()) is None


def test_a_clock_that_goes_backwards() -> None:
    """Nobody waited less than nothing."""
    assert waits(replay(_session(RecordedCompaction(at=2, timestamp="2026-11-01T11:00:00Z", kept=("m1",))))) == [0.0]
