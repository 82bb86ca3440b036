"""A whole run in the forms that it can be exported in, not only its last window."""

import json

from core import Session
from core.llm.exports import to_anthropic, to_openai
from core.trace.trace import conversation

FORMS = ("foldline", "openai", "anthropic")


def exported(session: Session, form: str) -> str:
    """The run as JSON: a foldline session, or the messages of OpenAI's or Anthropic's API. Raises KeyError for another form."""
    messages = list(conversation(session))
    value: object = {"foldline": "session", **session.model_dump(mode="json")}
    if form != "foldline":
        value = {"openai": to_openai, "anthropic": to_anthropic}[form](messages)
    return json.dumps(value, ensure_ascii=False, indent=1)
