"""Whether a compaction achieved its purpose: a smaller window, below the limit."""

from collections.abc import Iterator

from core.analyse.finding import Finding
from core.analyse.window_change import WindowChange
from core.trace.compaction import Compaction

KINDS = ("net_negative", "inflated", "still_over_budget")


def check(change: WindowChange) -> Iterator[Finding]:
    """A window that did not shrink, a summary larger than what it replaces, a limit that is still exceeded."""
    if change.compaction.acted:
        yield from _grew(change.compaction)
    if change.compaction.status == "inflated":
        yield _inflated(change.compaction)
    if change.compaction.status == "still_over_budget":
        yield _over(change.compaction)


def sizes(event: Compaction) -> tuple[int, int, str]:
    """Tokens of the window before and after a compaction, and whose: "as recorded" where both are, else "by the meter"."""
    if event.recorded and event.size_before is not None and event.size_after is not None:
        return event.size_before, event.size_after, "as recorded"
    return event.window_before, event.window_after, "by the meter"


def _grew(event: Compaction) -> Iterator[Finding]:
    before, after, by = sizes(event)
    if event.recorded and not event.edits:
        return  # the file does not name what it removed, so what it freed is unknown
    if by == "as recorded" and not event.added and not event.ranges_of("summarised"):
        return  # nothing was put in: the next prompt is larger by what is not in the transcript, such as files
    if after < before or (by == "by the meter" and _more_than_seen(event)):
        return
    grown = f"grew by {after - before:,} tokens" if after > before else "did not shrink"
    yield Finding(
        kind="net_negative",
        concern="cost",
        severity="warning",
        title="The compaction freed nothing",
        text=f"The window {grown}, {before:,} -> {after:,} {by}: what was added is no smaller than what was removed.",
        messages=tuple(m.id for m in event.added),
        numbers={"before": before, "after": after} | ({} if event.unreadable else {"added": event.summary_tokens}),
    )


def _more_than_seen(event: Compaction) -> bool:
    """Whether the recorded window was larger than its messages in the file: the meter cannot say then if it shrank."""
    return event.recorded and event.tokens_before is not None and event.tokens_before > event.window_before


def _inflated(event: Compaction) -> Finding:
    """A result that is no smaller, which the policy accepted or rejected."""
    numbers = {"kept": int(event.acted), "before": event.window_before, "after": event.window_after}
    outcome = (
        "The policy has no rule against that and used the result."
        if event.acted
        else "The policy rejected the result and left the window unchanged: the summary was written, and paid for, in vain."
    )
    if event.acted:
        numbers |= {"removed": event.removed_tokens, "added": event.summary_tokens}
    return Finding(
        kind="inflated",
        concern="cost",
        severity="info",
        title="The result was no smaller" if event.acted else "Rejected: the result was no smaller",
        text=f"With the new summary the window would be no smaller. {outcome}",
        messages=tuple(m.id for m in event.added),
        numbers=numbers,
    )


def _over(event: Compaction) -> Finding:
    numbers = {"after": event.window_after} | ({} if event.limit is None else {"limit": event.limit})
    size = f"The window has {event.window_after:,} tokens after the compaction"
    if event.limit is None:
        text = f"{size}, still over the policy's limit: the part that stays is too large."
    elif event.window_after > event.limit:
        text = f"{size}, and the limit is {event.limit:,}: the part that stays is too large."
    else:
        text = f"{size}. By the policy's own count it is still over the limit of {event.limit:,}."
    return Finding(
        kind="still_over_budget",
        concern="cost",
        severity="warning",
        title="Still over budget",
        text=text,
        numbers=numbers,
    )
