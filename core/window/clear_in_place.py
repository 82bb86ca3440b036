"""What a policy that clears would leave of each message of a session: `cleared_copies(base, policy, count)`."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from core.model.cached import cached
from core.model.session import Message, ToolCall
from core.policy.policy import Policy
from core.policy.vocabulary import Clear
from core.window.cleared_copy import ClearedCopy
from core.window.measured import Measured


def cleared_copies(
    base: Measured, policy: Policy, count: Callable[[Message], int], keep_as: str = ""
) -> tuple[ClearedCopy, ...]:
    """What every stage of the policy that clears leaves, in order. `keep_as` names the meter: then they are kept."""
    rules = list(dict.fromkeys(s.transform for s in policy.stages if isinstance(s.transform, Clear)))
    if not rules:
        return ()
    known: dict[Any, ClearedCopy] = cached(base, "cleared copies", lambda base: {}) if keep_as else {}
    made = []
    for rule in rules:
        key = (keep_as, repr(_resolved(rule, policy)), rule)
        if key not in known:
            known[key] = cleared_copy_of(base, rule, policy, count)
        made.append(known[key])
    return tuple(made)


def cleared_copies_over(
    base: Measured, policies: Iterable[Policy], count: Callable[[Message], int]
) -> dict[Any, ClearedCopy]:
    """The cleared copies of every policy that governed a run, in order of time, each kind once, by what they leave."""
    made: dict[Any, ClearedCopy] = {}
    for policy in policies:
        for rule in dict.fromkeys(s.transform for s in policy.stages if isinstance(s.transform, Clear)):
            key = (repr(_resolved(rule, policy)), rule)
            if key not in made:
                made[key] = cleared_copy_of(base, rule, policy, count)
    return made


def cleared_copy_of(base: Measured, rule: Clear, policy: Policy, count: Callable[[Message], int]) -> ClearedCopy:
    """What one such stage leaves of every message."""
    settings = _resolved(rule, policy)
    emptied = _calls_of(base, _results(base, rule, settings)) if settings["inputs"] else {}
    more = partial(_places, base, rule, settings)
    places = sorted({*more(0), *emptied})
    lighter = partial(_lighter, base, rule, settings, emptied)
    return ClearedCopy(base, places, lighter, count, rule, None if settings["inputs"] else more)


def _places(base: Measured, rule: Clear, settings: dict[str, Any], start: int) -> list[int]:
    """Where from one place on something stands that may be emptied, but for inputs, in order."""
    results = _results(base, rule, settings, start)
    thinking = range(start, len(base.messages)) if rule.thinking else ()
    return sorted({*results, *(i for i in thinking if base.messages[i].thinking)})


def _resolved(rule: Clear, policy: Policy) -> dict[str, Any]:
    """What the rule leaves to parameters, read."""
    named = policy.settings
    exclude = named.get(rule.exclude, ()) if isinstance(rule.exclude, str) else rule.exclude
    return {
        "inputs": named.get(rule.inputs, False) if isinstance(rule.inputs, str) else rule.inputs,
        "text": named.get(rule.text, rule.text),
        "exclude": frozenset(exclude or ()),
        "above": None if rule.above is None else policy.value(rule.above),
        "head": policy.value(rule.head),
        "tail": policy.value(rule.tail),
    }


def _results(base: Measured, rule: Clear, settings: dict[str, Any], start: int = 0) -> list[int]:
    """Where from one place on the results stand that may be emptied."""
    if not rule.results:
        return []
    return [i for i in base.results[bisect_left(base.results, start) :] if _may(base, i, rule, settings)]


def _may(base: Measured, i: int, rule: Clear, settings: dict[str, Any]) -> bool:
    message, call_at = base.messages[i], base.call_of[i]
    if rule.nearest and not _is_nearest(base, i, call_at):
        return False
    name = message.name or _name(base, i, call_at)
    if message.is_error and not rule.errors:
        return False
    if name in settings["exclude"] or (rule.only and name not in rule.only):
        return False
    if settings["above"] is not None and len(message.content) <= settings["above"]:
        return False
    return message.content != settings["text"] and message.injected != "cleared"


def _is_nearest(base: Measured, i: int, call_at: int) -> bool:
    """Whether the call was made by the last assistant message before the result."""
    return call_at >= 0 and not any(base.messages[k].role == "assistant" for k in range(call_at + 1, i))


def _name(base: Measured, i: int, call_at: int) -> str:
    calls = base.messages[call_at].tool_calls if call_at >= 0 else ()
    return next((c.name for c in calls if c.id == base.messages[i].tool_call_id), "")


def _calls_of(base: Measured, results: Sequence[int]) -> dict[int, set[str]]:
    """The ids of the calls that these results answer, by where they were made."""
    found: dict[int, set[str]] = {}
    for i in results:
        if base.call_of[i] >= 0:
            found.setdefault(base.call_of[i], set()).add(base.messages[i].tool_call_id or "")
    return found


def _lighter(base: Measured, rule: Clear, settings: dict[str, Any], emptied: dict[int, set[str]], i: int) -> Message:
    message = base.messages[i]
    if message.role == "tool":
        return message.model_copy(update={"content": _body(message, settings), "images": (), "injected": "cleared"})
    changed: dict[str, Any] = {"thinking": ""} if rule.thinking else {}
    if i in emptied:
        changed["tool_calls"] = without_inputs(message.tool_calls, emptied[i])
    return message.model_copy(update={**changed, "injected": "cleared"})


def without_inputs(calls: Sequence[ToolCall], ids: set[str]) -> tuple[ToolCall, ...]:
    """The calls, those of these ids with no arguments."""
    return tuple(c.model_copy(update={"arguments": {}, "raw": None}) if c.id in ids else c for c in calls)


def _body(message: Message, settings: dict[str, Any]) -> str:
    """The placeholder, between what is kept of the body's two ends."""
    body, head, tail = message.content, int(settings["head"]), int(settings["tail"])
    gone = max(0, len(body) - head - tail)
    text = str(settings["text"]).replace("{lines}", str(len(body.splitlines()))).replace("{cut}", str(gone))
    return body[:head] + text + (body[-tail:] if tail else "")
