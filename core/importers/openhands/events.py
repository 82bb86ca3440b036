"""What an OpenHands event is, of either generation, and which shapes of file hold lists of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.importers._shapes.blocks import apart_from_cache, object_of, string, whole_number
from core.model.session import Usage

SOURCES = ("agent", "user", "environment", "hook")

_ENVELOPES = ("trajectory", "events", "items", "history")
_SEEN = 20
"""How many items of a list are looked at to tell what it is."""


@dataclass(slots=True, frozen=True)
class Event:
    """One event with its place in the file (line or number, from 1), its id as text, and when it happened."""

    place: int
    id: str
    time: str
    data: dict[str, Any]


def event_of(place: int, data: dict[str, Any]) -> Event:
    """The event of a record; one without an id is given one by its place."""
    id = data.get("id")
    number = isinstance(id, int) and not isinstance(id, bool)
    return Event(place, str(id) if number else string(id) or f"event-{place}", string(data.get("timestamp")), data)


def is_old(data: dict[str, Any]) -> bool:
    """Whether an event is one of V0: it names its action or observation, where V1 holds an object."""
    return isinstance(data.get("action"), str) or isinstance(data.get("observation"), str)


def is_new(data: dict[str, Any]) -> bool:
    """Whether an event is one of V1, by its kind, source and time."""
    return isinstance(data.get("kind"), str) and "timestamp" in data and not is_old(data) and "parts" not in data


def is_event(item: Any) -> bool:
    """Whether a value is an event that OpenHands wrote."""
    if not isinstance(item, dict) or item.get("source") not in SOURCES:
        return False
    acted = isinstance(item.get("action"), str) and isinstance(item.get("args"), dict)
    observed = isinstance(item.get("observation"), str) and "content" in item
    return acted or observed or is_new(item)


def is_bare(item: Any) -> bool:
    """Whether a value is an event of V0 as the resolver writes it: the fields of its class alone, at the top."""
    if not isinstance(item, dict) or item.keys() & {"source", "args", "extras", "role"}:
        return False
    return isinstance(item.get("action"), str) != isinstance(item.get("observation"), str)


def is_run(item: Any) -> bool:
    """Whether a value is one run of an evaluation or of the resolver: events in its `history`, and what it was about."""
    if not isinstance(item, dict) or not isinstance(item.get("history"), list):
        return False
    if "instance_id" not in item and not (issue_of(item) and "git_patch" in item):
        return False
    history = item["history"]
    return not history or has_events(history) or any(map(is_bare, flat(history[:_SEEN])))


def issue_of(run: dict[str, Any]) -> dict[str, Any]:
    """The issue that a run of the resolver was about, or the review of a pull request; empty for other runs."""
    return object_of(run.get("issue")) or object_of(run.get("pr_review"))


def whole(history: Iterable[Any]) -> Iterator[Any]:
    """The events of a run, bare ones as V0 exports them.

    Who a bare one is from is not recorded, nor which action caused an observation. A message that waits for an answer is
    the agent's, as it ends its turn so; one that does not is the user's. An observation answers the action before it.
    """
    cause = -1
    for number, item in enumerate(flat(history)):
        if not is_bare(item):
            yield item
            continue
        rest = {key: value for key, value in item.items() if key not in ("action", "observation")}
        if isinstance(item.get("action"), str):
            cause, asks = number, item["action"] == "message" and item.get("wait_for_response") is not True
            yield {"id": number, "source": "user" if asks else "agent", "action": item["action"], "args": rest}
        else:
            known = {"id": number, "source": "environment", "observation": item["observation"]}
            yield {**known, "content": rest.pop("content", ""), "extras": rest, "cause": cause}


def has_events(items: Any) -> bool:
    """Whether a list begins with events, or with pairs of them."""
    return isinstance(items, list) and any(map(is_event, islice(flat(items[:_SEEN]), _SEEN)))


def listed(value: Any) -> list[Any] | None:
    """The list of events that a file is, or that stands in an envelope; None where there is none."""
    if isinstance(value, dict):
        return next((value[key] for key in _ENVELOPES if has_events(value.get(key))), None)
    return value if has_events(value) else None


def flat(items: Iterable[Any]) -> Iterator[Any]:
    """The items one by one: old evaluations kept pairs of action and observation."""
    for item in items:
        yield from item if isinstance(item, list) else (item,)


def litellm_usage(usage: Any) -> Usage | None:
    """Recorded tokens of a reply, in the words of LiteLLM or of OpenHands' own metrics: the prompt includes the cached."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    read = _first(usage.get("cache_read_tokens"), usage.get("cache_read_input_tokens"), cached)
    write = _first(usage.get("cache_write_tokens"), usage.get("cache_creation_input_tokens"))
    prompt, output = whole_number(usage.get("prompt_tokens")), whole_number(usage.get("completion_tokens"))
    return apart_from_cache(prompt, read, write, output)


def _first(*counts: Any) -> int:
    return next((n for n in map(whole_number, counts) if n), 0)
