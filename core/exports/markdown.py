"""One compaction as Markdown, for an issue tracker: what happened, its summary, its findings, what it took.

What a transcript says stands in code alone, fenced longer than any fence in it: nothing is rendered, and nobody is mentioned.
https://spec.commonmark.org/0.31.2/#fenced-code-blocks
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from core.analyse.findings import findings_at
from core.engine.meter_text import meter_text
from core.exports.form import Form, utf8
from core.meters import approximate
from core.model.errors import FoldlineError
from core.model.session import Message
from core.model.text import counted, cut
from core.trace.compaction import Compaction
from core.trace.places import compaction_place
from core.trace.trace import Trace

MOST = 40
"""Messages that are listed."""

LONGEST = 20_000
"""Characters of a summary that are quoted: an issue takes some 65,000."""


def compaction_text(trace: Trace, k: int) -> str:
    """Compaction k as Markdown."""
    return "\n".join(_lines(trace, k)) + "\n"


def compaction_near(trace: Trace, step: int) -> int:
    """The compaction at a step, else the last one before it, else the first. Raises FoldlineError where there is none."""
    if not trace.compactions:
        raise FoldlineError("there is no compaction in this run", "give a policy that compacts: --policy P --set k=v")
    steps = [trace.compaction_step(k) for k in range(len(trace.compactions))]
    return max(0, bisect_left(steps, step + 1) - 1)


def _lines(trace: Trace, k: int) -> Iterator[str]:
    event = trace.compactions[k]
    yield f"## {compaction_place(trace, k).capitalize()}, {'as recorded' if event.recorded else 'simulated'}"
    yield ""
    yield from (f"- {name}: {text}" for name, text in _facts(trace, k, event) if text)
    yield from _summary(event)
    yield from _findings(trace, k)
    yield from _taken(event)


def _facts(trace: Trace, k: int, event: Compaction) -> Iterator[tuple[str, str]]:
    mark = "~" if approximate(trace.meter, trace.session.model) else ""
    yield "session", code(trace.session.title or trace.session.id)
    yield "format", code(trace.session.format)
    yield "model", code(trace.session.model)
    yield "policy", code(_policy(trace, k, event))
    yield "place", f"after message {event.at:,}"
    sizes = f"{mark}{event.window_before:,} → {mark}{event.window_after:,} tokens"
    yield "window", f"{sizes} by {meter_text(trace.meter, trace.session)}"
    yield "recorded", _recorded(event)
    yield "took", f"{counted(event.folded, 'message')}, kept {len(event.kept):,}" + _cleared(event)
    yield "why", code(event.reason or event.trigger)


def _policy(trace: Trace, k: int, event: Compaction) -> str:
    """The policy with the settings that differ from its defaults or that it has to be given."""
    rule = None if event.recorded else trace.policy_at(trace.compaction_step(k))
    if rule is None:
        return event.policy
    values = ((p.name, p.to_text(rule.settings.get(p.name))) for p in rule.parameters)
    return " ".join((rule.name, *(f"{name}={value}" for name, value in values if value)))


def _recorded(event: Compaction) -> str:
    if not event.recorded or event.size_before is None:
        return ""
    after = "not recorded" if event.size_after is None else f"{event.size_after:,}"
    return f"{event.size_before:,} → {after} tokens ({event.fidelity})"


def _cleared(event: Compaction) -> str:
    return f", cleared {len(event.cleared):,}" if event.cleared else ""


def _summary(event: Compaction) -> Iterator[str]:
    if event.summary is None:
        return
    number = f" #{event.number}" if event.number else ""
    text, more = event.summary.content[:LONGEST], len(event.summary.content) - LONGEST
    known = event.known_summary_tokens
    size = f"nobody can read it: {event.unreadable}" if known is None else f"{known:,} tokens"
    yield from ("", f"### Summary{number}, {size}", "", *fenced(text))
    if more > 0:
        yield f"… and {more:,} characters more."


def _findings(trace: Trace, k: int) -> Iterator[str]:
    found = findings_at(trace, k)
    if found:
        yield from ("", "### Findings", "")
    yield from (f"- {one.severity}, {code(one.title)}: {code(one.text)}" for one in found)


def _taken(event: Compaction) -> Iterator[str]:
    gone = set(event.removed)
    taken: Sequence[Message] = [message for message in event.before if message.id in gone]
    if not taken:
        return
    yield from ("", "### Removed", "", "| message | role | begins |", "| --- | --- | --- |")
    for message in taken[:MOST]:
        calls = " ".join(f"→ {call.name}" for call in message.tool_calls)
        yield f"| {cell(message.id)} | {message.role} | {cell(f'{message.content[:400]} {calls}')} |"
    if len(taken) > MOST:
        yield f"\n… and {len(taken) - MOST:,} more."


def code(text: str) -> str:
    """The text as code on one line, cut to a sentence or two; empty for an empty one."""
    line = _line(text, 400)
    if not line:
        return ""
    fence = "`" * (_longest_run(line) + 1)
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{gap}{line}{gap}{fence}"


def cell(text: str) -> str:
    """The same in a table, where a bar has to be escaped even in code."""
    return code(_line(text, 80)).replace("|", "\\|")


def fenced(text: str) -> Iterator[str]:
    """The lines of a text as a block of code."""
    fence = "`" * max(3, _longest_run(text) + 1)
    yield from (f"{fence}text", *text.splitlines(), fence)


def _line(text: str, most: int) -> str:
    seen = "".join(c if c.isprintable() else " " for c in text[: 4 * most])
    return cut(" ".join(seen.split()), most)


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _write(trace: Trace, step: int | None, texts: Sequence[str]) -> bytes:
    return utf8(compaction_text(trace, compaction_near(trace, step or 0)))


FORMS = (
    Form("compaction", "compaction at this step, or before it, as Markdown", ".compaction.md", "text/markdown", _write),
)
