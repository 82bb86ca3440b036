"""What is known of a model's window and answer, by its name."""

import re

import pytest

from core.meters.context_windows import CHECKED, ROWS, ModelLimits, limits_of


def sizes(model: str) -> tuple[int, int] | None:
    """Window and output of a model in tokens, or None."""
    limits = limits_of(model)
    return (limits.window, limits.output) if limits else None


@pytest.mark.parametrize(
    ("model", "window", "output"),
    [
        ("claude-3-haiku-20240307", 200_000, 4_096),
        ("claude-3-5-sonnet-20241022", 200_000, 8_192),
        ("claude-3-7-sonnet-latest", 200_000, 64_000),
        ("claude-opus-4-1-20250805", 200_000, 32_000),
        ("claude-sonnet-4-5-20250929", 200_000, 64_000),
        ("claude-opus-4-6", 1_000_000, 128_000),
        ("claude-sonnet-5-5", 1_000_000, 128_000),
        ("gpt-3.5-turbo", 16_385, 4_096),
        ("gpt-4o-mini", 128_000, 16_384),
        ("gpt-4.1", 1_047_576, 32_768),
        ("gpt-5", 400_000, 128_000),
        ("gpt-5.2-codex", 400_000, 128_000),
        ("gpt-5.4", 1_050_000, 128_000),
        ("o3-mini", 200_000, 100_000),
        ("codex-mini-latest", 200_000, 100_000),
        ("gemini-2.5-pro", 1_048_576, 65_536),
        ("grok-4", 256_000, 256_000),
        ("deepseek-reasoner", 131_072, 65_536),
        ("qwen3-coder-plus", 1_000_000, 65_536),
        ("kimi-k2-0905-preview", 262_144, 262_144),
        ("glm-4.6", 200_000, 131_072),
        ("llama-3.3-70b-instruct", 128_000, 4_096),
        ("codestral-2508", 128_000, 128_000),
        ("devstral-2512", 262_144, 262_144),
    ],
)
def test_a_model_of_each_family(model: str, window: int, output: int) -> None:
    """One model of each family has the window and the answer its maker states."""
    assert sizes(model) == (window, output)


@pytest.mark.parametrize(
    "model",
    [
        "CLAUDE-Sonnet-4-5",
        " claude-sonnet-4-5 ",
        "claude-sonnet-4.5",
        "claude-sonnet-4-5@20250929",
        "claude-sonnet-4-5:latest",
        "anthropic/claude-sonnet-4-5",
        "anthropic:claude-sonnet-4-5",
        "openrouter/anthropic/claude-sonnet-4.5",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0",
    ],
)
def test_the_same_model_under_other_names(model: str) -> None:
    """Case, who passes a model on, and its day or version do not change its limits."""
    assert sizes(model) == (200_000, 64_000)


@pytest.mark.parametrize(
    ("model", "window", "output"),
    [
        ("openai/gpt-5-2025-08-07", 400_000, 128_000),
        ("models/gemini-2.5-flash-preview-05-20", 1_048_576, 65_536),
        ("gemini-flash-latest", 1_048_576, 65_536),
        ("meta-llama/Llama-3.1-70B-Instruct", 128_000, 4_096),
        ("us.meta.llama3-1-70b-instruct-v1:0", 128_000, 4_096),
        ("moonshotai/kimi-k2-thinking", 262_144, 262_144),
    ],
)
def test_prefixes_and_days_of_other_makers(model: str, window: int, output: int) -> None:
    """The names other makers and gateways give to their models are read the same way."""
    assert sizes(model) == (window, output)


def test_the_tag_of_the_large_window() -> None:
    """`[1m]` gives a million tokens where the model has such a variant, whatever else stands in the name."""
    assert sizes("claude-sonnet-4-5[1m]") == (1_000_000, 64_000)
    assert sizes("anthropic/claude-sonnet-4-20250514[1M]") == (1_000_000, 64_000)
    assert sizes("claude-opus-4-6[1m]") == (1_000_000, 128_000)


@pytest.mark.parametrize("model", ["claude-haiku-4-5[1m]", "claude-opus-4-1[1m]", "gpt-5[1m]"])
def test_no_large_window_where_there_is_none(model: str) -> None:
    """A model without a variant of a million tokens is not known under the tag."""
    assert limits_of(model) is None


def test_a_day_with_limits_of_its_own() -> None:
    """A dated model is looked up under its day first: the first gpt-4o answered with 4,096 tokens, later ones with more."""
    assert sizes("gpt-4o-2024-05-13") == (128_000, 4_096)
    assert sizes("gpt-4o-2024-11-20") == (128_000, 16_384)


@pytest.mark.parametrize(
    "model",
    [
        *("", "/", "unknown", "sonnet", "claude", "claude-sonnet-4-9", "my-claude-opus-4-6"),
        *("gpt-5.9", "gpt-4o-realtime", "gpt-3.5-turbo-0613", "o5", "gemini-pro", "llama3.1:8b"),
        *("qwen-plus", "qwen-plus-2025-01-25", "deepseek-chat-v3"),
    ],
)
def test_nothing_is_guessed(model: str) -> None:
    """A name that is not in the table, however like one that is, has no limits."""
    assert limits_of(model) is None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_row_is_sound(row: tuple[str, int, int, str]) -> None:
    """A row is a pattern in small letters, an answer that fits the window, and the address it was read at."""
    pattern, window, output, source = row
    assert re.compile(pattern)
    assert pattern == pattern.lower()
    assert 0 < output <= window
    assert source.startswith("https://")


def test_limits_are_data() -> None:
    """Limits say where they were read, and go to JSON and back; the day they were checked stands beside the table."""
    limits = limits_of("gpt-5")
    assert limits is not None
    assert limits.source == "https://developers.openai.com/api/docs/models"
    assert ModelLimits.model_validate_json(limits.model_dump_json()) == limits
    assert CHECKED == "2026-11-20"
