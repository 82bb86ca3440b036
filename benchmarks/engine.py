"""Import, simulation and memory, each beside what it is measured against."""

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from core import Message, ToolCall, load, meter, policies, policy, simulate
from core.engine.due import places_of
from core.meters import measured
from core.meters.tokenizer import new_encoding
from core.model.session import Session
from core.policy.policy import Policy
from core.summaries.summarizers import FixedSize
from core.trace.trace import Trace, as_session
from core.window.window import Window

Row = tuple[str, str, str, str]


def timed(work: Callable[[], Any], runs: int = 5) -> float:
    """Seconds of the processor in the median run: what else the machine does is left aside."""
    took = []
    for _ in range(runs):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return median(took)


def beside(ours: Callable[[], Any], theirs: Callable[[], Any], runs: int = 5) -> tuple[float, float, float]:
    """Median seconds of both, run in turn, and the median of their ratios pair by pair."""
    pairs = [(timed(ours, 1), timed(theirs, 1)) for _ in range(runs)]
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)


def import_row(path: Path) -> Row:
    """Import and count against parsing every line and tokenizing the same text, by a tokenizer that this thread used first."""
    encode = new_encoding().encode_ordinary
    session = load(path)
    texts = [text_of(m) for m in session.messages]

    def floor() -> None:
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)
        for text in texts:
            encode(text)

    def ours() -> None:
        loaded = load(path)
        measured(loaded, meter("o200k_base"))

    took, floored, ratio = beside(ours, floor)
    size = path.stat().st_size / 1e6
    name = f"import + count, {size:.0f} MB, {len(session.messages):,} messages"
    return name, f"{took:.2f} s", f"{floored:.2f} s parse + tokenize", f"{ratio:.2f} x   bar 1.3 x"


def text_of(message: Message) -> str:
    """What of a message is tokenized."""
    calls = "".join(call.name + json.dumps(call.arguments) for call in message.tool_calls)
    return message.content + message.thinking + calls


def long_session(count: int) -> Session:
    """A session of this many messages: turns of eight, three tool pairs in each."""
    return as_session([_of_turn(i) for i in range(count)])


def _of_turn(i: int) -> Message:
    """The i-th message of such turns, of varying length; replies think, so that there is thinking to clear."""
    role = ("user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant")[i % 8]
    text = "word " * (40 + i * 7919 % 120)
    if role == "user":
        return Message(
            id=f"m{i}", role="user", content=f"Item {i}: {text}"
        )  # no request is the beginning of another one
    if role == "tool":
        return Message(id=f"m{i}", role="tool", content=text, tool_call_id=f"c{i}", name="read")
    calls = (
        (ToolCall(id=f"c{i + 1}", name="read", arguments={"path": "a.py"}),)
        if role == "assistant" and i % 8 < 7
        else ()
    )
    return Message(id=f"m{i}", role=role, content=text, tool_calls=calls, thinking="hm" if role == "assistant" else "")


SLOW = 0.5  # seconds: a policy that acts at nearly every call is run once, and not over twice as many messages
SMALL, LARGE = 24_000, 160_000
"""Budgets: one that folds often, and about what a window of 200,000 tokens leaves to the messages."""

OFTEN = 250
"""Who compacts once in fewer messages has short windows, which are soon added up: then a compaction has a bar of its own."""


def simulate_rows(count: int = 100_000) -> Iterator[Row]:
    """Each policy with room for about a window of 200,000 tokens, agentkit's with little too, against the naive loop."""
    sessions, naive_took = (long_session(count), long_session(count * 2)), _naive_seconds(long_session(count), LARGE)
    rules = [policy("agentkit.memory", budget=SMALL, keep_recent=8), *map(roomy, policies())]
    yield from (_simulate_row(rule, sessions) for rule in rules if rule.trigger.phase != "manual")
    yield from _structural_rows(sessions[0], naive_took)


def roomy(rule: Policy) -> Policy:
    """The policy at its defaults, but with a limit in tokens of its own, or none, at the large budget."""
    settings: dict[str, Any] = {}
    for parameter in rule.parameters:
        if parameter.name == rule.limit_name and parameter.kind == "thresholds":
            settings[parameter.name] = {next(unit for unit in parameter.units if unit.endswith("tokens")): LARGE}
        elif parameter.name == rule.limit_name and parameter.unit == "tokens":
            settings[parameter.name] = LARGE
        elif parameter.name == "keep_recent":
            settings[parameter.name] = 8
    return rule.with_settings(settings)


def _structural_rows(session: Session, naive_took: float) -> list[Row]:
    """The default summarizer, which reads every message that is folded: the first time, and with what it then knows."""
    rules = policy("agentkit.memory", budget=LARGE, keep_recent=8)
    first = timed(lambda: simulate(session, rules, meter=meter("agentkit")), 1)
    again = timed(lambda: simulate(session, rules, meter=meter("agentkit")), 7)
    name = f"the same at {LARGE:,} with structural summaries"
    return [
        (f"{name}, {when}", f"{took * 1000:.0f} ms", f"{naive_took:.1f} s naive loop", f"1/{naive_took / took:,.0f}")
        for when, took in (("first", first), ("again", again))
    ]


def _simulate_row(rule: Policy, sessions: tuple[Session, Session]) -> Row:
    """One policy over the session and over one twice as long; both are counted, and what it empties made, beforehand."""

    def run(session: Session) -> Trace:
        return simulate(session, rule, meter=meter("agentkit"), summarizer=FixedSize(400))

    trace = run(sessions[0])
    took = timed(lambda: run(sessions[0]), 1)
    twice = math.nan
    if took < SLOW:
        run(sessions[1])
        took, twice = timed(lambda: run(sessions[0]), 7), timed(lambda: run(sessions[1]), 7)
    naive_took, size = _adding_up(trace), len(sessions[0].messages)
    name = f"simulate {size:,} messages, {rule.name}: {len(trace.compactions):,} compactions"
    longer = "" if math.isnan(twice) else f"; twice as long takes {twice / took:.1f} x"
    verdict = f"{_against_bar(took, naive_took, size, len(trace.compactions))}{longer}"
    return name, f"{took * 1000:.1f} ms", f"{naive_took:.2f} s adding up every window", verdict


def _against_bar(took: float, naive_took: float, size: int, compactions: int) -> str:
    """The share of the naive loop, with the bar for it, or for a compaction of a policy that compacts often."""
    share = f"1/{naive_took / took:,.0f}" if naive_took >= 10 * took else f"1/{naive_took / took:.1f}"
    if compactions * OFTEN < size:
        return f"{share}   bar 1/1000"
    return f"{share}   {took / compactions * 1e6:.0f} µs a compaction, bar 50 µs"


def _adding_up(trace: Trace) -> float:
    """Seconds it would take to count every message of the window of every step, from what counting some takes."""
    counted, some = meter("agentkit"), trace.messages[:2_000]
    each = timed(lambda: sum(counted.count(m) for m in some)) / len(some)
    sizes = [0, *(len(Window(trace.window_of(0).pool, c.layout_after)) for c in trace.compactions)]
    arrivals = [0, *(c.at for c in trace.compactions), len(trace.messages)]
    stretches = zip(sizes, arrivals, arrivals[1:], strict=False)
    return each * sum((b - a) * size + (b - a) * (b - a + 1) // 2 for size, a, b in stretches)


def _naive_seconds(session: Session, budget: int, share: int = 10) -> float:
    """Seconds of the naive loop, from a share of the session: its cost a message is the same all along."""
    part = as_session(session.messages[: len(session.messages) // share])
    return share * timed(lambda: naive(part, meter("agentkit"), budget, 8), 1)


def naive(session: Session, counted_by: Any, budget: int, keep: int) -> int:
    """agentkit's policy as one would first write it: the window is added up again at every step."""
    calls, folds = set(places_of(measured(session, counted_by), "before_call")), 0
    window = list[Message]()
    for i, message in enumerate(session.messages):
        total = sum(counted_by.count(m) for m in window)
        if i in calls and total > budget and len(window) > keep:
            folds += 1
            window = [Message(id="s", role="system", content="word " * 320), *window[-keep:]]
        window.append(message)
    return folds


PEAK = """
import resource, sys
from core import load, meter
from core.meters import measured

def peak():
    try:
        lines = open("/proc/self/status").read().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = peak()
session = load(sys.argv[1])
measured(session, meter("o200k_base"))
print(before, peak())
"""


def memory_row(path: Path) -> Row:
    """The peak of a process that loads and counts, against the size of the file."""
    run = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    before, peak = map(int, run.stdout.split())
    size = path.stat().st_size
    name = f"peak memory, {size / 1e6:.0f} MB file"
    return name, f"{peak / 1e6:.0f} MB", f"{before / 1e6:.0f} MB before loading", f"{peak / size:.1f} x   bar 4 x"
