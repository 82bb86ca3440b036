"""A calculator: arithmetic is parsed and worked out node by node, and never run as code."""

import ast
import math
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.toolbox.tools import BadCallError, Family, Tool, tool

FAMILY = Family(name="calculator", label="Calculator", about="Works out arithmetic; it runs no code.")

Number = int | float
LONGEST = 500  # characters of an expression
MOST_BITS = 4096  # of a whole number: some 1,200 digits
MOST_PLACES = 100  # that round takes

_TWO: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: lambda base, exponent: _power(base, exponent),
}
_ONE: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "round": lambda value, places=0: _rounded(value, places),
    **{name: getattr(math, name) for name in ("sqrt", "floor", "ceil", "exp", "log", "log10", "log2")},
}
_CONSTANTS = {"pi": math.pi, "e": math.e}
_KNOWN = f"functions: {', '.join(_FUNCTIONS)}; constants: pi, e"


def make(folder: Path | None = None) -> list[Tool]:
    """The one tool."""
    return [calculate]


@tool
def calculate(expression: str) -> str:
    """Work out arithmetic: + - * / // % ** with parentheses, abs, min, max, round, sqrt, floor, ceil, exp, log, pi, e.

    expression: what to work out, such as "round(0.25 * (31 - 14), 2)"
    """
    if len(expression) > LONGEST:
        raise BadCallError(f"the expression has {len(expression):,} characters; the most is {LONGEST}")
    try:
        value = _value(ast.parse(expression.strip(), mode="eval").body)
    except ZeroDivisionError:
        raise BadCallError(f"{expression.strip()!r} divides by zero") from None
    except OverflowError:
        raise BadCallError(f"{expression.strip()!r} is too large to work out") from None
    except (SyntaxError, MemoryError, RecursionError):
        raise BadCallError(f"{expression.strip()!r} is not arithmetic") from None
    except (ValueError, TypeError) as error:
        raise BadCallError(f"{expression.strip()!r} has no value: {error}") from None
    return str(value)


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _bounded(value)
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _ONE:
            return _bounded(_ONE[type(op)](_value(operand)))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _TWO:
            return _bounded(_TWO[type(op)](_value(left), _value(right)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _bounded(_FUNCTIONS[name](*map(_value, args)))
    raise BadCallError(f"{_shown(node)} cannot be worked out here{_way_out(node)}; {_KNOWN}")


def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return repr(text if len(text) <= 40 else f"{text[:40]}…")


def _way_out(node: ast.expr) -> str:
    return "; a power is written **" if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor) else ""


def _bounded(value: Any) -> Number:
    """The value, if it is a real number of a size that the next step can still work with at once."""
    if isinstance(value, complex):
        raise BadCallError("the result is not a real number")
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise OverflowError
    result: Number = value
    return result


def _power(base: Number, exponent: Number) -> Any:
    """A power whose size is known to be bearable before it is worked out."""
    if isinstance(base, int) and isinstance(exponent, int) and (base.bit_length() - 1) * exponent > MOST_BITS:
        raise OverflowError
    if abs(exponent) > 10**6:
        raise OverflowError
    return base**exponent


def _rounded(value: Number, places: Number) -> Number:
    if not isinstance(places, int) or abs(places) > MOST_PLACES:
        raise BadCallError(f"round takes a whole number of places up to {MOST_PLACES}, not {places}")
    return round(value, places) if places else round(value)
