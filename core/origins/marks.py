"""A passage as a quote: where it has the words of the sentence, and which items of its lists the sentence left out."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice, pairwise

from core.origins.common import EMPTY
from core.origins.origin import Span
from core.origins.terms import placed, terms

_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+|und\s+)?|\s(?:and|or|und)\s+|、|，)")
_CLAUSE = re.compile(r"[^.;:!?()\n]+|[^.;:!?()\n]*[.](?=\w)[^;:!?()\n]*")
_WORDS = re.compile(r"[\w`'*./-]+")
_ITEM = 3  # words of an item at most: what is longer is no item of a list
_HELD = 2  # items of a list that the sentence has, so that another one is missed


def marked(passage: str, shared: Set[str]) -> tuple[str, tuple[Span, ...]]:
    """The passage without white space around it, and where in it the shared terms stand."""
    quote = passage.strip()
    return quote, tuple((one.start, one.end) for one in placed(quote) if one.term in shared)


def left_out(quote: str, sentence: str) -> tuple[Span, ...]:
    """The items of the quote's lists that the sentence does not have, where it has at least two others of the list."""
    said = terms(sentence)
    return tuple(span for items in _lists(quote) for span in _missed(items, quote, said))


def _lists(quote: str) -> Iterator[list[Span]]:
    """The items of each list of three or more short items, parted by commas and "and"."""
    for clause in _CLAUSE.finditer(quote):
        ends: list[Span] = []
        for between in _BETWEEN.finditer(quote, clause.start(), clause.end()):
            ends.append(between.span())
            if between[0].strip(", \n"):  # "and": one more item, and the list is over
                break
        if len(ends) < _HELD:
            continue
        inner = [(a, b) for (_, a), (b, _) in pairwise(ends)]
        if all(len(_WORDS.findall(quote, a, b)) <= _ITEM for a, b in inner):
            yield [*_last(quote, clause.start(), ends[0][0]), *inner, *_first(quote, ends[-1][1], clause.end())]


def _last(quote: str, start: int, end: int) -> list[Span]:
    """The last word in front of a list: its first item."""
    found = list(_WORDS.finditer(quote, start, end))
    return [found[-1].span()] if found else []


def _first(quote: str, start: int, end: int) -> list[Span]:
    """The first word behind the last comma or "and" that says something: the last item."""
    found = (match for match in _WORDS.finditer(quote, start, end) if match[0].lower() not in EMPTY)
    return [match.span() for match in islice(found, 1)]


def _missed(items: Sequence[Span], quote: str, said: Set[str]) -> Iterator[Span]:
    named = [(span, terms(quote[span[0] : span[1]])) for span in items]
    if sum(bool(names) and names <= said for _, names in named) < _HELD:
        return
    for span, names in named:
        if names and names.isdisjoint(said) and quote[span[0] : span[1]].lower() not in EMPTY:
            yield span


def also_said(quotes: Sequence[tuple[str, Sequence[Span]]]) -> str:
    """What sources say beside a sentence, in words: "Both sources also say reference."; "" where they say nothing more."""
    sayers: dict[str, int] = {}
    for quote, spans in quotes:
        for word in dict.fromkeys(quote[a:b].strip("`*' ") for a, b in spans):
            sayers[word] = sayers.get(word, 0) + 1
    if not sayers:
        return ""
    most = max(sayers.values())
    words = [word for word, count in sayers.items() if count == most][:3]
    who = {1: "A source also says", 2: "Both sources also say" if len(quotes) == 2 else "Two sources also say"}
    return f"{who.get(most, f'{most} sources also say')} {_listed(words)}."


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
