"""Formulas: arithmetic over named numbers, and nothing else."""

import pytest

from core.model.errors import ParameterError
from core.policy.formula import value_of

NAMES = {"window": 200_000, "output": 64_000, "ratio": 0.3, "n": 7}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (12, 12),
        (0.5, 0.5),
        ("n", 7),
        ("n // 2", 3),
        ("window - min(output, 20000) - 13000", 167_000),
        ("min(0.85 * window, window - 50000)", 150_000),
        ("20000 if window > 200000 else int(0.2 * window)", 40_000),
        ("max(1, int(n * ratio))", 2),
        ("-n + 10 % 4", -5),
        ("ceil(n / 2) + floor(n / 2)", 7),
    ],
)
def test_a_formula_is_worked_out(formula, value):
    """Numbers stand for themselves, names for what they are given, the rest is arithmetic."""
    assert value_of(formula, NAMES) == value


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os')",
        "n.bit_length()",
        "[n for n in (1,)]",
        "lambda: 1",
        "'text'",
        "open('x')",
        "min.__class__",
        "print(n)",
        "(n := 3)",
        "min(n, default=3)",
        "n +",
        "",
        "missing + 1",
        "n / 0",
        "10 ** 10",
        "None",
    ],
)
def test_anything_else_is_refused(formula):
    """What is no arithmetic, names nothing known or comes to no number raises an error that repeats it."""
    with pytest.raises(ParameterError, match="is not a formula"):
        value_of(formula, NAMES)
