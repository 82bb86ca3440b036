"""One line for each trace of real transcripts under every policy, to compare two commits: equal lines are equal traces.

python scripts/trace_digests.py FOLDER [--root CHECKOUT] [--shard K/N] > digests.txt

A trace is every file under FOLDER x every policy x three settings, and the file as it was recorded. Its digest covers every
compaction (status, reason, numbers, tokens, the messages it removed, cleared, kept and added) and the window with its regions
at up to twelve steps. It is made by the public names of `core` alone, so the same script runs on either commit.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SESSIONS_OF_A_FILE = 2
STEPS = 12
BUDGETS = (0.15, 0.5)  # shares of the session's tokens, for the two settings beside the defaults


def main() -> int:
    """Print the digests, and the number of traces on stderr."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--shard", default="0/1")
    given = parser.parse_args()
    sys.path.insert(0, str(given.root))
    number, of = map(int, given.shard.split("/"))
    count = 0
    for k, path in enumerate(sorted(p for p in given.folder.rglob("*") if p.is_file())):
        if k % of == number:
            for name, digest in digests(path, path.relative_to(given.folder).as_posix()):
                count += 1
                print(name, digest, flush=True)
    print(f"{count:,} traces", file=sys.stderr)
    return 0


def digests(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """The name and the digest of every trace of a file; none where it is no transcript."""
    from itertools import islice

    from core import FoldlineError, TranscriptError, load_all, meter, policies, policy, replay, simulate

    try:
        sessions = list(islice(load_all(path), SESSIONS_OF_A_FILE))
    except TranscriptError:
        return
    for number, session in enumerate(sessions):
        yield f"{name}[{number}] recorded", digest(replay(session))
        yield f"{name}[{number}] recorded, sizes aside", digest(replay(session), sizes=False)
        count = meter("agentkit").count
        total = sum(map(count, session.messages))
        for rule in policies():
            for label, settings in settings_of(rule, total):
                try:
                    found = digest(simulate(session, policy(rule.name, **settings), meter=meter("agentkit")))
                except FoldlineError as error:
                    found = f"refused: {error}"
                yield f"{name}[{number}] {rule.name} {label}", found


def settings_of(rule: Any, total: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The defaults, and two settings small enough for this session: those that are counted in tokens, scaled to it."""
    yield "defaults", {}
    for share in BUDGETS:
        scaled: dict[str, Any] = {}
        for parameter in rule.parameters:
            if parameter.unit == "tokens" and isinstance(parameter.default, int | float) and parameter.default:
                scaled[parameter.name] = scaled_to(rule, parameter, total * share)
            elif parameter.name == "window":
                scaled[parameter.name] = max(1, int(total * share))
        yield f"at {share:.0%}", scaled


def scaled_to(rule: Any, parameter: Any, total: float) -> int:
    """A default as the share it has of the largest default in tokens, of this many tokens."""
    tokens = [p.default for p in rule.parameters if p.unit == "tokens" and isinstance(p.default, int | float)]
    wanted = int(total * float(parameter.default) / max([*tokens, 1]))
    least = int(getattr(parameter, "at_least", 0) or 0)
    return max(wanted, least, 1)


def digest(trace: Any, sizes: bool = True) -> str:
    """What the trace says, short; `sizes` False leaves out the tokens before and after, and their sources."""
    said: list[Any] = [trace.meter, trace.summarizer, list(trace.tokens), list(trace.notes), len(trace)]
    said += [compaction(one, sizes) for one in (*trace.compactions, *trace.failed)]
    last = len(trace) - 1
    for i in sorted({last * k // (STEPS - 1) for k in range(STEPS)}) if last >= 0 else ():
        step = trace.step(i)
        said.append([step.kind, step.messages, step.tokens, [(m.id, m.content) for m in trace.window(i)]])
        said.append(sorted(trace.regions(i).items()))
    text = json.dumps(said, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def compaction(one: Any, sizes: bool) -> list[Any]:
    """What a compaction says, in plain values."""
    stated = [one.tokens_before, one.tokens_after, one.before_from, one.after_from] if sizes else []
    return [
        *stated,
        *(one.status, one.reason, one.recorded, one.policy, one.kind, one.trigger, one.fidelity, one.at, one.number),
        *(one.folded, one.window_before, one.window_after, one.limit, one.line),
        *(list(one.removed), list(one.cleared), list(one.kept), list(one.tiers), one.unread, one.blank, one.setback),
        *(one.times, one.unreadable, list(one.added_tokens)),
        [m.model_dump(mode="json", exclude_defaults=True) for m in one.added],
    ]


if __name__ == "__main__":
    raise SystemExit(main())
