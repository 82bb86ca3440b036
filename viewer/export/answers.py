"""What a server would answer about a session and its runs, as blocks of a file; docs/wire.md, "An exported file"."""

from collections.abc import Iterator, Mapping
from typing import Any

from core import FoldlineError
from core.trace.trace import Trace
from viewer.export.blocks import Blocks, Named
from viewer.export.telling import counted, tell
from viewer.wire import present
from viewer.wire.card import attempt_findings, compaction_card
from viewer.wire.compared import comparison
from viewer.wire.findings import finding_list, finding_marks, finding_rows
from viewer.wire.losses import loss_list
from viewer.wire.overview import called_body, session_overview
from viewer.wire.pack import store_bytes
from viewer.wire.provenance import provenance_bodies

MOST = 1_000
"""Compactions of a run whose cards and summaries are in the file: the first ones."""

MOST_ORIGINS = 40
"""Compactions of a run of which the file says where their summaries come from, and what they lost: the first ones.

Each takes up to a second.
"""

MOST_SHADOWS = 20_000
"""Messages emptied in place, of which the file holds what is left."""

BLOCK = 400_000
"""Characters of messages, about, in one block."""


def add_session(blocks: Blocks, sid: str, recorded: Trace) -> list[int]:
    """Add what is known of a session: its store, messages and overview. Returns the first message of each of its blocks."""
    blocks.add_bytes(f"store-{sid}", store_bytes(sid, recorded))
    blocks.add(f"overview-{sid}", {"": session_overview(recorded)})
    blocks.add(f"called-{sid}", {"": called_body(recorded)})
    starts: list[int] = []
    for number, bodies in enumerate(_in_blocks(recorded)):
        starts.append(bodies[0]["index"])
        tell(f"Reading messages, {bodies[-1]['index'] + 1:,} of {len(recorded.messages):,}")
        blocks.add(
            f"bodies-{sid}-{number}", {name: [body[name] for body in bodies] for name in bodies[0]}
        )  # columns take less
    return starts


def _in_blocks(recorded: Trace) -> Iterator[list[dict[str, Any]]]:
    """The bodies of all messages, whole, some in each list."""
    some: list[dict[str, Any]] = []
    size = 0
    for index in range(len(recorded.measured.messages)):
        body = present.message_of(recorded.measured, index, most=None)
        some.append(body)
        size += body["total"] + body["thinking_total"] + sum(call["arguments_total"] for call in body["tool_calls"])
        if size > BLOCK:
            yield some
            some, size = [], 0
    if some:
        yield some


def add_run(blocks: Blocks, tid: str, trace: Trace, origins: int = MOST_ORIGINS) -> list[str]:
    """Add what is known of a run beside its view: cards, findings, what compactions added, and of so many of them where their
    summaries come from and what they lost. Returns what is left out.
    """
    count = min(MOST, len(trace.compactions))
    add_cards(blocks, tid, trace, count)
    blocks.add(f"attempt-{tid}", {str(f): {"findings": attempt_findings(trace, f)} for f in range(len(trace.failed))})
    blocks.add(f"findings-{tid}", _findings(trace))
    told = min(origins, count)
    bodies = provenance_bodies(trace, told)
    blocks.add(
        f"provenance-{tid}",
        {str(k): next(bodies) for k in counted(range(told), "Tracing summaries to their sources")},
    )
    blocks.add(f"losses-{tid}", {"": loss_list(trace, most=told)})
    return list(_left_out(len(trace.compactions), count, told))


def add_shadows(blocks: Named, tid: str, trace: Trace) -> list[str]:
    """Add what is left of the messages that a run cleared; returns what is left out.

    Runs of a session share it, and whoever simulates one more may add to it: so this is for when the others are made.
    """
    shadows = dict(_shadows(trace))
    blocks.add_each(f"shadow-{tid}", shadows)
    return [f"what is left of cleared messages, beyond the first {MOST_SHADOWS:,}."] * (len(shadows) == MOST_SHADOWS)


def _left_out(compactions: int, cards: int, told: int) -> Iterator[str]:
    """What of a run is not in the file."""
    if cards < compactions:
        yield f"the cards and summaries of compactions {cards + 1:,} to {compactions:,}."
    if told < compactions:
        yield f"where the summaries of compactions {told + 1:,} to {compactions:,} come from."
        last = compactions == told + 1
        yield (
            f"what compaction {compactions:,} lost."
            if last
            else f"what compactions {told + 1:,} to {compactions:,} lost."
        )


def _findings(trace: Trace) -> dict[str, Any]:
    """All rows of the list at once: the page takes those of a kind."""
    return {"": finding_list(trace, most=len(finding_rows(trace))) | {"marks": finding_marks(trace)}}


def add_cards(blocks: Named, tid: str, trace: Trace, count: int, with_findings: bool = True) -> None:
    """Add the cards of the first so many compactions, and the messages that they added, by "compaction/place".

    A card names its summary among those by its place, `summary_in`, so that the file has it once.
    """
    cards, added = {}, {}
    for j, event in enumerate(trace.compactions[:count]):
        card = compaction_card(trace, j, with_findings)
        for m, message in enumerate(event.added):
            added[f"{j}/{m}"] = present.message_body(message, event.added_tokens[m], -1, most=None)
            if message is event.summary:
                card |= {"summary": None, "summary_in": m}
        cards[str(j)] = card
    blocks.add(f"compaction-{tid}", cards)
    blocks.add_each(f"added-{tid}", added)


def _shadows(trace: Trace) -> Iterator[tuple[str, Any]]:
    """What is left of messages that a stage cleared, by "stage/message"."""
    some = ((s, i) for s, copy in enumerate(trace.cleared_copies) for i in copy.tokens)
    for _, (s, i) in zip(range(MOST_SHADOWS), some, strict=False):
        copy = trace.cleared_copies[s]
        yield f"{s}/{i}", present.message_body(copy.copies[i], copy.tokens[i], i, most=None)


def add_comparison(blocks: Blocks, sid: str, recorded: Trace, policy: str, settings: Mapping[str, str]) -> None:
    """Add each recorded compaction beside what one policy would have done to the same window."""
    found = {}
    for k in range(min(MOST, len(recorded.compactions))):
        try:
            found[str(k)] = comparison(recorded, k, policy, settings) | {"policies": [policy]}
        except FoldlineError as error:
            found[str(k)] = {"error": str(error), "hint": error.hint}
    blocks.add(f"compared-{sid}", found)
