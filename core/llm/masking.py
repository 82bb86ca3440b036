"""Masks keys in what is shown or written of a model call."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.llm.endpoint import Endpoint

HIDDEN = "[key]"


def mask_secrets(text: str, endpoint: Endpoint) -> str:
    """A text without the secrets of the endpoint, without anything that looks like a key, and without users in addresses."""
    return masker(endpoint.secrets)(text)


def masker(secrets: Sequence[str] = ()) -> Callable[[str], str]:
    """A function that masks these secrets in a text, and whatever looks like a key."""

    def mask(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, HIDDEN)
        text = re.sub(r"//[^/@\s]+@", "//", text)
        text = re.sub(r"(?i)\b(bearer|basic)\s+(?=\S*\d)[\w.~+/*=-]{6,}", rf"\1 {HIDDEN}", text)
        return re.sub(r"\b((sk|pk|rk|gsk|xai)[-_][\w*.-]{6,}|AIza[\w-]{10,})", HIDDEN, text)

    return mask


def masked_json(value: Any, mask: Callable[[str], str]) -> Any:
    """A JSON value with every text in it masked, names of fields too."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {masked_json(name, mask): masked_json(one, mask) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [masked_json(one, mask) for one in value]
    return value
