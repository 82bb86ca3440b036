"""What is unseen of a recorded run: the header of the window and the card of a compaction say one number."""

import json
import subprocess
from pathlib import Path
from typing import Any

from core import TranscriptError, load, replay
from core.trace.hidden_before import hidden_before
from core.trace.trace import Trace
from core.trace.unseen_after import unseen_after
from tests.serving import ROOT
from tests.trace.unseen import unseen_at
from viewer.wire.pack import store_bytes, view_payload


def traces(shared: Path) -> list[Trace]:
    """Every shared transcript that records a compaction, replayed."""
    found = list[Trace]()
    for path in sorted((shared / "transcripts").glob("*/*")):
        try:
            session = load(path)
        except TranscriptError:
            continue
        if session.compactions:
            found.append(replay(session))
    return found


def told(node: str, folder: Path, all_of: list[Trace]) -> list[dict[str, Any]]:
    """What the browser says of each."""
    paths = list[Path]()
    for number, trace in enumerate(all_of):
        paths += [folder / f"{number}.store", folder / f"{number}.view"]
        paths[-2].write_bytes(store_bytes("s", trace))
        paths[-1].write_text(view_payload("s", "t", trace, {})["z"])
    command = [node, ROOT / "tests/frontend/print_unseen.mjs", *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_header_card_and_core_say_the_same_is_unseen(shared: Path, node: str, tmp_path: Path) -> None:
    """The browser has core's number at every step; a card has that of the step before and of its own, and its rows add up.

    What is shown of a window that the agent counted itself is by that count.
    """
    all_of, known = traces(shared), 0
    for trace, said in zip(all_of, told(node, tmp_path, all_of), strict=True):
        calls = [unseen_at(trace, i) for i in range(len(trace))]
        assert said["steps"] == [None if call is None else call.unseen for call in calls]
        for k, around in enumerate(said["around"]):
            assert hidden_before(trace, k) == around["sides"][0]["shown"]
            assert unseen_after(trace, k) == max(0, around["steps"][1]["unseen"] or 0)
            for step, side in zip(around["steps"], around["sides"], strict=True):
                if side["unseen"] is not None:
                    known += 1
                    assert side["unseen"] == step["unseen"]
                    assert f"not in this file ~{side['shown']:,}" in step["note"]
                    rest = side["rest"] or 0
                    assert side["recorded"] < 0 or side["recorded"] == side["visible"] + side["unseen"] + rest
    assert known > 30
