"""Which passages a sentence may come from."""

import random

import pytest

from core.origins import align
from core.origins.align import MOST, Match, matches, wanted_of
from core.origins.passages import Corpus, Said
from core.origins.terms import terms

WORDS = [f"{letter}ano" for letter in "bcdfghklmnprstvz"]


def _found(seed: int) -> list[Match]:
    """What a sentence of eight words may come from, among thirty messages of two passages each."""
    some = random.Random(seed)
    texts = [" ".join(some.choices(WORDS, k=12)) + "\n" + "x" * 300 + " " + some.choice(WORDS) for _ in range(30)]
    sentence = " ".join(some.sample(WORDS, 8))
    corpus = Corpus([Said(place, text, "user") for place, text in enumerate(texts)], frozenset(terms(sentence)))
    return matches(wanted_of(sentence, corpus), corpus)


@pytest.mark.parametrize("seed", range(8))
def test_a_passage_that_cannot_be_named_is_left_aside(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer are compared word by word than are likely, and those that are named are the same, with the same scores."""
    found, compared, in_order = _found(seed), list[int](), align._in_order

    def counted(*given: object) -> float:
        compared.append(1)
        return in_order(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(align, "_in_order", counted)
    assert _found(seed) == found
    fewer = len(compared)
    monkeypatch.setattr(align, "_least", lambda found: 0.0)
    assert _found(seed) == found
    assert len(found) == MOST
    assert fewer < len(compared) - fewer
