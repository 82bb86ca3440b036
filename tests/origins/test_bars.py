"""How well sentences are traced on the shared transcripts: the bars that must hold, on labels read by hand."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from core import Trace, load, meter, policy, replay, simulate
from core.origins.facts import Fact, facts_of
from core.origins.origin import Traced
from core.origins.provenance import provenance
from core.origins.sentences import claims_of
from tests.origins.labels import PLANTED, TRUE, digest
from tests.origins.written import written

SORTS = ("file", "number", "name")


@cache
def _trace(path: Path) -> Trace:
    return replay(load(path))


def _true(shared: Path) -> Iterator[tuple[Traced, tuple[int, ...]]]:
    """Each labelled sentence as it was traced, with the places of its true sources."""
    for name, k, labels in TRUE:
        trace = _trace(shared / "transcripts" / name)
        summary = trace.compactions[k].summary
        assert summary
        texts = {digest(one.text): one.text for one in claims_of(summary.content)}
        found = provenance(trace, k, [texts[label] for label in labels])
        yield from zip(found.sentences, labels.values(), strict=True)


def _planted(shared: Path) -> Iterator[tuple[str, Traced]]:
    for name, k, kind, text in PLANTED:
        yield kind, provenance(_trace(shared / "transcripts" / name), k, [text]).sentences[0]


def test_a_true_source_is_among_the_first_three(shared: Path) -> None:
    """For 95 % of the sentences; and at most 5 % of them are called sourceless."""
    found = list(_true(shared))
    named = [bool({one.place for one in traced.sources[:3]} & set(places)) for traced, places in found]
    assert len(named) >= 75
    assert sum(named) >= 0.95 * len(named)
    assert sum(traced.verdict == "no_source" for traced, _ in found) <= 0.05 * len(found)
    assert sum(traced.verdict == "supported" for traced, _ in found) >= 0.5 * len(found)


def test_false_sentences_are_not_called_supported(shared: Path) -> None:
    """75 % of all, and 95 % of those with a wrong file, name or number."""
    found = list(_planted(shared))
    exact = [traced for kind, traced in found if kind in ("file", "name", "number")]
    assert len(found) >= 25
    assert sum(traced.verdict != "supported" for _, traced in found) >= 0.75 * len(found)
    assert sum(traced.verdict != "supported" for traced in exact) >= 0.95 * len(exact)


def test_a_fact_of_another_sentence_is_no_fact_of_this_one(shared: Path) -> None:
    """Supported sentences with one file, identifier or number of another, made by a rule.

    95 % are not called supported, of those by which nothing was tuned, and of all.
    """
    found = list(_swapped(shared))
    unseen = [traced for traced, seen in found if not seen]
    assert len(unseen) >= 50
    for some in (unseen, [traced for traced, _ in found]):
        assert sum(traced.verdict != "supported" for traced in some) >= 0.95 * len(some)


def _swapped(shared: Path) -> Iterator[tuple[Traced, bool]]:
    """The false sentences as they were traced, and whether each is of the half that the rules were made by."""
    for name, k in sorted({(name, k) for name, k, _ in TRUE}):
        trace = _trace(shared / "transcripts" / name)
        summary = trace.compactions[k].summary
        assert summary
        sentences = provenance(trace, k, [one.text for one in claims_of(summary.content)]).sentences
        said = [(one.text, [fact for fact in facts_of(one.text) if _is_exact(fact)]) for one in sentences]
        known = {sort: sorted({f.text for _, facts in said for f in facts if f.sort == sort}) for sort in SORTS}
        chosen = [pair for pair, one in zip(said, sentences, strict=True) if one.verdict == "supported"]
        plants = [plant for text, facts in chosen for fact in facts if (plant := _plant(text, fact, known[fact.sort]))]
        if plants:
            found = provenance(trace, k, [text for text, _ in plants]).sentences
            yield from zip(found, [seen for _, seen in plants], strict=True)


def _is_exact(fact: Fact) -> bool:
    """Whether nobody could mean something else by it."""
    return fact.sort != "name" or re.fullmatch(r"\w*(?:[a-z][A-Z]|_\w)\w*|--[\w-]+", fact.text) is not None


def _plant(text: str, fact: Fact, known: list[str]) -> tuple[str, bool] | None:
    """The sentence with another fact in place of one, and whether it is of the half to work by; None for a short one."""
    others = [one for one in known if one.lower() not in text.lower()]
    by = int(digest(text + fact.text), 16)
    if not others or "\n" in text or len(text) > 400 or len(text.split()) < 6:
        return None
    other = others[by // 2 % len(others)]
    made = re.sub(rf"(?<![\w-]){re.escape(fact.text)}(?![\w-])", lambda _: other, text)
    return None if made == text else (made, by % 2 == 1)


@pytest.mark.parametrize("kind", ["swapped", "invented"])
def test_no_kind_of_false_sentence_passes_as_a_whole(shared: Path, kind: str) -> None:
    """Most of each kind are caught."""
    found = [traced for name, traced in _planted(shared) if name == kind]
    assert sum(traced.verdict != "supported" for traced in found) >= 0.75 * len(found)


@cache
def _folded(path: Path) -> Trace:
    """The session under a policy that folds most of it, where it recorded no summary."""
    session, count = load(path), meter("agentkit")
    whole = sum(map(count.count, session.messages))
    return simulate(session, policy("agentkit.memory", budget=int(whole * 0.6), keep_recent=6), meter=count)


@pytest.mark.parametrize("which", ["seen", "unseen"])
def test_sentences_about_other_sessions_hold_the_bars(shared: Path, which: Literal["seen", "unseen"]) -> None:
    """True ones: a source among the first three for 95 %, 5 % sourceless at most. False ones: 95 and 75 % not supported."""
    sentences = written(which)
    true = [(_about(shared, name, text), places) for name, text, places in sentences.true]
    named = [bool({one.place for one in traced.sources[:3]} & set(places)) for traced, places in true]
    assert sum(named) >= 0.95 * len(named)
    assert sum(traced.verdict == "no_source" for traced, _ in true) <= 0.05 * len(true)
    assert sum(traced.verdict == "supported" for traced, _ in true) >= 0.5 * len(true)
    false = [(kind, _about(shared, name, text).verdict != "supported") for name, kind, text in sentences.false]
    exact = [caught for kind, caught in false if kind in SORTS]
    assert sum(exact) >= 0.95 * len(exact)
    assert sum(caught for _, caught in false) >= 0.75 * len(false)


def _about(shared: Path, name: str, text: str) -> Traced:
    return provenance(_folded(shared / "transcripts" / name), 0, [text]).sentences[0]
