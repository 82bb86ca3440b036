"""The card of a compaction, and its findings, as the browser gets them; docs/wire.md."""

from collections import ChainMap, Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from core.analyse import Finding, failed_findings, findings_at
from core.analyse.known_rule import known_rule
from core.analyse.occasion import occasion, started
from core.analyse.requests import typed_kept
from core.importers import agent_of
from core.model.cached import cached
from core.model.session import Message, agree
from core.summaries.written_later import written_later
from core.trace.compaction import IN_PLACE, Compaction
from core.trace.denied import denying_prompts
from core.trace.trace import Trace
from core.window.measured import Measured
from core.window.ranges import ADDED, Ranges, joined, without
from core.window.window import Pool
from viewer.wire.preview import one_line

_FIELDS = {"number", "folded", "status", "reason", "trigger", "recorded", "fidelity", "kind", "limit"}
DOUBT = ", which can be wrong"
_HOW = {"on request": " on request", "automatic": " automatically", "": ""}
_FIELDS |= {"line", "timestamp", "unread", "duration_ms", "unreadable", "instructions"}


def compaction_card(trace: Trace, j: int, with_findings: bool = True) -> dict[str, Any]:
    """Everything that the card of compaction j shows; ranges and findings by index into the trace's pool of messages.

    Findings take longest to find; without them they are None.
    """
    event = trace.compactions[j]
    removed, cleared = _edited(event, in_place=False), _edited(event, in_place=True)
    return event.model_dump(include=_FIELDS) | {
        "index": j,
        "before": event.window_before,
        "after": event.window_after,
        "occasion": occasion_text(trace, j),
        "rule": known_rule(trace, j) if event.recorded else [],
        "recorded_before": event.size_before if event.recorded else None,
        "recorded_after": event.size_after if event.recorded else None,
        "before_from": _origin(event.before_from, event.tokens_before, event.prompt_before, "before"),
        "after_from": _origin(event.after_from, event.tokens_after, event.prompt_after, "after"),
        "summary": event.summary.content if event.summary else None,
        "summary_tokens": event.known_summary_tokens,
        "written_later": written_later(trace, j),
        "removed": _lists(removed),
        "cleared": _lists(cleared),
        "tiers": acted_stages(trace, j),
        "typed": list(typed_kept(trace, j)) if event.unreadable else [0, 0, 0],
        "kept": _lists(without(event.layout_before, (*removed, *cleared))),
        "findings": card_findings(trace, j) if with_findings else None,
    }


def card_findings(trace: Trace, j: int) -> list[dict[str, Any]]:
    """The findings of compaction j; messages by index into the trace's pool."""
    event, pool = trace.compactions[j], trace.window_of(trace.compaction_step(j)).pool
    places = _places(pool, (*event.layout_before, *event.layout_after))
    return [finding_body(found, _all_places(found, places, trace)) for found in findings_at(trace, j)]


def _origin(words: str, tokens: int | None, prompt: int | None, side: str) -> str:
    """Where a recorded number comes from; beside a prompt that stands for the agent's own count, what that count is."""
    if prompt is None or tokens is None:
        return words
    if side == "before" and agree(tokens, prompt):
        return words.removesuffix(DOUBT)
    return f"prompt of the model call {side}; {words}: {tokens:,}"


def attempt_findings(trace: Trace, f: int) -> list[dict[str, Any]]:
    """The findings of the f-th attempt that failed; messages by index into the trace's pool."""
    places = cached(trace, "places", places_of)
    return [finding_body(found, places) for found in failed_findings(trace)[f]]


def occasion_text(trace: Trace, j: int) -> str:
    """Why recorded compaction j happened, in a sentence: who compacted, how it was started, at how many tokens of how many.

    "" for a simulated one. What is not known is left out.
    """
    event = trace.compactions[j]
    if not event.recorded:
        return ""
    agent = event.policy or agent_of(trace.session) or "The agent"
    did = "cleared content" if event.kind == "microcompaction" else "compacted"
    return f"{agent} {did}{_HOW[started(event)]}{_at(trace, j)}."


def _at(trace: Trace, j: int) -> str:
    """At how many tokens a recorded compaction happened, and which share of which window they were."""
    seen = occasion(trace, j)
    if seen is None:
        return _denied(trace, j)
    prompt = trace.compactions[j].before_is_prompt
    at = f" after a prompt of {seen.tokens:,} tokens" if prompt else f" at {seen.tokens:,} tokens"
    if seen.window is None:
        return at
    model = one_line(seen.model)
    whole = f"the {seen.window:,} it gives {model or 'its model'}" if seen.given else f"{model}'s {seen.window:,}"
    return f"{at}, {seen.percent} % of {whole}"


def _denied(trace: Trace, j: int) -> str:
    """The agent's own count, and the last prompt where that is another number; else ""."""
    prompts, counted = denying_prompts(trace, j), trace.compactions[j].size_before
    if prompts is None or counted is None or agree(counted, prompts[0]):
        return ""
    return f" at {counted:,} tokens by its own count; the last prompt held {prompts[0]:,}"


def acted_stages(trace: Trace, j: int) -> list[str]:
    """The stages that acted in compaction j, in order, the main one named by what it does; empty for a policy of one stage."""
    event, policy = trace.compactions[j], trace.policy
    if policy is None or not (policy.tiers or policy.fallback):
        return []
    named = {stage.name: stage for stage in policy.stages if stage.name}
    by_tiers = Counter(_ACTION[named[name].transform.kind] for name in event.tiers if name in named)
    edits: Counter[str] = Counter("cleared" if e.action in IN_PLACE else e.action for e in event.edits)
    main = _ACTION[policy.transform.kind]
    last = [_VERB[policy.transform.kind]] if edits[main] > by_tiers[main] else []
    return [name.replace("_", " ") for name in event.tiers] + last


_SUMMARIZED = dict.fromkeys(("summarise", "opaque", "digest"), "summarised")
_ACTION = {**_SUMMARIZED, "clear": "cleared", "drop": "dropped"}
"""The edit action of each kind of transform."""

_VERB = {
    "summarise": "summarize",
    "opaque": "replace with an opaque item",
    "digest": "convert to text",
    "clear": "clear",
    "drop": "drop",
}


def _edited(event: Compaction, in_place: bool) -> Ranges:
    """The ranges that edits in place name, or those that the other edits do."""
    return joined(tuple(sorted(r for e in event.edits if (e.action in IN_PLACE) == in_place for r in e.ranges)))


def _lists(ranges: Ranges) -> list[list[int]]:
    return [list(part) for part in ranges]


def _places(pool: Pool, ranges: Ranges) -> dict[str, int]:
    """The pool index of each message in these ranges, by id; the first one where an id repeats."""
    places: dict[str, int] = {}
    for part in ranges:
        for index, message in enumerate(pool.slice(part), part[0]):
            places.setdefault(message.id, index)
    return places


def finding_body(found: Finding, places: Mapping[str, int]) -> dict[str, Any]:
    """A finding with the places of its messages, each once, as far as they are known."""
    shown = found.model_dump(exclude={"messages"})
    return shown | {"messages": list(dict.fromkeys(places[name] for name in found.messages if name in places))}


def _all_places(found: Finding, places: Mapping[str, int], trace: Trace) -> Mapping[str, int]:
    """The places, with those of messages outside the windows of the compaction, which few findings name."""
    if all(name in places for name in found.messages):
        return places
    known = cached(trace, "places", places_of)
    return {name: known[name] for name in found.messages if name in known} | dict(places)


def places_of(trace: Trace) -> Mapping[str, int]:
    """The pool index of every message of the trace, by id; the first one where an id repeats."""
    added = chain.from_iterable(event.added for event in trace.compactions)
    return ChainMap(cached(trace.measured, "first places", _first_places), _placed(added, ADDED))


def _first_places(measured: Measured) -> dict[str, int]:
    """Where each message of a session stands: the same for every trace of it."""
    return _placed(measured.messages, 0)


def _placed(messages: Iterable[Message], start: int) -> dict[str, int]:
    places: dict[str, int] = {}
    for index, message in enumerate(messages, start):
        places.setdefault(message.id, index)
    return places
