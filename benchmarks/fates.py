"""The fate of a text over a long session: how long the whole answer takes, once the session can be searched."""

from collections.abc import Iterator
from random import Random

from benchmarks.engine import Row, long_session, roomy, timed
from core import Message, Policy, Session, fate, meter, policy, simulate
from core.summaries.summarizers import FixedSize
from core.trace.trace import as_session

RULE = "no new dependency, not even a small one"
EVERYWHERE = "a marker of every second message"


def rows(count: int = 100_000) -> Iterator[Row]:
    """A text that a few messages have and one that half of them have: some hundreds of compactions, and one at every call."""
    session = said_in(long_session(count))
    often = policy("agentkit.memory", budget=24_000, keep_recent=8)
    for rule in (often, roomy(policy("anthropic.clear_tool_uses"))):
        yield from _rows_of(session, rule)


def said_in(session: Session) -> Session:
    """The session with other words in every message, and the two texts in some."""
    rng = Random(14)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randrange(3, 10))) for _ in range(20_000)]
    return as_session([_with_words(message, i, rng, words) for i, message in enumerate(session.messages)])


def _with_words(message: Message, i: int, rng: Random, words: list[str]) -> Message:
    said = [words[int(rng.random() ** 3 * len(words))] for _ in range(40 + i * 7919 % 120)]
    said += [EVERYWHERE] if i % 2 else []
    said += [RULE] if i % 25_000 == 9 else []
    return message.model_copy(update={"content": " ".join(said)})


def _rows_of(session: Session, rule: Policy) -> Iterator[Row]:
    trace = simulate(session, rule, meter=meter("agentkit"), summarizer=FixedSize(400))
    for text in (RULE, EVERYWHERE):
        fate(trace, text).events  # noqa: B018  the session is made ready to be searched
        took = timed(lambda text=text: fate(trace, text).events)  # type: ignore[misc]
        there = len(fate(trace, text).places)
        name = (
            f"fate of a text in {there:,} of {len(trace.messages):,} messages, {len(trace.compactions):,} compactions"
        )
        yield name, f"{took * 1000:.0f} ms", f"by {rule.name}", f"{took / 0.2:.2f} x   bar 200 ms"
