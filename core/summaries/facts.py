"""What one message says that a summary may repeat: a request, a rule, a decision, a file, a command, an error.

Facts are taken from a message once and kept as long as the message lives. Words are looked for, nothing is understood:
that is what makes it offline, the same every time, and fast.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from core.model.cached import cached
from core.model.session import Message
from core.model.text import clean, cut, first_sentences, join_sentences, prose, scanned_part, sentence_key, sentences
from core.summaries import phrases as words
from core.summaries.actions import Call, calls_of, plan_of, size_of
from core.summaries.outcomes import Outcome, outcome_of

ASK, SENTENCE, _FRAME, _BEFORE = 320, 180, 16, 80  # characters


Sentences = tuple[tuple[str, str], ...]  # what tells a sentence from others, and the sentence


class Facts(NamedTuple):
    """What one message says: all parts may be empty. `summary` is the text of an earlier summary, ours or not.

    `size` is about how many characters of a window the message takes, the arguments of its calls included.
    """

    size: int = 0
    ask: str = ""
    ask_key: str = ""
    rules: Sentences = ()
    decisions: Sentences = ()
    found: Sentences = ()
    said: str = ""
    intent: str = ""
    plan: str = ""
    calls: tuple[Call, ...] = ()
    outcome: Outcome | None = None
    summary: str = ""


def facts_of(message: Message) -> Facts:
    """The facts of a message, taken once and kept with it: messages of different sessions may share an id."""
    return cached(message, "facts", _facts)


def _facts(message: Message) -> Facts:
    size = _FRAME + len(message.content)
    if is_earlier_summary(message):
        return Facts(size, summary=message.content)
    if message.role == "tool":
        return Facts(size, outcome=outcome_of(message))
    if message.role == "assistant":
        return _of_assistant(message, size)
    if message.typed or (message.role == "user" and message.injected == "command"):
        return _of_user(message, size)
    return Facts(size)


def is_earlier_summary(message: Message) -> bool:
    """Whether a message is the summary of an earlier compaction: marked as one, or headed like one."""
    if message.injected:
        return message.injected == "summary"
    return message.role in ("system", "user") and bool(words.SUMMARY_HEADER.match(message.content))


def _of_user(message: Message, size: int) -> Facts:
    text = _typed(message)
    ask = first_sentences(text[:1600], ASK)
    if not ask or ask.startswith(words.INTERRUPTED):
        return Facts(size)
    low = _lowered(text)
    decided = tuple(_sentences_with(text, low, words.DECIDED_HINTS, words.DECIDED, 2))
    return Facts(
        size,
        ask="" if words.ACKNOWLEDGED.fullmatch(ask) else ask,
        ask_key=sentence_key(ask),
        rules=tuple(s for s in _sentences_with(text, low, words.RULE_HINTS, words.RULE, 6) if s not in decided),
        decisions=decided,
    )


def _typed(message: Message) -> str:
    """What the person typed; of a slash command its name and arguments, and nothing where it only tends the session."""
    text = scanned_part(message.content)
    name = words.COMMAND_NAME.search(text)
    if name is None:
        return prose(text) if message.typed else ""
    arguments = words.COMMAND_ARGUMENTS.search(text)
    if arguments is None or not arguments[1].strip() or name[1].startswith(words.HOUSEKEEPING):
        return ""
    return prose(f"{name[1]} {arguments[1]}")


def _of_assistant(message: Message, size: int) -> Facts:
    size += sum(map(size_of, message.tool_calls))
    calls = calls_of(message) if message.tool_calls else ()
    plan = plan_of(message) if calls else ""
    if not message.content.strip() or message.injected:
        return Facts(size, calls=calls, plan=plan)
    text = prose(scanned_part(message.content))
    low = _lowered(text)
    said, intent = _statement_and_intent(text)
    return Facts(
        size,
        decisions=tuple(_sentences_with(text, low, words.DECIDED_HINTS, words.DECIDED, 2)),
        found=tuple(_sentences_with(text, low, words.FOUND_HINTS, words.FOUND, 1)),
        said=said,
        intent=intent,
        plan=plan,
        calls=calls,
    )


def _statement_and_intent(text: str) -> tuple[str, str]:
    """What a reply states, in one or two sentences, and what it says it does next."""
    said, intent = "", ""
    for sentence in islice(sentences(text[:900]), 10):
        if words.INTENT.match(sentence):
            intent = sentence
        elif len(said) < 60 and len(sentence) > 8 and sentence[-1] != ":" and not words.FILLER.match(sentence):
            said = join_sentences(said, sentence)
    step = words.LEAD_IN.sub("", intent).rstrip(":")
    return cut(said, 260), cut(step[:1].upper() + step[1:], SENTENCE) if len(step) > 14 else ""


def _sentences_with(
    text: str, low: str, hints: words.Hints, pattern: re.Pattern[str], most: int
) -> Iterator[tuple[str, str]]:
    """The first sentences that hold a word of the pattern: no questions, no scraps, none about not knowing.

    Only the sentences around a hint are looked at: `low` is the text in lower case, a hint a part of it.
    """
    end = found = 0
    hits = [hint for hint in hints if hint in low]
    for place in sorted(place for hint in hits for place in _places(low, hint)) if hits else ():
        if place < end:
            continue
        start, end = _around(text, place)
        sentence = _sentence(text, start, end)
        if (
            12 <= len(sentence) <= 400
            and sentence[-1] not in "?:"
            and pattern.search(sentence)
            and not words.NO_RULE.search(sentence)
            and (sentence := _alone(text, start, sentence) if pattern is words.RULE else sentence)
        ):
            yield sentence_key(sentence), cut(sentence, SENTENCE)
            found += 1
            if found == most:
                return


def _sentence(text: str, start: int, end: int) -> str:
    return clean(text[start:end].lstrip(" )]\"'*"))


def _alone(text: str, start: int, rule: str) -> str:
    """A rule that can be read alone: with the sentence before it where it speaks of "one of them"; "" if there is none."""
    if lead := words.AND.match(rule):
        rule = rule[lead.end() :][:1].upper() + rule[lead.end() + 1 :]
    many = words.MANY_ELSE.match(rule)
    if not many and not words.ONE_ELSE.match(rule):
        return rule
    ended = len(text[:start].rstrip(" )]\"'*\n")) - 2  # inside the sentence before, not at its full stop
    before = _sentence(text, *_around(text, ended)) if ended > 0 else ""
    if before:
        return join_sentences(cut(before, _BEFORE), rule)
    return "" if many else rule  # "it" may well be the task itself


def _places(low: str, hint: str) -> Iterator[int]:
    """Where the hint stands, the first four times."""
    place = low.find(hint)
    for _ in range(4):
        if place < 0:
            return
        yield place
        place = low.find(hint, place + 1)


_BREAK = re.compile(r"[.!?](?=[\s\"')*]|$)|\n|[。！？]")


def _around(text: str, place: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends; nothing further than 300 characters off is looked at."""
    place += text[place] in ".!?\n"
    first = max(0, place - 300)
    before = [m.end() for m in _BREAK.finditer(text, first, place)]
    after = _BREAK.search(text, place, place + 300)
    return (before[-1] if before else first), (after.end() if after else min(len(text), place + 300))


def _lowered(text: str) -> str:
    """The text in lower case, with plain apostrophes, each character where it was."""
    low = text.lower().replace("’", "'")
    return low if len(low) == len(text) else text
