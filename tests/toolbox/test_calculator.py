"""The calculator: arithmetic, its limits, and nothing else."""

import pytest

from core.toolbox.calculator import calculate
from core.toolbox.tools import ToolRegistry

REGISTRY = ToolRegistry(calculate)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"),
        (" (1 + 2) * -3 ", "-9"),
        ("7 / 2", "3.5"),
        ("7 // 2 + 7 % 4", "6"),
        ("2 ** 10", "1024"),
        ("2 ** -1", "0.5"),
        ("round(0.25 * 17, 1)", "4.2"),
        ("round(2.5)", "2"),
        ("max(1, min(5, 3)) + abs(-2)", "5"),
        ("sqrt(16) + floor(2.9) + ceil(2.1)", "9.0"),
        ("1e3", "1000.0"),
    ],
)
def test_arithmetic_is_worked_out(expression: str, value: str) -> None:
    """Whole numbers stay whole, and the usual functions are there."""
    assert REGISTRY.call("calculate", {"expression": expression}) == value


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("9**9**9", "is too large to work out"),
        ("(9**300)**999999", "is too large to work out"),
        ("2 ** 4097", "is too large to work out"),
        ("1e308 * 10", "is too large to work out"),
        ("9.0 ** 9999", "is too large to work out"),
        ("round(1, -1000000000)", "round takes a whole number of places up to 100"),
        ("1 / 0", "divides by zero"),
        ("(-8) ** 0.5", "the result is not a real number"),
        ("sqrt(-1)", "has no value"),
        ("1 +", "is not arithmetic"),
        ("(" * 300 + "1" + ")" * 199, "is not arithmetic"),
        ("1 + " * 200 + "1", "the expression has 801 characters; the most is 500"),
        ("2 ^ 3", "'2 ^ 3' cannot be worked out here; a power is written **; functions: abs"),
        ("__import__('os')", "cannot be worked out here"),
        ("(1).__class__", "cannot be worked out here"),
        ("'a' * 10", "cannot be worked out here"),
        ("True + 1", "cannot be worked out here"),
        ("max(*[1])", "cannot be worked out here"),
    ],
)
def test_what_is_no_arithmetic_or_too_large_is_an_error(expression: str, error: str) -> None:
    """Nothing is run, nothing can hang, and the model is told what is wrong."""
    told = REGISTRY.call("calculate", {"expression": expression})
    assert told.startswith("error: ")
    assert error in told
