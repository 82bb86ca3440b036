"""Whether a model is one of OpenAI's: their tokenizer is o200k_base or its like, so that no scale is learned for them."""

import re

_OPENAI = re.compile(r"(?:^|[/:.@])(?:gpt|chatgpt|codex|openai|davinci|text-davinci|o\d)")


def is_openai(model: str) -> bool:
    """By its name, also as other providers give it: "azure.gpt-5.1", "ft:gpt-4o:x", "openrouter/openai/o3"."""
    return _OPENAI.search(model.lower()) is not None
