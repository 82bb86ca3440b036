"""Where a text went, as Markdown for an issue tracker: the answer at a step, how that came, and what would have kept it."""

from collections.abc import Iterator, Sequence

from core.check.story import remedies
from core.exports.form import Form, utf8
from core.exports.markdown import code, fenced
from core.model.errors import FoldlineError
from core.origins.mechanism import mechanism_at
from core.origins.reworded import Reworded, reworded
from core.origins.story import answer, line, story
from core.trace.places import compaction_name, step_name
from core.trace.trace import Trace
from core.why.advice import advice
from core.why.fate import Fate, fate
from core.why.reasons import reasons

MOST = 40
"""Things that happened to a text that are listed."""


def answer_text(trace: Trace, step: int, text: str) -> str:
    """Where a text is at a step as Markdown, and how that came."""
    return "\n".join(_lines(fate(trace, text), step)) + "\n"


def _lines(found: Fate, step: int) -> Iterator[str]:
    trace, again = found.trace, reworded(found)
    title, text = answer(found, step, again)
    yield from (f"## Where a text went, at {step_name(trace, step)}", "", *fenced(found.text), "")
    how = mechanism_at(found, step, again)
    yield " ".join((f"**{code(title)}**", *(code(part) for part in (how, text) if part)))
    if _leaves(found, step) and (known := advice(found)):
        yield from ("", f"What helps: {known.text}" + (f" Source: {known.source}" if known.source else ""))
    yield ""
    yield f"- session: {code(trace.session.title or trace.session.id)}"
    yield f"- policy: {code(trace.policy.name if trace.policy else 'as recorded')}"
    if found.common or not found.said:
        return
    yield from _section("What happened", _happened(found, again))
    told = (f"- {compaction_name(trace, reason.k)}: {code(reason.text)}" for reason in reasons(found))
    yield from _section("Why it was not kept", told)
    k = _lost_at(found, step)
    kept = () if k is None else remedies(found, k)
    yield from _section(
        "What would have kept it", (f"- {code(said.removeprefix('would have kept it '))}" for said in kept)
    )


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    """A heading with its lines; nothing where there is no line."""
    if found := list(lines):
        yield from ("", f"### {title}", "", *found)


def _happened(found: Fate, again: Sequence[Reworded]) -> Iterator[str]:
    events = story(found, again)[0]
    for event in events[:MOST]:
        yield f"- {step_name(found.trace, event.step)}: {code(line(found, event, again))}"
    if len(events) > MOST:
        yield f"- … and {len(events) - MOST:,} more."


def _leaves(found: Fate, step: int) -> bool:
    """Whether a text that was said by a step is lost there or later."""
    later = [state for _, end, state in found.lane.states() if end >= step]
    return later[:1] != ["before"] and "gone" in later


def _lost_at(found: Fate, step: int) -> int | None:
    """The compaction that left nothing of it: the last one up to a step, else the first; None where it was never lost."""
    lost = [a for a, _, state in found.lane.states() if state == "gone"]
    before = [a for a in lost if a <= step]
    at = (before[-1] if before else lost[0]) if lost else None
    return None if at is None else found.trace.step(at).compaction


def _write(trace: Trace, step: int | None, texts: Sequence[str]) -> bytes:
    if not texts:
        raise FoldlineError("there is no text to follow", "give one that is not masked: --why TEXT")
    at = len(trace) - 1 if step is None else step
    return utf8("\n".join(answer_text(trace, at, text) for text in texts))


FORMS = (Form("answer", "where the followed texts went, as Markdown", ".answer.md", "text/markdown", _write),)
