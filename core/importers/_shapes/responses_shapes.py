"""The shapes of OpenAI Responses data: items, a request, a reply, or a pair of both."""

from typing import Any

from core.importers._shapes.blocks import string
from core.importers._shapes.responses_items import COMPACTIONS, ROLES, is_call, is_result, kind_of

COMPACTED = "response.compaction"
"""What the endpoint that compacts calls its replies."""

ASKED = "responses_create_params"
"""Where a run keeps its request."""

_ASKED_BY = frozenset(
    {"instructions", "previous_response_id", "store", "max_output_tokens", "reasoning", "tools", "stream"}
)
_FOREIGN = frozenset({"messages", "output", "choices", "observations", "type"})
_CONTENT = ("input_", "output_", "refusal", "text", "summary_text", "computer_screenshot")


def is_reply(value: Any) -> bool:
    """Whether this is a reply of the API."""
    named = isinstance(value, dict) and value.get("object") in ("response", COMPACTED)
    return named and isinstance(value.get("output"), list)


def is_request(value: Any) -> bool:
    """Whether this is a request to the API."""
    if not isinstance(value, dict) or value.keys() & _FOREIGN or not isinstance(value.get("model"), str):
        return False
    given = value.get("input")
    if isinstance(given, str):
        return bool(value.keys() & _ASKED_BY)
    return isinstance(given, list) and bool(given) and all(map(_is_item, given))


def is_pair(value: Any) -> bool:
    """Whether this is a request with its reply."""
    return (
        isinstance(value, dict) and isinstance(inside(value, "request"), dict) and is_reply(inside(value, "response"))
    )


def is_run(value: Any) -> bool:
    """Whether this is a run of an agent, as NeMo Gym collects them: a request, and all that came of it as one reply."""
    return isinstance(value, dict) and isinstance(value.get(ASKED), dict) and is_reply(value.get("response"))


def inside(value: dict[str, Any], key: str) -> Any:
    """The request or the reply of a pair, also where it is the body of a recorded call."""
    found = value.get(key)
    return found["body"] if isinstance(found, dict) and isinstance(found.get("body"), dict) else found


def are_items(items: list[Any]) -> bool:
    """Whether these are items; messages that have a role alone could be of any API."""
    return all(map(_is_item, items)) and any("type" in item for item in items)


def _is_item(item: Any) -> bool:
    """Whether this is an item as this API has them: other APIs have messages with a type of their own, too."""
    if not isinstance(item, dict):
        return False
    kind = kind_of(item)
    if kind == "message":
        return (
            string(item.get("role")) in ROLES and not item.keys() & {"parts", "tool_calls", "usage"} and _is_text(item)
        )
    if kind == "reasoning":
        return bool(item.keys() & {"summary", "encrypted_content"})
    if is_call(kind) or is_result(kind):
        return bool(item.keys() & {"call_id", "id", "approval_request_id"}) and "role" not in item
    return kind in COMPACTIONS or kind in ("item_reference", "additional_tools")


def _is_text(item: dict[str, Any]) -> bool:
    content = item.get("content")
    if not isinstance(content, list):
        return isinstance(content, str)
    return all(isinstance(b, dict) and string(b.get("type")).startswith(_CONTENT) for b in content)
