"""The trace and its session in foldline's own JSON, and the session's messages as the APIs of two providers have them."""

import json
from collections.abc import Sequence
from typing import Any

from core.exports.form import Form, utf8
from core.exports.not_sent import not_in_anthropic, not_in_openai
from core.llm.exports import to_anthropic, to_openai
from core.trace.trace import Trace, conversation


def _session(trace: Trace, step: int | None, texts: Sequence[str]) -> bytes:
    return _json({"foldline": "session", **trace.session.model_dump(mode="json")})


def _trace(trace: Trace, step: int | None, texts: Sequence[str]) -> bytes:
    return _json(trace.model_dump(mode="json"))


def _openai(trace: Trace, step: int | None, texts: Sequence[str]) -> bytes:
    return _json(to_openai(conversation(trace.session)))


def _anthropic(trace: Trace, step: int | None, texts: Sequence[str]) -> bytes:
    return _json(to_anthropic(conversation(trace.session)))


def _json(value: Any) -> bytes:
    return utf8(json.dumps(value, ensure_ascii=False, indent=1))


_MEDIA = "application/json"
FORMS = (
    Form("trace", "trace: every step and compaction, as JSON", ".trace.json", _MEDIA, _trace),
    Form("session", "session, as foldline's own JSON", ".session.json", _MEDIA, _session),
    Form("openai", "messages as OpenAI's Chat Completions takes them", ".openai.json", _MEDIA, _openai, not_in_openai),
    Form(
        "anthropic",
        "messages as Anthropic's Messages API takes them",
        ".anthropic.json",
        _MEDIA,
        _anthropic,
        not_in_anthropic,
    ),
)
