"""What a sweep recommends, in figures with their spread, and in one sentence. Never one number alone."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.tune.choice import percentile

FEWEST = 3
"""Sessions below which nothing is recommended."""

Tone = Literal["", "strong", "better", "worse", "mute"]


class Part(NamedTuple):
    """A stretch of a sentence, and how it is to be read."""

    text: str
    tone: Tone = ""


class Outcome(NamedTuple):
    """One session under a setting and as it was recorded: costs (dollars, or tokens), and miss rates, None without uses."""

    cost: float
    cost_before: float
    miss_rate: float | None
    miss_rate_before: float | None


class Spread(NamedTuple):
    """How the sessions differ: median, tenth and ninetieth percentile of the miss rates, and how many come off worse."""

    median: float
    low: float
    high: float
    miss_more: int
    cost_more: int


def spread(outcomes: Sequence[Outcome]) -> Spread:
    """The spread over sessions. Raises ValueError where no session used anything."""
    rates = [one.miss_rate for one in outcomes if one.miss_rate is not None]
    more = sum((one.miss_rate or 0) > (one.miss_rate_before or 0) for one in outcomes)
    dearer = sum(one.cost > one.cost_before for one in outcomes)
    return Spread(percentile(rates, 0.5), percentile(rates, 0.1), percentile(rates, 0.9), more, dearer)


def recommendation(
    setting: str, rate: float | None, outcomes: Sequence[Outcome], money: bool = True, so_far: bool = False
) -> list[Part]:
    """The sentence about a setting that misses `rate` of all uses, or why there is none: under three sessions.

    `rate` None says that nothing was used again, `money` that costs are dollars, not tokens, and `so_far` that not all settings
    have been tried.
    """
    if len(outcomes) < FEWEST:
        return refusal(len(outcomes))
    head = [Part("So far: ", "mute")] if so_far else []
    about = [*head, Part(f"{setting}: ", "strong"), *_change(outcomes, money)]
    if rate is None:
        nothing = ". Nothing that was said earlier is named again, so misses cannot be counted."
        return [*about, Part(nothing)]
    found, more = spread(outcomes), "costs more" if money else "sends more"
    return [
        *about,
        Part(f"; misses {percent(rate)} "),
        Part(
            f"(median {percent(found.median)}, p10–p90 {_bare(found.low)}–{percent(found.high)}) ",
            "mute",
        ),
        Part(f"over {len(outcomes):,} sessions; misses more in {found.miss_more:,}, {more} in {found.cost_more:,}."),
    ]


def over_sessions(
    setting: str, rate: float | None, percentiles: tuple[float, float, float] | None, sessions: int
) -> list[Part]:
    """What a setting misses over sessions, with p10, median and p90; None: nothing was used again."""
    about = Part(f"{setting}: ", "strong")
    if rate is None or percentiles is None:
        return [about, Part(f"nothing that was said earlier is named again in {sessions:,} sessions.")]
    low, median, high = map(percent, percentiles)
    range_ = f"(median {median}, p10–p90 {low.removesuffix(' %')}–{high}) "
    return [about, Part(f"misses {percent(rate)} "), Part(range_, "mute"), Part(f"over {sessions:,} sessions.")]


def _change(outcomes: Sequence[Outcome], money: bool) -> list[Part]:
    """How the sum differs from what was recorded."""
    after, before = sum(one.cost for one in outcomes), sum(one.cost_before for one in outcomes)
    cheaper, dearer = ("cheaper", "dearer") if money else ("fewer tokens sent", "more tokens sent")
    by = round(100 * (after - before) / before) if before else 0
    if not by:
        return [Part("the same cost" if money else "as many tokens sent", "strong"), Part(" as recorded")]
    said = Part(f"{abs(by)} % {cheaper if by < 0 else dearer}", "better" if by < 0 else "worse")
    return [said, Part(" than as recorded")]


def refusal(sessions: int) -> list[Part]:
    """Why nothing is recommended: fewer than three sessions are no basis."""
    count = "One session is" if sessions < 2 else "Two sessions are"
    return [Part(f"{count} no basis for a default.", "strong"), Part(f" Choose {FEWEST} or more for a recommendation.")]


def none_within(limit: float, setting: str, rate: float, so_far: bool = False) -> list[Part]:
    """That no setting stays within the limit, and which one comes closest."""
    head = [Part("So far: ", "mute")] if so_far else []
    said = Part(f"No setting stays within {percent(limit)}.", "strong")
    return [*head, said, Part(f" The lowest is {percent(rate)}, at {setting}.")]


def percent(rate: float) -> str:
    """A rate between 0 and 1 as people read it: 4.9 %, 5 %, 0 %, 37.5 %."""
    return f"{_bare(rate)} %"


def _bare(rate: float) -> str:
    return f"{100 * rate:.1f}".removesuffix(".0")
