"""Sentences looked for in what a summary was made of, through earlier summaries down to messages."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.entities.texts import texts
from core.model.session import Message
from core.origins.align import Match, Wanted, matches, wanted_of
from core.origins.contrary import wish_in
from core.origins.marks import also_said, left_out, marked
from core.origins.origin import Source, Traced, Verdict
from core.origins.passages import Corpus, Said
from core.origins.places import step_of
from core.origins.reader import reader_of
from core.origins.sentences import Sentence
from core.origins.terms import terms
from core.origins.verdict import verdict_of
from core.summaries.outcomes import outcome_of
from core.summaries.quotes import cite
from core.trace.added import adding
from core.trace.before_file import held_before_file
from core.trace.trace import Trace
from core.window.ranges import Ranges, originals, places

_DEEPEST = 8  # earlier summaries that a sentence is followed through, one behind the other
_THROUGH = 0.6  # how much less a message counts for each summary between
_BEHIND = 2  # messages named behind an earlier summary
_MOST = 8  # messages that are named for a sentence
_BEFORE = "Its source may lie before this file, which begins in the middle of the session."
_REST = "The rest may come from before this file, which begins in the middle of the session."
_CITED = re.compile(r"\s*\[([\w.:+@/#~…-]{1,40})(?:–([\w.:+@/#~…-]{1,40}))?\]")
_RANK: dict[Verdict, int] = {"no_source": 0, "before_file": 1, "partly": 2, "supported": 3}


class _Look(NamedTuple):
    """What the passages behind one compaction say of a text: the best of them as sources, each with its score and whether an
    earlier summary says it; the verdict by those that are no summary, and by all."""

    sources: Sequence[tuple[float, Source, bool]]
    verdict: Verdict
    whole: Verdict


class Looked:
    """The passages behind each compaction, made when first looked at, for the terms of some summaries.

    What is found for a text is kept: summaries repeat sentences of those before.
    """

    def __init__(self, trace: Trace, wanted: frozenset[str]) -> None:
        self.trace, self.wanted = trace, wanted
        self._corpora, self._looks = dict[int, Corpus](), dict[tuple[int, str, tuple[str, ...]], _Look]()

    def corpus(self, k: int) -> Corpus:
        """What the summary of compaction k could be made of."""
        if k not in self._corpora:
            self._corpora = dict(list(self._corpora.items())[-_DEEPEST:])
            self._corpora[k] = Corpus(said_before(self.trace, k), self.wanted, reader_of(self.trace.messages))
        return self._corpora[k]

    def traced(self, sentence: Sentence, k: int) -> Traced:
        """The sentence with its sources and its verdict."""
        cited = tuple(name for found in _CITED.findall(sentence.text) for name in found if name)
        text = _CITED.sub("", sentence.text)
        verdict, ranked, note = self._look(text, k, cited, ())
        if verdict == "partly" and held_before_file(self.trace, k):
            note = note or _REST
        wish = wish_in(text)
        if (
            verdict == "partly"
            and wish
            and not self.trace.session.starts_midway
            and not any(self._asks(source, wish) for _, source in ranked)
        ):
            verdict = "no_source" if len(terms(wish)) == len(terms(text)) else verdict
            note = f"No message of the user asks for this: “{wish.rstrip('.')}”."
        shown = [source for _, source in ranked[:_MOST]]
        said = also_said([(one.quote, one.missing) for one in shown[:2]])
        return Traced(
            text=sentence.text,
            start=sentence.start,
            end=sentence.end,
            verdict=verdict,
            note=note or said,
            sources=tuple(shown),
        )

    def _asks(self, source: Source, wish: str) -> bool:
        """Whether a source is what the user said, and has a word of a wish."""
        message = self.trace.pool.message(source.place)
        by_user = message.injected != "summary" and _speaker(message) == "user"
        return by_user and not terms(source.quote).isdisjoint(terms(wish))

    def _look(
        self, text: str, k: int, cited: tuple[str, ...], via: tuple[int, ...]
    ) -> tuple[Verdict, list[tuple[float, Source]], str]:
        """The verdict on a text said in the summary of compaction k, its sources, and a note on them."""
        if not self.corpus(k).said:
            return "before_file", [], _BEFORE
        sources, verdict, whole = self._found(text, k, cited)
        note = ""
        ranked: list[tuple[float, Source]] = []
        for score, source, in_summary in sources:
            ranked.append((score, source.model_copy(update={"via": via}) if via else source))
            if in_summary:
                behind, more = self._behind(text, source.place, cited, via)
                ranked += [(_THROUGH * min(score, other), one) for other, one in more[:_BEHIND]]
                through = min(whole, behind, key=_RANK.__getitem__) if whole != "no_source" else whole
                if behind == "no_source" and whole != "no_source" and verdict == "no_source":
                    through, note = "partly", "Only an earlier summary says it; no message behind that does."
                verdict = max(verdict, through, key=_RANK.__getitem__)
        if verdict == "no_source" and held_before_file(self.trace, k):
            verdict, ranked = "before_file", []
        note = _BEFORE if verdict == "before_file" else note
        return verdict, sorted(ranked, key=lambda one: -one[0]), note

    def _found(self, text: str, k: int, cited: tuple[str, ...]) -> _Look:
        """What the passages behind compaction k say of a text."""
        key = k, text, cited
        if key not in self._looks:
            corpus = self.corpus(k)
            wanted = wanted_of(text, corpus)
            found = self._cited_first(matches(wanted, corpus), cited, corpus)
            plain = [one for one in found if not _in_summary(one, corpus)]
            verdict = verdict_of(wanted, plain, corpus)
            whole = verdict_of(wanted, found, corpus) if len(plain) < len(found) else verdict
            sources = [(one.score, self._source(one, wanted, corpus), _in_summary(one, corpus)) for one in found]
            self._looks[key] = _Look(sources, verdict, whole)
        return self._looks[key]

    def _behind(
        self, text: str, place: int, cited: tuple[str, ...], via: tuple[int, ...]
    ) -> tuple[Verdict, list[tuple[float, Source]]]:
        """What stands behind the earlier summary at this place; one from before the file has nothing behind it here."""
        j = adding(self.trace, place)
        if j is None or not _layout_before(self.trace, j):
            return "before_file", []
        if len(via) >= _DEEPEST:
            return "partly", []
        verdict, ranked, _ = self._look(text, j, cited, (*via, place))
        return verdict, ranked

    def _cited_first(self, found: list[Match], cited: Sequence[str], corpus: Corpus) -> list[Match]:
        """The matches with those first whose messages the sentence names itself, as structural summaries do."""
        if not cited:
            return found
        named = [one for one in found if self._cite(corpus, one) in cited]
        return [*named, *(one for one in found if one not in named)]

    def _cite(self, corpus: Corpus, one: Match) -> str:
        return cite(self.trace.pool.message(corpus.said[one.passage.said].place).id)

    def _source(self, match: Match, wanted: Wanted, corpus: Corpus) -> Source:
        place = corpus.said[match.passage.said].place
        quote, marks = marked(corpus.text(match.passage), match.shared)
        return Source(
            message=self.trace.pool.message(place).id,
            place=place,
            step=step_of(self.trace, place),
            score=round(min(1.0, match.share), 3),
            quote=quote,
            marks=marks,
            missing=left_out(quote, wanted.text),
        )


def _in_summary(match: Match, corpus: Corpus) -> bool:
    return corpus.said[match.passage.said].by == "summary"


def read_ahead(messages: Sequence[Message], count: int) -> None:
    """Read the passages of the first so many messages before anybody looks for something in them."""
    reader = reader_of(messages)
    for place, message in enumerate(messages[:count]):
        reader.parts(_text_of(place, message).text, place)


def said_before(trace: Trace, k: int) -> list[Said]:
    """What the summarizer of compaction k could see: the window before it, emptied messages as they came."""
    return [_text_of(place, trace.pool.message(place)) for place in places(_layout_before(trace, k))]


def _layout_before(trace: Trace, k: int) -> Ranges:
    return originals(trace.compactions[k].layout_before)


def _text_of(place: int, message: Message) -> Said:
    return Said(place, "\n".join(texts(message)), "summary" if message.injected == "summary" else _speaker(message))


def _speaker(message: Message) -> str:
    """Who says it: the user also through the result of a call that the user declined or answered."""
    start = message.content[:30]
    if message.role == "tool" and ("ser " in start or "questions" in start) and outcome_of(message).by_user:
        return "user"
    return message.role
