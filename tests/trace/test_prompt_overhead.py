"""What prompts held that the transcript does not show."""

from core import Message, Session, Usage, replay
from core.model.session import RecordedCompaction
from core.trace.prompt_falls import prompt_falls
from core.trace.prompt_overhead import unseen
from tests.trace.unseen import unseen_at


class Hundred:
    """Every message is a hundred tokens."""

    def count(self, message: Message) -> int:
        """A hundred."""
        return 100


def reply(id: str, prompt: int) -> Message:
    """A reply whose prompt was recorded."""
    return Message(id=id, role="assistant", content="ok", usage=Usage(input_uncached=prompt, output=5))


def user(id: str) -> Message:
    """What a person typed."""
    return Message(id=id, role="user", content=id)


def test_unseen_is_the_prompt_less_what_can_be_seen() -> None:
    """The first call saw one message of 100: 900 of its 1,000 tokens are unseen."""
    session = Session(messages=(user("u1"), reply("a1", 1000), user("u2"), reply("a2", 1160), user("u3")))
    found = unseen(replay(session, meter=Hundred()))
    assert [(c.at, c.prompt, c.seen, c.unseen) for c in found.calls] == [(1, 1000, 100, 900), (3, 1160, 300, 860)]
    assert (found.first, found.typical) == (900, 880)


def test_the_error_of_our_count_is_measured_on_the_run() -> None:
    """Between the calls the prompt grew by 160 and our count by 200: a quarter too much."""
    session = Session(messages=(user("u1"), reply("a1", 1000), user("u2"), reply("a2", 1160)))
    assert unseen(replay(session, meter=Hundred())).error == 0.25


def test_calls_on_two_sides_of_a_compaction_are_not_compared() -> None:
    """The window is the one after it, and the fall of the prompt says nothing of our count."""
    event = RecordedCompaction(at=2, edit="dropped")
    session = Session(messages=(user("u1"), reply("a1", 1000), user("u2"), reply("a2", 500)), compactions=(event,))
    found = unseen(replay(session, meter=Hundred()))
    assert [(c.seen, c.unseen) for c in found.calls] == [(100, 900), (100, 400)]
    assert found.error is None


def test_without_usage_nothing_is_known() -> None:
    """No calls, no error, nothing unseen."""
    found = unseen(replay(Session(messages=(user("u1"),)), meter=Hundred()))
    assert (found.calls, found.error, found.typical, found.first) == ((), None, 0, 0)


def test_what_is_unseen_at_a_step_is_told_by_the_last_call_of_its_window() -> None:
    """Before the first call of a window by that one; behind a compaction the calls before it tell nothing."""
    event = RecordedCompaction(at=3, edit="dropped")
    messages = (user("u1"), reply("a1", 1000), user("u2"), user("u3"), reply("a2", 500))
    trace = replay(Session(messages=messages, compactions=(event,)), meter=Hundred())
    told = [call and call.unseen for call in (unseen_at(trace, i) for i in range(len(trace)))]
    assert told == [900, 900, 900, 400, 400, 400]
    none = replay(Session(messages=messages[:1]), meter=Hundred())
    assert unseen_at(none, 0) is None


def test_nothing_is_known_to_be_unseen_where_the_window_is_uncertain() -> None:
    """A prompt that shrank says less of the window, not more of what is unseen."""
    messages = (user("u1"), user("u2"), reply("a1", 1000), user("u3"), reply("a2", 150), user("u4"))
    trace = replay(Session(messages=messages), meter=Hundred())
    (stretch,) = prompt_falls(trace).uncertain
    assert stretch == (4, 6)
    told = [call and call.unseen for call in (unseen_at(trace, i) for i in range(len(trace)))]
    assert told == [800, 800, 800, 800, None, None]
