"""What a list of objects holds, or a file of one a line, where all that is known of them is that they hold conversations.

    log        {"messages": […], "response": {…}}, {"model": …, "messages": […]}     calls of a model, one after the other
    runs       {"task_id": 1, "reward": 1.0, "traj": […]}                            runs of a benchmark
    messages   {"role": "user", "content": "…"}                                      the messages of one conversation
    dataset    {"conversations": […]}, {"messages": […]}                             conversations, each for itself

A log tells which model was asked, or what it answered; without that, messages in each line are a data set. OpenAI's files for
fine-tuning are one.
"""

from collections.abc import Sequence
from typing import Any, Literal

from core.importers._shapes.blocks import string

Kind = Literal["log", "runs", "messages", "dataset", ""]

ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
COLUMNS = ("conversations", "conversation", "messages")
_CALL = {"response", "choices", "model", "kwargs"}


def kind_of(items: Sequence[Any]) -> Kind:
    """What the first item tells that can be told by."""
    return next((kind for item in items if isinstance(item, dict) and (kind := _kind(item))), "")


def _kind(item: dict[str, Any]) -> Kind:
    if isinstance(item.get("traj"), list):
        return "runs"
    if is_message(item) or is_turn(item):
        return "messages" if "from" not in item else "dataset"
    if is_log(item):
        return "log"
    return "dataset" if turns_of(item) else ""


def is_message(item: Any) -> bool:
    """Whether it is a message in OpenAI's shape."""
    return isinstance(item, dict) and string(item.get("role")) in ROLES and not item.keys() & {"parts", "type", "info"}


def is_turn(item: Any) -> bool:
    """Whether it is a turn in ShareGPT's shape."""
    return isinstance(item, dict) and isinstance(item.get("from"), str) and "value" in item


def is_log(item: Any) -> bool:
    """Whether it is a request, a reply, or both, also as a line of an OpenAI batch file."""
    if not isinstance(item, dict):
        return False
    call = opened(item)
    messages = call.get("messages")
    has_request = (
        isinstance(messages, list) and bool(messages) and all(map(is_message, messages)) and call.keys() & _CALL
    )
    return bool(has_request) or bool(choices_of(call))


def opened(item: dict[str, Any]) -> dict[str, Any]:
    """A call as it would be logged: what a batch or a proxy wraps, request and answer, is taken out."""
    wraps, response = (item.get(key) for key in ("body", "request")), item.get("response")
    body = next((w for w in wraps if isinstance(w, dict) and isinstance(w.get("messages"), list)), {})
    call = {**item, **body}
    inner = response.get("body") if isinstance(response, dict) else None
    return {**call, "response": inner} if isinstance(inner, dict) else call


def choices_of(call: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies that a call was given, in the response it holds, or in itself."""
    response = call.get("response") if isinstance(call.get("response"), dict) else call
    found = response.get("choices") if isinstance(response, dict) else None
    return [c for c in found if isinstance(c, dict) and is_message(c.get("message"))] if isinstance(found, list) else []


def turns_of(item: Any) -> list[Any]:
    """The turns of a conversation, under whatever name a data set keeps them; empty where there are none."""
    lists = (item.get(column) for column in COLUMNS) if isinstance(item, dict) else ()
    return next((turns for turns in lists if isinstance(turns, list) and any(map(_is_message_or_turn, turns))), [])


def _is_message_or_turn(turn: Any) -> bool:
    return is_turn(turn) or is_message(turn)
