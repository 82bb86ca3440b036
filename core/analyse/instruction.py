"""A rule that the user set for good, and that the window no longer has once the message is gone."""

import re
from collections.abc import Iterator, Sequence

from core.analyse.finding import Finding, quoted
from core.analyse.needed_again import at_need, came_of_it, more_of, titled
from core.analyse.window_change import WindowChange
from core.entities.search import search_of
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import clean, prose, sentences
from core.origins.follow import unwrapped
from core.origins.needs import needed_after
from core.origins.remains import Remains, remains_in
from core.summaries.standing import lasts
from core.summaries.statements import kind_of
from core.trace.trace import Trace

KINDS = ("instruction_gone",)

_TYPED = 600  # characters: of a longer text much is pasted, and only an order in so many words is the user's own
_READ = 20_000  # characters: a longer text is a file
_ORDER = re.compile(r"(?:Please )?(?:Never|Always|Only use|Use only|(?i:do not|don't))\b|[^`]*\b(?:must|MUST)\b")
_JOINING = re.compile(r"(?:And|But|Also|So),? (?=\w)")  # what joins a rule to the sentence before
_FOLLOWED = 6  # rules of a compaction of which it is looked for whether they were needed
_STEM = 5  # letters in which two forms of a word agree
_KEPT = 0.5  # the share of an instruction's words with which a system message gives it, too


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The instructions that go now, with their message or with a summary that said them, if nothing after says them."""
    event = change.compaction
    rules = rules_of(trace)
    if event.unreadable or not event.acted or not rules:
        return
    told = [change.before[i] for i in change.removed if change.before[i].injected == "summary"]
    gone = [
        (trace.messages[place], rule)
        for place, rule in rules
        if place < event.at
        and (place in change.removed or (place not in change.before and any(_tells(one, rule) for one in told)))
    ]
    stayed = [message for message in change.after.values() if message.role != "system"]
    remains = Remains(change.put, stayed) if gone else None
    gone = [(message, rule) for message, rule in gone if remains and not _is_kept(change, trace, remains, rule)]
    if gone:
        yield _finding(change, trace, index, gone)


def rules_of(trace: Trace) -> tuple[tuple[int, str], ...]:
    """The rules that the user set for good, each with the place of its message; computed once."""
    return cached(trace.measured, "rules", lambda _: tuple(_all_rules(trace)))


def _all_rules(trace: Trace) -> Iterator[tuple[int, str]]:
    """The rules in typed messages, each with the place of its message."""
    for place, message in enumerate(trace.messages):
        yield from ((place, rule) for rule in (_rules(message) if message.typed else ()))


def _tells(message: Message, rule: str) -> bool:
    """Whether a summary says a rule, or a good part of it."""
    return remains_in(message).of(rule).verdict != "gone"


def _says(told: Sequence[set[str]], rule: str) -> bool:
    """Whether one of the texts, given by their words, has at least half of the words of a rule."""
    words = _words(rule)
    return any(len(words & known) >= _KEPT * len(words) for known in told)


def _rules(message: Message) -> list[str]:
    """The sentences of a message that state a rule, and are no order for this once."""
    text = own_text(message)
    if len(text) > _READ:
        return []
    parts = [unwrapped(part, message) for part in sentences(prose(text)) if kind_of(part) == "rule"]
    if len(text) > _TYPED:
        parts = [part for part in parts if _ORDER.match(part) and part[0].isupper()]
    return [part for part in parts if lasts(part) and len(_words(part)) > 1]


def _is_kept(change: WindowChange, trace: Trace, remains: Remains, rule: str) -> bool:
    """Whether the window after has a rule: word for word, in other words, or a good part of it in what was put in.

    Or in a sentence of a system message: what a harness asks for at the start it often says there, too.
    """
    if remains.of(rule).verdict != "gone":
        return True
    systems = (message for message in change.after.values() if message.role == "system" and not message.injected)
    if any(_says(cached(message, "words of sentences", _sentence_words), rule) for message in systems):
        return True
    return any(place in change.after for place in search_of(trace.messages).places(rule).places)


def _sentence_words(message: Message) -> list[set[str]]:
    return [_words(part) for part in sentences(message.content[:_READ])]


def _words(text: str) -> set[str]:
    """The beginnings of the words that say something: those of four letters or more, and numbers."""
    words = clean(text).casefold().replace("n't", " not ").split()
    bare = ("".join(filter(str.isalnum, word)) for word in words)
    return {word[:_STEM] for word in bare if len(word) > 3 or word.isdecimal()}


def _finding(change: WindowChange, trace: Trace, index: int, gone: list[tuple[Message, str]]) -> Finding:
    subjects = [_JOINING.sub("", rule) for _, rule in gone]
    step = trace.compaction_step(index)
    needs = [needed_after(trace, subject, step, gone=True) for subject in subjects[:_FOLLOWED]]
    first = next((k for k, need in enumerate(needs) if need is not None), 0)
    needed, rest = needs[first], len(gone) - 1
    asked = f"{quoted(gone[first][1])}, which the user asked for, was {change.where}"
    more, came = more_of(rest, "rule"), came_of_it(trace, needed)
    order = [gone[first], *gone[:first], *gone[first + 1 :]]
    return Finding(
        kind="instruction_gone",
        concern="lost",
        severity="warning",
        title=titled("A rule of the user is gone", needed),
        text=f"{asked}, and nothing in the window says it any more.{more} {came}",
        messages=tuple(dict.fromkeys(message.id for message, _ in order)),
        numbers={"instructions": len(gone), **at_need(needed)},
        subject=subjects[first],
    )
