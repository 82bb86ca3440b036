"""The one driver of every compaction: a window and a policy in, a `Compaction` out. Nothing is mutated."""

from collections.abc import Iterable, Sequence

from core.meters import Meter
from core.meters import meter as meter_called
from core.model import Message, built, said
from core.policy import Policy, Status, Summarise
from core.summarizers import Summarizer, structural
from core.trace import Compaction, Edit
from core.window import Measured, Partition, Pool, Range, Ranges, Window, header, joined, partition


def compact(
    messages: Iterable[Message],
    policy: Policy,
    meter: Meter | None = None,
    summarizer: Summarizer | None = None,
    force: bool = False,
) -> Compaction:
    """What the policy does to this window, and why, also when it does nothing; `force` skips its trigger.

    The messages are left as they are. `meter` None is the policy's own. `summarizer(messages, prior)` is given what is
    folded and, where the policy feeds it separately, the text of the earlier summary; None is the offline structural one.
    """
    meter, given = meter or meter_called(policy.meter), list(messages)
    base = Measured(given, [meter.count(m) for m in given])
    window = Window(Pool(base), joined(((0, len(base.messages)),)))
    return compact_window(window, policy, meter=meter, summarizer=summarizer, force=force)


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
) -> Compaction:
    """Like `compact`, over a window that is ranges over a pool; the summary is added to that pool.

    `number` is that of the summary where the caller counts them; else it is read off the earlier summary in the window.
    `at` is how many messages had arrived. `raises` lets what the summarizer raises through, instead of `failed`.
    """
    why = _trigger(window, policy, force)
    if why is None:
        return _left_alone(window, policy, "not_triggered", _not_triggered(window, policy), at)
    parts = partition(window, policy)
    if parts.tail <= parts.body and not policy.transform.call_on_nothing:
        reason = f"{why}, but everything in the window is pinned"
        return _left_alone(window, policy, "nothing_to_do", reason, at)
    return _fold(window, policy, parts, _Attempt(why, meter, summarizer, number, at, raises))


class _Attempt:
    """What a fold needs besides the window: the reason, who counts, who summarises, the summary's number if known."""

    def __init__(
        self,
        why: str,
        meter: Meter,
        summarizer: Summarizer | None,
        number: int | None,
        at: int,
        raises: bool,
    ) -> None:
        self.why, self.meter, self.number, self.at, self.raises = why, meter, number, at, raises
        self.summarizer = summarizer or structural


def _trigger(window: Window, policy: Policy, force: bool) -> str | None:
    """Why the policy acts on this window, or None if it does not."""
    if force:
        return "asked for"
    limit = policy.limit
    if limit is None:
        return None
    counted = window.counted(policy)
    return f"{counted:,} tokens > {limit:,}" if counted > limit else None


def _not_triggered(window: Window, policy: Policy) -> str:
    if policy.limit is None:
        return f"{policy.name} acts only when it is asked to"
    return f"{window.counted(policy):,} tokens are within {policy.limit:,}"


def _left_alone(window: Window, policy: Policy, status: Status, reason: str, at: int) -> Compaction:
    return built(
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


def _fold(window: Window, policy: Policy, parts: Partition, attempt: _Attempt) -> Compaction:
    """Take out what is compactable, put its summary after the head."""
    taken = window.cut(parts.body, parts.tail)
    replaced = window.cut(parts.head, parts.body)
    folded, earlier = window.pool.listed(taken), window.pool.listed(replaced)
    prior = prior_text(earlier[0], policy) if earlier else None
    try:
        text = finish(attempt.summarizer(folded, prior), policy)
    except Exception as error:  # a summarizer is a stranger's code or a network away: its failure is a result
        if attempt.raises:
            raise
        reason = f"{attempt.why}; the summarizer failed: {error or type(error).__name__}"
        return _left_alone(window, policy, "failed", reason, attempt.at)
    number = attempt.number or earlier_number(window.pool.listed(window.cut(0, parts.tail)), policy) + 1
    added = _added(policy, text, number, len(folded), None if attempt.number is None else window.pool.base.mark)
    return _spliced(window, policy, parts, attempt, joined((*replaced, *taken)), added, number, len(folded))


def _added(policy: Policy, text: str, number: int, folded: int, mark: str | None) -> list[Message]:
    """The summary and, where the policy has one, the reply behind it.

    `mark` is what their ids begin with; None makes them of what they say.
    """
    place = policy.placement
    if not text and not policy.transform.keep_empty:
        return []
    content = place.template.format(n=number, k=folded, text=text)
    name = "" if mark is None else f"{mark}{number}"
    added = [said(place.role, content, "summary", name)]
    if place.ack is not None:
        added.append(said("assistant", place.ack, "ack", name and f"{name}-ack"))
    return added


def _spliced(
    window: Window,
    policy: Policy,
    parts: Partition,
    attempt: _Attempt,
    gone: Ranges,
    added: list[Message],
    number: int,
    folded: int,
) -> Compaction:
    """The compaction that replaces the ranges `gone` by the added messages."""
    counts = [attempt.meter.count(m) for m in added]
    put: list[Range] = [window.pool.add(m, t) for m, t in zip(added, counts, strict=True)]
    layout = joined((*window.cut(0, parts.head), *put, *window.cut(parts.tail, len(window))))
    if layout == window.ranges:
        reason = f"{attempt.why}, but there was nothing to fold and the summary is empty"
        return _left_alone(window, policy, "nothing_to_do", reason, attempt.at)
    after = Window(window.pool, layout).knowing(window.tokens - sum(map(window.pool.tokens, gone)) + sum(counts))
    edit = built(Edit, action="summarised", ranges=gone, reason=f"folded into summary #{number}")
    return built(
        Compaction,
        {"_pool": window.pool},
        status=_outcome(window, after, policy),
        reason=attempt.why,
        policy=policy.name,
        trigger="manual" if attempt.why == "asked for" else "auto",
        at=attempt.at,
        number=number,
        folded=folded,
        layout_before=window.ranges,
        layout_after=layout,
        edits=(edit,) if gone else (),
        added=tuple(added),
        added_tokens=tuple(counts),
        tokens_before=window.tokens,
        tokens_after=after.tokens,
        window_before=window.tokens,
        window_after=after.tokens,
        limit=policy.limit,
    )


def _outcome(before: Window, after: Window, policy: Policy) -> Status:
    if after.tokens >= before.tokens:
        return "inflated"
    limit = policy.limit
    if limit is not None and after.counted(policy) > limit:
        return "still_over_budget"
    return "compacted"


def finish(reply: str, policy: Policy) -> str:
    """A summarizer's reply as the policy takes it: stripped, a placeholder for an empty one, cut to its limit."""
    rule: Summarise = policy.transform
    text = reply.strip() if rule.strip else reply
    if not text and rule.empty is not None:
        text = rule.empty
    if rule.max_chars is None:
        return text
    limit = policy.value(rule.max_chars) * rule.chars_per
    return utf16_cut(text, limit) if rule.utf16 else text[:limit]


def utf16_cut(text: str, units: int) -> str:
    """The text cut to so many UTF-16 units; half of a character at the cut is left out, as no reader could take it."""
    if len(text) * 2 <= units or text.isascii():
        return text[:units]
    cut = text.encode("utf-16-le", "surrogatepass")[: units * 2].decode("utf-16-le", "surrogatepass")
    return cut[:-1] if "\ud800" <= cut[-1:] <= "\udbff" else cut


def prior_text(message: Message, policy: Policy) -> str:
    """The text of an earlier summary without the words the placement put around it."""
    match = header(policy.placement).match(message.content)
    return message.content[match.end() :] if match else message.content


def earlier_number(messages: Sequence[Message], policy: Policy) -> int:
    """The number of the newest summary among the messages, or 0."""
    pattern = header(policy.placement)
    matches = (pattern.match(m.content) for m in messages if m.role == policy.placement.role)
    return max((int(m["n"]) for m in matches if m and "n" in m.re.groupindex), default=0)
