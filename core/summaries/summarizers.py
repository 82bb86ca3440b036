"""What writes a summary without a model: from what the messages say, of a fixed size, as the transcript has it, or badly.

A summarizer is anything callable as `summarizer(messages, prior) -> text`; `name` is what a trace calls it.
"""

import re
from collections.abc import Callable, Sequence

from core.model.errors import ParameterError, UnknownNameError
from core.model.session import Frozen, Message, Session
from core.summaries.blocks import pieces
from core.summaries.failing import FAILURES, Failing
from core.summaries.ledger import Ledger
from core.summaries.quotes import NOTHING, Quote
from core.summaries.reading import nothing_told, read
from core.summaries.stretches import Stretch
from core.summaries.writing import write

LARGEST, SMALLEST = 2400, 240  # characters

Summarizer = Callable[[Sequence[Message], str | None], str]


class SummarizerInfo(Frozen):
    """A summarizer's name, what a menu calls it, one line on it, and whether it fails on purpose."""

    name: str
    label: str
    about: str
    fails: bool = False


class Structural:
    """Writes down the task, rules, facts, decisions, files, commands, results and the last error that messages name.

    Deterministic and offline. Every line quotes, and ends with the id of the message it is from; an answer stands behind its
    request only where the order of the messages leaves no doubt, and what was announced only as long as nothing came behind
    it. At most 2,400 characters, fewer where little is folded; never fewer than the summary before it took. An earlier
    summary, given as `prior` or standing among the messages, is read back and carried on, with its ids.
    """

    name = "structural"

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The summary of these messages and of what the earlier one says."""
        ledger, size, before = read(prior) if prior else Ledger(), 0, len(prior or "")
        for number, piece in enumerate(pieces(messages)):
            if isinstance(piece, Stretch):
                piece.join(ledger)
                size += piece.size
            elif summary := piece.facts.summary:
                ledger = _carried(None if not number and not prior else ledger, summary, piece.source)
                before += len(summary)
            else:
                ledger.take(*piece)
                size += piece.facts.size
        return write(ledger, room(size, before)) or nothing_told(len(messages))


def room(size: int, before: int) -> int:
    """The characters a structural summary may take: by the size of what it stands for, and of the summary before it."""
    return min(LARGEST, max(SMALLEST, min(size // 2, 600), size // 3, before))


def _carried(ledger: Ledger | None, text: str, source: str) -> Ledger:
    """The ledger of an earlier summary; one already begun keeps what it has and takes the summary's text as prose."""
    found = read(text)
    if found.earlier.text and not found.earlier.source:
        found.earlier = Quote(found.earlier.text, source)
    if ledger is None or ledger == Ledger():
        return found
    ledger.earlier = next((one for one in (ledger.earlier, found.earlier, found.standing) if one.text), NOTHING)
    ledger.task = ledger.task if ledger.task.ask.text else found.task
    for name in ("rules", "told", "decisions", "found", "requests", "files", "commands", "results"):
        kept = getattr(ledger, name)
        kept.update({key: value for key, value in getattr(found, name).items() if key not in kept})
    for name, one in found.spans.items():
        ledger.spans[name] = one.extended_to(ledger.spans.get(name, one).last)
    return ledger


class FixedSize:
    """A placeholder of the given size, to try a policy with summaries of any length: it says that it is one."""

    def __init__(self, tokens: int) -> None:
        if tokens < 1:
            raise ParameterError(f"a summary of {tokens} tokens is not possible", "the size must be 1 token or more")
        self.tokens = tokens
        self.name = "fixed size"

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """Four characters for each token; " pad" is one token to o200k_base as well."""
        said = f"[placeholder of {self.tokens:,} tokens, no summary was written]"
        return (said + " pad" * self.tokens)[: 4 * self.tokens]


class Recorded:
    """The summaries that the transcript itself recorded: each fold gets the one written next after what it folds.

    One that nobody can read is left out. Where none was written any more, the structural one stands in. Made for one session,
    whose messages it knows by id.
    """

    name = "recorded"

    def __init__(self, session: Session) -> None:
        by_id = {m.id: m for m in session.messages}
        held = (
            (c.at, by_id[c.summary].content) for c in session.compactions if c.summary in by_id and not c.unreadable
        )
        self.texts = [(at, _HEADER.sub("", text)) for at, text in held]
        summaries = {c.summary for c in session.compactions}
        self.places = {m.id: i for i, m in enumerate(m for m in session.messages if m.id not in summaries)}

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The recorded summary, or the structural one."""
        last = max((self.places.get(m.id, -1) for m in messages), default=-1)
        return next((text for at, text in self.texts if at > last), None) or structural(messages, prior)


structural = Structural()
OFFLINE = (Structural, FixedSize, Recorded, Failing)  # at once done, and none of them leaves a ring behind
_HEADER = re.compile(r"\A\[[^\]\n]*\]\n")  # "[summary #1 of 6 earlier messages]": the policy writes its own
_ABOUT = {
    "structural": (
        "Structural, offline",
        "quotes the task, rules, facts, decisions, files and errors, with their messages",
    ),
    "fixed size": ("Fixed size", "a placeholder of 300 tokens, to try a policy without reading summaries"),
    "recorded": ("As recorded", "the transcript's own summaries; structural where it has none"),
    **FAILURES,
}


def summarizers(session: Session | None = None) -> list[SummarizerInfo]:
    """What is known of every offline summarizer; with a session, of those that suit it."""
    suits = session is None or has_recorded(session)
    return [
        SummarizerInfo(name=name, label=label, about=about, fails=name in FAILURES)
        for name, (label, about) in _ABOUT.items()
        if suits or name != "recorded"
    ]


def summarizer(name: str, *, tokens: int = 300, session: Session | None = None) -> Summarizer:
    """The summarizer of that name; `tokens` is the size of a fixed one, `session` whose summaries are `recorded`.

    Raises UnknownNameError, listing the known ones, and ParameterError for `recorded` without a summary that can be read.
    """
    if name == "structural":
        return structural
    if name == "fixed size":
        return FixedSize(tokens)
    if name in FAILURES:
        return Failing(name)
    if name != "recorded":
        raise UnknownNameError("summarizer", name, _ABOUT)
    if session is None or not has_recorded(session):
        raise ParameterError(
            "this transcript has no recorded summary that can be read", "choose structural or fixed size"
        )
    return Recorded(session)


def has_recorded(session: Session) -> bool:
    """Whether the transcript has a summary that can be read."""
    return any(c.summary and not c.unreadable for c in session.compactions)
