"""Which values of a parameter are worth sweeping over some sessions, and why: round values, from the sizes of the sessions."""

from bisect import bisect_left
from collections.abc import Sequence
from math import inf

from core.model.session import Frozen
from core.policy.formula import names_in
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.tune.sizes import SessionSize, largest, middle

MOST_VALUES = 8
"""Values that are proposed for one parameter."""

ROUND = tuple(int(part * 10**k) for k in range(1, 8) for part in (1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8))
"""Amounts of tokens, about a quarter apart."""

COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192)
"""Amounts of messages, turns and tool results."""

MOST_COUNT = 64
"""Below so many of these a range ends."""

UNIT_COUNTS = {"messages": "messages", "turns": "turns", "results": "results", "tool_uses": "results"}
"""What of a session a unit counts."""


class Proposal(Frozen):
    """The values of one parameter: `stops` are all that could be chosen, as the parameter takes them in text.

    `low` and `high` are the places of the first and the last stop that is proposed; `values` some between them, both included.
    `amounts` are the stops as numbers, where they are numbers; `why` says in words where the range comes from.
    """

    parameter: str
    unit: str
    stops: tuple[str, ...]
    amounts: tuple[float, ...]
    low: int
    high: int
    why: str

    @property
    def values(self) -> tuple[str, ...]:
        """What is proposed to be swept."""
        return tuple(self.stops[k] for k in spread_over(self.low, self.high, MOST_VALUES))


def spread_over(low: int, high: int, most: int) -> list[int]:
    """Places from low to high, both included, evenly spread where there are more than `most`."""
    count = high - low + 1
    if count <= most:
        return list(range(low, high + 1))
    return [low + (k * (count - 1) + (most - 1) // 2) // (most - 1) for k in range(most)]


def swept_first(policy: Policy) -> list[str]:
    """The names of the one or two parameters that a sweep of this policy begins with: its limit, and what it keeps."""
    able = [p for p in policy.parameters if sweepable(p)]
    tails = {name for size in policy.tail_of(policy.scope) for name in names_in(str(size.value))}
    limits = [p for p in able if p.name == policy.limit_name] + [p for p in able if p.session == "window"]
    kept = [p for p in able if p.name in tails] + [p for p in able if p.unit in UNIT_COUNTS]
    ordered = dict.fromkeys(p.name for p in [*limits[:1], *kept, *able])
    return list(ordered)[:2]


def sweepable(parameter: Parameter) -> bool:
    """Whether a parameter has values that can be lined up: texts and lists of names have none."""
    return parameter.kind not in ("text", "names")


def propose(policy: Policy, sizes: Sequence[SessionSize]) -> list[Proposal]:
    """The range of each parameter of a policy that can be swept, those worth sweeping first in front."""
    first = swept_first(policy)
    known = {p.name: _proposed(p, policy, sizes) for p in policy.parameters if sweepable(p)}
    return [*(known[name] for name in first), *(found for name, found in known.items() if name not in first)]


def _proposed(parameter: Parameter, policy: Policy, sizes: Sequence[SessionSize]) -> Proposal:
    if parameter.kind in ("switch", "choice"):
        texts = parameter.choices or ("off", "on")
        return _listed(parameter, "", texts, (), 0, len(texts) - 1, "all it takes")
    unit = _unit(parameter, policy)
    if "tokens" in unit:
        return _tokens(parameter, unit, policy, sizes)
    return _counts(parameter, unit, sizes) if unit in UNIT_COUNTS else _parts(parameter, unit)


def _unit(parameter: Parameter, policy: Policy) -> str:
    """The unit that a parameter is swept in: tokens for what bounds the window, else the one of its default."""
    if not parameter.units:
        return parameter.unit
    if parameter.name == policy.limit_name:
        return next((unit for unit in parameter.units if "tokens" in unit), parameter.units[0])
    default = parameter.default if isinstance(parameter.default, dict) else {}
    return next(iter(default), parameter.units[0])


def _tokens(parameter: Parameter, unit: str, policy: Policy, sizes: Sequence[SessionSize]) -> Proposal:
    """A limit runs up to just below the largest session or to the context window, others to a quarter of the median session."""
    typical, most, window = middle(sizes, "tokens"), largest(sizes, "tokens"), _window(sizes)
    limit = parameter.name == policy.limit_name or parameter.session == "window"
    least = max(parameter.at_least, 1.25 * largest(sizes, "pinned")) if limit else parameter.at_least
    floor = max(least, typical / 100)
    stops = [n for n in ROUND if floor <= n <= max(2 * most, 1_000)] or [int(max(least, 1_000))]
    low, high = (min(typical, window) / 8, min(most, window + 1)) if limit else (typical / 64, typical / 4)
    if limit:
        acts = parameter.name == policy.limit_name and most <= window  # under a context window it acts earlier
        said = f"From {_range(sizes, typical, most, window)}{': above that, nothing is compacted' if acts else ''}."
    else:
        said = f"Up to a quarter of {_whose(sizes)} ({_about(typical)} tokens)."
    return _listed(parameter, unit, _texts(parameter, unit, stops), stops, *_within(stops, low, high), said)


def _counts(parameter: Parameter, unit: str, sizes: Sequence[SessionSize]) -> Proposal:
    """A count runs up to a fifth of what the median session has, below 64."""
    counted = UNIT_COUNTS[unit]
    typical, most = middle(sizes, counted), largest(sizes, counted)
    stops = [n for n in COUNTS if parameter.at_least <= n <= max(most, 4)] or [int(parameter.at_least)]
    low, high = _within(stops, 4 if unit == "messages" else 1, max(4.0, min(typical / 5, MOST_COUNT)))
    share = f"{stops[high]:,.0f}" if typical / 5 > MOST_COUNT else "a fifth"
    said = f"Up to {share} of {_whose(sizes)}'s {_counted(round(typical), counted)}."
    return _listed(parameter, unit, _texts(parameter, unit, stops), stops, low, high, said)


def _parts(parameter: Parameter, unit: str) -> Proposal:
    """A fraction or a percentage in tenths; any other number from a quarter of its default to four times that."""
    if parameter.whole and unit != "percent":
        usual = parameter.default if isinstance(parameter.default, int) and parameter.default > 0 else 4
        stops: list[float] = sorted({round(usual * part) for part in (0.25, 0.5, 1, 2, 4)})
        said = "From a quarter of its default to four times that."
    elif unit == "percent":
        stops, said = [float(n) for n in range(10, 101, 10)], "In steps of ten percent."
    else:
        stops, said = [n / 10 for n in range(1, 10)], "In steps of a tenth."
    stops = [n for n in stops if parameter.at_least <= n and (parameter.at_most is None or n <= parameter.at_most)]
    stops = stops or [parameter.at_least]
    return _listed(parameter, unit, _texts(parameter, unit, stops), stops, 0, len(stops) - 1, said)


def _within(stops: Sequence[float], low: float, high: float) -> tuple[int, int]:
    """The places of the stops from low to high, at least one."""
    first = min(bisect_left(stops, low), len(stops) - 1)
    last = max(first, bisect_left(stops, high) - 1)
    return first, last


def _texts(parameter: Parameter, unit: str, amounts: Sequence[float]) -> list[str]:
    plain = [f"{int(n)}" if float(n).is_integer() else f"{n:g}" for n in amounts]
    return [f"{unit}:{text}" for text in plain] if parameter.units else plain


def _listed(
    parameter: Parameter, unit: str, stops: Sequence[str], amounts: Sequence[float], low: int, high: int, why: str
) -> Proposal:
    return Proposal(
        parameter=parameter.name,
        unit=unit,
        stops=tuple(stops),
        amounts=tuple(map(float, amounts)),
        low=low,
        high=high,
        why=why,
    )


def _whose(sizes: Sequence[SessionSize]) -> str:
    """The session that a range is taken from."""
    return "the session" if len(sizes) == 1 else "the median session"


def _without(sizes: Sequence[SessionSize]) -> str:
    """What the tokens leave out, where the total that pages show of a session has it."""
    return " without recorded summaries" if largest(sizes, "added") else ""


def _range(sizes: Sequence[SessionSize], typical: float, most: int, window: float) -> str:
    """The range of a limit: it ends where the context window does."""
    whose = "its model's context window" if len(sizes) == 1 else "the largest context window of their models"
    if window < typical:
        return f"an eighth of {whose} ({_about(window)}) to all of it"
    top = f"{whose} ({_about(window)})" if window < most else _top(sizes, most)
    return f"an eighth of {_whose(sizes)} ({_about(typical)} tokens{_without(sizes)}) to {top}"


def _top(sizes: Sequence[SessionSize], most: int) -> str:
    """Where the range of a limit ends."""
    return "all of it" if len(sizes) == 1 else f"the largest ({_about(most)})"


def _window(sizes: Sequence[SessionSize]) -> float:
    """The largest context window of the models: no window is ever larger. Without an end where one is not known."""
    return max(one.window for one in sizes) if sizes and all(one.window for one in sizes) else inf


def _counted(number: int, counted: str) -> str:
    """So many messages, turns or tool results."""
    noun = "tool results" if counted == "results" else counted
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def _about(tokens: float) -> str:
    """An amount in words: 186k."""
    return f"{tokens / 1000:,.0f}k" if tokens >= 10_000 else f"{tokens:,.0f}"
