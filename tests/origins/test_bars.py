"""How well sentences are traced on the shared transcripts: the bars that must hold, on labels read by hand."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from core import Trace, load, replay
from core.origins.origin import Traced
from core.origins.provenance import provenance
from core.origins.sentences import sentences_of
from tests.origins.labels import PLANTED, TRUE, digest


@cache
def _trace(path: Path) -> Trace:
    return replay(load(path))


def _true(shared: Path) -> Iterator[tuple[Traced, tuple[int, ...]]]:
    """Each labelled sentence as it was traced, with the places of its true sources."""
    for name, k, labels in TRUE:
        trace = _trace(shared / "transcripts" / name)
        summary = trace.compactions[k].summary
        assert summary
        texts = {digest(one.text): one.text for one in sentences_of(summary.content)}
        found = provenance(trace, k, [texts[label] for label in labels])
        yield from zip(found.sentences, labels.values(), strict=True)


def _planted(shared: Path) -> Iterator[tuple[str, Traced]]:
    for name, k, kind, text in PLANTED:
        yield kind, provenance(_trace(shared / "transcripts" / name), k, [text]).sentences[0]


def test_a_true_source_is_among_the_first_three(shared: Path) -> None:
    """For 95 % of the sentences; and at most 5 % of them are called sourceless."""
    found = list(_true(shared))
    named = [bool({one.place for one in traced.sources[:3]} & set(places)) for traced, places in found]
    assert len(named) >= 50
    assert sum(named) >= 0.95 * len(named)
    assert sum(traced.verdict == "no_source" for traced, _ in found) <= 0.05 * len(found)
    assert sum(traced.verdict == "supported" for traced, _ in found) >= 0.45 * len(found)


def test_false_sentences_are_not_called_supported(shared: Path) -> None:
    """75 % of all, and 95 % of those with a wrong file, name or number."""
    found = list(_planted(shared))
    exact = [traced for kind, traced in found if kind in ("file", "name", "number")]
    assert len(found) >= 25
    assert sum(traced.verdict != "supported" for _, traced in found) >= 0.75 * len(found)
    assert sum(traced.verdict != "supported" for traced in exact) >= 0.95 * len(exact)


@pytest.mark.parametrize("kind", ["swapped", "invented"])
def test_no_kind_of_false_sentence_passes_as_a_whole(shared: Path, kind: str) -> None:
    """Most of each kind are caught."""
    found = [traced for name, traced in _planted(shared) if name == kind]
    assert sum(traced.verdict != "supported" for traced in found) >= 0.75 * len(found)
