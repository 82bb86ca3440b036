"""The model calls that a policy no longer compacts for, once its guards have stopped it for good."""

from collections.abc import Sequence

from core import Message, policy, replay, simulate
from core.measure.given_up import calls_given_up
from core.measure.prompts import prompts_of
from core.trace.trace import as_session
from tests.support import assistant, user

TEN_CALLS = as_session([user("a question"), *(assistant(f"answer {k}") for k in range(10))])


def no_answer(messages: Sequence[Message], prior: object) -> str:
    """A summarizer that fails."""
    raise TimeoutError("no answer")


def test_a_window_that_is_full_again_at_once_three_times_in_a_row_is_given_up() -> None:
    """claude_code.auto in a window that is smaller than its reserves: a compaction before each of 4 calls, then none in 6."""
    tiny = policy("claude_code.auto", window=20_000)
    trace = simulate(TEN_CALLS, tiny)
    assert [found.at for found in trace.compactions] == [1, 2, 3, 4]
    assert calls_given_up(prompts_of(trace), trace.policy) == 6


def test_three_failures_in_a_row_are_given_up() -> None:
    """Three attempts, before calls 1 to 3; 7 calls follow."""
    trace = simulate(TEN_CALLS, policy("claude_code.auto", window=20_000), summarizer=no_answer)
    assert [(found.at, found.times) for found in trace.failed] == [(1, 3)]
    assert calls_given_up(prompts_of(trace), trace.policy) == 7


def test_a_policy_that_is_not_stopped_gives_nothing_up() -> None:
    """One that goes on, one without guards, and no policy."""
    wide, plain = policy("claude_code.auto", window=200_000), policy("agentkit.memory", budget=10, keep_recent=1)
    for trace in (simulate(TEN_CALLS, wide), simulate(TEN_CALLS, plain), replay(TEN_CALLS)):
        assert calls_given_up(prompts_of(trace), trace.policy) == 0
