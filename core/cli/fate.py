"""`foldline fate FILE --text T`: where a text was in the window at every step, what took it, and when it was needed."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from core.cli.fixes import fix_rows, print_fixes
from core.cli.terminal import print_facts, print_json, print_table
from core.cli.traced import one_trace
from core.cli.window import needs_policy
from core.origins.mechanism import mechanism_at
from core.origins.reworded import Reworded, parted, reworded
from core.origins.says import says_whole
from core.origins.story import answer, line, story
from core.trace.places import compaction_name, span_name, step_name
from core.trace.trace import Trace
from core.why.advice import advice
from core.why.events import Event
from core.why.fate import Fate, fate
from core.why.fixes import Fixes
from core.why.lane import Stretch
from core.why.quotes import quote
from core.why.reasons import reasons

_MOST_NAMES = 1_000_000
"""Ids in a whole lane, beyond which stretches of one state are joined and name none: thousands of messages have the text."""


def run(options: argparse.Namespace) -> int:
    """Print the lane and the events of the text; returns 0, or 2 for --set or --pin without --policy."""
    if needs_policy(options):
        return 2
    found = fate(one_trace(options), options.text)
    asked = Fixes(found.trace, options.text, options.at) if options.fix else None
    if options.json:
        print_json(body(found) | ({"fixes": fix_rows(asked)} if asked else {}))
    else:
        _print(found)
        if asked:
            print_fixes(asked, found.trace)
    return 0


def body(found: Fate) -> dict[str, Any]:
    """The fate as plain values: `steps`, `lane` and `events`."""
    return {
        "steps": found.steps,
        "lane": _lane(found),
        "events": [_event(event) for event in found.events],
    }


def _lane(found: Fate) -> list[dict[str, Any]]:
    if sum(len(stretch.places) for stretch in found.lane) > _MOST_NAMES:
        return [{"from": a, "to": b, "state": state, "messages": []} for a, b, state in found.lane.states()]
    return [_stretch(stretch) for stretch in found.lane]


def _stretch(stretch: Stretch) -> dict[str, Any]:
    return {"from": stretch.start, "to": stretch.end, "state": stretch.state, "messages": stretch.messages}


def _event(event: Event) -> dict[str, Any]:
    return {
        "step": event.step,
        "kind": event.kind,
        "message": event.message,
        "compaction": event.compaction or None,
        "tokens": event.tokens,
    }


def _print(found: Fate) -> None:
    again = reworded(found)
    said = answer(found, found.steps - 1, again) if found.steps else ("There are no messages.", "")
    how = mechanism_at(found, found.steps - 1, again) if found.steps else ""
    known = advice(found) if how else None
    print_facts(
        [
            ("text", found.text),
            ("answer", said[0]),
            ("", how),
            ("", said[1]),
            ("what helps", known.text if known else ""),
            ("", known.source if known else ""),
            ("said", _count_text(found)),
        ]
    )
    if found.common or not found.said:
        return
    print()
    print_table(("where", "state", "messages"), list(_states(found, again)))
    print()
    print_table(
        ("where", "what happened", "message"), [_row(found, event, again) for event in story(found, again)[0]], cut=True
    )
    for reason in reasons(found):
        print(f"\nWhy {compaction_name(found.trace, reason.k)} did not keep it: {reason.text}")


def _states(found: Fate, again: Sequence[Reworded]) -> Iterator[list[Any]]:
    """From where to where each state is, with how many messages of the window have it."""
    for start, end, state in found.lane.states():
        for a, b, row, says in parted(start, end, again if state == "gone" else ()):
            yield (
                [span_name(found.trace, a, b), _how_kept(row), len(row.places)]
                if row and says
                else [span_name(found.trace, a, b), state, _number(found, a)]
            )


def _how_kept(row: Reworded) -> str:
    if says_whole(row):
        return "summary"
    return "in part" if row.words else "in other words"


def _count_text(found: Fate) -> str:
    count, how = len(found.places), "" if found.match == "exact" else ", in another case"
    return f"in {count:,} message{'s' * (count != 1)}{how}" if found.said else ""


def _number(found: Fate, step: int) -> int:
    return len(found.lane.at(step).places)


def _row(found: Fate, event: Event, again: Sequence[Reworded]) -> list[Any]:
    return [step_name(found.trace, event.step), line(found, event, again), _quoted(found.trace, found, event)]


def _quoted(trace: Trace, found: Fate, event: Event) -> str:
    if event.kind in ("taken", "left_out"):
        return event.message
    return quote(trace.pool.message(event.place), event.evidence or found.text, found.match == "exact")
