"""The one driver of every compaction: a window and a policy in, a `Compaction` out. Nothing is mutated."""

from collections.abc import Callable, Iterable

from core.engine.clear import clear
from core.engine.compaction_builder import CompactionBuilder
from core.engine.digest import digest
from core.engine.drop import drop
from core.engine.due import PolicyState, reason
from core.engine.summarize import summarize
from core.meters import Meter, after, keeps, meter_name
from core.meters import meter as meter_called
from core.model.session import Message, construct_unchecked
from core.policy.policy import Policy
from core.policy.vocabulary import Phase, Stage, Status
from core.summaries.summarizers import Summarizer, structural
from core.trace.compaction import IN_PLACE, Compaction, Edit
from core.window.clear_in_place import cleared_copies
from core.window.measured import Measured
from core.window.ranges import SPACE, Range, Ranges, joined, without
from core.window.window import Pool, Window

STAGES: dict[str, Callable[[CompactionBuilder, Stage], bool]] = {
    "summarise": summarize,
    "opaque": summarize,
    "clear": clear,
    "drop": drop,
    "digest": digest,
}


def compact(
    messages: Iterable[Message],
    policy: Policy,
    meter: Meter | None = None,
    summarizer: Summarizer | None = None,
    force: bool = False,
) -> Compaction:
    """What the policy does to this window, and why, also when it does nothing; `force` skips its trigger.

    The messages are left as they are. `meter` None is the policy's own. `summarizer(messages, prior)` is given what goes
    and, where the policy feeds it separately, the text of the earlier summary; None is the offline structural one.
    """
    meter, given = meter or meter_called(policy.meter), list(messages)
    base = Measured(given, [meter.count(m) for m in given])
    window = Window(pool_over(base, policy, meter), joined(((0, len(given)),)))
    return compact_window(window, policy, meter=meter, summarizer=summarizer, force=force, at=len(given))


def pool_over(base: Measured, policy: Policy, meter: Meter) -> Pool:
    """A pool of these messages with the copies that the policy clears."""
    return Pool(
        base, cleared_copies=cleared_copies(base, policy, meter.count, meter_name(meter) if keeps(meter) else "")
    )


def compact_window(
    window: Window,
    policy: Policy,
    *,
    meter: Meter,
    summarizer: Summarizer | None = None,
    force: bool = False,
    number: int | None = None,
    at: int = 0,
    raises: bool = False,
    phase: Phase | None = None,
    past: PolicyState = PolicyState(),  # noqa: B008  a frozen value
) -> Compaction:
    """Like `compact`, over a window that is ranges over a pool; what is put in is added to that pool.

    `number` is that of the summary where the caller counts them; else it is read off the earlier summary in the window.
    `at` is how many messages had arrived. `raises` lets what the summarizer raises through, instead of `failed`. `phase`
    leaves out the stages of other moments; None takes all. `past` is what the policy remembers.
    """
    known, view = len(window.pool.added), policy.effect == "view" and at > 0
    start = Window(window.pool, ((0, at),)) if view else window
    write = summarizer or structural
    draft = CompactionBuilder(policy, after(meter, at), write, start, at, number, raises, window if view else None)
    why = _run(draft, phase, past, force)
    if why is None:
        return _left_alone(window, policy, "not_triggered", _not_triggered(window, policy), at)
    draft.settle()
    if draft.window.ranges == window.ranges:
        window.pool.forget(known)
        status: Status = draft.status if draft.problem else "nothing_to_do"
        return _left_alone(window, policy, status, f"{why}, but {draft.problem or 'nothing changed since'}", at)
    return _compacted(window, draft, why, force)


def _run(draft: CompactionBuilder, phase: Phase | None, past: PolicyState, force: bool) -> str | None:
    """Let every stage act that is due; the reason of the first one that was, None if none was."""
    policy, first = draft.policy, None
    for tier in policy.tiers:
        if force and tier.phase not in (None, *policy.phases_of(policy.main)):
            continue  # its moment is another: asked for is the policy's own stage
        why = _due(draft, tier, phase, past, force and tier.when is None)
        if why is not None:
            first = first or why
            _act(draft, tier)
    why = _due(draft, policy.main, phase, past, force)
    if why is None:
        return first
    _last(draft, phase, past, force)
    return first or why


def _due(draft: CompactionBuilder, stage: Stage, phase: Phase | None, past: PolicyState, force: bool) -> str | None:
    policy = draft.policy
    if force:
        return "on request"
    if phase is not None and phase not in policy.phases_of(stage):
        return None
    if past.stopped(policy) or past.rests(draft.window.pool.base, policy, draft.at):
        return None
    return reason(draft.window, policy, policy.clauses_of(stage), past, draft.at)


def _last(draft: CompactionBuilder, phase: Phase | None, past: PolicyState, force: bool) -> None:
    """The policy's own stage, again while it is still due, and the fallback where it fails."""
    policy, stage = draft.policy, draft.policy.main
    later = policy.guards.then_fallback
    if policy.fallback is not None and not force and ((later and past.refused) or policy.value(policy.guards.off)):
        _fall_back(draft, policy.fallback, past)
        return
    done = _act(draft, stage)
    for _ in range(policy.passes - 1):
        if not done or _due(draft, stage, phase, past, False) is None:
            return
        done = _act(draft, stage)
    failed = bool(policy.fallback and policy.fallback.when) or draft.status in ("failed", "inflated")
    if not done and failed and policy.fallback is not None and not later:
        _fall_back(draft, policy.fallback, past)
    elif not done and policy.guards.undo_tiers:
        draft.back_to(draft.start)


def _fall_back(draft: CompactionBuilder, stage: Stage, past: PolicyState) -> None:
    """Try the fallback if its own clauses hold; where it does nothing, what failed before it is what is told."""
    policy = draft.policy
    if stage.when is not None and reason(draft.window, policy, policy.clauses_of(stage), past, draft.at) is None:
        return
    status, problem = draft.status, draft.problem
    if _act(draft, stage):
        draft.setback = problem
    elif problem:
        draft.status, draft.problem = status, problem


def _act(draft: CompactionBuilder, stage: Stage) -> bool:
    done = STAGES[stage.transform.kind](draft, stage)
    if done:
        draft.problem = ""
        if stage.name:
            draft.tiers.append(stage.name)
    return done


def _not_triggered(window: Window, policy: Policy) -> str:
    if policy.limit is None:
        acts = "is not due" if policy.clauses or policy.tiers else "acts only on request"
        return f"{policy.name} {acts}"
    return f"{window.counted(policy):,} tokens are within {policy.limit:,}"


def _left_alone(window: Window, policy: Policy, status: Status, reason: str, at: int) -> Compaction:
    return construct_unchecked(
        Compaction,
        {"_pool": window.pool},
        status=status,
        reason=reason,
        policy=policy.name,
        at=at,
        layout_before=window.ranges,
        layout_after=window.ranges,
        tokens_before=window.tokens,
        tokens_after=window.tokens,
        window_before=window.tokens,
        window_after=window.tokens,
        limit=policy.limit,
    )


def _compacted(window: Window, draft: CompactionBuilder, why: str, force: bool) -> Compaction:
    policy, after = draft.policy, draft.window
    edits_of = merged_edits if policy.effect == "replace" else _seen_anew
    return construct_unchecked(
        Compaction,
        {"_pool": window.pool},
        status=_outcome(window, after, policy),
        reason=f"{why}; {draft.setback}" if draft.setback else why,
        policy=policy.name,
        trigger="manual" if force else "auto",
        at=draft.at,
        number=draft.summary,
        folded=draft.folded,
        layout_before=window.ranges,
        layout_after=after.ranges,
        edits=tuple(
            map(_as_dropped, edits_of(window, draft)) if _stands_for_nothing(draft) else edits_of(window, draft)
        ),
        added=tuple(draft.added),
        added_tokens=tuple(draft.counts),
        tokens_before=window.tokens,
        tokens_after=after.tokens,
        window_before=window.tokens,
        window_after=after.tokens,
        limit=policy.limit,
        tiers=tuple(draft.tiers),
        unread=draft.unread,
        blank=draft.blank,
        setback=draft.setback,
    )


def _stands_for_nothing(draft: CompactionBuilder) -> bool:
    """Whether nobody was asked for a summary and nothing was put in: what was converted to text first is gone as well."""
    return draft.summary is None and draft.blank is None and not draft.added


def _as_dropped(edit: Edit) -> Edit:
    return edit.model_copy(update={"action": "dropped"}) if edit.action == "summarised" else edit


def merged_edits(window: Window, draft: CompactionBuilder) -> Iterable[Edit]:
    """What was done, each message named as it stood in the window before, and only as gone where it was emptied first."""
    gone = [edit for edit in draft.edits if edit.action not in IN_PLACE]
    as_before = {id(edit): _as_before(edit.ranges, window) for edit in gone}
    taken = tuple(part for ranges in as_before.values() for part in ranges)
    for edit in draft.edits:
        ranges = as_before[id(edit)] if id(edit) in as_before else without(edit.ranges, taken)
        if ranges:
            yield edit if ranges == edit.ranges else edit.model_copy(update={"ranges": ranges})


def _as_before(ranges: Ranges, window: Window) -> Ranges:
    """These ranges with messages that were whole in the window before named as such."""
    parts: list[Range] = []
    for part in ranges:
        a, b = window.pool.origin(part) or (0, 0)
        whole = without(((a, b),), without(((a, b),), window.ranges)) if part[0] >= SPACE else ()
        shift = part[0] - a
        rest = without((part,), tuple((x + shift, y + shift) for x, y in whole))
        parts += sorted((*whole, *rest), key=lambda found: found[0] % SPACE)
    return joined(tuple(parts))


def _seen_anew(window: Window, draft: CompactionBuilder) -> Iterable[Edit]:
    """What is different between the last view and this one, for each thing that was done: nothing is told twice."""
    before = window.ranges
    named: list[Range] = []
    for edit in draft.edits:
        ranges = without(edit.ranges, without(edit.ranges, before))
        if ranges:
            named += ranges
            yield edit.model_copy(update={"ranges": ranges})
    further = tuple(part for part in without(before, draft.window.ranges) if _is_copy(window.pool, part))
    if further:
        yield construct_unchecked(Edit, action="cleared", ranges=further, reason="cleared further")
    if also := _unnamed(window, draft.window, (*named, *further)):
        yield construct_unchecked(
            Edit, action="dropped", ranges=also, reason="not in the view recomputed from the stored messages"
        )


def _unnamed(window: Window, after: Window, named: Ranges) -> Ranges:
    """What left without a word, as the window before had it: what another policy had put in or emptied."""
    there = tuple(part for _, part in after.origins())
    parts: list[Range] = []
    for part in without(without(window.ranges, after.ranges), named):
        own = window.pool.origin(part)
        shift = part[0] - own[0] if own else 0
        gone = without((own,), there) if own else (part,)
        parts += ((a + shift, b + shift) for a, b in gone)
    return joined(tuple(parts))


def _is_copy(pool: Pool, part: Range) -> bool:
    """Whether these were put in as copies of messages that were emptied in part."""
    return pool.origin(part) is None and all(m.injected == "cleared" for m in pool.slice(part))


def _outcome(before: Window, after: Window, policy: Policy) -> Status:
    if after.tokens >= before.tokens:
        return "inflated"
    limit = policy.limit
    if limit is not None and after.counted(policy) > limit:
        return "still_over_budget"
    return "compacted"
