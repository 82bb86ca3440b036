"""What a compaction lost: what the user said, that of most consequence first, what the model used again, tool results.

Counted and quoted, not judged. A name or a sentence is lost where neither the summary nor a message that stayed says it.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from core.analyse.carried import carried_at
from core.analyse.consequence import Consequence, consequence_of
from core.analyse.finding import Finding
from core.analyse.findings import findings_at
from core.analyse.lost_statements import is_statement, lost_statements
from core.analyse.requests import Requests, requests, typed_kept
from core.analyse.rework import asked_again
from core.analyse.statement_rank import rank_of
from core.model.cached import cached
from core.model.text import clean
from core.origins.follow import followed
from core.origins.ledger import ledger, missing, missing_others
from core.origins.named import folded, is_read_whole, kept
from core.origins.origin import Kind
from core.origins.restated import restated
from core.origins.stayed import window_of
from core.summaries.written_later import quotes_at
from core.trace.trace import Trace
from core.trace.unseen_after import unseen_after
from core.trace.unseen_growth import unseen_growth
from core.why.events import PUTS_BACK
from core.why.fate import fate

LossKind = Literal["newest", "first", "rule", "said", "name", "command", "error", "task"]
_OTHERS: dict[Kind, LossKind] = {"command": "command", "error": "error", "task": "task"}
USED: tuple[LossKind, ...] = ("name", *_OTHERS.values())
"""What the model used later; the others the user said."""
_FOUND: dict[LossKind, str] = {
    "newest": "last_user_message_summarised",
    "first": "first_user_message_lost",
    "rule": "instruction_gone",
}
"""The findings that are about one text of the user."""


@dataclass(frozen=True)
class Loss:
    """A text that no message of the window says any more, the place of the message that said it, and when it was used again.

    `kind` is the `newest` request, which the agent was still working on, or the `first` one; a `rule` the user set for good;
    something else that the user `said`; or a `name`, a `command`, an `error` or an open `task` that the model used later.
    `used_at` is the step of the first use, None where there is none; `said_again_at` that at which the user says a rule
    again. `carried_at` is the step of an earlier compaction that took its message and whose summary still said it, of a
    text that was needed. `followed` is the text as its message has it, by which Why can follow it, "" where it cannot.
    Of the first request the summary has `kept` of its distinct `words`; both are 0 of any other text. `rank` is how
    much it matters.
    """

    kind: LossKind
    text: str
    place: int
    used_at: int | None = None
    said_again_at: int | None = None
    carried_at: int | None = None
    followed: str = ""
    kept: int = 0
    words: int = 0
    rank: Consequence = Consequence.AGAIN


@dataclass(frozen=True)
class Losses:
    """What compaction `index` lost. `taken` messages left the window or were emptied in it.

    `results` of them are tool results, of `result_tokens`. The calls at the steps `again` brought `again_tokens` of them back.
    `unseen` tokens of the next prompt are not in the file, `unseen_more` of them were not there before: part of what was taken
    may have been put back. `unreadable` says why nobody can tell what the summary kept: then only what was read again is known.
    `requests` are all that had been made, and those that nothing says any more. `typed` is how many of the user's messages so
    far stayed as they were, of how many, and how many replies of the model did. `quoted` is how many requests, how many rules
    and statements, and how many of these that were needed later, only the quotes of a stand-in keep.
    """

    index: int
    step: int
    taken: int
    results: int
    result_tokens: int
    texts: tuple[Loss, ...] = ()
    again: tuple[int, ...] = ()
    again_tokens: int = 0
    unseen: int = 0
    unseen_more: int = 0
    unreadable: str = ""
    requests: Requests = field(default_factory=Requests)
    typed: tuple[int, int, int] = (0, 0, 0)
    quoted: tuple[int, int, int] = (0, 0, 0)


def losses(trace: Trace, index: int) -> Losses:
    """What compaction `index` of the trace lost; computed once."""
    return cached(trace, ("losses", index), lambda trace: _losses(trace, index))


def _losses(trace: Trace, k: int) -> Losses:
    event, found = trace.compactions[k], {one.kind: one for one in findings_at(trace, k, *_FOUND.values())}
    own = [place for place in folded(trace, k) if place < len(trace.messages)]
    results = [place for place in own if trace.messages[place].role == "tool"]
    again = asked_again(trace, k)
    return Losses(
        index=k,
        step=trace.compaction_step(k),
        taken=len(own),
        results=len(results),
        result_tokens=sum(trace.tokens[place] for place in results),
        texts=() if event.unreadable else _texts(trace, k, found),
        again=tuple(trace.message_step(repeat.use.at) for repeat in again),
        again_tokens=sum(trace.tokens[repeat.use.result] for repeat in again),
        unseen=unseen_after(trace, k),
        unseen_more=unseen_growth(trace, k),
        unreadable=event.unreadable,
        requests=requests(trace, k),
        typed=typed_kept(trace, k),
        quoted=_quoted(trace, k) if quotes_at(trace, k) else (0, 0, 0),
    )


def _quoted(trace: Trace, k: int) -> tuple[int, int, int]:
    """How many requests, statements and needed statements no message says behind compaction k, but its summary."""
    found, stayed = requests(trace, k), set(kept(trace, k))
    asked = sum(place not in stayed for place in found.asked) - len(found.gone)
    told = [row for row in ledger(trace, k)[0] if row.in_summary != "gone" and is_statement(trace, row)]
    return asked, len(told), sum(row.needed_at is not None for row in told)


def _texts(trace: Trace, k: int, found: dict[str, Finding]) -> tuple[Loss, ...]:
    """The texts, each once: what the user said by how much it matters, then what the model used again."""
    window, texts = window_of(trace, k), list[Loss]()
    asked = [_loss_of(trace, k, kind, found[name]) for kind, name in _FOUND.items() if _is_lost(found.get(name))]
    said = [
        Loss("said", row.text, row.place, row.needed_at, rank=rank_of(trace, k, row))
        for row in lost_statements(trace, k)
    ]
    rows, other_rows = ((), ()) if _begun_anew(trace, k) else (missing(trace, k), missing_others(trace, k))
    names = [Loss("name", row.text, row.place, row.needed_at) for row in rows]
    others = [Loss(_OTHERS[row.kind], row.text, row.place, row.needed_at) for row in other_rows]
    all_of = (*(loss for loss in asked if loss.text and not window.says(loss.text)), *said, *names)
    for loss in map(_ranked, all_of):
        same = next((i for i, one in enumerate(texts) if _same(loss, one)), None)
        if same is None:
            texts.append(_followed(trace, k, loss))
        else:  # a rule that a request states makes the request matter as much
            texts[same] = replace(texts[same], rank=min(loss.rank, texts[same].rank))
    texts += [_followed(trace, k, _ranked(loss)) for loss in others]  # a command is not the name in it
    return tuple(sorted(texts, key=_order))


def _followed(trace: Trace, k: int, loss: Loss) -> Loss:
    """With the text that Why follows, and, of a rule or a statement that was needed, where it outlived its message."""
    text = followed(loss.text, trace.pool.message(loss.place))
    needed = loss.used_at is not None or loss.said_again_at is not None  # no story is told of any other
    told = bool(text) and loss.kind in ("rule", "said") and needed and is_read_whole(trace)
    return replace(loss, followed=text, carried_at=carried_at(trace, text, loss.place, k) if told else None)


def _ranked(loss: Loss) -> Loss:
    """With its rank: what came up again first, the request the agent was working on, a rule, the task, whatever its words."""
    own = {
        "newest": Consequence.OPEN,
        "rule": Consequence.RULE,
        "first": min(consequence_of(loss.text), Consequence.ASKED),
        "said": loss.rank,
    }.get(loss.kind, Consequence.AGAIN)
    return replace(loss, rank=own if loss.used_at is None and loss.said_again_at is None else Consequence.AGAIN)


def _order(loss: Loss) -> tuple[int, Consequence, bool, int]:
    """What the model used last, names before the others; what the user had to say again first; then what was used first."""
    return (
        USED.index(loss.kind) + 1 if loss.kind in USED else 0,
        loss.rank,
        loss.said_again_at is None,
        loss.used_at or 0,
    )


def _begun_anew(trace: Trace, k: int) -> bool:
    """Whether a person cleared the conversation: what a reply uses then was told anew, maybe where the transcript ends."""
    event = trace.compactions[k]
    if not event.recorded or event.trigger != "manual" or event.added:
        return False
    return all(trace.messages[place].role == "system" for place in kept(trace, k))


def _is_lost(found: Finding | None) -> bool:
    """Whether a request is gone: of one that a summary tells in other words the finding is no warning."""
    return found is not None and found.severity != "info"


def _loss_of(trace: Trace, k: int, kind: LossKind, found: Finding) -> Loss:
    """The text of a finding, the first of its messages, and when a rule was needed, as the finding tells it."""
    numbers, place = found.numbers, _place(trace, found)
    step, kept, words = trace.compaction_step(k), numbers.get("words_in_summary", 0), numbers.get("words", 0)
    if kind != "rule":
        return Loss(kind, found.subject, place, kept=kept, words=words)
    needed = numbers.get("needed_at")
    return Loss(kind, found.subject, place, needed, _said_again(trace, found.subject, step), kept=kept, words=words)


def _place(trace: Trace, found: Finding) -> int:
    """The place of the first message of a finding."""
    return trace.measured.places.get(found.messages[0], -1)


def _said_again(trace: Trace, rule: str, step: int) -> int | None:
    """The first step behind this one at which the user says a rule again."""
    known, messages = fate(trace, rule), trace.messages
    told = (event for event in known.events if event.kind == "said" or event.match in PUTS_BACK)
    said = (event for event in told if event.place < len(messages))
    same = (event.step for event in said if messages[event.place].typed)
    again = sorted((*same, *(arrived for _, arrived, _ in restated(known))))
    return next((at for at in again if at > step), None)


def _same(loss: Loss, other: Loss) -> bool:
    """Whether two are about one text: a rule that a request states is part of it."""
    one, two = (clean(text).casefold().rstrip(" .…") for text in (loss.text, other.text))
    return loss.place == other.place and (one in two or two in one)
