"""Whether the removed messages have a real summary: not an empty one, not an error, not none at all."""

import re
from collections.abc import Iterator

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange, summarizes
from core.model.session import Message
from core.model.text import clean, counted, cut

KINDS = ("empty_summary", "error_shaped_summary", "summarizer_failed")

_HEAD = re.compile(
    r"^\[(?=[^\]\n]{0,120}(?:summar|earlier))(?![^\]\n]{0,120}(?:encrypt|opaque|unread))[^\]\n]{0,120}\]\s*",
    re.IGNORECASE,
)
_TAG = re.compile(r"^<[/\w][^<>\n]{0,80}>\s*|\s*</\w[^<>\n]{0,80}>$")
_LEAD = re.compile(
    r"^[^\n]{0,600}\b(?:summar|conversation|context|histor)[^\n]{0,200}:[ \t]*(?:\n\s*|$)", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"\(?(?:no summary(?: was)?(?: returned| available| generated)?|none|null|n/?a|undefined|empty|\.{3}|…|-+)\)?\.?",
    re.I,
)
_ERROR_SHAPED = re.compile(
    r"(?:[A-Za-z]*(?:error|exception)\s*(?::|\(|\d|code|occurred|while|$)|traceback \(most"
    r"|rate limit (?:exceeded|reached|error)"
    r"|(?:api error|http|status)(?: code)?:? ?[45]\d\d|[45]\d\d (?:error|bad|unauthorized|forbidden|too many|internal|service)"
    r"|(?:internal )?server error|(?:request|connection|network|read)(?: has)? (?:timed out|timeout|error|failed|reset|refused)"
    r"|failed to (?:generate|summari[sz]e|connect|fetch)|prompt is too long|context length exceeded"
    r"|\{\s*\"(?:type\"\s*:\s*\")?error\b|i(?:'|’)m sorry, (?:but )?i can(?:'|’)?t|i cannot (?:help|assist|summari[sz]e))",
    re.IGNORECASE,
)


def check(change: WindowChange) -> Iterator[Finding]:
    """An empty summary, one that looks like an error, or a missing one."""
    event = change.compaction
    if not event.acted:
        if event.status == "failed":
            yield _failed(change)
    elif event.setback:
        yield _dropped_instead(change)
    elif event.summary is None:
        yield from _no_summary(change)
    elif not event.unreadable:
        yield from _of_summary(change, event.summary)


def _of_summary(change: WindowChange, summary: Message) -> Iterator[Finding]:
    blank, removed = change.compaction.blank, len(change.removed)
    text = "" if blank else summary_body(summary.content)
    if blank or (not text and blank is None) or (text and _PLACEHOLDER.fullmatch(text)):
        only = f" but {cut(text, 40)!r}" if text else ""
        yield Finding(
            kind="empty_summary",
            concern="summary",
            severity="error",
            title="Empty summary",
            text=f"{_were(removed)} removed, and the summary says nothing{only}.",
            messages=(summary.id,),
            numbers={"removed": removed},
        )
    elif _ERROR_SHAPED.match(text):
        yield Finding(
            kind="error_shaped_summary",
            concern="summary",
            severity="error",
            title="The summary looks like an error",
            text=f"The summary begins {quoted(text)}, which looks like an error message.",
            messages=(summary.id,),
            numbers={"removed": removed},
        )


def summary_body(content: str) -> str:
    """A summary without what a policy puts around it: a head in brackets, tags, a line with a colon."""
    text, before = content.strip(), None
    while text != before and not _ERROR_SHAPED.match(text):
        before = text
        text = _shorter(text)
    return text


def _shorter(text: str) -> str:
    """The text without the first such thing around it; unchanged if there is none."""
    tried = (around.sub("", text, count=1).strip() for around in (_HEAD, _TAG, _LEAD))
    return next((shorter for shorter in tried if shorter != text), text)


def _no_summary(change: WindowChange) -> Iterator[Finding]:
    """A compaction that removed messages to summarize them and added nothing. For a recorded one this is not certain."""
    event = change.compaction
    if summarizes(event) and not event.recorded and not change.put:
        yield Finding(
            kind="empty_summary",
            concern="summary",
            severity="error",
            title="No summary",
            text=f"{_were(len(change.removed))} to be summarized, and nothing took their place.",
            numbers={"removed": len(change.removed)},
        )


def _failed(change: WindowChange) -> Finding:
    why = f" ({cut(clean(change.compaction.reason[:300]), 120)})" if change.compaction.reason else ""
    return Finding(
        kind="summarizer_failed",
        concern="summary",
        severity="warning",
        title="Summary failed",
        text=f"The policy was due, but no summary could be made{why}; the window was left unchanged.",
        numbers={"before": change.compaction.window_before},
    )


def _dropped_instead(change: WindowChange) -> Finding:
    return Finding(
        kind="summarizer_failed",
        concern="summary",
        severity="error",
        title="Summary failed, messages dropped",
        text=f"The summary could not be made ({cut(clean(change.compaction.setback[:300]), 120)}), and "
        f"{_were(len(change.removed))} removed all the same: nothing took their place.",
        messages=tuple(m.id for m in change.compaction.added),
        numbers={"removed": len(change.removed)},
    )


def _were(number: int) -> str:
    return f"{counted(number, 'message')} {'was' if number == 1 else 'were'}"
