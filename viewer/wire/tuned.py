"""What the Tune page shows: sessions, proposed ranges, and a sweep as it stands, as plain rows; docs/wire.md."""

from collections.abc import Mapping
from typing import Any

from core import policy
from core.measure.cost import Prices
from core.policy.policy import Policy
from core.tune.choice import Point, best_of, lowest, near_best, pareto_front
from core.tune.proposals import Proposal
from core.tune.recommendation import FEWEST, Outcome, Part, none_within, recommendation, refusal
from core.tune.row import Row, cost_of
from core.tune.sized import Sized
from core.tune.task import RECORDED, Setting
from core.tune.totals import Totals, totals
from viewer.settings.query import settings_query
from viewer.wire.preview import one_line


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
        "tokens": one.size.tokens,
        "seconds": round(one.seconds, 4),
        "limited": one.limited,
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
        self, prices: Prices | None, limit: float, chosen: int | None, pointed: int | None, running: bool
    ) -> dict[str, Any]:
        """Everything that changes with rows, prices, the limit, and the setting that is chosen or pointed at."""
        sums = [totals(found.values()) for found in self.rows]
        points = {k: _point(one, prices) for k, one in enumerate(sums) if one.sessions == self.wanted > 0}
        best = best_of(points, limit)
        shown = next((k for k in (pointed, chosen, best) if k is not None and 0 <= k < len(sums)), None)
        return {
            "cells": [_cell(one, prices) for one in sums],
            "sessions": self.wanted,
            "front": pareto_front(points),
            "best": best,
            "near": near_best(points, best, limit) if best is not None else [],
            "recorded": _cell(totals(self.before.values()), prices),
            "never": _cell(totals(self.never.values()), prices),
            "said": [list(part) for part in self._said(sums, points, limit, prices, best, chosen, running)],
            "shown": shown,
            "label": self.label(shown) if shown is not None else "",
            "query": _query(self.settings[shown]) if shown is not None else {},
            "table": [self._line(k, shown, prices) for k in sorted({*self.before, *self.left_out})],
        }

    def _said(
        self,
        sums: list[Totals],
        points: Mapping[int, Point],
        limit: float,
        prices: Prices | None,
        best: int | None,
        chosen: int | None,
        running: bool,
    ) -> list[Part]:
        """The recommendation; of a chosen setting, what it comes to; or why there is none."""
        if not points or not self.before:
            return []
        if self.wanted < FEWEST:
            return refusal(self.wanted)
        about = chosen if chosen in points else best
        if about is None:
            closest = lowest(points)
            assert closest is not None
            return none_within(limit, self.label(closest), points[closest].miss_rate, running)
        outcomes = [_outcome(row, self.before[k], prices) for k, row in self.rows[about].items() if k in self.before]
        return recommendation(self.label(about), sums[about].miss_rate, outcomes, prices is not None, running)

    def label(self, k: int) -> str:
        """A setting in words: its policy where there are several, and what differs between the settings of that."""
        one = self.settings[k]
        alike = [other.settings for other in self.settings if other.policy == one.policy]
        varied = [name for name in one.settings if any(other.get(name) != one.settings[name] for other in alike)]
        words = ", ".join(f"{name} {_value(one.settings[name])}" for name in varied) or "its defaults"
        several = len({other.policy for other in self.settings}) > 1
        return f"{one.policy}, {words}" if several else words

    def _line(self, k: int, shown: int | None, prices: Prices | None) -> list[Any]:
        """A session: its place, cost, miss rate and compactions as recorded and as shown, and why there is none of these."""
        after = self.rows[shown].get(k) if shown is not None else None
        return [
            k,
            *_figures(self.before.get(k), prices),
            *_figures(after, prices),
            one_line(self.left_out.get(k, ""), 300),
        ]


def _point(one: Totals, prices: Prices | None) -> Point:
    return Point(one.cost(prices) if prices else one.tokens_sent, one.miss_rate or 0.0, one.thrashes)


def _cell(one: Totals, prices: Prices | None) -> list[Any]:
    """Sessions so far, miss rate, cost, compactions, tokens sent, whether it thrashes, uses."""
    cost = one.cost(prices) if prices else None
    return [one.sessions, one.miss_rate, cost, one.compactions, one.tokens_sent, one.thrashes, one.uses]


def _figures(row: Row | None, prices: Prices | None) -> list[Any]:
    """Cost, miss rate, compactions, tokens sent; of no row nothing."""
    if row is None:
        return [None, None, None, None]
    return [cost_of(row, prices) if prices else None, row.miss_rate, row.compactions, row.tokens_sent]


def _outcome(row: Row, before: Row, prices: Prices | None) -> Outcome:
    after, earlier = (cost_of(one, prices) if prices else float(one.tokens_sent) for one in (row, before))
    return Outcome(after, earlier, row.miss_rate, before.miss_rate)


def _query(setting: Setting) -> dict[str, str]:
    """The parameters of an address that shows this setting: its policy, and every one of its settings."""
    if setting.policy == RECORDED:
        return {"policy": RECORDED}
    rule = policy(setting.policy, **setting.settings)
    unset = {p.name: True for p in rule.parameters if p.kind in ("number", "thresholds")}
    return {"policy": rule.name, **settings_query(rule, unset)}


def _value(value: Any) -> str:
    """A value in words: 80,000, 0.5, 25,000 tokens, on."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return " and ".join(f"{_value(amount)} {unit}" for unit, amount in value.items())
    if isinstance(value, list):
        return " or ".join(map(_value, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else "unset" if value is None else str(value)
