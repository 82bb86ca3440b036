"""What OpenAI's two APIs share: models, keys, addresses, and the role of instructions."""

import re
from typing import Any

from core.llm.endpoint import Endpoint

OPENAI: dict[str, Any] = {
    "models": ("gpt-6.1-terra", "gpt-6.1-sol", "gpt-6-luna", "gpt-6-astra"),
    "key_variables": ("OPENAI_API_KEY",),
    "base_url_variables": ("OPENAI_BASE_URL",),
    "base_url": "https://api.openai.com/v1",
}
"""The fields of a Provider that are the same for both APIs."""

_OWN = re.compile(r"(^|\.)openai\.(azure\.)?com:\d+$")
_DEVELOPER = re.compile(r"(o[1-9]|gpt-([5-9]|\d\d))\b")


def role_of_instructions(endpoint: Endpoint) -> str:
    """ "developer" for reasoning models (the o-series, gpt-5 and later) at OpenAI's own address, else "system".

    Compatible servers fill the chat template of a model, which has no role "developer".
    https://developers.openai.com/api/docs/guides/text#message-roles-and-instruction-following
    """
    return "developer" if is_openai(endpoint) and _DEVELOPER.match(endpoint.model.rpartition("/")[2]) else "system"


def is_openai(endpoint: Endpoint) -> bool:
    """Whether an endpoint is OpenAI's: its own address, a regional one, or Azure."""
    return endpoint.is_own or bool(_OWN.search(endpoint.host))
