"""Which passages a sentence may come from: those that hold most of what it says, the rare words first."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from itertools import pairwise
from math import fsum
from typing import NamedTuple

import numpy as np

from core.origins.facts import Fact, facts_of
from core.origins.passages import Corpus, Passage
from core.origins.terms import placed, terms

MOST = 6  # messages that a sentence may come from
_CANDIDATES = 40  # passages that are looked at closely
_PLACES, _LEAST = 5_000, 3  # passages of the terms by which those are found, and how many terms are taken in any case
_NEAR = 2  # terms in between at most, where two that follow each other in the sentence do so in the passage
_ORDER, _WHOLE, _NAMED = 0.4, 0.15, 0.15  # how much neighbouring words count, the rest of the message, and exact things
_BESIDE = 0.4  # of the best score: what fits less is left out
_ROUNDED = 0.001  # scores that differ by less may be ranked as equal


class Match(NamedTuple):
    """A passage that holds some of a sentence: the terms they share, their weight's share of all, and how well it fits."""

    passage: Passage
    shared: frozenset[str]
    share: float
    score: float


class Wanted(NamedTuple):
    """What is looked for: the terms of a sentence with their weights, in order, and the sum of the weights."""

    text: str
    facts: tuple[Fact, ...]
    order: tuple[str, ...]
    weights: dict[str, float]
    total: float
    pairs: dict[tuple[str, str], float]
    pairs_total: float

    def share(self, names: frozenset[str] | set[str]) -> float:
        """How much of the sentence these terms are, up to 1."""
        return sum([weight for name, weight in self.weights.items() if name in names]) / self.total


def wanted_of(text: str, corpus: Corpus) -> Wanted:
    """What is looked for of a sentence, its terms weighted by how rare they are among the passages."""
    weights = {name: corpus.weight(name) for name in sorted(terms(text))}
    order = tuple(one.term for one in placed(text))
    pairs = {(a, b): weights[a] + weights[b] for a, b in pairwise(order)}
    total = sum(weights.values()) or 1.0
    return Wanted(text, facts_of(text), order, weights, total, pairs, sum(pairs.values()))


def matches(wanted: Wanted, corpus: Corpus) -> list[Match]:
    """The best passage of each message, the best first."""
    found: dict[int, Match] = {}
    least = 0.0
    for k in _likely(wanted, corpus):
        one = _match(wanted, corpus, k, least - _ROUNDED)
        if one and (one.passage.said not in found or one.score > found[one.passage.said].score):
            found[one.passage.said] = one
            least = _least(found)
    ranked = sorted(found.values(), key=lambda one: (-round(one.score, 3), one.passage.said))
    least = _BESIDE * ranked[0].score if ranked else 0.0
    return _first_and_last([one for one in ranked if one.score >= least])[:MOST]


def _least(found: Mapping[int, Match]) -> float:
    """What a passage has to score to be named beside these."""
    best = nlargest(MOST, (one.score for one in found.values()))
    return max(_BESIDE * best[0], best[-1] if len(best) == MOST else 0.0)


def _first_and_last(ranked: Sequence[Match]) -> list[Match]:
    """Of messages that fit equally well the last one moved behind the first: where it was said, and where said again."""
    found: list[Match] = []
    equal: list[Match] = []
    for one in ranked:
        if equal and round(one.score, 3) != round(equal[0].score, 3):
            found += _ends(equal)
            equal = []
        equal.append(one)
    return found + _ends(equal)


def _ends(equal: Sequence[Match]) -> list[Match]:
    return [equal[0], equal[-1], *equal[1:-1]] if len(equal) > 2 else list(equal)


def _likely(wanted: Wanted, corpus: Corpus) -> list[int]:
    """The passages that share most of the weight of the rarest terms; of equal ones those with the rarer term first."""
    rarest = _rarest(wanted, corpus)
    if not rarest:
        return []
    shared, first = np.zeros(len(corpus)), np.full(len(corpus), len(rarest))
    for count, name in reversed(list(enumerate(rarest))):
        first[corpus.having[name]] = count
    for name in rarest:
        shared[corpus.having[name]] += wanted.weights[name]
    best = shared.nonzero()[0]
    if len(best) > _CANDIDATES:
        least = np.partition(shared, -_CANDIDATES)[-_CANDIDATES]
        best = (shared >= least).nonzero()[0]
    ordered = best[np.lexsort((best, first[best], -shared[best]))]
    return list(map(int, ordered[:_CANDIDATES]))


def _rarest(wanted: Wanted, corpus: Corpus) -> list[str]:
    """The rarest terms that passages have: as many as few passages have, three at least."""
    counts = {name: len(corpus.having.get(name, ())) for name in wanted.weights}
    found: list[str] = []
    looked = 0
    for count, name in enumerate(sorted(counts, key=counts.__getitem__)):
        looked += counts[name]
        if looked > _PLACES and count >= _LEAST and found:
            break
        if counts[name]:
            found.append(name)
    return found


def _match(wanted: Wanted, corpus: Corpus, k: int, least: float) -> Match | None:
    """How well passage k fits; None where it cannot score as much as `least`, whatever the order of its words."""
    passage = corpus.passage(k)
    shared = passage.terms & wanted.weights.keys()
    share = wanted.share(shared)
    whole = wanted.share(corpus.message_terms(passage.said))
    text = corpus.text(passage)
    low = text.lower()
    named = sum(fact.key in low for fact in wanted.facts) / len(wanted.facts) if wanted.facts else 0.0
    beside = _WHOLE * whole + _NAMED * named
    if share * (1 + _ORDER) + beside < least:
        return None
    score = share * (1 + _ORDER * _in_order(wanted, corpus.in_order(k))) + _WHOLE * whole + _NAMED * named
    return Match(passage, shared, share, score)


def _in_order(wanted: Wanted, names: Sequence[str]) -> float:
    """The share of the sentence's neighbouring terms that are near each other, in that order, among these too."""
    if not wanted.pairs:
        return 0.0
    pairs, held = wanted.pairs, [(i, name) for i, name in enumerate(names) if name in wanted.weights]
    near = (
        (a, b)
        for step in range(1, 2 + _NEAR)
        for (i, a), (j, b) in zip(held, held[step:], strict=False)
        if j - i <= 1 + _NEAR
    )
    return fsum(map(pairs.__getitem__, pairs.keys() & near)) / wanted.pairs_total
