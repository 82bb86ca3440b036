"""The browser's model, fed with what Python packs, says at every step what core says."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core import Message, Session, Trace, Usage, meter, policies, policy, replay, simulate
from core.model.errors import ParameterError
from core.model.session import RecordedCompaction
from core.policy.parameters import Parameter
from core.trace.trace import as_session
from tests.serving import ROOT
from tests.support import assistant, calls, lesson_session, result, system, terse, user
from viewer.wire.pack import store_bytes, view_payload

Told = dict[str, list[dict[str, Any]]]
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
    """The same with a recorded summary, a message that was emptied, and a window of which scattered messages were kept."""
    messages = session().messages
    summary = Message(id="sum", role="user", content="so far", injected="summary")
    scattered = (19, 22, 23, 25, 31, 43, 44)
    events = (
        RecordedCompaction(at=20, summary="sum", kept=(messages[19].id,)),
        RecordedCompaction(at=30, kind="microcompaction", cleared=(messages[25].id,)),
        RecordedCompaction(at=30, kind="microcompaction"),
        RecordedCompaction(at=45, edit="dropped", window=tuple(messages[k].id for k in scattered)),
        RecordedCompaction(at=50, kept=("sum", messages[22].id, messages[44].id)),
    )
    return Session(messages=(*messages[:20], summary, *messages[20:]), compactions=events)


def with_usage() -> Session:
    """The same messages, for a model that counts a third more than o200k_base: what each reply was sent is recorded."""
    messages, sent = list[Message](), 0
    for message in session().messages:
        usage = Usage(input_uncached=900 + 4 * sent // 3) if message.role == "assistant" else None
        messages.append(message.model_copy(update={"usage": usage}))
        sent += meter("o200k_base").count(message)
    return as_session(messages)


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


@cache
def trace_of(name: str) -> Trace:
    """A simulation under the policy of this name, or one of two replays."""
    counted = meter("agentkit")
    replays = {"recorded": recorded, "lesson": lesson_session}
    if name in replays:
        return replay(replays[name](), meter=counted)
    if name in CALIBRATED:
        rule = policy(CALIBRATED[name], **small(CALIBRATED[name]))
        return simulate(with_usage(), rule, meter=meter("calibrated"), summarizer=terse)
    return simulate(session(), policy(name, **small(name)), meter=counted, summarizer=terse)


CALIBRATED = {"calibrated": "agentkit.memory", "calibrated, emptied": "langchain.clear_tool_uses"}
NAMES = [*(p.name for p in policies()), "recorded", "lesson", *CALIBRATED]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The store and the view of every trace, as Python packs them."""
    folder, paths = tmp_path_factory.mktemp("packed"), list[Path]()
    for name in NAMES:
        paths += [folder / f"{name}.store", folder / f"{name}.view"]
        paths[-2].write_bytes(store_bytes("s", trace_of(name)))
        paths[-1].write_text(view_payload("s", "t", trace_of(name), {})["z"])
    return paths


def printed(node: str, script: str, paths: list[Path]) -> dict[str, Any]:
    """What a script beside the front end's tests says of each trace: one process reads them all."""
    command = [node, ROOT / "tests/frontend" / script, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(NAMES, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.fixture(scope="module")
def browser_steps(node: str, packed: list[Path]) -> Told:
    """What the browser's model says of each step of each trace."""
    return printed(node, "print_model.mjs", packed)


def core_step(trace: Trace, i: int) -> dict[str, Any]:
    """The same as core says it."""
    window, step, gone = trace.window_of(i), trace.step(i), trace.gone(i)
    spots = [p for part in window.ranges for p in range(*part)]
    sizes = [window.pool.tokens((p, p + 1)) for p in spots]
    rows = [list(row) for row in zip(spots, trace.region_list(i), sizes, strict=True)]
    regions = {r: sum(t for _, name, t in rows if name == r) for r in REGIONS}
    return {
        "kind": step.kind,
        "messages": step.messages,
        "tokens": step.tokens,
        "counted": trace.counted(i),
        "regions": regions,
        "rows": rows,
        "gone": [k for k, m in enumerate(trace.messages) if m.id in gone],
        "found": True,
    }


REGIONS = ("system", "summary", "compactable", "recent", "message", "cleared")


@pytest.mark.parametrize("name", NAMES)
def test_the_browser_says_what_core_says(browser_steps: Told, name: str) -> None:
    """Rows, regions, tokens, what is counted and what is gone agree at every step, and regions sum to the total."""
    trace, said = trace_of(name), browser_steps[name]
    assert len(said) == len(trace)
    for i, step in enumerate(said):
        plan, headings = step["plan"], step["headings"]
        assert step == core_step(trace, i) | {"plan": plan, "headings": headings}, f"step {i}"
        assert sum(step["regions"].values()) == step["tokens"]
        assert plan["over"] == (plan["by"] > 0)


@pytest.mark.parametrize("name", NAMES)
def test_a_heading_says_what_the_rows_beneath_it_are(browser_steps: Told, name: str) -> None:
    """No row under "kept" or "recent" goes, every row under "removed" or "compactable" does, and a count of those is right."""
    for i, step in enumerate(browser_steps[name]):
        start = 0
        for title, note, count in step["headings"]:
            regions = [row[1] for row in step["rows"][start : start + count]]
            assert not contradicted(title, note, regions), f"step {i}: {title!r} {note!r} over {regions}"
            start += count
        assert start == len(step["rows"])


def contradicted(title: str, note: str, regions: list[str]) -> bool:
    """Whether a row is otherwise than its heading says."""
    goes, told = regions.count("compactable"), note.replace(",", "").split()
    if "some of these" in title:  # a summary that goes, or what is emptied already, has a region of its own
        return goes > int(told[0]) or regions.count("recent") > int(told[2])
    if title.startswith("Of these, C is"):
        return not 0 < goes < len(regions) or int(told[0]) != goes
    if title.startswith("Compactable") or (title.startswith("The next compaction") and "keeps" not in title):
        return goes != len(regions)
    return goes > 0


def test_the_plan_before_a_compaction_is_what_happens(browser_steps: Told) -> None:
    """The plan one step before each compaction names its messages and its tokens."""
    trace, said = trace_of("agentkit.memory"), browser_steps["agentkit.memory"]
    for k, compaction in enumerate(trace.compactions):
        plan = said[trace.compaction_step(k) - 1]["plan"]
        assert (plan["fires"], plan["count"], plan["after"]) == (True, compaction.folded, compaction.summary_tokens)
    assert len(trace.compactions) > 2


@pytest.mark.parametrize("name", CALIBRATED)
def test_a_learned_scale_is_not_one(name: str) -> None:
    """So that what the browser is told of calibrated sizes says something: there are compactions, and sizes of their own."""
    trace = trace_of(name)
    assert len(trace.compactions) > 0
    assert trace.tokens != replay(with_usage(), meter=meter("o200k_base")).tokens


def unchanged(trace: Trace, k: int) -> int:
    """How many messages of the window before compaction k stay as they are."""
    step = trace.compaction_step(k)
    before, after = ({p for part in trace.window_of(i).ranges for p in range(*part)} for i in (step - 1, step))
    return len(before & after)


@pytest.mark.parametrize("name", [p.name for p in policies() if p.transform.kind in ("summarise", "opaque", "drop")])
def test_the_plan_counts_what_stays_as_the_card_does(browser_steps: Told, name: str) -> None:
    """One step before each compaction the plan keeps as many as stay; its tokens are those that go."""
    trace, said = trace_of(name), browser_steps[name]
    for k, compaction in enumerate(trace.compactions):
        step = trace.compaction_step(k)
        if step == 0:
            continue
        plan = said[step - 1]["plan"]
        assert plan["keeps"] + plan["pinned"] == unchanged(trace, k), f"compaction {k}: {plan['text']}"
        if len(compaction.edits) == 1:
            freed = compaction.window_before - compaction.window_after
            assert plan["before"] == freed + compaction.summary_tokens, f"compaction {k}: {plan['text']}"


def test_the_picture_of_a_compaction_adds_up_to_its_windows(node: str, packed: list[Path]) -> None:
    """Whatever a policy does, the parts before and after hold the tokens of both windows; few compactions have no picture."""
    said = printed(node, "print_columns.mjs", packed)
    for name in NAMES:
        sizes = [[c.window_before, c.window_after] for c in trace_of(name).compactions]
        told = [[pair, size] for pair, size in zip(said[name], sizes, strict=True) if pair is not None]
        assert all(pair == size for pair, size in told), name
        assert len(told) >= len(sizes) - 1, name
