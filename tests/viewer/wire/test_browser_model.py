"""The browser's model, fed with what Python packs, says at every step what core says."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from core import Message, Session, Trace, meter, policies, policy, replay, simulate
from core.errors import ParameterError
from core.model import RecordedCompaction
from core.parameters import Parameter
from core.trace import as_session
from tests.serving import ROOT
from tests.support import assistant, calls, lesson_session, result, system, terse, user
from viewer.pack import store_bytes, view_payload

NODE = shutil.which("node")
SMALL = {"tokens": 300, "messages": 3, "turns": 1}


def session() -> Session:
    """Sixty messages of many sizes, with tool pairs, a late system message and one that looks like a summary."""
    messages: list[Message] = [system("You are careful."), user("[Earlier conversation summary]\nall of it")]
    for k in range(18):
        asked = assistant("so " * (k % 5), calls(f"c{k}", "read", path=f"{k}.py"))
        messages += [user("please " * (k % 7 + 1)), asked, result(f"c{k}", "text " * (7 * k % 40))]
        messages += [system("be brief")] if k == 9 else []
    return as_session([*messages, assistant("done")])


def recorded() -> Session:
    """The same with a recorded summary and a message that was emptied."""
    messages = session().messages
    summary = Message(id="sum", role="user", content="so far", injected="summary")
    events = (
        RecordedCompaction(at=20, summary="sum", kept=(messages[19].id,)),
        RecordedCompaction(at=30, kind="microcompaction", cleared=(messages[25].id,)),
    )
    return Session(messages=(*messages[:20], summary, *messages[20:]), compactions=events)


def small(name: str) -> dict[str, int]:
    """Settings of a policy that act on sixty messages."""
    return {p.name: SMALL[p.unit] for p in policy(name).parameters if p.unit in SMALL and takes(p, SMALL[p.unit])}


def takes(parameter: Parameter, value: int) -> bool:
    """Whether the parameter can have this value."""
    try:
        parameter.check(value)
    except ParameterError:
        return False
    return True


def traces() -> dict[str, Trace]:
    """A simulation for each policy, and two replays."""
    counted = meter("agentkit")
    made = {p.name: policy(p.name, **small(p.name)) for p in policies()}
    simulated = {name: simulate(session(), p, meter=counted, summarizer=terse) for name, p in made.items()}
    replays = {"recorded": replay(recorded(), meter=counted), "lesson": replay(lesson_session(), meter=counted)}
    return simulated | replays


def told(trace: Trace, folder: Path) -> list[dict[str, Any]]:
    """What the browser's model says of each step."""
    store, view = folder / "store", folder / "view"
    store.write_bytes(store_bytes("s", trace))
    view.write_text(view_payload("s", "t", trace, {})["z"])
    command = [NODE or "", ROOT / "tests/frontend/tell.mjs", store, view]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    steps: list[dict[str, Any]] = json.loads(done.stdout)
    return steps


def known(trace: Trace, i: int) -> dict[str, Any]:
    """The same as core says it."""
    window, step = trace.window_of(i), trace.step(i)
    spots = [p for part in window.ranges for p in range(*part)]
    sizes = [window.pool.tokens((p, p + 1)) for p in spots]
    rows = [list(row) for row in zip(spots, trace.regions_of(window), sizes, strict=True)]
    regions = {r: sum(t for _, name, t in rows if name == r) for r in REGIONS}
    return {
        "kind": step.kind,
        "messages": step.messages,
        "tokens": step.tokens,
        "counted": trace.counted(i),
        "regions": regions,
        "rows": rows,
        "gone": sorted(trace.messages.index(m) for m in trace.messages if m.id in trace.gone(i)),
        "found": True,
    }


def policy_of(name: str) -> str:
    """What a policy's main stage does; "" for a replay."""
    return policy(name).transform.kind if name in {p.name for p in policies()} else ""


REGIONS = ("system", "summary", "compactable", "recent", "cleared")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("name", list(traces()))
def test_the_browser_says_what_core_says(name: str, tmp_path: Path) -> None:
    """Rows, regions, tokens, what is counted and what is gone agree at every step, and regions sum to the total."""
    trace = traces()[name]
    said = told(trace, tmp_path)
    assert len(said) == len(trace)
    for i, step in enumerate(said):
        plan = step.pop("plan")
        assert step == known(trace, i), f"step {i}"
        assert sum(step["regions"].values()) == step["tokens"]
        assert plan["over"] == (plan["by"] > 0)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_plan_before_a_compaction_is_what_happens(tmp_path: Path) -> None:
    """The plan one step before each compaction names its messages and its tokens."""
    trace = traces()["agentkit.memory"]
    said = told(trace, tmp_path)
    for k, compaction in enumerate(trace.compactions):
        plan = said[trace.compaction_step(k) - 1]["plan"]
        assert (plan["fires"], plan["count"], plan["after"]) == (True, compaction.folded, compaction.summary_tokens)
    assert len(trace.compactions) > 2


def kept(trace: Trace, k: int) -> int:
    """How many messages of the window before compaction k stay as they are."""
    step = trace.compaction_step(k)
    before, after = ({p for part in trace.window_of(i).ranges for p in range(*part)} for i in (step - 1, step))
    return len(before & after)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("name", [name for name in traces() if policy_of(name) in ("summarise", "opaque", "drop")])
def test_the_plan_counts_what_stays_as_the_card_does(name: str, tmp_path: Path) -> None:
    """One step before each compaction the plan keeps as many as stay; its tokens are those that go."""
    trace = traces()[name]
    said = told(trace, tmp_path)
    for k, compaction in enumerate(trace.compactions):
        step = trace.compaction_step(k)
        if step == 0:
            continue
        plan = said[step - 1]["plan"]
        assert plan["keeps"] + plan["pinned"] == kept(trace, k), f"compaction {k}: {plan['text']}"
        if len(compaction.edits) == 1:
            freed = compaction.window_before - compaction.window_after
            assert plan["before"] == freed + compaction.summary_tokens, f"compaction {k}: {plan['text']}"
