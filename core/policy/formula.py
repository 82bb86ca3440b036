"""Arithmetic over named numbers, so that a policy can say "min(0.85 * window, window - 50000)" and still be data.

Only numbers, names, + - * / // %, comparisons, `x if c else y`, min, max, ceil, floor, round and int: checked with `ast` before
anything is worked out.
"""

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import ceil, floor
from types import CodeType
from typing import Any

from core.model.errors import ParameterError

Number = int | float

_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "min": min,
    "max": max,
    "int": int,
    "round": round,
    "ceil": ceil,
    "floor": floor,
}
_ALLOWED = (
    *(ast.BinOp, ast.UnaryOp, ast.USub, ast.IfExp, ast.Compare, ast.Call, ast.Name, ast.Load, ast.Constant),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.Eq),
)


@lru_cache(maxsize=1024)
def _compiled(formula: str) -> CodeType:
    """The formula as code. Raises ParameterError on one that cannot be read or holds anything but arithmetic."""
    try:
        tree = ast.parse(formula, mode="eval")
    except SyntaxError:
        raise _bad(formula) from None
    if not all(isinstance(node, _ALLOWED) and _plain(node) for node in ast.walk(tree.body)):
        raise _bad(formula)
    return compile(tree, "<formula>", "eval")


def _plain(node: ast.AST) -> bool:
    """Whether a constant is a number and a call is of one of our functions by its name."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords
    return True


def value_of(formula: int | float | str, names: Mapping[str, Any]) -> Number:
    """The number a formula stands for, given what its names stand for; a number stands for itself.

    Raises ParameterError on a name that is not known or a formula that is none.
    """
    if not isinstance(formula, str):
        return formula
    code = _compiled(formula)  # of arithmetic alone: nothing else gets through, so nothing can be run
    try:
        result = eval(code, {"__builtins__": {}, **_FUNCTIONS}, dict(names))
    except (NameError, ArithmeticError, TypeError, ValueError):
        raise _bad(formula) from None
    if not isinstance(result, int | float):
        raise _bad(formula)
    return result


@lru_cache(maxsize=1024)
def names_in(formula: str) -> frozenset[str]:
    """The names that a formula speaks of, those of its functions left out."""
    return frozenset(_compiled(formula).co_names) - _FUNCTIONS.keys()


def _bad(formula: str) -> ParameterError:
    return ParameterError(
        f"{formula!r} is not a formula", "use numbers, parameter names, + - * / //, min, max, if and else"
    )
