"""Where a summary comes from: how long a card's provenance takes, beside the search over the same messages."""

from collections.abc import Iterator

from benchmarks.engine import Row, timed
from core import Message, meter, policy, provenance, simulate
from core.entities.search import TextSearch
from core.trace.trace import Trace, as_session

SENTENCES = 100


def rows(messages: tuple[Message, ...]) -> Iterator[Row]:
    """Rows for a compaction that folds 3,000 messages and one that folds 100,000, with a summary of 100 sentences."""
    for count, bar in ((3_000, 1.0), (100_000, 4.0)):
        many = tuple(m.model_copy(update={"id": f"o{i}"}) for i, m in enumerate(_repeated(messages, count)))
        trace = _folding(many)
        took, again = (timed(lambda trace=trace: provenance(trace, 0), 1) for _ in range(2))  # type: ignore[misc]
        beside = timed(lambda many=many: TextSearch(many), 1)  # type: ignore[misc]
        name = f"provenance of a summary of {SENTENCES} sentences and {count:,} messages"
        verdict = f"{took / beside:.1f} x, again {again / beside:.1f} x   bar {bar:.0f} s"
        yield name, f"{took:.2f} s, {again:.2f} s", f"{beside:.2f} s to make the search", verdict


def _repeated(messages: tuple[Message, ...], count: int) -> tuple[Message, ...]:
    return (messages * (count // len(messages) + 1))[:count]


def _folding(messages: tuple[Message, ...]) -> Trace:
    """A run whose first compaction takes nearly all of them; its summary quotes one message in so many."""
    every = max(1, len(messages) // SENTENCES)
    summary = "\n".join(f"- {' '.join(m.content[:120].split())}" for m in messages[::every])
    budget = sum(len(m.content) for m in messages) // 5
    rule = policy("agentkit.memory", budget=budget, keep_recent=4)
    end = (Message(id="go", role="user", content="go on"), Message(id="done", role="assistant", content="done"))
    return simulate(
        as_session([*messages, *end]), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: summary
    )
