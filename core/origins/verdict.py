"""How much of a sentence its sources say: what was compared, and what spoke against it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.entities.denials import claims
from core.origins.align import Match, Wanted
from core.origins.contrary import clauses, denied, opposed, other_speaker, sentences_in, unheard
from core.origins.displaced import Displaced
from core.origins.facts import Fact, Near
from core.origins.origin import Verdict
from core.origins.passages import Corpus
from core.origins.terms import terms

_ENOUGH, _SOME = 0.68, 0.27  # shares of a sentence: all of it, and some of it
_HELPS = 0.5  # of the best share: a passage that holds less does not speak for the whole sentence
_QUOTE = 16  # characters: a shorter sentence may stand anywhere by chance
_LABEL = re.compile(r"[A-Z][\w ]{1,30}: ")
_LINE = 6  # characters: a shorter line of code says nothing
_EQUAL = 0.95  # of the best share: what fits as well
_REST = 0.7  # of the most that a passage says beside a fact: one that says less has the fact by chance
_SAYS = 0.6  # of the most that a passage says of a clause: who says less is not its speaker
_CLOSE = 60  # characters around a number in which a word stands that stands next to it in the sentence
_AROUND = 200  # characters around a passage in which a file or a name may stand
_FEW, _BESIDE = 4, 80  # of a sentence with so few other terms a fact must stand so near to them
_HEAD = 200  # characters: a message's first ones often name the file it is about


def verdict_of(wanted: Wanted, found: Sequence[Match], corpus: Corpus) -> Verdict:
    """Whether the passages hold nearly all of the sentence and each fact of it, some of it, or nothing to speak of."""
    if not found:
        return "no_source"
    verbatim = [said for one in found if _verbatim(wanted.text, (said := corpus.said[one.passage.said]).text)]
    if verbatim and not other_speaker(wanted.text, (), (one.by for one in verbatim)):
        return "supported"
    speaking = [one for one in found if one.share >= _HELPS * found[0].share][:4]
    lost = _lost(wanted, speaking, corpus)
    share = max(found[0].share, wanted.share(set().union(*(one.shared for one in speaking[:3]))) - 0.08)
    if share < _SOME and len(lost) == len(wanted.facts):
        return "no_source"
    if "\n" in wanted.text:
        return "supported" if not lost and _written(wanted.text, speaking, corpus) else "partly"
    if share < _ENOUGH or lost or _contrary(wanted, speaking, found, corpus):
        return "partly"
    displaced = Displaced(wanted, [corpus.text(one.passage, _AROUND) for one in speaking])
    return "partly" if any(map(displaced.has, wanted.facts)) else "supported"


def _verbatim(sentence: str, said: str) -> bool:
    """Whether a message says the sentence word for word; marks, quotes and a label in front aside."""
    text = _LABEL.sub("", _plain(sentence)).strip(" .…\"'“”")
    return len(text) >= _QUOTE and text in _plain(said)


@lru_cache(maxsize=64)
def _plain(text: str) -> str:
    return " ".join(text.replace("*", "").replace("`", "").split())


def _written(code: str, speaking: Sequence[Match], corpus: Corpus) -> bool:
    """Whether nearly every line of a block of code stands in one of the messages, white space aside."""
    lines = [line for line in (" ".join(line.split()) for line in code.split("\n")) if len(line) > _LINE]
    for one in speaking:
        said = " ".join(corpus.said[one.passage.said].text.split())
        if sum(line in said for line in lines) >= 0.85 * len(lines):
            return True
    return False


def _lost(wanted: Wanted, speaking: Sequence[Match], corpus: Corpus) -> list[Fact]:
    """The facts that stand nowhere beside what the sentence says of them."""
    return [fact for fact in wanted.facts if not _stands(fact, wanted, speaking, corpus)]


def _stands(fact: Fact, wanted: Wanted, speaking: Sequence[Match], corpus: Corpus) -> bool:
    """Whether a source names the fact near most of what any of them says of the rest."""
    own = terms(fact.text)
    rests = [wanted.share(one.shared - own) for one in speaking]
    least, reach = _REST * max(rests), _AROUND if len(wanted.weights.keys() - own) > _FEW else _BESIDE
    for rest, one in zip(rests, speaking, strict=True):
        said = corpus.said[one.passage.said].text
        if fact.folder and f"{fact.folder}/{fact.key}" not in said.replace("\\", "/").lower():
            continue
        head = said[:_HEAD] if fact.sort == "file" and one.passage.start else ""
        if rest >= least and Near(head).places(fact):
            return True
        text = corpus.text(one.passage, 0 if fact.sort == "number" else _AROUND)
        for place in Near(text).places(fact):
            beside = terms(text[max(0, place - reach) : place + reach]) - own
            close = terms(text[max(0, place - _CLOSE) : place + _CLOSE]) if fact.sort == "number" else beside
            if wanted.share(beside) >= least and (not least or not close.isdisjoint(_beside(fact, wanted))):
                return True
    return False


def _beside(fact: Fact, wanted: Wanted) -> set[str]:
    """The terms that stand next to a number in the sentence; for another fact any."""
    if fact.sort != "number" or fact.key not in wanted.order:
        return set(wanted.order)
    place = wanted.order.index(fact.key)
    return {*wanted.order[max(0, place - 2) : place], *wanted.order[place + 1 : place + 3]}


def _contrary(wanted: Wanted, speaking: Sequence[Match], found: Sequence[Match], corpus: Corpus) -> bool:
    """Whether what is said of it denies it, says the opposite, only asks it, or another said it."""
    near = {corpus.said[one.passage.said].by for one in found}
    parts = _parts(wanted)
    if any(other_speaker(part, near, _speakers(part, wanted, speaking, corpus)) for part in parts):
        return True
    if unheard(wanted.text, (corpus.text(one.passage, _AROUND) for one in speaking)):
        return True
    best = [corpus.text(one.passage) for one in speaking if one.share >= _EQUAL * speaking[0].share]
    return any(all(_against(part, wanted, text) for text in best) for part in parts)


def _speakers(part: str, wanted: Wanted, speaking: Sequence[Match], corpus: Corpus) -> set[str]:
    """Who says the most of a part of the sentence."""
    names = terms(part)
    shares = [wanted.share(one.shared & names) for one in speaking]
    least = _SAYS * max(shares)
    return {corpus.said[one.passage.said].by for share, one in zip(shares, speaking, strict=True) if share >= least}


def _parts(wanted: Wanted) -> list[str]:
    """The sentence, or its clauses where each of them says enough to be compared alone."""
    parts = [part for part in claims(wanted.text) if len(terms(part)) > 1]
    return parts if len(parts) > 1 else [wanted.text]


def _against(part: str, wanted: Wanted, passage: str) -> bool:
    nearest = _nearest(terms(part), wanted, clauses(passage))
    if not nearest:
        return False
    if denied(part, nearest) or opposed(part, nearest):
        return True
    asked = _nearest(terms(part), wanted, sentences_in(passage))
    return asked.rstrip("*_ \n").endswith(("?", "？")) and "?" not in wanted.text


def _nearest(names: set[str], wanted: Wanted, found: Sequence[str]) -> str:
    """Those of the clauses that hold most of the terms, as few as add something; "" where they hold next to none."""
    parts = [(part, terms(part) & names) for part in found]
    whole = wanted.share(names) or 1.0
    taken: list[str] = []
    held: set[str] = set()
    while parts and len(taken) < 3:
        part, names = max(parts, key=lambda one: wanted.share(one[1] - held))
        if wanted.share(names - held) < (0.15 if taken else 0.3) * whole:
            break
        taken.append(part)
        held |= names
        parts.remove((part, names))
    return "\n".join(taken)
