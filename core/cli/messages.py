"""`foldline show FILE --messages`: one row per message."""

import argparse
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from core.cli.loading import message_preview, one_session, tilde
from core.cli.terminal import print_json, print_table
from core.engine.default_meter import session_meter
from core.engine.meter_text import meter_text
from core.meters import Meter, meter_name
from core.model.session import Session
from core.model.text import counted
from core.trace.trace import conversation


def run(options: argparse.Namespace) -> int:
    """Print one row per message, numbered as in the app, where what a compaction added has no number; returns 0."""
    session = one_session(options)
    counter = session_meter(options.meter, session)
    found = list(rows(session, counter))
    if options.json:
        print_json(found)
        return 0
    mark = tilde(counter, session)
    number = {m.id: f"{n:,}" for n, m in enumerate(conversation(session), 1)}
    cells = [
        [
            number.get(r["id"], "–"),
            r["id"],
            r["role"],
            r["turn"],
            tokens_text(r["tokens"], mark),
            r["line"],
            r["preview"],
        ]
        for r in found
    ]
    print_table(("message", "id", "role", "turn", "tokens", "line", "preview"), cells, cut=True)
    sizes, by = [r["tokens"] for r in found if r["tokens"] is not None], meter_text(meter_name(counter), session)
    added = f" and {len(found) - len(number):,} added by compactions" if len(found) > len(number) else ""
    print(
        f"\n{counted(len(number), 'message')}{added}, {mark}{sum(sizes):,} tokens by {by}{_unknown(len(found) - len(sizes))}"
    )
    return 0


def _unknown(count: int) -> str:
    """That some sizes are in no sum; "" where all are known."""
    return f"; {count:,} {'summaries' if count > 1 else 'summary'} of unknown size" if count else ""


def tokens_text(tokens: int | None, mark: str) -> str:
    """The tokens of a message; "?" of a summary that nobody can read."""
    return "?" if tokens is None else f"{mark}{tokens:,}"


def rows(session: Session, counter: Meter) -> Iterator[dict[str, Any]]:
    """One row per message: id, role, turn (from 1; 0 before the first), tokens, meter, line, preview.

    The tokens of a summary that nobody can read are None.
    """
    unknown = session.unreadable_summaries
    turns, name = accumulate(int(m.typed) for m in session.messages), meter_name(counter)
    for message, turn in zip(session.messages, turns, strict=True):
        yield {
            "id": message.id,
            "role": message.role,
            "turn": turn,
            "tokens": None if message.id in unknown else counter.count(message),
            "meter": name,
            "line": message.line,
            "preview": message_preview(message),
        }
