"""Why a text was not kept: the rule that took it, in words with its numbers, from the policy's own data."""

from collections.abc import Iterator
from typing import NamedTuple

from core.model.errors import FoldlineError
from core.policies import policy as policy_called
from core.policy.policy import Policy
from core.policy.vocabulary import Stage
from core.trace.compaction import Compaction, Edit
from core.trace.denied import denying_prompts
from core.trace.trace import Trace
from core.why.fate import Fate
from core.why.taking import Taking
from core.window.ranges import ADDED, SPACE, Ranges
from core.window.window import Window

_TRANSFORMS = {
    "cleared": ("clear",),
    "truncated": ("clear",),
    "dropped": ("drop", "summarise"),
    "summarised": ("summarise", "opaque", "digest"),
}


class Reason(NamedTuple):
    """Why compaction k (from 0) did not keep a text."""

    k: int
    text: str


def reasons(fate: Fate) -> Iterator[Reason]:
    """A reason for each compaction that took or emptied a message with the text, of several the newest of them."""
    trace, hits = fate.trace, fate.hits
    for k, found in enumerate(trace.compactions):
        taken = tuple(part for edit in found.edits for part in edit.ranges)
        places = {place for low, high in hits.cut(taken) for place in hits.places[low:high]}
        last = _newest(found.layout_before, places)
        if last is not None:
            yield Reason(k, why_taken(trace, k, last))


def why_taken(trace: Trace, k: int, place: int) -> str:
    """Why compaction k took or emptied the message at a place of the pool."""
    found, name = trace.compactions[k], _name(trace, place)
    rule = _rule_of(trace, k)
    if found.by_hand:
        return f"{_capital(name)} was removed manually."
    if rule is None:
        return _recorded(trace, k, name)
    edit = next((e for e in found.edits if any(a <= place < b for a, b in e.ranges)), None)
    stage = _stage_of(rule, edit, found)
    if place >= ADDED and place < SPACE:
        return f"{_of_summary(rule, stage, name)} {_trigger(found)}".strip()
    told = Taking(_window(trace, rule, found), rule, stage, found, place)
    return f"{rule.name} {told.rule}; {name} {told.position}. {_trigger(found)}".strip()


def _newest(layout: Ranges, wanted: set[int]) -> int | None:
    """The last in a window of these places of the pool."""
    for a, b in reversed(layout):
        if there := [i for i in wanted if a <= i < b]:
            return max(there)
    return None


def _name(trace: Trace, place: int) -> str:
    """A message as the page calls it: messages count from 1, summaries have numbers."""
    if place < ADDED or place >= SPACE:
        return f"message {place % SPACE + 1:,}"
    message = trace.pool.message(place)
    number = next((c.number for c in trace.compactions if any(m is message for m in c.added)), None)
    summary = message.injected in ("summary", "ack")
    return f"summary #{number}" if summary and number else "a summary" if summary else "what an earlier compaction left"


def _rule_of(trace: Trace, k: int) -> Policy | None:
    """The policy that made a compaction; None where the transcript alone tells of it."""
    found, rule = trace.compactions[k], trace.policy_at(trace.compaction_step(k))
    if rule is not None and found.policy in ("", rule.name):
        return rule
    try:
        return policy_called(found.policy) if found.policy and not found.by_hand and rule is not None else None
    except FoldlineError:
        return None


def _stage_of(rule: Policy, edit: Edit | None, found: Compaction) -> Stage:
    """The stage that made an edit: of those that do such a thing one that the compaction names, else the policy's own."""
    kinds = _TRANSFORMS[edit.action] if edit else ()
    stages = [stage for stage in (rule.main, *rule.stages) if stage.transform.kind in kinds]
    named = [stage for stage in stages if stage.name and stage.name in found.tiers]
    return next(iter((*named, *stages)), rule.main)


def _window(trace: Trace, rule: Policy, found: Compaction) -> Window:
    """What the policy looked at: the window before, or of a view all that had arrived."""
    return Window(trace.pool, ((0, found.at),) if rule.effect == "view" and found.at else found.layout_before)


def _of_summary(rule: Policy, stage: Stage, name: str) -> str:
    """Why what carried a text in place of its message was taken."""
    if stage.transform.kind == "drop":
        how = f"{rule.name} drops a summary like any other message"
    elif stage.scope.fold_summary:
        how = f"with {rule.name} a summary is summarized again like any other message"
    else:
        how = f"with {rule.name} a new summary replaces the one before it"
    return f"{_capital(name)} carried it, but {how}."


def _trigger(found: Compaction) -> str:
    """What set a compaction off."""
    if found.reason in ("", "looked at"):
        return ""
    return (
        "It was asked to act."
        if found.reason == "on request"
        else f"What set it off: {found.reason.removeprefix('recorded: ')}."
    )


def _recorded(trace: Trace, k: int, name: str) -> str:
    """What the transcript says of a compaction that it records."""
    found, sizes = trace.compactions[k], ""
    if found.size_before is not None and found.size_after is not None and not denying_prompts(trace, k):
        sizes = f", from {found.size_before:,} to {found.size_after:,} tokens"
    if found.fidelity == "inferred":
        return f"A later prompt is smaller{sizes}, so {name} seems to have left the window; the transcript does not say why."
    if found.cleared and not found.removed:
        return f"The transcript records that {name} was cleared, one of {len(found.cleared):,}{sizes}."
    kept = _not_among(name, len(found.kept)) if found.kept else "it kept no message"
    trigger = f" ({found.trigger})" if found.trigger else ""
    return f"The transcript records this compaction{trigger}{sizes}; {kept}."


def _not_among(name: str, stayed: int) -> str:
    return (
        f"{name} is not among the {stayed:,} messages that stayed"
        if stayed > 1
        else f"{name} is not the one that stayed"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
