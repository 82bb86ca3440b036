"""A trace as the browser gets it beside the messages: the columns of a view, for files and live runs alike. docs/wire.md."""

from collections.abc import Iterable, Mapping, Sequence
from operator import sub
from typing import Any, get_args

from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Placement, Status
from core.trace.compaction import IN_PLACE, Compaction
from core.trace.trace import PolicyChange
from core.window.cleared_copy import ClearedCopy
from core.window.heads import header
from core.window.measured import Measured
from core.window.ranges import size
from core.window.window import Pool
from viewer.wire.header import NOTE_CHARS, UNKNOWN, VERSION, known
from viewer.wire.policy_facts import limit_name, policy_facts
from viewer.wire.preview import one_line, preview

MOST_FAILED = 200
ROLES = {"system": 0, "user": 1, "assistant": 2, "tool": 3}
STATUSES = list(get_args(Status))


def view_of(
    sid: str, tid: str, pool: Pool, policy: Policy | None, summaries: Sequence[Compaction], **more: Any
) -> dict[str, Any]:
    """A view but for what `more` says; `summaries` are the compactions by which the size of the next is guessed."""
    place = policy.placement if policy else None
    return {
        "version": VERSION,
        "sid": sid,
        "tid": tid,
        "stamp": tid,
        "policy": policy_facts(policy) if policy else None,
        "statuses": STATUSES,
        "pins": _pins_of(policy, pool),
        "shadows": [_copy_columns(copy) for copy in pool.cleared_copies],
        "worded": _worded(pool.base, place) if place else [],
        "typicalSummary": _typical(summaries),
        **more,
    }


def eras_of(changes: Sequence[PolicyChange]) -> list[list[Any]]:
    """From which step on which limit was in force, as the policy puts it, and whose it was."""
    rules = ((change.since, change.policy) for change in changes)
    return [[since, rule.limit, rule.ceiling, limit_name(rule), rule.name] for since, rule in rules]


def failed_columns(found: Sequence[Compaction]) -> dict[str, list[Any]]:
    """The compaction attempts that failed, the first of each run: after how many messages, how, why."""
    shown = found[:MOST_FAILED]
    return {
        "at": deltas([c.at for c in shown]),
        "status": [STATUSES.index(c.status) for c in shown],
        "reason": [one_line(c.reason, NOTE_CHARS) for c in shown],
        "times": [c.times for c in shown],
    }


def _pins_of(policy: Policy | None, pool: Pool) -> dict[str, Any]:
    """What is pinned among the compactable for what it is: system messages, or all that could not be emptied."""
    if policy is None:
        return {"systems": False, "emptied": None}
    emptied = deltas(pool.cleared_copy_of(policy.main).places) if isinstance(policy.transform, Clear) else None
    return {"systems": policy.scope.keep_systems, "emptied": emptied}


def _copy_columns(copy: ClearedCopy) -> dict[str, Any]:
    """The messages that a stage has emptied in some window, and their tokens then."""
    known = sorted(copy.known.items())
    rule = copy.rule if isinstance(copy.rule, Clear) else Clear()
    return {
        "places": deltas([place for place, _ in known]),
        "tokens": [tokens for _, tokens in known],
        "short": int(bool(rule.head or rule.tail)),
        "thinking": int(thinking_alone(rule)),
    }


def thinking_alone(rule: Clear) -> bool:
    """Whether nothing but thinking is left out: the text of a message stays."""
    return rule.thinking and not rule.results and not rule.inputs


def columns(found: Sequence[Compaction], places: Mapping[str, int]) -> dict[str, list[Any]]:
    """Compactions, a list for each thing that is known of them; `places` of messages that were emptied, by id."""
    return {
        "before": [c.window_before for c in found],
        "after": [c.window_after for c in found],
        "folded": [c.folded for c in found],
        "number": [known(c.number) for c in found],
        "summaryTokens": [c.summary_tokens for c in found],
        "removedTokens": [_removed(c) for c in found],
        "status": [STATUSES.index(c.status) for c in found],
        "recordedBefore": [known(c.size_before if c.recorded else None) for c in found],
        "recordedAfter": [known(c.size_after if c.recorded else None) for c in found],
        "micro": [int(c.kind == "microcompaction") for c in found],
        "edit": [int(c.by_hand) for c in found],
        "fidelity": [c.fidelity if c.recorded else "" for c in found] if any(c.recorded for c in found) else [],
        "added": [_added(c, places) for c in found],
        "tiers": [list(c.tiers) for c in found] if any(c.tiers for c in found) else [],
        "layout": [[end for part in c.layout_after for end in part] for c in found],
        "emptied": [size(c.ranges_of(*IN_PLACE)) for c in found],
        "unreadable": [c.unreadable for c in found] if any(c.unreadable for c in found) else [],
        "setback": [one_line(c.setback, NOTE_CHARS) for c in found] if any(c.setback for c in found) else [],
    }


def _removed(compaction: Compaction) -> int:
    """Tokens that left the window: what the sizes and what was put in tell, unless something was emptied in place."""
    if any(edit.action in IN_PLACE for edit in compaction.edits):
        return compaction.removed_tokens
    return compaction.window_before - compaction.window_after + sum(compaction.added_tokens)


def _added(compaction: Compaction, places: Mapping[str, int]) -> list[list[Any]]:
    pairs = zip(compaction.added, compaction.added_tokens, strict=True)
    return [[ROLES[m.role], m.injected, t, preview(m), places.get(m.id, UNKNOWN)] for m, t in pairs]


def _worded(measured: Measured, placement: Placement) -> list[int]:
    """The messages of the transcript that are written in the words of this placement, as its own summaries are."""
    words, messages = header(placement), measured.messages
    if words is None:
        return []
    asked: Iterable[int] = range(len(messages))
    if placement.role in ("system", "user"):
        asked = measured.systems if placement.role == "system" else measured.turn_starts
    found = (i for i in asked if words.match(messages[i].content))
    return [i for i in found if messages[i].role == placement.role and not messages[i].injected]


def _typical(compactions: Sequence[Compaction]) -> int:
    """The middle size of a summary, or -1 where there is none."""
    sizes = sorted(c.summary_tokens for c in compactions if c.summary and not c.unreadable)
    return sizes[len(sizes) // 2] if sizes else UNKNOWN


def deltas(values: Sequence[int]) -> list[int]:
    """The first value, then each one's difference to the one before it."""
    return [*values[:1], *map(sub, values[1:], values)]
