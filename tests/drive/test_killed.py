"""A process that drives is ended at any moment: nothing that it had told is lost, and the run is gone on with."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.drive.recorder import read_events
from core.drive.restore import restored
from core.trace.events import Arrived
from tests.drive.killed import ANSWER, PAGES, POLICIES, at_work
from tests.serving import EXAMPLES, ROOT

RUNS = 4 * EXAMPLES
LIVES = 2
"""Each run is ended so often, and taken up again."""

EVENTS = 130
"""About so many a run comes to."""


def plans(folder: Path, runs: int, signal: str) -> list[dict[str, Any]]:
    """When which run is ended, at random moments, the same each time."""
    chance = random.Random(signal)
    names = list(POLICIES)
    return [
        {
            "folder": str(folder / f"{k}"),
            "id": "run",
            "seed": k,
            "policy": names[k % len(names)],
            "after": chance.randrange(EVENTS // LIVES),
            "late": chance.random() * 0.004,
            "signal": signal,
        }
        for k in range(runs)
    ]


def all_ended(all: list[dict[str, Any]]) -> list[list[int]]:
    """What each of the processes had told; two at a time."""
    parts = all[::2], all[1::2]
    command = [sys.executable, "-m", "tests.drive.killed"]
    running = [subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in parts]
    for process, part in zip(running, parts, strict=True):
        assert process.stdin is not None
        process.stdin.write("".join(f"{json.dumps(plan)}\n" for plan in part).encode())
        process.stdin.close()
    told: list[list[list[int]]] = []
    for process in running:
        assert process.stdout is not None
        with process.stdout as lines:
            told.append([json.loads(line) for line in lines])
        assert process.wait(180) == 0
    return [told[k % 2][k // 2] for k in range(len(all))]


def holds(plan: dict[str, Any], told: list[int]) -> None:
    """Every line but one that was cut is whole and in order, all that was told is there, and the run can be taken up."""
    path = Path(plan["folder"], "run.jsonl")
    if not path.exists():
        assert not told
        return
    lines = path.read_bytes().split(b"\n")[:-1]
    numbers = [json.loads(line)["seq"] for line in lines]
    assert numbers == list(range(1, len(lines) + 1))
    assert not told or told[-1] <= numbers[-1]
    if lines:
        assert restored(read_events(path)).seq == numbers[-1]


@pytest.mark.parametrize(("signal", "runs"), [("SIGKILL", RUNS), ("SIGTERM", 2)])
def test_a_run_outlives_its_process(tmp_path: Path, signal: str, runs: int) -> None:
    """Ended twice at random moments and taken up again, a run comes to its answer; no tool that had finished runs again.

    The model refuses half a tool pair, so the windows that it is sent are whole, before and behind the end of the process.
    """
    for life in range(LIVES):
        for plan in plans(tmp_path, runs, signal):
            Path(plan["folder"]).mkdir(exist_ok=True)
        made = [plan | {"seed": plan["seed"] + 1000 * life} for plan in plans(tmp_path, runs, signal)]
        for plan, told in zip(made, all_ended(made), strict=True):
            holds(plan, told)
    for plan in plans(tmp_path, runs, signal):
        finished(Path(plan["folder"]), plan["policy"])


def finished(folder: Path, policy: str) -> None:
    """Taken up once more, the run comes to its answer; every page was read once, or its reading broke off."""
    drive = at_work(folder, "run", policy, seed=9, slow=0.0)
    assert drive.wait(180) == "ended", drive.state
    drive.close()
    messages = [event.message for event in read_events(folder / "run.jsonl") if isinstance(event, Arrived)]
    assert messages == drive.context.base.messages
    assert [m.content for m in messages if m.role == "assistant"][-1] == ANSWER
    asked = Counter(call.arguments["page"] for m in messages for call in m.tool_calls)
    assert asked == {k: 1 + (k % 3 == 2) for k in range(PAGES)}
    read = Counter(map(int, (folder / "read.txt").read_text().split()))
    pages = {call.id: call.arguments["page"] for m in messages for call in m.tool_calls}
    whole = Counter(pages[m.tool_call_id or ""] for m in messages if m.role == "tool" and not m.is_error)
    assert whole <= read <= asked
    assert drive.context.compactions or policy == "strands.sliding_window"  # it finds a place to cut late, or never
