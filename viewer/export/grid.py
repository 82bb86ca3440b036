"""The settings that an exported file can be turned to: a grid of the two parameters that a sweep would begin with."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from core.engine.policies_used import model_of
from core.model.errors import FoldlineError
from core.policy.policy import Policy
from core.trace.trace import Trace
from core.tune.proposals import propose, spread_over, swept_first
from core.tune.sizes import size_of
from viewer.export.answers import add_cards, add_shadows
from viewer.export.blocks import Bundle
from viewer.wire.pack import plain, view_of_trace

SIZES = (8, 6)
"""Values of the first and of the second parameter, at most."""

MOST = 60
"""Compactions of a position whose cards and summaries are in the file: the first ones."""

Simulate = Callable[[Policy], Trace]


class Axis(NamedTuple):
    """One parameter: its name and unit, its values as the parameter takes them in text, and which one the file opens with."""

    name: str
    unit: str
    values: list[str]
    at: int


def axes_of(trace: Trace) -> list[Axis]:
    """The parameters of a simulated trace that the file can turn, with values that suit the session; the trace's own is one."""
    rule = trace.policy
    if trace.kind != "simulate" or rule is None:
        return []
    size = size_of(trace.measured, window=model_of(trace.session).window or 0)
    proposals = {found.parameter: found for found in propose(rule, [size])}
    known = {p.name: p for p in rule.parameters}
    found = []
    for name, most in zip(swept_first(rule), SIZES, strict=False):
        proposal, own = proposals[name], known[name].to_text(rule.settings.get(name))
        values = [proposal.stops[k] for k in spread_over(proposal.low, proposal.high, most)]
        values = _with_own(values, own)
        if len(values) > 1:
            found.append(Axis(name, proposal.unit, values, values.index(own)))
    return found


def _with_own(values: Sequence[str], own: str) -> list[str]:
    """The values with the one in force: in the place of the nearest one, or in front where none can be compared."""
    if own in values:
        return list(values)
    amounts = [_amount(value) for value in (own, *values)]
    wanted, others = amounts[0], amounts[1:]
    if wanted is None or any(other is None for other in others):
        return [own, *values][: len(values)]
    nearest = min(range(len(values)), key=lambda k: abs((others[k] or 0) - wanted))
    return [own if k == nearest else value for k, value in enumerate(values)]


def _amount(text: str) -> float | None:
    """The number in "8000" or "tokens:8000"."""
    try:
        return float(text.rpartition(":")[2])
    except ValueError:
        return None


def positions(trace: Trace, axes: Sequence[Axis]) -> Iterator[tuple[str, Policy | None, str]]:
    """Each position but the trace's own: its name, its policy, and where a policy refuses it why."""
    assert trace.policy is not None
    first, second = (*axes, Axis("", "", [""], 0))[:2]
    for i, one in enumerate(first.values):
        for j, other in enumerate(second.values):
            if (i, j) == (first.at, second.at):
                continue
            changed: dict[str, Any] = {first.name: one} | ({second.name: other} if second.name else {})
            try:
                yield f"g{i}x{j}", trace.policy.with_settings({**trace.policy.settings, **changed}), ""
            except FoldlineError as error:
                yield f"g{i}x{j}", None, str(error)


def add_position(bundle: Bundle, sid: str, tid: str, trace: Trace, opened: Trace) -> None:
    """Add a run of a session at other settings: its view, its cards without findings, and its summaries.

    What is left of messages that it cleared stands with the run that the file opens with, where that clears in the same way.
    """
    bundle.add_bytes(f"view-{tid}", plain(view_of_trace(sid, tid, trace, ())))
    add_cards(bundle, tid, trace, min(MOST, len(trace.compactions)), with_findings=False)
    if list(trace.cleared_copies) != list(opened.cleared_copies):
        add_shadows(bundle, tid, trace)
