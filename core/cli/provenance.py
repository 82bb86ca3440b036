"""`foldline provenance FILE --compaction N`: what a summary was made of, and what it lost."""

import argparse
from collections import Counter
from typing import Any

from core.analyse.lost_statements import whole_ledger
from core.cli.terminal import preview, print_error, print_facts, print_json, print_table
from core.cli.traced import one_trace
from core.model.errors import FoldlineError
from core.origins.origin import LedgerRow, Provenance, Traced, Verdict
from core.origins.provenance import provenance
from core.trace.places import compaction_place, step_name
from core.trace.trace import Trace


def run(options: argparse.Namespace) -> int:
    """Print the sentences of the summary with their sources, and the ledger; returns 0, or 2 for --set without --policy."""
    if options.set and not options.policy:
        print_error("--set needs --policy", "a recorded run has no parameters")
        return 2
    trace = one_trace(options)
    k = _index(options.compaction, trace)
    found = provenance(trace, k, options.sentence)
    if not options.sentence:
        found = found.model_copy(update={"ledger": whole_ledger(trace, k, found)})
    if options.json:
        print_json({"compaction": options.compaction} | _body(found))
    else:
        _print(found, trace)
    return 0


def _index(number: int, trace: Trace) -> int:
    """The index of the compaction that is named with this number. Raises FoldlineError where there is none."""
    compactions = [k for k, found in enumerate(trace.compactions) if found.counted_as == "compaction"]
    count = len(compactions)
    if 1 <= number <= count:
        return compactions[number - 1]
    there = f"there are {count}, counted from 1" if count else "there are none; --policy simulates some"
    raise FoldlineError(f"there is no compaction {number}", hint=there)


def _body(found: Provenance) -> dict[str, Any]:
    return {
        "summary": found.summary or None,
        "unreadable": found.unreadable,
        "sentences": [_sentence(one) for one in found.sentences],
        "ledger": [row.model_dump(exclude={"place"}) for row in found.ledger],
        "left_out": found.left_out,
    }


def _sentence(one: Traced) -> dict[str, Any]:
    """A sentence with its sources, each summary that it came through as a source of its own behind what it came from."""
    return {
        "text": one.text,
        "verdict": one.verdict,
        "note": one.note,
        "sources": [{"message": source.message, "score": source.score} for source in one.sources],
    }


def _print(found: Provenance, trace: Trace) -> None:
    counts = Counter(one.verdict for one in found.sentences)
    said = ", ".join(f"{counts[verdict]} {words}" for verdict, words in _WORDS.items() if counts[verdict])
    print_facts(
        [
            ("compaction", compaction_place(trace, found.compaction).removeprefix("compaction ")),
            ("summary", found.unreadable or found.summary),
            ("sentences", f"{len(found.sentences)}: {said}; words were compared, no model was asked" if said else ""),
            ("ledger", _counted(found)),
        ]
    )
    if found.sentences:
        print()
        rows = [[_WORDS[one.verdict], _sources(trace, one), preview(one.text, 1000)] for one in found.sentences]
        print_table(("verdict", "sources", "sentence"), rows, cut=True)
    if found.ledger:
        print()
        print_table(
            ("kind", "in summary", "said", "needed", "what"), [_row(trace, row) for row in found.ledger], cut=True
        )


_WORDS: dict[Verdict, str] = {
    "supported": "found in the messages",
    "partly": "partly",
    "no_source": "not found in the messages",
    "before_file": "perhaps before this file",
}


def _sources(trace: Trace, one: Traced) -> str:
    return ", ".join(f"{step_name(trace, source.step)} ({source.score:.2f})" for source in one.sources[:3])


def _row(trace: Trace, row: LedgerRow) -> list[Any]:
    return [
        row.kind,
        f"{row.kept} of {row.words} content words" if row.words else row.in_summary,
        step_name(trace, row.said_at),
        "" if row.needed_at is None else step_name(trace, row.needed_at),
        preview(row.text, 400),
    ]


def _counted(found: Provenance) -> str:
    counts = Counter(row.in_summary for row in found.ledger)
    more = f"; {found.left_out:,} more not listed" if found.left_out else ""
    return ", ".join(f"{number} {name}" for name, number in counts.items()) + more if found.ledger else ""
