"""Texts and steps picked at random from traces, each looked up in the window the slow way.

`python -m tests.why.sampling 10000` looks up so many pairs in the samples and, where FOLDLINE_SHARED is set, in the shared
transcripts.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from core import FoldlineError, Policy, Session, Trace, fate, load, meter, policy, replay, simulate
from core.entities.search import Match, Wanted, says
from core.entities.texts import texts
from core.why.readable import unreadable_ids
from tests.support import acting_at, loosened
from tests.why.windows import looked_at

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
POLICIES = (
    *("agentkit.memory", "agentlib.sliding_window", "agent_framework.summarization", "gemini_cli.compression", "goose"),
    *("roo.condense", "langchain.trim", "langchain.clear_tool_uses", "anthropic.clear_tool_uses", "swe_agent.last_n"),
    *("opencode.prune", "claude_code.microcompact", "strands.summarizing"),
)
"""Some that summarize, drop, clear in place, keep a view, and turn tool calls into text."""
STEPS = 8


def traces_of(sessions: Iterable[Session], rng: Random) -> Iterator[Trace]:
    """Each session as recorded, and under a few policies; of those in which nothing was compacted only some."""
    for session in sessions:
        rules = [tightened(policy(name), session) for name in rng.sample(POLICIES, 3)]
        for trace in (replay(session, meter=meter("agentkit")), *(simulate(session, rule) for rule in rules)):
            if len(trace) and (trace.compactions or rng.random() < 0.05):
                yield trace


def tightened(chosen: Policy, session: Session) -> Policy:
    """The policy with a limit that a session of this size reaches a few times."""
    tokens = max(200, sum(len(m.content) // 4 for m in session.messages) // 4)
    free = loosened(chosen)
    settings: dict[str, Any] = {}
    for p in free.parameters:
        if p.name == free.limit_name and p.unit == "tokens":
            settings[p.name] = tokens
        elif p.kind == "thresholds":
            settings[p.name] = {next(unit for unit in p.units if unit.endswith("tokens")): tokens}
    return acting_at(tokens, free.with_settings(settings))


def some_text(trace: Trace, rng: Random) -> str:
    """A few words in a row of a message or of something put in; now and then cut, or with other blanks or another case."""
    unknown = unreadable_ids(trace)
    added = [m for m in trace.pool.added if m.id not in unknown]
    said = rng.choice(added if added and rng.random() < 0.3 else trace.messages)
    found = [text for text in texts(said) if text.strip()]
    words = rng.choice(found).split() if found else ["nobody", "says", "this"]
    start = rng.randrange(len(words))
    text = " ".join(words[start : start + rng.choice((1, 1, 2, 3, 6, 20))])
    if rng.random() < 0.2:
        cut = rng.randrange(len(text))
        text = text[cut : cut + rng.randrange(1, 12)].strip() or text
    if rng.random() < 0.1:
        text = text.replace(" ", "\n  ")
    return text.upper() if rng.random() < 0.1 else text


def some_steps(trace: Trace, rng: Random) -> list[int]:
    """A few steps, half of them close to a compaction."""
    near = [trace.compaction_step(k) + d for k in range(len(trace.compactions)) for d in (-1, 0, 1)]
    chosen = {rng.randrange(len(trace)) for _ in range(STEPS)} | {*rng.sample(near, min(STEPS, len(near)))}
    return sorted(i for i in chosen if 0 <= i < len(trace))


def match_of(trace: Trace, text: str) -> Match:
    """How it is found in the messages that arrive, else in what was put in, else in what is left of those that were cleared."""
    ways: tuple[Match, ...] = ("exact", "case")
    unknown = unreadable_ids(trace)
    left = {id(m): m for c in trace.compactions for m in c.after if m.id not in unknown}
    for group in (trace.messages, [m for m in trace.pool.added if m.id not in unknown], left.values()):
        for match in ways:
            if any(says(m, Wanted(text, match)) for m in group):
                return match
    return "none"


def look_up(trace: Trace, rng: Random) -> int:
    """Look up one text at a few steps; how many pairs agreed. Raises AssertionError for the first that does not."""
    text = some_text(trace, rng)
    found, wanted = fate(trace, text), Wanted(text, match_of(trace, text))
    assert found.match == wanted.match, text
    said = [i for i, m in enumerate(trace.messages) if says(m, wanted)]
    unknown = unreadable_ids(trace)
    put = {k for k, c in enumerate(trace.compactions) for m in c.after if says(m, wanted) and m.id not in unknown}
    for i in (steps := some_steps(trace, rng)):
        step = trace.step(i)
        before = not any(place < step.messages for place in said) and not any(
            trace.compaction_step(k) <= i for k in put
        )
        stretch = found.lane.at(i)
        expected = looked_at(trace, text, wanted.match, i, before)
        assert (stretch.state, stretch.messages) == expected, (text, i)
        assert stretch.start <= i <= stretch.end
    return len(steps)


def files(folder: Path, most: int) -> list[Path]:
    """The files in a folder that may be transcripts, of no more than so many bytes, in order."""
    return [path for path in sorted(folder.rglob("*.json*")) if path.stat().st_size <= most]


def loaded(paths: Iterable[Path]) -> Iterator[Session]:
    """The sessions of those files that are transcripts with messages."""
    for path in paths:
        try:
            session = load(path)
        except FoldlineError:
            continue
        if session.messages:
            yield session


def main(wanted: int) -> None:
    """Look up so many pairs, and print how many agree, over how many traces."""
    shared = os.environ.get("FOLDLINE_SHARED")
    folders = [SAMPLES, *([Path(shared) / "transcripts"] if shared else [])]
    rng, done, began = Random(14), 0, time.monotonic()
    traces = [trace for folder in folders for trace in traces_of(loaded(files(folder, 2_000_000)), rng)]
    while done < wanted:
        done += look_up(rng.choice(traces), rng)
    print(f"{done:,} pairs agree, over {len(traces)} traces, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
