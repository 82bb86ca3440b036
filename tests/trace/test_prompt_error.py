"""How far a meter's windows are from the prompts that were sent."""

import pytest

from core import Session, replay
from core.model.session import RecordedCompaction
from core.trace.next_prompt import next_prompt
from core.trace.prompt_error import prompt_error
from tests.trace.test_prompt_overhead import Hundred, reply, user


def run(*prompts: int, model: str = "", **known: object) -> Session:
    """A question and a reply for each recorded prompt."""
    pairs = [(user(f"u{k}"), reply(f"a{k}", prompt)) for k, prompt in enumerate(prompts)]
    return Session(messages=tuple(m for pair in pairs for m in pair), model=model, **known)


def test_every_prompt_is_predicted_from_earlier_ones() -> None:
    """We count 200 for each step; the prompts grew by 200 and 300: 1,200 is hit, of 1,500 the last 100 are missed."""
    found = prompt_error(replay(run(1000, 1200, 1500), meter=Hundred()))
    assert found is not None
    assert found.windows == (0.0, pytest.approx(100 / 1500))
    assert found.nexts == (0.0, pytest.approx(100 / 1500))
    assert (found.calls, found.growth) == (2, 100 / 500)


def test_windows_are_counted_from_the_first_prompt_and_next_ones_from_the_last() -> None:
    """Twice 100 missed: 200 of the last window, 100 of the last step."""
    found = prompt_error(replay(run(1000, 1300, 1600), meter=Hundred()))
    assert found is not None
    assert found.windows == (100 / 1300, 200 / 1600)
    assert found.nexts == (100 / 1300, 100 / 1600)
    assert found.typical == pytest.approx((100 / 1300 + 200 / 1600) / 2)


def test_a_compaction_and_a_prompt_that_shrank_begin_anew() -> None:
    """What they took is not the meter's error: only the pairs on one side of each are compared."""
    event = RecordedCompaction(at=4, edit="dropped")
    found = prompt_error(replay(run(1000, 1200, 300, 500, 200, 400, compactions=(event,)), meter=Hundred()))
    assert found is not None
    assert found.windows == (0.0, 0.0, 0.0)


def test_a_change_of_model_begins_anew() -> None:
    """Its prompts are counted otherwise."""
    messages = [
        m.model_copy(update={"model": "b" if k > 3 else "a"}) for k, m in enumerate(run(100, 300, 900).messages)
    ]
    found = prompt_error(replay(Session(messages=tuple(messages)), meter=Hundred()))
    assert found is not None
    assert found.windows == (0.0,)


def test_one_prompt_is_no_error() -> None:
    """There is nothing to predict it from."""
    assert prompt_error(replay(run(1000), meter=Hundred())) is None


def test_the_next_prompt_is_the_last_one_and_what_arrived_since() -> None:
    """Before the first reply nothing is known; each message adds its hundred to the prompt before it."""
    trace = replay(run(1000, 1200), meter=Hundred())
    assert [next_prompt(trace, i) for i in range(4)] == [None, 1100, 1200, 1300]


def test_after_a_compaction_the_next_prompt_is_not_known() -> None:
    """Until a prompt is recorded again: step 2 is the compaction, step 4 the reply after it."""
    trace = replay(run(1000, 500, compactions=(RecordedCompaction(at=2, edit="dropped"),)), meter=Hundred())
    assert [next_prompt(trace, i) for i in range(5)] == [None, 1100, None, None, 600]
