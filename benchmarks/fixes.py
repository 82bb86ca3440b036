"""What would have kept a text of a long session: how long every row of the answer takes together."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.engine import Row, timed
from benchmarks.make_session import write
from core import Session, Trace, load, meter, policy, simulate
from core.meters import measured
from core.trace.trace import as_session
from core.why.fixes import Fix, Fixes

SAID = "zorblax listens on 48213"  # no session that is made says it
COUNT = 10_000


def rows(folder: Path) -> Iterator[Row]:
    """A text said at the start, and one said some hundred messages ago, beside importing as many messages."""
    path = write(10, folder / "fixes.jsonl")
    session = load(path)
    imported = timed(lambda: measured(load(path), meter("o200k_base")), 1) * COUNT / len(session.messages)
    for what, place in (("at the start", 2), ("600 messages ago", COUNT - 600)):
        yield _row(_trace(session, place), what, imported)


def _row(trace: Trace, what: str, imported: float) -> Row:
    """The second time it is asked: what is known of the messages is kept with them."""
    found = [fix for fix in Fixes(trace, SAID) if isinstance(fix, Fix)]
    took = timed(lambda: list(Fixes(trace, SAID)), 1)
    name = f"what would have kept a text said {what}, {COUNT:,} messages, {len(found)} rows"
    return name, f"{took:.2f} s", f"{imported:.2f} s import", f"{took / imported:.2f} x   bar 2 s"


def _trace(session: Session, place: int) -> Trace:
    """The session's messages again and again, each under an id of its own; one of them says the text."""
    again = (m.model_copy(update={"id": f"{m.id}-{k}"}) for k in range(COUNT) for m in session.messages)
    messages = list(islice(again, COUNT))
    messages[place] = messages[place].model_copy(update={"content": f"{SAID}. {messages[place].content}"})
    return simulate(as_session(messages), policy("agentkit.memory", budget=160_000, keep_recent=8), meter("o200k_base"))
