"""What a picture costs with OpenAI's models: https://developers.openai.com/api/docs/guides/images-vision (read November 2026).

Older models use tiles: a picture is shrunk to 2,048 by 2,048 pixels, then until its shorter side is 768; it costs a base and
an amount for each tile of 512 by 512, as in the table. `detail: low` costs the base alone. Newer models use patches of 32 by
32 pixels, as many as fit into a budget, times a factor; `low` is a picture of 512 by 512. The factor 1.2 is documented for
GPT-5.6; for GPT-5.2 to 5.5 the guide gives none, and 1.2 is what is billed:
https://community.openai.com/t/api-ai-computer-vision-pricing-models-compared-visually/1372291
"""

import re
from collections.abc import Callable
from functools import partial
from math import ceil, floor, inf, sqrt

Rule = Callable[[int, int, str], int]
"""(width, height, detail) of a picture -> its tokens."""

Bounds = tuple[float, float]
"""The most patches, and the most pixels a side."""

SMALL, LARGE, ORIGINAL, UNBOUND = (1536, 2048), (2500, 2048), (10_000, 6000), (inf, inf)


def tiles(width: int, height: int, detail: str, base: int, each: int) -> int:
    """Tokens of a picture in tiles; a picture is never enlarged."""
    if detail == "low":
        return base
    shrink = min(1.0, 2048 / max(width, height))
    shrink *= min(1.0, 768 / (min(width, height) * shrink))
    return base + each * ceil(_pixels(width * shrink) / 512) * ceil(_pixels(height * shrink) / 512)


def patches(width: int, height: int, detail: str, factor: float, usual: str, high: Bounds, original: Bounds) -> int:
    """Tokens of a picture in patches, within the bounds of its detail, which is `usual` by default."""
    wanted = usual if detail in ("", "auto") else detail
    most, side = {"low": (inf, 512), "original": original}.get(wanted, high)
    width, height = _within(width, height, side)
    if _covered(width, height) > most:
        width, height = _budgeted(width, height, most)
    return ceil(min(_covered(width, height), most) * factor)


def _within(width: int, height: int, side: float) -> tuple[int, int]:
    shrink = min(1.0, side / max(width, height))
    return _pixels(width * shrink), _pixels(height * shrink)


def _budgeted(width: int, height: int, most: float) -> tuple[int, int]:
    """The size at which the patches of a picture fit the budget, by the rule of the guide."""
    shrink = sqrt(32 * 32 * most / (width * height))
    across, down = width * shrink / 32, height * shrink / 32
    shrink *= min(floor(across) / across or 1.0, floor(down) / down or 1.0)
    return _pixels(width * shrink), _pixels(height * shrink)


def _covered(width: int, height: int) -> int:
    return ceil(width / 32) * ceil(height / 32)


def _pixels(length: float) -> int:
    """Whole pixels; the small term undoes rounding errors."""
    return max(1, int(length + 1e-6))


_TILES = [
    (r"gpt-4o-mini", 2833, 5667),
    (r"computer-use-preview", 65, 129),
    (r"gpt-5(\.1)?", 70, 140),
    (r"o[13]\b", 75, 150),
    (r"gpt-4o|gpt-4\.[15]|gpt-4-(turbo|vision)|chatgpt-4o", 85, 170),
]
_PATCHES: list[tuple[str, float, str, Bounds, Bounds]] = [
    (r"(gpt-4\.1|gpt-5|gpt-5\.4)-mini", 1.62, "high", SMALL, SMALL),
    (r"(gpt-4\.1|gpt-5|gpt-5\.4)-nano", 2.46, "high", SMALL, SMALL),
    (r"o4-mini", 1.72, "high", SMALL, SMALL),
    (r"gpt-5(\.1)?-codex-mini|gpt-5\.[23]", 1.2, "high", SMALL, SMALL),
    (r"gpt-5\.4", 1.2, "high", LARGE, ORIGINAL),
    (r"gpt-5\.5", 1.2, "original", LARGE, ORIGINAL),
    (r"gpt-(5\.[6-9]|[6-9])", 1.2, "original", LARGE, UNBOUND),
]


def openai_rule(model: str) -> Rule | None:
    """How pictures are counted for the model with this lower-case name; None if it is not one of OpenAI's."""
    for pattern, factor, usual, high, original in _PATCHES:
        if _named(pattern, model):
            return partial(patches, factor=factor, usual=usual, high=high, original=original)
    for pattern, base, each in _TILES:
        if _named(pattern, model):
            return partial(tiles, base=base, each=each)
    return None


def _named(pattern: str, model: str) -> bool:
    """Whether the name of the model begins with the pattern, after any provider prefix."""
    return re.search(rf"(^|[/:.\s])({pattern})(?![\d.])", model) is not None
