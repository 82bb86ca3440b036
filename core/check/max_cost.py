"""The rule that a session costs at most so much."""

from dataclasses import dataclass

from core.check.rule import limited
from core.check.verdict import Verdict
from core.measure.cost import Prices
from core.measure.prices import prices_of
from core.trace.trace import Trace
from core.tune.row import row_of

_UNKNOWN = 1e12
"""Dollars that stand for a cost which nobody knows: no limit allows it."""


@dataclass(frozen=True)
class MaxCost:
    """A limit in US dollars for all calls of the model and the summarizer; without prices, at those of the session's model."""

    limit: float
    prices: Prices | None = None

    @property
    def name(self) -> str:
        """The rule in words."""
        return f"cost at most ${self.limit:g}"

    def judge(self, trace: Trace, session: str) -> Verdict:
        """The amount is the cost in dollars; the rule fails where the model has no prices."""
        prices = self.prices or prices_of(trace.session.model)
        if prices is None:
            model = f"no prices for {trace.session.model}" if trace.session.model else "no model named, so no prices"
            return limited(self, session, _UNKNOWN, self.limit, f"{model}: give --prices INPUT,READ,WRITE,OUTPUT")
        cost = row_of(trace, session, prices=prices, findings=False).cost or 0
        return limited(self, session, cost, self.limit, f"it costs ${cost:,.4f}")
