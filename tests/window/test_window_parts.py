"""Where a cut would part what belongs together, in a window that has lost some of it."""

from core.window.measured import Measured
from core.window.window import Pool, Window
from tests.support import assistant, calls, result, user

MESSAGES = [
    user("a"),
    assistant("", calls("c", "read")),
    user("b"),
    result("c", "late"),
    result("c", "again"),
    user("c"),
]


def window(*ranges: tuple[int, int]) -> Window:
    """These messages as a window."""
    return Window(Pool(Measured(MESSAGES, [1] * len(MESSAGES))), ranges)


def test_a_pair_binds_from_its_call_to_its_first_result() -> None:
    """Before the call and behind the first result a cut is free; what answers it once more binds nothing."""
    assert [window((0, 6)).parts(i) for i in range(7)] == [False, False, True, True, False, False, False]


def test_a_result_whose_call_is_gone_binds_nothing() -> None:
    """The call was folded: a cut before its late result parts no pair that is there."""
    assert [window((0, 1), (2, 6)).parts(i) for i in range(6)] == [False] * 6


def test_a_call_kept_in_front_still_binds() -> None:
    """The call stands in another stretch of the window than its result."""
    assert [window((1, 2), (3, 6)).parts(i) for i in range(5)] == [False, True, False, False, False]
