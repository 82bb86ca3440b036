"""What the Tune page shows: sessions, proposed ranges, and a sweep as it stands, as plain rows; docs/wire.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from core import policy
from core.measure.cost import Prices
from core.policy.policy import Policy
from core.tune.advice import advice, label, point_of
from core.tune.choice import Point, best_of, near_best, pareto_front
from core.tune.proposals import Proposal
from core.tune.recommendation import Outcome, Part
from core.tune.row import Row, cost_of
from core.tune.sized import Sized
from core.tune.task import RECORDED, Setting
from core.tune.totals import Totals, totals
from viewer.settings.query import settings_query
from viewer.wire.preview import one_line

SessionPrices = Sequence[Prices]
"""The prices of each session, by its place."""


def session_facts(one: Sized, id: str) -> dict[str, Any]:
    """A session as the page lists it, with the address that opens it."""
    inside = f"./{one.file.inside}" if one.file.inside else ""
    number = str(one.number) if one.number else ""
    return {
        "id": id,
        "title": one_line(one.title, 200),
        "agent": one_line(one.agent),
        "model": one_line(one.model),
        "messages": one.size.messages,
        "tokens": one.tokens,
        "meter": one.meter,
        "seconds": round(one.seconds, 4),
        "limited": one.limited,
        "others": one.others,
        "name": one_line(one.name, 400),
        "source": "" if one.file.data else f"path:{one.file.path}",
        "session": f"{inside}#{number}" if inside and number else inside or number,
    }


def proposal_facts(found: Proposal, rule: Policy) -> dict[str, Any]:
    """The range of a parameter, with its default as a stop is written."""
    parameter = next(p for p in rule.parameters if p.name == found.parameter)
    usual = parameter.to_text(rule.settings.get(found.parameter, parameter.default))
    return {**found.model_dump(exclude={"low", "high"}), "low": found.low, "high": found.high, "default": usual}


class Standing:
    """A sweep as it stands at some prices and some limit of misses, and what of it is on the page.

    `rows` are those of each setting by the place of their session, `before` those of the sessions as they were recorded,
    `never` those without any compaction; `left_out` says of a session why it has none.
    """

    def __init__(
        self,
        settings: tuple[Setting, ...],
        rows: list[dict[int, Row]],
        before: dict[int, Row],
        never: dict[int, Row],
        sessions: int,
        left_out: Mapping[int, str],
    ) -> None:
        self.settings, self.rows, self.before, self.never = settings, rows, before, never
        self.wanted = sessions - len(left_out)
        self.left_out = left_out

    def picture(
        self, prices: SessionPrices | None, limit: float, chosen: int | None, pointed: int | None, running: bool
    ) -> dict[str, Any]:
        """Everything that changes with rows, prices, the limit, and the setting that is chosen or pointed at."""
        sums = [totals(found.values()) for found in self.rows]
        costs = [_whole_cost(found, prices) for found in self.rows]
        points = {k: point_of(one, costs[k]) for k, one in enumerate(sums) if one.sessions == self.wanted > 0}
        best = best_of(points, limit)
        shown = next((k for k in (pointed, chosen, best) if k is not None and 0 <= k < len(sums)), None)
        return {
            "cells": [cell_of(one, cost) for one, cost in zip(sums, costs, strict=True)],
            "sessions": self.wanted,
            "front": pareto_front(points),
            "best": best,
            "near": near_best(points, best, limit) if best is not None else [],
            "recorded": cell_of(totals(self.before.values()), _whole_cost(self.before, prices)),
            "never": cell_of(totals(self.never.values()), _whole_cost(self.never, prices)),
            "said": [list(part) for part in self._sentence(sums, points, limit, prices, chosen, running)],
            "shown": shown,
            "label": label(self.settings, shown) if shown is not None else "",
            "query": setting_query(self.settings[shown]) if shown is not None else {},
            "table": [self._line(k, shown, prices) for k in sorted({*self.before, *self.left_out})],
        }

    def _sentence(
        self,
        sums: list[Totals],
        points: Mapping[int, Point],
        limit: float,
        prices: SessionPrices | None,
        chosen: int | None,
        running: bool,
    ) -> list[Part]:
        """The recommendation; of a chosen setting, what it comes to; or why there is none."""
        if not points or not self.before:
            return []
        return advice(
            self.settings,
            points,
            lambda k: sums[k].miss_rate,
            lambda k: [
                _outcome(row, self.before[n], prices[n] if prices else None)
                for n, row in self.rows[k].items()
                if n in self.before
            ],
            self.wanted,
            limit=limit,
            money=prices is not None,
            chosen=chosen,
            so_far=running,
        )

    def _line(self, k: int, shown: int | None, prices: SessionPrices | None) -> list[Any]:
        """A session: its place, cost, miss rate and compactions as recorded and as shown, and why there is none of these."""
        after, at = self.rows[shown].get(k) if shown is not None else None, prices[k] if prices else None
        return [
            k,
            *_figures(self.before.get(k), at),
            *_figures(after, at),
            one_line(self.left_out.get(k, ""), 300),
        ]


def _whole_cost(rows: Mapping[int, Row], prices: SessionPrices | None) -> float | None:
    """What the runs of some sessions cost together, each at its own prices."""
    return sum(cost_of(row, prices[k]) for k, row in rows.items()) if prices else None


def cell_of(one: Totals, cost: float | None) -> list[Any]:
    """Sessions so far, miss rate, cost, compactions, tokens sent, whether it thrashes, uses, calls given up, calls."""
    front = [one.sessions, one.miss_rate, cost, one.compactions, one.tokens_sent, one.thrashes, one.uses]
    return [*front, one.given_up_calls, one.calls]


def _figures(row: Row | None, prices: Prices | None) -> list[Any]:
    """Cost, miss rate, compactions, tokens sent; of no row nothing."""
    if row is None:
        return [None, None, None, None]
    return [cost_of(row, prices) if prices else None, row.miss_rate, row.compactions, row.tokens_sent]


def _outcome(row: Row, before: Row, prices: Prices | None) -> Outcome:
    after, earlier = (cost_of(one, prices) if prices else float(one.tokens_sent) for one in (row, before))
    return Outcome(after, earlier, row.miss_rate, before.miss_rate)


def setting_query(setting: Setting) -> dict[str, str]:
    """The parameters of an address that shows this setting: its policy, and every one of its settings."""
    if setting.policy == RECORDED:
        return {"policy": RECORDED}
    rule = policy(setting.policy, **setting.settings)
    unset = {p.name: True for p in rule.parameters if p.kind in ("number", "thresholds")}
    return {"policy": rule.name, **settings_query(rule, unset)}
