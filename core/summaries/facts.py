"""What one message says that a summary may repeat: a request, a rule, a decision, a file, a command, an error.

Facts are taken from a message once and kept as long as the message lives. Words are looked for, nothing is understood:
that is what makes it offline, the same every time, and fast.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from core.model.cached import cached
from core.model.own_text import request_of
from core.model.session import Message
from core.model.text import (
    clean,
    cut,
    first_sentences,
    goes_on,
    is_bare_command,
    prose,
    scanned_part,
    sentence_key,
    sentences,
)
from core.summaries import phrases as words
from core.summaries.actions import Call, calls_of, plan_of, size_of
from core.summaries.doubts import Denials, denials_of, tells_failure
from core.summaries.hints import Hinted
from core.summaries.outcomes import Outcome, outcome_of
from core.summaries.statements import Stated, Statements, statements_of

ASK, SENTENCE, SAID, _FRAME = 320, 180, 260, 16  # characters
_SCRAP = 12  # characters: a shorter sentence says nothing by itself
_REPLY = 240  # characters: a longer text is no short reply
_TASK = 4  # words behind a slash command that say what is to be done, and not only to what

Speaker = Literal["user", "assistant", "tool", "harness", ""]
_RESULTS = (
    "observation",
    "error",
    "hook",
    "submission",
)  # what harnesses put in for the result of a call, as a user's message
_NEWS = ("task-notification", "notification", "agent")  # what they put in between, and the model answers


class Facts(NamedTuple):
    """What one message says: all parts may be empty. `summary` is the text of an earlier summary, ours or not.

    `size` is about how many characters of a window the message takes, the arguments of its calls included. `plan` is None
    where no plan was written, and "" where nothing is left of it.
    """

    size: int = 0
    by: Speaker = ""
    ask: str = ""
    ask_key: str = ""
    states: Statements = Statements()
    command: bool = False
    objects: bool = False
    stops: bool = False
    retracts: bool = False
    fails: bool = False
    denies: Denials = ()
    decisions: Stated = ()
    found: Stated = ()
    said: str = ""
    intent: str = ""
    plan: str | None = None
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
        return Facts(size, "tool", outcome=outcome_of(message))
    if message.role == "assistant":
        return _of_assistant(message, size)
    if message.role == "user" and message.content.startswith(words.INTERRUPTED):
        return Facts(size, "user", stops=True)
    if message.typed or (message.role == "user" and message.injected == "command"):
        return _of_user(message, size)
    return Facts(size, "tool" if message.injected in _RESULTS else "harness" if message.injected in _NEWS else "")


def is_earlier_summary(message: Message) -> bool:
    """Whether a message is the summary of an earlier compaction: marked as one, or headed like one."""
    if message.injected:
        return message.injected == "summary"
    return message.role in ("system", "user") and bool(words.SUMMARY_HEADER.match(message.content))


def _of_user(message: Message, size: int) -> Facts:
    text = _typed(message)
    ask = first_sentences(text[:1600], ASK)
    if not ask or ask.startswith(words.CAVEAT):
        return Facts(size)
    decided = tuple(_decided_by_user(text, _lowered(text)))
    stated = statements_of(text, ask)
    keys = {key for key, _ in decided}
    return Facts(
        size,
        "user",
        ask="" if words.ACKNOWLEDGED.fullmatch(ask) else ask,
        ask_key=sentence_key(ask),
        states=stated._replace(rules=tuple(rule for rule in stated.rules if rule[0] not in keys)),
        command=text.startswith("/") and _is_brief_command(text),
        objects=bool(words.OBJECTS.match(text)),
        fails=tells_failure(ask),
        denies=denials_of(ask),
        decisions=() if stated.only else decided,
    )


def _decided_by_user(text: str, low: str) -> Iterator[tuple[str, str]]:
    """The first two sentences in which a user decides, rules something out, or turns down what was done for something else."""
    turned_down = _sentences_with(text, low, words.TURNED_DOWN_NEAR, words.TURNED_DOWN, 2)
    chosen = _sentences_with(text, low, words.DECIDED_NEAR, words.DECIDED, 2)
    return islice(dict.fromkeys((*turned_down, *chosen, *_ruled_out(text))), 2)


def _ruled_out(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a short reply that rule something out, or the words that let it be, whatever is asked behind them."""
    for sentence in sentences(text) if len(text) <= _REPLY else ():
        found = ruled_out(sentence)
        if len(found) >= _SCRAP:
            yield sentence_key(found), cut(found, SENTENCE)


def ruled_out(sentence: str) -> str:
    """What of a sentence rules something out, or lets it be; "" where nothing does."""
    if sentence[-1:] not in "?:" and words.RULED_OUT.search(sentence):
        return sentence
    found = words.LET_BE.pattern.match(sentence) if words.LET_BE.may_hold(sentence) else None
    return found[0] if found else ""


def _typed(message: Message) -> str:
    """What the person typed; of a slash command its name and arguments, and nothing where it only tends the session."""
    if not message.typed:
        return ""
    text = prose(scanned_part(request_of(message.content))).strip()
    bare = is_bare_command(text) or text.split(" ", 1)[0] in words.HOUSEKEEPING
    return "" if bare else text


def _is_brief_command(text: str) -> bool:
    """Whether a slash command says too little behind its name to be a task by itself."""
    found = words.SLASH.fullmatch(text)
    return found is not None and len((found[2] or "").split()) < _TASK


def _of_assistant(message: Message, size: int) -> Facts:
    size += sum(map(size_of, message.tool_calls))
    calls = calls_of(message) if message.tool_calls else ()
    plan = plan_of(message) if calls else None
    if not message.content.strip() or message.injected:
        return Facts(size, "assistant", calls=calls, plan=plan)
    text = prose(_FENCED.sub("\n…\n", scanned_part(message.content)))
    low = _lowered(text)
    said, intent = _statement_and_intent(text)
    found = _sentences_with(text, low, words.FOUND_NEAR, words.FOUND, 3)
    return Facts(
        size,
        "assistant",
        retracts=bool(words.RETRACTS.match(said)),
        fails=tells_failure(said),
        denies=denials_of(said),
        decisions=tuple(_sentences_with(text, low, words.DECIDED_NEAR, words.DECIDED, 2)),
        found=tuple(islice((pair for pair in found if not words.SUPPOSED.search(pair[1])), 1)),
        said=said,
        intent=intent,
        plan=plan,
        calls=calls,
    )


def _statement_and_intent(text: str) -> tuple[str, str]:
    """What a reply states, in its own first words, and what it says at its end that it does next.

    Nothing is passed over in front: behind a "No." the rest may say the contrary. A reply that begins with what it is about
    to do states nothing yet.
    """
    parts = list(islice(sentences(text[:900]), 10))
    first = next((i for i, part in enumerate(parts) if words.INTENT.match(part)), len(parts))
    said = first_sentences("\n".join(parts[:first]), SAID)
    last = parts[-1] if parts and len(text) <= 900 else ""
    step = words.LEAD_IN.sub("", last).rstrip(":") if words.INTENT.match(last) else ""
    return said, cut(step[:1].upper() + step[1:], SENTENCE) if len(step) > 14 else ""


def _sentences_with(text: str, low: str, near: words.Near, pattern: Hinted, most: int) -> Iterator[tuple[str, str]]:
    """The first sentences that hold a word of the pattern: no questions and no scraps.

    Only the sentences around one of the texts `near` are looked at; `low` is the text in lower case.
    """
    end = found = 0
    hits = [one for part in near if part in low for one in near[part] if one in low]
    for place in sorted(place for one in hits for place in _places(low, one)) if hits else ():
        if place < end:
            continue
        start, end = _around(text, place)
        sentence = clean(text[start:end].lstrip(" )]\"'*"))
        if _SCRAP <= len(sentence) <= 400 and sentence[-1] not in "?:" and pattern.search(sentence):
            yield sentence_key(sentence), cut(sentence, SENTENCE)
            found += 1
            if found == most:
                return


def _places(low: str, near: str) -> Iterator[int]:
    """Where a text stands, the first four times."""
    place = low.find(near)
    for _ in range(4):
        if place < 0:
            return
        yield place
        place = low.find(near, place + 1)


_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)  # left out of a quote, which says so: "Use this: … It is faster."
_BREAK = re.compile(r"[.!?](?=[\s\"')*]|$)|\n|[。！？]")


def _around(text: str, place: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends; nothing further than 300 characters off is looked at."""
    place += text[place] in ".!?\n"
    first = max(0, place - 300)
    before = [m.end() for m in _breaks(text, first, place)]
    after = next(_breaks(text, place, place + 300), None)
    return (before[-1] if before else first), (after.end() if after else min(len(text), place + 300))


def _breaks(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Where sentences end, or lines."""
    found = _BREAK.finditer(text, start, end)
    return (one for one in found if not goes_on(text[start : one.end()], text[one.end() + 1 : one.end() + 2]))


def _lowered(text: str) -> str:
    """The text in lower case, with plain apostrophes, each character where it was."""
    low = text.lower().replace("’", "'")
    return low if len(low) == len(text) else text
