"""What a model's tokens cost, from the price list of genai-prices, which is read offline. https://github.com/pydantic/genai-prices"""

from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

from core.measure.cost import Prices
from core.meters.context_windows import base_name
from core.model.errors import ParameterError

MILLION = 1_000_000


@cache
def price_list() -> str:
    """The list, its version, and the day of the newest price in it that is in force, for people."""
    from genai_prices.data_snapshot import get_snapshot

    today = datetime.now(UTC).date()
    prices = (p for provider in get_snapshot().providers for model in provider.models for p in _variants(model))
    days = (getattr(price.constraint, "start_date", None) for price in prices)
    newest = max((day for day in days if day is not None and day <= today), default=None)
    return f"genai-prices {version('genai-prices')}" + (f", newest price of {newest}" if newest else "")


def _variants(model: Any) -> list[Any]:
    """The prices of a model that hold from a day on, or for some calls alone."""
    listed = model.prices if isinstance(model.prices, list) else []
    return [*listed, *(getattr(model, "price_variants", None) or [])]


@lru_cache(64)
def prices_of(model: str) -> Prices | None:
    """The prices of a model by its name, per token in US dollars; None for one that the list does not have.

    Of prices that rise with the size of a prompt, those of a small one. Cache reads and writes that have no price of their own
    cost what fresh input does.
    """
    from genai_prices.data_snapshot import get_snapshot  # a tenth of a second: only once prices are wanted

    try:
        _, found = get_snapshot().find_provider_model(base_name(model) or model, None, None, None)
    except LookupError:
        return None
    prices = found.get_prices(datetime.now(UTC))
    fresh, output = _base(prices.input_mtok), _base(prices.output_mtok)
    if fresh is None or output is None:
        return None
    read, write = _base(prices.cache_read_mtok), _base(prices.cache_write_mtok)
    return Prices(fresh, fresh if read is None else read, fresh if write is None else write, output)


def _base(price: Any) -> float | None:
    """Dollars a token of a price a million, with or without tiers."""
    amount = getattr(price, "base", price)
    return float(amount) / MILLION if isinstance(amount, Decimal | int | float) else None


def prices_in(text: str) -> Prices:
    """Prices written as INPUT,READ,WRITE,OUTPUT, in dollars a million tokens. Raises ParameterError for anything else."""
    try:
        fresh, read, write, output = (float(part) / MILLION for part in text.split(","))
    except ValueError:
        raise ParameterError(
            f"{text!r} is not four prices",
            "give INPUT,READ,WRITE,OUTPUT in dollars a million tokens, such as 5,0.5,6.25,25",
        ) from None
    if min(fresh, read, write, output) < 0 or not all(one < float("inf") for one in (fresh, read, write, output)):
        raise ParameterError(f"{text!r} has a price below 0, or without end", "give four amounts of 0 or more")
    return Prices(fresh, read, write, output)
