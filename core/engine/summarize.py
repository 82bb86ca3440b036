"""What goes is replaced by a summary, or by an item that nobody can read."""

from collections.abc import Sequence
from math import ceil

from core.engine.compaction_builder import CompactionBuilder, Mark
from core.engine.quoted import quoted
from core.model.errors import RunCancelledError, format_error
from core.model.session import Message
from core.policy.policy import Policy
from core.policy.vocabulary import Opaque, Placement, Stage, Status, Summarize
from core.window.context import CutContext
from core.window.grouped import size
from core.window.heads import header
from core.window.partition import Partition, goes, partition, pinned_in, stays
from core.window.ranges import Range, Ranges, joined, without
from core.window.window import Window


class _RefusedError(Exception):
    """The summarizer gave nothing that this policy takes, or there is nothing to give it: that is no failure."""

    def __init__(self, problem: str, status: Status = "failed") -> None:
        super().__init__(problem)
        self.status = status


def summarize(draft: CompactionBuilder, stage: Stage) -> bool:
    """Take out what is compactable and put its summary in; whether that was done."""
    window, rule = draft.window, stage.transform
    assert isinstance(rule, Summarize | Opaque)
    parts = partition(window, draft.policy, stage)
    skips = stage.scope.cut.skips if stage.scope.cut else None
    stuck = skips(CutContext(window, draft.policy, stage, parts.head, parts.body)) if skips else 0
    parts = parts._replace(head=parts.head + stuck, body=parts.body + stuck) if stuck else parts
    taken = goes(window, stage, parts)
    folded = window.pool.listed(taken)
    if problem := _too_little(draft, stage, taken, folded, isinstance(rule, Summarize) and rule.call_on_nothing):
        return draft.refuse("nothing_to_do", problem)
    earlier = window.pool.listed(window.cut(parts.head, parts.body))
    prior = prior_text(earlier[0], stage.placement) if earlier and stage.placement else None
    try:
        text = rule.text if isinstance(rule, Opaque) else _text(draft, stage, parts, folded, prior)
    except RunCancelledError:  # somebody stopped it: that is no failure of the summarizer
        raise
    except Exception as error:  # a summarizer is a stranger's code or a network away: its failure is a result
        return _gave_up(draft, stage, taken, error)
    return _splice(draft, stage, parts, taken, folded, text)


def _too_little(
    draft: CompactionBuilder, stage: Stage, taken: Ranges, folded: Sequence[Message], on_nothing: bool
) -> str:
    """Why there is nothing worth summarizing, or ""."""
    guards = draft.policy.guards_of(stage)
    if not folded:
        return "" if on_nothing else "everything in the window is pinned"
    counted = [m for m in folded if _fresh(m, folded)] if guards.not_alone else folded
    if not counted:
        return "only an earlier summary is left to summarize"
    if len(counted) < draft.policy.value(guards.min_messages):
        return f"only {len(counted)} messages are left to summarize"
    if guards.larger_than_last and (last := _last_summary(draft)) >= sum(map(draft.window.pool.tokens, taken)):
        return f"what is left to summarize is no larger than the newest summary, {last:,} tokens"
    gone, every = (size(one, draft.policy.grouping) for one in (Window(draft.window.pool, taken), draft.window))
    if gone < draft.policy.number(guards.min_progress) * every:
        return f"{gone} of {every} messages are too few to summarize"
    return ""


def _last_summary(draft: CompactionBuilder) -> int:
    """The tokens of the newest summary in the window; 0 where there is none."""
    found = next((m for m in draft.window.back() if m.injected == "summary"), None)
    return 0 if found is None else draft.meter.count(found)


def _fresh(message: Message, folded: Sequence[Message]) -> bool:
    """Whether it is more than an earlier summary, a reply to one, or a system message all alone."""
    return message.injected not in ("summary", "ack") and not (message.role == "system" and len(folded) == 1)


def _text(
    draft: CompactionBuilder, stage: Stage, parts: Partition, folded: Sequence[Message], prior: str | None
) -> str:
    """What the summarizer says, as the policy takes it. Raises whatever it raises, and _RefusedError where it is refused."""
    rule = stage.transform
    assert isinstance(rule, Summarize)
    protect, window = stage.scope.protect, draft.window
    read = window.pool.listed(window.cut(parts.body, parts.tail)) if protect and protect.read else folded
    context = CutContext(window, draft.policy, stage, parts.head, parts.body)
    given: list[Message] = rule.reads(context, read, draft.meter.count) if rule.reads else list(read)
    draft.unread = len(folded) - len(given) if rule.reads and rule.reads.limited else 0
    if not given and folded and rule.unread is not None:
        draft.blank = True
        return _unread(rule)
    said = rule.writes(window, parts.tail, given, prior, draft.ask) if rule.writes else draft.ask(given, prior)
    if rule.on_empty == "fail" and not said.strip():
        raise _RefusedError("the summary is empty")
    return finish(said, rule, draft.policy)


def _unread(rule: Summarize) -> str:
    if not rule.unread:
        status: Status = "failed" if rule.reads and rule.reads.limited else "nothing_to_do"
        raise _RefusedError("the summarizer can read none of the messages to remove", status)
    return rule.unread


def _gave_up(draft: CompactionBuilder, stage: Stage, taken: Ranges, error: Exception) -> bool:
    """What becomes of the window where there is no summary."""
    rule = stage.transform
    problem = f"the summarizer failed: {str(error).strip() or format_error(error)}"
    drops = isinstance(rule, Summarize) and rule.on_error in ("drop", "drop_all")
    if drops and not isinstance(error, _RefusedError):
        taken = _all_of(draft, stage, taken)
        gone = draft.window.pool.listed(taken)
        draft.setback = problem
        draft.edit("dropped", taken, "dropped without a summary, because the summarizer failed")
        draft.folded = len(gone)
        draft.becomes(without(draft.window.ranges, taken))
        return True
    if isinstance(error, _RefusedError):
        return draft.refuse(error.status, problem if error.status == "failed" else str(error))
    if draft.raises:
        raise error
    ends = " and the run ends" if isinstance(rule, Summarize) and rule.on_error == "raise" else ""
    return draft.refuse("failed", problem + ends)


def _splice(
    draft: CompactionBuilder, stage: Stage, parts: Partition, taken: Ranges, folded: Sequence[Message], text: str
) -> bool:
    """Put the summary where it belongs, unless the window would be the larger for it and the policy minds."""
    window, place = draft.window, stage.placement
    assert place is not None
    mark, number = (
        draft.marked(),
        draft.number or earlier_number(window.pool.listed(window.cut(0, parts.tail)), place) + 1,
    )
    replaced = window.cut(parts.head, parts.body)
    protected = _protected(draft, stage, parts)
    tail = window.cut(parts.tail, len(window))
    added = _summary(draft, stage, text, number, len(folded), tail)
    if place.tail_as_text:
        pinned = tuple((i, i + 1) for part in tail for i in sorted(pinned_in(window.pool, (part,))))
        taken, tail = (*taken, *without(tail, pinned)), joined(pinned)
    put = [draft.put(m, _size(draft, stage)) for m in added]
    again = _again(draft, place)
    front, behind = ((), put) if place.where == "end" else (put, ())
    layout = joined((*window.cut(0, parts.head), *front, *protected, *tail, *behind, *again))
    gone = joined((*replaced, *taken))
    return _done(draft, stage, layout, gone, number, len(folded), mark)


def _done(
    draft: CompactionBuilder, stage: Stage, layout: Ranges, gone: Ranges, number: int, folded: int, mark: Mark
) -> bool:
    """Go on with the new window; the old one where nothing changed, or the new one is larger and that is refused."""
    window, rule = draft.window, stage.transform
    if layout == window.ranges:
        return draft.refuse("nothing_to_do", "there is nothing to summarize, and the summary is empty")
    after, most = Window(window.pool, layout), draft.start[-1] if draft.policy.guards_of(stage).undo_tiers else window
    if isinstance(rule, Summarize) and rule.no_inflation and after.tokens > most.tokens:
        draft.back_to(mark)
        return draft.refuse(
            "inflated", f"the summary would enlarge the window to {after.tokens:,} tokens, so the policy rejected it"
        )
    draft.edit("summarised", gone, f"summarized in summary #{number}")
    draft.summary, draft.folded = number, folded
    draft.becomes(layout, after.tokens)
    return True


def _size(draft: CompactionBuilder, stage: Stage) -> int | None:
    rule = stage.transform
    return draft.policy.value(rule.tokens) if isinstance(rule, Opaque) else None


def _all_of(draft: CompactionBuilder, stage: Stage, taken: Ranges) -> Ranges:
    """What goes where the summarizer fails: what would have been summarized, or all behind the head that is not pinned."""
    window, rule = draft.window, stage.transform
    if not isinstance(rule, Summarize) or rule.on_error != "drop_all":
        return taken
    behind = window.cut(partition(window, draft.policy, stage).head, len(window))
    return without(behind, tuple((i, i + 1) for i in pinned_in(window.pool, behind)))


def _summary(
    draft: CompactionBuilder, stage: Stage, text: str, number: int, folded: int, tail: Ranges
) -> list[Message]:
    """The summary and, where the policy has one, the reply behind it."""
    place, rule = stage.placement, stage.transform
    assert place is not None
    if not text and isinstance(rule, Summarize) and not rule.keep_empty:
        return []
    told = quoted(draft.window.pool.listed(tail)) if place.tail_as_text else ""
    content = _template(place, text).format(n=number, k=folded, text=text, tail=told)
    added = [draft.injected(place.role, content, "summary", f"{number}")]
    last = not tail or place.where == "end" or place.tail_as_text
    if place.ack is not None and (last or not place.ack_last):
        added.append(draft.injected("assistant", place.ack, "ack", f"{number}-ack"))
    return added


def _template(placement: Placement, text: str) -> str:
    """The template without the words before the text where that begins with them, as a recorded summary may."""
    before = placement.template.partition("{text}")[0]
    begun = before.strip() and text.startswith(before.strip())
    return placement.template.removeprefix(before) if begun else placement.template


def _protected(draft: CompactionBuilder, stage: Stage, parts: Partition) -> Ranges:
    """What stays although it stands among what goes; the oldest typed message with its middle cut out if it must be."""
    window, protect = draft.window, stage.scope.protect
    kept = stays(window, stage, parts, window.cut(parts.body, parts.tail))
    pinned = set(pinned_in(window.pool, tuple(kept)))
    asked = [k for k, (i, _) in enumerate(kept) if i not in pinned and window.pool.message(i).role == "user"]
    if protect is None or protect.cut != "middle" or not asked:
        return joined(tuple(kept))
    most = draft.policy.value(protect.size.value)
    left = most - sum(window.pool.tokens(kept[k]) for k in asked[1:])
    oldest = window.pool.message(kept[asked[0]][0])
    short = _ends(oldest, left) if window.pool.tokens(kept[asked[0]]) > left else oldest
    if short.content != oldest.content:
        draft.edit(
            "truncated",
            (kept[asked[0]],),
            f"shortened to its ends, to fit into the {most:,} tokens kept of user messages",
        )
        kept[asked[0]] = draft.put(short)
    return joined(tuple(kept))


def _ends(message: Message, tokens: int) -> Message:
    """The message with no more than these tokens of it, from its two ends."""
    return message.model_copy(update={"content": middle_cut(message.content, tokens), "injected": "cleared"})


def middle_cut(text: str, tokens: int) -> str:
    """The two ends of a text, four characters a token, and between them how many tokens were cut out."""
    most = max(0, 4 * tokens)
    if len(text) <= most:
        return text
    head = most // 2
    tail = most - head
    return f"{text[:head]}…{ceil((len(text) - most) / 4)} tokens truncated…{text[len(text) - tail :]}"


def _again(draft: CompactionBuilder, place: Placement) -> tuple[Range, ...]:
    """The user message that takes a turn up again which was cut short: after calls or results."""
    window = draft.window
    if place.again is None or not len(window):
        return ()
    last = window[len(window) - 1]
    if last.role != "tool" and not last.tool_calls:
        return ()
    typed = [m.content for m in window.messages if m.role == "user"]
    request = place.again.format(request=typed[-1] if typed else "")
    return (draft.put(draft.injected("user", request, "again")),)


def finish(reply: str, rule: Summarize, policy: Policy) -> str:
    """A summarizer's reply as the policy takes it: stripped, a placeholder for an empty one, cut to its limit."""
    text = reply.strip() if rule.strip else reply
    if not text and rule.empty is not None:
        text = rule.empty
    if rule.max_chars is None:
        return text
    limit = policy.value(rule.max_chars)
    return utf16_cut(text, limit) if rule.utf16 else text[:limit]


def utf16_cut(text: str, units: int) -> str:
    """The text cut to so many UTF-16 units; half of a character at the cut is left out, as no reader could take it."""
    if len(text) * 2 <= units or text.isascii():
        return text[:units]
    cut = text.encode("utf-16-le", "surrogatepass")[: units * 2].decode("utf-16-le", "surrogatepass")
    return cut[:-1] if "\ud800" <= cut[-1:] <= "\udbff" else cut


def prior_text(message: Message, placement: Placement | None) -> str:
    """The text of an earlier summary without the words the placement put around it."""
    pattern = header(placement) if placement else None
    match = pattern.match(message.content) if pattern else None
    if match is None or placement is None:
        return message.content
    return message.content[match.end() :].removesuffix(placement.template.partition("{text}")[2])


def earlier_number(messages: Sequence[Message], placement: Placement) -> int:
    """The number of the newest summary among the messages, or 0."""
    pattern = header(placement)
    if pattern is None or "n" not in pattern.groupindex:
        return 0
    matches = (pattern.match(m.content) for m in messages if m.role == placement.role)
    return max((int(m["n"]) for m in matches if m), default=0)
