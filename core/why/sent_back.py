"""Where a user sends the agent back to what a compaction took: the strongest sign that it was needed.

Three things tell it, the first two in any language. The user names a file whose text is gone, and the agent reads it again.
The user says a sentence of theirs again nearly word for word, or pastes one of the model's, that nothing in the window has. Or
the user asks in English to read something again.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.entities.search import Wanted, normalized, says, search_of
from core.measure.read_again import File, files_in, files_of, is_same_file, reads_again
from core.measure.standing import standing
from core.measure.tool_use import Repeat, tool_uses
from core.model.cached import cached
from core.model.give_way import give_way
from core.trace.trace import Trace
from core.why.events import By
from core.why.said_before import LEAST, SaidBefore, sentences_of, words_of
from core.window.ranges import ADDED, SPACE

_ASKS = re.compile(
    r"\bre-?read\b|\bread\b.*\b(?:again|in full|fully|once more)\b|\brefresh you|\bremind yourself\b", re.IGNORECASE
)
"""How English asks to read something again."""
_PART = re.compile(r"[\w-]{6,}")


class SentBack(NamedTuple):
    """The place of a user's message, the words of it that tell, the messages that are gone to which it sends the agent back.

    `match` is one of BY_USER. Of a sentence that is put back `sentence` is what was said before; "" where a file is meant, all
    of whose text counts.
    """

    place: int
    quote: str
    sources: tuple[int, ...]
    match: By = "asked"
    sentence: str = ""


def sent_back(trace: Trace) -> Sequence[SentBack]:
    """What users send the agent back to, in order; found once for a trace."""
    return cached(trace, "sent back", lambda trace: tuple(_found(trace)) if trace.compactions else ())


def _found(trace: Trace) -> Iterator[SentBack]:
    typed = [place for place, message in enumerate(trace.messages) if message.typed]
    again = sorted(reads_again(trace), key=lambda repeat: repeat.use.at)
    first = trace.compactions[0].at
    for place, behind in pairwise((*typed, len(trace.messages))):
        if place < first:
            continue
        give_way()
        said = list(sentences_of(trace.messages[place]))
        low, high = (bisect_left(again, at, key=lambda repeat: repeat.use.at) for at in (place, behind))
        yield from _to_files(trace, place, said, again[low:high])
        yield from _to_sentences(trace, place, said)


def _to_files(trace: Trace, place: int, said: Sequence[str], again: Sequence[Repeat]) -> Iterator[SentBack]:
    """The sentence that asks to read again, or else each that names a file which the agent reads again."""
    asks = next(filter(_ASKS.search, said), "")
    if not asks:
        told = ((one, [repeat for repeat in again if _names(one, files_in(one), repeat)]) for one in said)
        yield from (SentBack(place, one, _sources(reads)) for one, reads in told if reads)
        return
    named = files_in("\n".join(said))
    reads = [repeat for repeat in again if not named or any(_names(one, named, repeat) for one in said)]
    if gone := _sources(reads) or _gone_of(trace, place, named):
        yield SentBack(place, asks, gone)


def _sources(reads: Sequence[Repeat]) -> tuple[int, ...]:
    return tuple(sorted({source for repeat in reads for source in repeat.sources}))


def _names(sentence: str, named: set[File], repeat: Repeat) -> bool:
    """Whether a sentence names a file that a call reads: with its ending, or a name of several parts without it."""
    words = {word.casefold() for word in _PART.findall(sentence)}
    return any(
        any(is_same_file(file, other) for other in named) or _bare(file) in words for file in files_of(repeat.use)
    )


def _bare(file: File) -> str:
    bare = file[-1].partition(".")[0]
    return bare if "-" in bare or "_" in bare else ""


def _gone_of(trace: Trace, place: int, named: set[File]) -> tuple[int, ...]:
    """The messages that had text of these files; none where an answer that shows one stands in the prompt of a message."""
    windows, found = standing(trace), set[int]()
    for use in tool_uses(trace):
        if use.result < 0 or use.result >= place or not any(is_same_file(a, b) for a in named for b in files_of(use)):
            continue
        if use.does != "write" and windows.stands(use.result, place):
            return ()
        found.update(one for one in (use.at, use.result) if not windows.stands(one, place))
    return tuple(sorted(found))


def _to_sentences(trace: Trace, place: int, said: Sequence[str]) -> Iterator[SentBack]:
    """The sentences that are said again, or pasted."""
    for sentence in said:
        words = words_of(sentence)
        if len(words) < LEAST:
            continue
        match: By = "repeated" if (found := _said_before(trace, place, words)) else "pasted"
        found = found or _written_before(trace, place, sentence)
        if found and not _in_summary(trace, place, found[1]):
            yield SentBack(place, sentence, (found[0],), match, found[1])


def _said_before(trace: Trace, place: int, words: frozenset[str]) -> tuple[int, str] | None:
    """The one message of the user that said it before and is gone; None where several did: then it is a habit."""
    found = cached(trace.measured, "sentences of users", SaidBefore).before(place, words)
    first = next(found, None)
    if first is None or any(one.place != first.place for one in found) or standing(trace).stands(first.place, place):
        return None
    return first.place, first.text


def _written_before(trace: Trace, place: int, sentence: str) -> tuple[int, str] | None:
    """The last reply that has a sentence, if none that stands has it and no user has said it."""
    found = [*search_of(trace.messages).among(sentence, 0, place)]
    if any(trace.messages[i].typed for i in found):
        return None
    replies = [i for i in found if trace.messages[i].role == "assistant" and not trace.messages[i].injected]
    if not replies or any(standing(trace).stands(i, place) for i in replies):
        return None
    return replies[-1], sentence


def _in_summary(trace: Trace, place: int, sentence: str) -> bool:
    """Whether what the last compaction put in has a sentence."""
    done = standing(trace).compactions_before(place)
    put_in = (part for part in trace.compactions[done - 1].layout_after if ADDED <= part[0] < SPACE)
    wanted = Wanted(normalized(sentence), "case")
    return any(says(message, wanted) for part in put_in for message in trace.pool.slice(part))
