"""What a picture costs by its size in pixels, as the provider of the session's model documents it.

Claude    https://platform.claude.com/docs/en/build-with-claude/vision (read November 2026)
          a token for each patch of 28 by 28 pixels; a picture that is too large is shrunk first
OpenAI    https://developers.openai.com/api/docs/guides/images-vision (read November 2026)
          tiles of 512 by 512 pixels, or patches of 32 by 32 times a factor: see `openai_pictures.py`
Gemini    https://ai.google.dev/gemini-api/docs/image-understanding,
          https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding (read November 2026)
          258 tokens a tile; from Gemini 3 on 1,120 at the default resolution, 280 to 2,240 at others:
          https://ai.google.dev/gemini-api/docs/media-resolution
others    width * height / 750, at most 1,600: what Anthropic's guide said until 2025

A picture of unknown size counts as 1,024 by 1,024 pixels, and as 1,600 tokens for an unknown model. Other media (audio,
documents) count as 1,600 tokens as well, since their length is unknown.
"""

import re
from bisect import bisect_left
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from core.meters.openai_pictures import Rule, openai_rule
from core.model.session import Image

MOST_TOKENS = 1_600
PIXELS_PER_TOKEN = 750
UNKNOWN_SIDE = 1024


class Pictures(NamedTuple):
    """How pictures are counted for one model: whose documentation, and its rule."""

    whose: str
    rule: Rule | None

    def tokens(self, image: Image) -> int:
        """Tokens of a picture."""
        if not _is_picture(image):
            return MOST_TOKENS
        if self.rule is None:
            return _by_area(image)
        if image.width <= 0 or image.height <= 0:
            return self.rule(UNKNOWN_SIDE, UNKNOWN_SIDE, image.detail)
        return self.rule(image.width, image.height, image.detail)


def _is_picture(image: Image) -> bool:
    return not image.media_type or image.media_type.startswith("image")


def _by_area(image: Image) -> int:
    if image.width <= 0 or image.height <= 0:
        return MOST_TOKENS
    return min(MOST_TOKENS, -(-image.width * image.height // PIXELS_PER_TOKEN))


@lru_cache(maxsize=256)
def pictures_of(model: str) -> Pictures:
    """How pictures are counted in a session with this model."""
    name = model.lower()
    if "claude" in name:
        return Pictures("Anthropic", _claude_large if _version(name, r"claude\D*") >= (4, 7) else _claude)
    if "gemini" in name:
        return Pictures("Google", _gemini_3 if _version(name, r"gemini\D*") >= (3, 0) else _gemini)
    rule = openai_rule(name)
    return Pictures("OpenAI", rule) if rule else Pictures("", None)


def _version(name: str, before: str) -> tuple[int, int]:
    """The version in a model's name, "claude-opus-4-7" or "claude-3-5-sonnet-20241022": dates are ignored."""
    found = re.search(before + r"(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?", name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def _claude(width: int, height: int, detail: str) -> int:
    """Models before Claude 4.7: at most 1,568 pixels a side, and 1,568 tokens."""
    return _patches(width, height, 1568, 1568)


def _claude_large(width: int, height: int, detail: str) -> int:
    """Claude 4.7 and later: at most 2,576 pixels a side, and 4,784 tokens."""
    return _patches(width, height, 2576, 4784)


@lru_cache(maxsize=4096)
def _patches(width: int, height: int, side: int, most: int) -> int:
    """Patches of a picture after it is shrunk to fit: with the largest longer side that fits."""
    if _fits(width, height, side, most):
        return _patch_count(width, height)
    long = max(width, height)
    sides = range(1, long + 1)
    found = bisect_left(sides, True, key=lambda at: not _fits(*_scaled(width, height, at / long), side, most))
    return _patch_count(*_scaled(width, height, max(1, found) / long))


def _scaled(width: int, height: int, factor: float) -> tuple[int, int]:
    return max(1, round(width * factor)), max(1, round(height * factor))


def _fits(width: int, height: int, side: int, most: int) -> bool:
    return ceil(max(width, height) / 28) * 28 <= side and _patch_count(width, height) <= most


def _patch_count(width: int, height: int) -> int:
    return ceil(width / 28) * ceil(height / 28)


def _gemini(width: int, height: int, detail: str) -> int:
    """Gemini 1.5 to 2.5: one tile up to 384 pixels a side, else tiles of two thirds of the shorter side, 256 to 768."""
    if max(width, height) <= 384:
        return 258
    tile = min(768, max(256, int(min(width, height) / 1.5)))
    return 258 * ceil(width / tile) * ceil(height / tile)


_RESOLUTIONS = {"low": 280, "medium": 560, "high": 1120, "ultra_high": 2240}


def _gemini_3(width: int, height: int, detail: str) -> int:
    """Gemini 3 and later: the tokens of the requested resolution, whatever the size."""
    return _RESOLUTIONS.get(detail.lower().removeprefix("media_resolution_"), 1120)
