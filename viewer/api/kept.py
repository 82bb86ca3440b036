"""What the Tune page shows of a kept result: its maps, what each setting comes to, and who loses most; docs/wire.md."""

from typing import Any

from core.measure.cost import Prices
from core.tune.advice import label, point_of
from core.tune.choice import Point, best_of, lowest, near_best, pareto_front
from core.tune.recommendation import FEWEST, Part, none_within, over_sessions, refusal
from core.tune.results import Figure
from core.tune.row import Row, cost_of
from core.tune.task import Setting
from core.tune.totals import Totals
from viewer.sessions.results import KeptResult, Sum, place_of
from viewer.wire.preview import one_line
from viewer.wire.tuned import cell_of, setting_query

MOST = 200
"""Sessions in the list of those that lose most."""


def result_facts(found: KeptResult) -> dict[str, Any]:
    """A result as the page opens it."""
    return {
        "result": found.id,
        "sessions": found.sessions,
        "meter": found.meter,
        "summaries": found.summaries,
        "grids": [
            {
                "label": one.label,
                "policy": one.policy,
                "fixed": dict(one.fixed),
                "axes": [{"name": name, "values": values} for name, values in one.axes],
                "own": True,
            }
            for one in found.grids
        ],
    }


def kept_picture(
    found: KeptResult, prices: Prices | None, limit: float, chosen: int | None, pointed: int | None, figure: Figure
) -> dict[str, Any]:
    """Everything that changes with prices, the limit, and the setting that is chosen or pointed at.

    Without prices costs are those of the rows, where each has one.
    """
    costs = {k: one.totals.cost(prices) if prices else one.cost for k, one in found.sums.items()}
    priced = bool(costs) and None not in costs.values()
    whole = {k: one for k, one in found.sums.items() if one.totals.sessions == found.sessions}
    points = {k: point_of(one.totals, costs[k] if priced else None) for k, one in whole.items()}
    best = best_of(points, limit)
    told = next((k for k in (chosen, best) if k in points), None)
    shown = next((k for k in (pointed, told, lowest(points)) if k in found.sums), None)
    return {
        "cells": [_cell(found.sums.get(k), costs.get(k) if priced else None) for k in range(len(found.settings))],
        "sessions": found.sessions,
        "front": pareto_front(points),
        "best": best,
        "near": near_best(points, best, limit) if best is not None else [],
        "recorded": _cell(None, None),
        "never": _cell(None, None),
        "said": [list(part) for part in _sentence(found, points, told, limit)],
        "shown": shown,
        "label": label(found.settings, shown) if shown is not None else "",
        "query": setting_query(found.settings[shown]) if shown is not None else {},
        "table": [],
        "priced": priced,
        "worst": [_loser(row, prices) for row in found.worst(shown, figure, MOST)] if shown is not None else [],
    }


def _cell(one: Sum | None, cost: float | None) -> list[Any]:
    """As in a picture of a sweep."""
    return cell_of(one.totals if one else Totals(), cost)


def _sentence(found: KeptResult, points: dict[int, Point], told: int | None, limit: float) -> list[Part]:
    """What the chosen or the best setting comes to, with its spread; or that there is none within the limit."""
    if found.sessions < FEWEST:
        return refusal(found.sessions)
    if told is not None:
        one = found.sums[told]
        spread = one.spread and (one.spread.p10, one.spread.median, one.spread.p90)
        return over_sessions(label(found.settings, told), one.totals.miss_rate, spread, found.sessions)
    closest = lowest(points)
    if closest is None:
        return [Part("No setting has a row of every session: the sweep was stopped. Run it again to go on.")]
    return none_within(limit, label(found.settings, closest), points[closest].miss_rate)


def _loser(row: Row, prices: Prices | None) -> dict[str, Any]:
    """A session that loses much, with the address that opens it at the step where most was lost, under its setting."""
    path, session = place_of(row.session)
    return {
        "name": one_line(row.session, 400),
        "source": f"path:{path}" if path else "",
        "session": session,
        "step": row.worst_step,
        "message": row.worst_message,
        "misses": row.misses,
        "miss_rate": row.miss_rate,
        "cost": cost_of(row, prices) if prices else row.cost,
        "tokens_sent": row.tokens_sent,
        "compactions": row.compactions,
        "query": setting_query(Setting(row.policy, row.settings)),
    }
