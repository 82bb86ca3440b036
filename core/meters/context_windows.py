"""The context window and the longest reply of known models, by name.

The figures are the maker's, as recorded by two price lists that cite the maker's pages (genai-prices 0.2.3 and litellm
1.109.1, on the day in `CHECKED`); `source` is the page to check. A model on whose limits the lists disagree, and no page
decides, is left out. A gateway or a client may allow less: Claude Code gives some models 200,000 unless their name ends in
`[1m]`.

If the maker states no limit for the reply (Mistral, xAI, Moonshot, gpt-4), prompt and reply share the window, and `output` is
the whole window. Google's window is for the prompt alone, that of the others for prompt and reply. Meta runs no service, so
Llama's figures are those of Amazon Bedrock.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.model.session import Frozen

CHECKED = "2026-11-20"

ANTHROPIC = "https://platform.claude.com/docs/en/about-claude/models/overview"
OPENAI = "https://developers.openai.com/api/docs/models"
GOOGLE = "https://ai.google.dev/gemini-api/docs/models"
XAI = "https://docs.x.ai/docs/models"
DEEPSEEK = "https://api-docs.deepseek.com/quick_start/pricing"
QWEN = "https://www.alibabacloud.com/help/en/model-studio/models"
MOONSHOT = "https://platform.moonshot.ai/docs/pricing/chat"
ZAI = "https://docs.z.ai/guides/overview/pricing"
MISTRAL = "https://docs.mistral.ai/getting-started/models"
BEDROCK = "https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards.html"


class ModelLimits(Frozen):
    """The limits of a model in tokens: its context window and its longest reply; `source` is the page that states them."""

    window: int
    output: int
    source: str


# A name, or a pattern for several, in lower case; then window, output, source. The first match counts.
ROWS: tuple[tuple[str, int, int, str], ...] = (
    (r"claude-3-(opus|sonnet|haiku)", 200_000, 4_096, ANTHROPIC),
    (r"claude-3[.-]5-(sonnet|haiku)", 200_000, 8_192, ANTHROPIC),
    (r"claude-3[.-]7-sonnet", 200_000, 64_000, ANTHROPIC),
    (r"claude-opus-4([.-][01])?", 200_000, 32_000, ANTHROPIC),
    (r"claude-sonnet-4([.-][05])?\[1m\]", 1_000_000, 64_000, ANTHROPIC),
    (r"claude-sonnet-4([.-]0)?", 200_000, 64_000, ANTHROPIC),
    (r"claude-(opus|sonnet|haiku)-4[.-]5", 200_000, 64_000, ANTHROPIC),
    (r"claude-opus-4[.-][678](\[1m\])?", 1_000_000, 128_000, ANTHROPIC),
    (r"claude-sonnet-4[.-]6(\[1m\])?", 1_000_000, 128_000, ANTHROPIC),
    (r"claude-(opus|sonnet)-5([.-]5)?(\[1m\])?", 1_000_000, 128_000, ANTHROPIC),
    (r"claude-haiku-5[.-]5(\[1m\])?", 1_000_000, 128_000, ANTHROPIC),
    (r"claude-(fable|mythos)-5([.-]1)?(\[1m\])?", 1_000_000, 128_000, ANTHROPIC),
    (r"claude-mythos-preview(\[1m\])?", 1_000_000, 128_000, ANTHROPIC),
    (r"gpt-3\.5-turbo(-16k|-1106|-0125)?", 16_385, 4_096, OPENAI),
    (r"gpt-4(-0613)?", 8_192, 8_192, OPENAI),
    (r"gpt-4-(turbo(-preview)?|1106-preview|0125-preview)", 128_000, 4_096, OPENAI),
    (r"gpt-4o-2024-05-13", 128_000, 4_096, OPENAI),
    (r"gpt-4o(-mini)?|chatgpt-4o", 128_000, 16_384, OPENAI),
    (r"gpt-4\.1(-mini|-nano)?", 1_047_576, 32_768, OPENAI),
    (r"gpt-4\.5-preview", 128_000, 16_384, OPENAI),
    (r"gpt-5(\.[123])?-chat", 128_000, 16_384, OPENAI),
    (r"gpt-5-pro", 400_000, 272_000, OPENAI),
    (r"gpt-5(-mini|-nano|-codex)?", 400_000, 128_000, OPENAI),
    (r"gpt-5\.1(-codex(-max|-mini)?)?", 400_000, 128_000, OPENAI),
    (r"gpt-5\.2(-pro|-codex)?|gpt-5\.3-codex", 400_000, 128_000, OPENAI),
    (r"gpt-5\.4-(mini|nano)", 400_000, 128_000, OPENAI),
    (r"gpt-5\.[45](-pro)?", 1_050_000, 128_000, OPENAI),
    (r"gpt-5\.6(-luna|-sol|-terra)?", 1_050_000, 128_000, OPENAI),
    (r"gpt-6-(astra|luna|sol)|gpt-6\.1-(sol|terra)", 1_050_000, 128_000, OPENAI),
    (r"gpt-oss-(20b|120b)", 131_072, 131_072, OPENAI),
    (r"codex-mini", 200_000, 100_000, OPENAI),
    (r"o1-preview", 128_000, 32_768, OPENAI),
    (r"o1-mini", 128_000, 65_536, OPENAI),
    (r"o1(-pro)?|o3(-mini|-pro)?|o4-mini|(o3|o4-mini)-deep-research", 200_000, 100_000, OPENAI),
    (r"gemini-2\.0-flash(-lite)?(-001)?", 1_048_576, 8_192, GOOGLE),
    (r"gemini-2\.5-(pro|flash|flash-lite)(-preview-\d\d-(\d\d|\d{4}))?", 1_048_576, 65_536, GOOGLE),
    (r"gemini-3(\.1)?-pro(-preview)?", 1_048_576, 65_536, GOOGLE),
    (r"gemini-3-flash(-preview)?|gemini-3\.1-flash-lite(-preview)?", 1_048_576, 65_536, GOOGLE),
    (r"gemini-3\.5-flash(-lite)?|gemini-3\.[678]-flash", 1_048_576, 65_536, GOOGLE),
    (r"gemini-(pro|flash|flash-lite)-latest", 1_048_576, 65_536, GOOGLE),
    (r"grok-3(-mini)?(-fast)?(-beta)?", 131_072, 131_072, XAI),
    (r"grok-4(-0709)?", 256_000, 256_000, XAI),
    (r"grok-4([.-]1)?-fast(-reasoning|-non-reasoning)?", 2_000_000, 2_000_000, XAI),
    (r"grok-4\.20(-0309)?(-reasoning|-non-reasoning|-multi-agent)?", 1_000_000, 1_000_000, XAI),
    (r"grok-4\.3", 1_000_000, 1_000_000, XAI),
    (r"grok-4\.[567]", 500_000, 500_000, XAI),
    (r"grok-code-fast(-1)?|grok-build-0\.1", 256_000, 256_000, XAI),
    (r"deepseek-chat", 131_072, 8_192, DEEPSEEK),
    (r"deepseek-reasoner", 131_072, 65_536, DEEPSEEK),
    (r"deepseek-v4-(flash|pro)|deepseek-flash", 1_000_000, 393_216, DEEPSEEK),
    (r"qwen-max", 32_768, 8_192, QWEN),
    (r"qwen-flash|qwen-plus-latest|qwen-plus-2025-(07-28|09-11)", 1_000_000, 32_768, QWEN),
    (r"qwen-plus-2025-(04-28|07-14)", 131_072, 16_384, QWEN),
    (r"qwen3-max(-preview)?", 262_144, 65_536, QWEN),
    (r"qwen3-coder-(plus|flash)", 1_000_000, 65_536, QWEN),
    (r"qwen3\.5-plus|qwen3\.7-(max|plus)", 1_000_000, 65_536, QWEN),
    (r"qwen3\.8-(max|flash)", 1_000_000, 131_072, QWEN),
    (r"moonshot-v1-8k", 8_192, 8_192, MOONSHOT),
    (r"moonshot-v1-32k", 32_768, 32_768, MOONSHOT),
    (r"moonshot-v1-128k", 131_072, 131_072, MOONSHOT),
    (r"kimi-k2-0711(-preview)?", 131_072, 131_072, MOONSHOT),
    (r"kimi-k2-(0905(-preview)?|turbo-preview|thinking(-turbo)?)", 262_144, 262_144, MOONSHOT),
    (r"kimi-k2\.[56]|kimi-k2\.7-code(-highspeed)?", 262_144, 262_144, MOONSHOT),
    (r"kimi-k3(\.1-pro(-highspeed)?)?", 1_048_576, 1_048_576, MOONSHOT),
    (r"glm-4\.[67]|glm-5(\.1)?", 200_000, 131_072, ZAI),
    (r"glm-5\.[23]", 1_048_576, 131_072, ZAI),
    (r"codestral(-2508)?", 128_000, 128_000, MISTRAL),
    (r"devstral(-medium|-small)?(-2512)?", 262_144, 262_144, MISTRAL),
    (r"mistral-large-4(-0)?", 1_048_576, 1_048_576, MISTRAL),
    (r"mistral-large-(2512|3)", 262_144, 262_144, MISTRAL),
    (r"mistral-medium-(2604|3[.-]5)|mistral-small-2603", 262_144, 262_144, MISTRAL),
    (r"ministral-(8b|14b)-2512", 262_144, 262_144, MISTRAL),
    (r"ministral-3b-2512", 131_072, 131_072, MISTRAL),
    (r"(meta-)?llama-?3-(8b|70b)-instruct", 8_192, 8_192, BEDROCK),
    (r"(meta-)?llama-?3[.-]1-(8b|70b|405b)-instruct", 128_000, 4_096, BEDROCK),
    (r"(meta-)?llama-?3[.-]2-(1b|3b|11b|90b)(-vision)?-instruct", 128_000, 4_096, BEDROCK),
    (r"(meta-)?llama-?3[.-]3-70b-instruct", 128_000, 4_096, BEDROCK),
    (r"llama-?4-maverick-17b(-128e)?-instruct", 1_000_000, 8_192, BEDROCK),
    (r"llama-?4-scout-17b(-16e)?-instruct", 10_000_000, 8_192, BEDROCK),
)

MAKERS = r"(anthropic|openai|google(-gla|-vertex)?|xai|x-ai|deepseek|qwen|moonshot(ai)?|zai|z-ai|mistral(ai)?|meta)"
REGION = r"((us|eu|apac|au|jp|ca|us-gov|global)\.)?"
PREFIX = re.compile(rf"{MAKERS}:|(bedrock|vertex|azure):|{REGION}{MAKERS}\.")
SUFFIX = re.compile(r"(-v\d+:\d+|-v1|@[a-z0-9-]+|:latest|-latest|-20\d{6}|-20\d\d-\d\d-\d\d)$")
LARGE = "[1m]"


@lru_cache(maxsize=1024)
def limits_of(model: str) -> ModelLimits | None:
    """The limits of the model with this name, or None if they are unknown; similar names are not used.

    Case is ignored, and so are a provider's prefix (`openrouter/anthropic/`, `us.anthropic.`, `models/`) and a date or version
    at the end (`-20250929`, `-v1:0`, `:latest`), unless that date has limits of its own.
    """
    for name in _spellings(model):
        for pattern, window, output, source in ROWS:
            if re.fullmatch(pattern, name):
                return ModelLimits(window=window, output=output, source=source)
    return None


def base_name(model: str) -> str:
    """The name of a model without a provider's prefix, a date or a version: "claude-opus-4-5"."""
    return list(_spellings(model))[-1]


def _spellings(model: str) -> Iterator[str]:
    """The name of a model without prefixes, then without one suffix after the other; the tag of the large window stays."""
    name = model.strip().lower().rpartition("/")[2]
    tag = LARGE if name.endswith(LARGE) else ""
    name = name.removesuffix(LARGE)
    while found := PREFIX.match(name):
        name = name[found.end() :]
    yield name + tag
    while found := SUFFIX.search(name):
        name = name[: found.start()]
        yield name + tag
