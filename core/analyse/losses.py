"""What a compaction lost, most important first: what the user said, names that were used again, the text of tool results.

Counted and quoted, not judged. A name or a sentence is lost where neither the summary nor a message that stayed says it.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from core.analyse.finding import Finding
from core.analyse.findings import findings_at
from core.analyse.requests import Requests, requests
from core.entities.search import Wanted, says, search_of
from core.model.cached import cached
from core.model.text import clean
from core.origins.ledger import ledger
from core.origins.named import folded, kept
from core.origins.origin import Kind, LedgerRow
from core.origins.remains import still_said
from core.origins.restated import restated
from core.origins.thoughts import thinks
from core.trace.trace import Trace
from core.why.fate import fate

LossKind = Literal["newest", "first", "rule", "said", "name"]
_FOUND: dict[LossKind, str] = {
    "newest": "last_user_message_summarised",
    "first": "first_user_message_lost",
    "rule": "instruction_gone",
}
"""The findings that are about one text of the user."""

_THOUGHT = 200  # of the messages that stayed, the newest: those whose thoughts are looked at
_NAMES: tuple[Kind, ...] = ("file", "identifier", "number", "command")


@dataclass(frozen=True)
class Loss:
    """A text that no message of the window says any more, the place of the message that said it, and when it was used again.

    `kind` is the `newest` request, which the agent was still working on, or the `first` one; a `rule` the user set for good;
    something else that the user `said`; or a `name` that the model used later. `used_at` is the step of the first use, None
    where there is none; `said_again_at` that at which the user says a rule again. `followed` is the text as its message has
    it, by which Why can follow it, "" where it cannot. Of the
    first request the summary has `kept` of its distinct `words`; both are 0 of any other text.
    """

    kind: LossKind
    text: str
    place: int
    used_at: int | None = None
    said_again_at: int | None = None
    followed: str = ""
    kept: int = 0
    words: int = 0


@dataclass(frozen=True)
class Losses:
    """What compaction `index` lost. `taken` messages left the window or were emptied in it.

    `results` of them are tool results, of `result_tokens`. `again` later calls asked again for what they had, the first at
    step `again_at`, and brought `again_tokens`. `unreadable` says why nobody can tell what the summary kept: then only what was
    asked again is known. `requests` are all that had been made, and those that nothing says any more.
    """

    index: int
    step: int
    taken: int
    results: int
    result_tokens: int
    texts: tuple[Loss, ...] = ()
    again: int = 0
    again_at: int | None = None
    again_tokens: int = 0
    unreadable: str = ""
    requests: Requests = field(default_factory=Requests)


def losses(trace: Trace, index: int) -> Losses:
    """What compaction `index` of the trace lost; computed once."""
    return cached(trace, ("losses", index), lambda trace: _losses(trace, index))


def _losses(trace: Trace, k: int) -> Losses:
    event, found = trace.compactions[k], {one.kind: one for one in findings_at(trace, k)}
    own = [place for place in folded(trace, k) if place < len(trace.messages)]
    results = [place for place in own if trace.messages[place].role == "tool"]
    again = found["rework"].numbers if "rework" in found else {}
    return Losses(
        index=k,
        step=trace.compaction_step(k),
        taken=len(own),
        results=len(results),
        result_tokens=sum(trace.tokens[place] for place in results),
        texts=() if event.unreadable else _texts(trace, k, found),
        again=again.get("calls", 0),
        again_at=again.get("step"),
        again_tokens=again.get("tokens", 0),
        unreadable=event.unreadable,
        requests=requests(trace, k),
    )


def _texts(trace: Trace, k: int, found: dict[str, Finding]) -> tuple[Loss, ...]:
    """The texts, each once: requests, rules, what else the user said, names in the order in which they were used again."""
    gone = [row for row in ledger(trace, k)[0] if row.in_summary == "gone"]
    step = trace.compaction_step(k)
    found_lost = [
        _loss_of(trace, kind, found[name], step) for kind, name in _FOUND.items() if _is_lost(found.get(name))
    ]
    said = [Loss("said", row.text, row.place, row.needed_at) for row in gone if row.kind == "constraint"]
    named = [row for row in gone if row.kind in _NAMES and row.needed_at is not None and not _begun_anew(trace, k)]
    names = [Loss("name", row.text, row.place, row.needed_at) for row in sorted(named, key=_used)]
    texts: list[Loss] = []
    window = _Window(trace, k)
    for loss in (*found_lost, *said, *names):
        if loss.text and not window.says(loss) and not any(_same(loss, one) for one in texts):
            texts.append(replace(loss, followed=window.followed(loss)))
    return tuple(texts)


def _begun_anew(trace: Trace, k: int) -> bool:
    """Whether a person cleared the conversation: what a reply uses then was told anew, maybe where the transcript ends."""
    event = trace.compactions[k]
    if not event.recorded or event.trigger != "manual" or event.added:
        return False
    return all(trace.messages[place].role == "system" for place in kept(trace, k))


class _Window:
    """What the window says once compaction k has made it."""

    def __init__(self, trace: Trace, k: int) -> None:
        self._search, self._stayed = search_of(trace.messages), set(kept(trace, k))
        self._kept = [trace.messages[place] for place in sorted(self._stayed)]
        self._added = [message for message in trace.compactions[k].after if message.injected]

    def says(self, loss: Loss) -> bool:
        """Whether a message that stayed, its thoughts, or a summary has the text, also within a longer name.

        What a person told may stand there in other words.
        """
        text = loss.text
        found = self._search.places(text)
        if not self._stayed.isdisjoint(found.places):
            return True
        wanted = Wanted(text, "exact" if found.match == "none" else found.match)
        if any(says(message, wanted) for message in self._added) or thinks(self._kept[-_THOUGHT:], text):
            return True
        return loss.kind == "said" and still_said(self._kept, text)

    def followed(self, loss: Loss) -> str:
        """The text of a loss, without the mark of a cut, where its message has it in so many words."""
        text = loss.text.rstrip(" …")
        return text if loss.place in self._search.places(text).places else ""


def _is_lost(found: Finding | None) -> bool:
    """Whether a request is gone: of one that a summary tells in other words the finding is no warning."""
    return found is not None and found.severity != "info"


def _loss_of(trace: Trace, kind: LossKind, found: Finding, step: int) -> Loss:
    """The text of a finding, the first of its messages, and when it was needed behind a step, as Why tells it."""
    numbers, place = found.numbers, trace.measured.places.get(found.messages[0], -1)
    needed, again = _since(trace, found.subject, step) if kind == "rule" else (None, None)
    kept, words = numbers.get("words_in_summary", 0), numbers.get("words", 0)
    return Loss(kind, found.subject, place, needed, again, kept=kept, words=words)


def _since(trace: Trace, rule: str, step: int) -> tuple[int | None, int | None]:
    """The first steps behind this one at which a rule was needed, and at which the user says it again."""
    known, messages = fate(trace, rule), trace.messages
    needed = (event.step for event in known.events if event.kind == "needed")
    said = (event for event in known.events if event.kind == "said" and event.place < len(messages))
    same = (event.step for event in said if messages[event.place].typed)
    again = sorted((*same, *(arrived for _, arrived, _ in restated(known))))
    return next((at for at in needed if at > step), None), next((at for at in again if at > step), None)


def _used(row: LedgerRow) -> int:
    return row.needed_at or 0


def _same(loss: Loss, other: Loss) -> bool:
    """Whether two are about one text: a rule that a request states is part of it."""
    one, two = (clean(text).casefold().rstrip(" .…") for text in (loss.text, other.text))
    return loss.place == other.place and (one in two or two in one)
