"""Which role instructions have at OpenAI, and what is the same in its two interfaces."""

import re
from typing import Any

from core.llm.line import Line

MODELS = ("gpt-6.1-terra", "gpt-6.1-sol", "gpt-6-luna", "gpt-6-astra")
KEYS = ("OPENAI_API_KEY",)
BASE_URLS = ("OPENAI_BASE_URL",)
BASE_URL = "https://api.openai.com/v1"

_OWN = re.compile(r"(^|\.)openai\.(azure\.)?com:\d+$")
_DEVELOPER = re.compile(r"(o[1-9]|gpt-([5-9]|\d\d))\b")


def role_of_instructions(line: Line) -> str:
    """ "developer" for models that reason (the o-series, gpt-5 and later) at OpenAI's own address, else "system".

    Compatible servers fill the chat template of a model, which knows of no developer, whatever the model is called.
    https://developers.openai.com/api/docs/guides/text#message-roles-and-instruction-following
    """
    return "developer" if is_openai(line) and _DEVELOPER.match(line.model.rpartition("/")[2]) else "system"


def is_openai(line: Line) -> bool:
    """Whether a line goes to OpenAI itself: its own address, one of a region, or Azure."""
    return line.is_own or bool(_OWN.search(line.host))


def openai_client(line: Line) -> Any:
    """The SDK's client."""
    import openai

    return line.client(openai, "OpenAI")
