"""Where a summary comes from: its sentences with their sources, and the ledger of what it kept. Nouns alone."""

from typing import Literal

from core.model.session import Frozen

Verdict = Literal["supported", "partly", "no_source", "before_file"]
VERDICTS: tuple[Verdict, ...] = ("supported", "partly", "no_source", "before_file")
Kind = Literal["constraint", "decision", "file", "identifier", "number", "command", "error", "task"]
InSummary = Literal["verbatim", "reworded", "gone"]
Span = tuple[int, int]


class Source(Frozen):
    """A message that a sentence may come from.

    `place` is its index in the trace's pool, `step` that at which it came; `via` are the places of the summaries between, the
    newest first. `score` is the share of the sentence that its best passage holds, rare words counting more, up to 1.
    `quote` is that passage, in which `marks` are the words shared and `missing` items of a list that the sentence left out.
    """

    message: str
    place: int
    step: int
    via: tuple[int, ...] = ()
    score: float = 0.0
    quote: str = ""
    marks: tuple[Span, ...] = ()
    missing: tuple[Span, ...] = ()


class Traced(Frozen):
    """A sentence of a summary, from `start` to `end` in its text, and the messages that its words were found in."""

    text: str
    start: int = 0
    end: int = 0
    verdict: Verdict = "no_source"
    note: str = ""
    sources: tuple[Source, ...] = ()


class LedgerRow(Frozen):
    """Something that was folded: a rule, a file, a number, …, said at step `said_at`, and what became of it.

    `needed_at` is the step of the first use that the model wrote behind the compaction, None where it wrote none. What is
    reworded in part only has `kept` of its content `words` in the sentences of the summary nearest to it; both are 0 otherwise.
    """

    kind: Kind
    text: str
    message: str
    place: int
    said_at: int
    in_summary: InSummary
    needed_at: int | None = None
    kept: int = 0
    words: int = 0


class Provenance(Frozen):
    """Where the summary of one compaction comes from; `unreadable` says why there is none to compare, or is empty.

    `summary` is the id of its message. `left_out` are the ledger's rows beyond those listed.
    """

    compaction: int
    summary: str = ""
    unreadable: str = ""
    sentences: tuple[Traced, ...] = ()
    ledger: tuple[LedgerRow, ...] = ()
    left_out: int = 0
