"""`foldline simulate FILE --policy P`: what a policy does to the messages of a transcript."""

import argparse
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from core.cli.loading import one_session, tilde
from core.cli.terminal import print_facts, print_json, print_table
from core.cli.window import settings_text
from core.engine.default_meter import session_meter
from core.engine.meter_text import meter_text
from core.engine.pins import pins, pins_text
from core.engine.simulate import simulate
from core.policies import policy
from core.policy.policy import Policy
from core.summaries.summarizers import summarizer
from core.trace.compaction import Compaction
from core.trace.places import compaction_number
from core.trace.trace import Trace


def run(options: argparse.Namespace) -> int:
    """Print the trace; returns 0."""
    session = one_session(options)
    rule = policy(options.policy, **dict(options.set))
    counter = session_meter(options.meter, session, rule)
    write = summarizer(options.summaries, tokens=options.summary_tokens, session=session)
    trace = simulate(session, rule, meter=counter, summarizer=write, pinned=pins(session, options.pin))
    if options.json:
        print_json(trace.model_dump(mode="json"))
    else:
        _print(trace, rule, tilde(counter, session))
    return 0


def _print(trace: Trace, rule: Policy, mark: str) -> None:
    last = trace.steps[-1].tokens if len(trace) else 0
    messages = f"{len(trace.messages):,}, {mark}{sum(trace.tokens):,} tokens; {mark}{last:,} in the last window"
    print_facts(
        [
            ("policy", f"{rule.name} {settings_text(rule.settings)} ({rule.fidelity})"),
            ("meter", meter_text(trace.meter, trace.session)),
            ("messages", messages),
            ("steps", len(trace)),
            ("compactions", len(trace.compactions)),
            *([("pinned", pins_text(trace.messages, trace.pinned))] if trace.pinned else []),
            *(("note", note) for note in trace.notes),
        ]
    )
    if trace.compactions or trace.failed:
        print()
        heads = ("#", "message", "before", "after", "removed", "kept", "status", "reason")
        print_table(heads, [row for _, row in sorted(_rows(trace, mark), key=lambda found: found[0])])


def _rows(trace: Trace, mark: str) -> Iterator[tuple[tuple[int, int], list[Any]]]:
    """A row for each compaction and for the first of each run of failed attempts, with its place in the order."""
    for k, c in enumerate(trace.compactions):
        yield (trace.compaction_step(k), 1), _row(c, compaction_number(trace, k), mark)
    acted = [c.at for c in trace.compactions]
    for c in trace.failed:
        step = max(0, c.at - 1) + bisect_left(acted, c.at)  # that of the last message that had arrived
        yield (step, 0), _row(c, None, mark)


def _row(c: Compaction, number: str | None, mark: str) -> list[Any]:
    sizes = [f"{mark}{tokens:,}" for tokens in (c.window_before, c.window_after)]
    return [number, c.at or None, *sizes, c.folded, len(c.kept), c.status, c.reason]
