"""Where a summary comes from, as the browser gets it; docs/wire.md."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from core import Trace, provenance
from core.analyse.lost_statements import whole_ledger
from core.model.cached import cached
from core.origins.origin import VERDICTS, LedgerRow, Provenance, Source, Span, Traced
from core.origins.provenance import provenances


def provenance_body(trace: Trace, k: int) -> dict[str, Any]:
    """The sentences of the summary of compaction k with their sources, how many of each verdict, and the ledger."""
    return _body(trace, k, cached(trace, ("provenance", k), lambda trace: provenance(trace, k)))


def provenance_bodies(trace: Trace, count: int) -> Iterator[dict[str, Any]]:
    """The same of each of the first so many compactions, sooner than one by one."""
    return (_body(trace, k, found) for k, found in enumerate(provenances(trace, count)))


def _body(trace: Trace, k: int, found: Provenance) -> dict[str, Any]:
    event = trace.compactions[k]
    units = utf16_places(event.summary.content if event.summary else "")
    verdicts = Counter(one.verdict for one in found.sentences)
    return {
        "unreadable": found.unreadable,
        "sentences": [_sentence(one, units) for one in found.sentences],
        "counts": {name: verdicts[name] for name in VERDICTS},
        "ledger": [_row(row) for row in whole_ledger(trace, k, found)],
        "left_out": found.left_out,
    }


def _sentence(one: Traced, units: Callable[[int], int]) -> dict[str, Any]:
    return {
        "from": units(one.start),
        "to": units(one.end),
        "verdict": one.verdict,
        "note": one.note,
        "sources": [_source(source) for source in one.sources],
    }


def _source(source: Source) -> dict[str, Any]:
    units = utf16_places(source.quote)
    return {
        "at": source.place,
        "step": source.step,
        "via": list(source.via),
        "score": source.score,
        "quote": source.quote,
        "marks": _spans(source.marks, units),
        "missing": _spans(source.missing, units),
    }


def _spans(spans: tuple[Span, ...], units: Callable[[int], int]) -> list[list[int]]:
    return [[units(a), units(b)] for a, b in spans]


def _row(row: LedgerRow) -> dict[str, Any]:
    known = row.model_dump(include={"kind", "text", "said_at", "in_summary", "kept", "words"})
    return known | {"at": row.place, "needed_at": -1 if row.needed_at is None else row.needed_at}


def utf16_places(text: str) -> Callable[[int], int]:
    """What turns a place in the text, in characters, into one in UTF-16 units, as JavaScript counts."""
    wide = [i for i, character in enumerate(text) if ord(character) > 0xFFFF] if not text.isascii() else []
    return lambda place: place + bisect_left(wide, place)
