"""At which prices sessions are swept together: each at those of its own model."""

from collections import Counter
from collections.abc import Sequence

from core.measure.cost import Prices
from core.measure.prices import prices_of


def prices_each(models: Sequence[str]) -> list[Prices | None]:
    """The prices of each session by its model, or of the commonest model that has some where its own has none.

    All are None where no model has prices.
    """
    known = [prices_of(model) if model else None for model in models]
    priced = Counter(model for model, prices in zip(models, known, strict=True) if prices)
    usual = prices_of(commonest(priced)) if priced else None
    return [prices or usual for prices in known]


def commonest(counted: "Counter[str]") -> str:
    """The model that most sessions have; of several, the first by name."""
    return min(counted, key=lambda model: (-counted[model], model))
