"""Compactions in a row: what holds of a window holds after five of them, on every policy, for awkward histories."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from core import Compaction, Message, Policy, Session, Trace, policies, simulate
from core.analyse import findings_at
from core.engine.due import places_of
from core.trace.trace import as_session
from tests.engine.test_engine_properties import Run, Seven100
from tests.serving import share
from tests.support import assistant, calls, result, system, terse, tight, user


def parallel(turns: int = 30) -> Iterator[Message]:
    """Three calls at once in every reply, answered in another order."""
    for k in range(turns):
        names = [f"p{k}.{i}" for i in range(3)]
        yield user(f"do {k} " * 6)
        yield assistant("on it", *(calls(n, "read", path=n) for n in names))
        yield from (result(n, "line " * (k % 5 + 1)) for n in reversed(names))
        yield assistant(f"did {k}")


def left_open(turns: int = 30) -> Iterator[Message]:
    """Every third call is answered only in the next turn, every seventh never."""
    late: list[Message] = []
    for k in range(turns):
        yield user(f"do {k} " * 6)
        yield from late
        yield assistant("on it", calls(f"o{k}", "read", path=f"{k}"))
        answer = [result(f"o{k}", "line " * 9)]
        late = answer if k % 3 == 0 else []
        yield from [] if k % 3 == 0 or k % 7 == 0 else answer
        yield assistant(f"did {k}")


def giant(turns: int = 30) -> Iterator[Message]:
    """One result, a third of the way in, is larger than everything else together."""
    for k in range(turns):
        yield user(f"do {k} " * 6)
        yield assistant("on it", calls(f"g{k}", "read", path=f"{k}"))
        yield result(f"g{k}", "giant " * (9000 if k == turns // 3 else 7))
        yield assistant(f"did {k}")


def nobody(turns: int = 30) -> Iterator[Message]:
    """A system prompt, then the agent alone: nobody typed anything."""
    yield system("Work through the list until it is empty.")
    for k in range(2 * turns):
        yield assistant(f"item {k} " * 4, calls(f"n{k}", "read", path=f"{k}"))
        yield result(f"n{k}", "line " * 8)


def ruled(turns: int = 30) -> Iterator[Message]:
    """System messages wherever somebody thought of a rule: before, between a question and its answer, after."""
    yield system("Be careful.")
    for k in range(turns):
        yield user(f"do {k} " * 6)
        yield from [system(f"Rule {k}: be brief.")] if k % 4 == 0 else []
        yield assistant("on it", calls(f"s{k}", "read", path=f"{k}"))
        yield result(f"s{k}", "line " * 8)
        yield from [system(f"Rule {k}b: stay polite.")] if k % 9 == 0 else []
        yield assistant(f"did {k}")


SHAPES = {made.__name__: made for made in (parallel, left_open, giant, nobody, ruled)}
assert len(SHAPES) % 2, "with an even number of shapes a share would always leave out the same ones"
CASES = pytest.mark.parametrize(
    ("chosen", "shape"),
    share([(p, shape) for p in policies() for shape in SHAPES]),
    ids=lambda v: getattr(v, "name", v),
)


@cache
def session(shape: str) -> Session:
    """The history of that shape, its messages numbered."""
    numbered = (m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(SHAPES[shape](60)))
    return as_session([m.model_copy(update={"thinking": "hm"}) if m.role == "assistant" else m for m in numbered])


def chained(chosen: Policy, shape: str) -> Run:
    """The policy, with little room, over that history."""
    return Run(session(shape), tight(chosen), Seven100(), terse)


@CASES
def test_five_compactions_in_a_row_leave_a_sound_window(chosen: Policy, shape: str) -> None:
    """Each names what it took and leaves the rest in order; tokens add up; what it parted is told as a finding."""
    run = chained(chosen, shape)
    trace = run.trace
    place = {m.id: i for i, m in enumerate(trace.messages)}
    for k, found in enumerate(trace.compactions):
        adds_up(found, run.count)
        places = [place[m.id] for m in found.after if m.id in place]
        assert places == sorted(places), f"compaction {k} leaves messages out of order"
        assert parted(found) <= orphans_named(trace, k), f"compaction {k} parts a tool pair and nothing says so"
    nothing_is_lost(trace)
    if can_act(chosen, shape):
        assert len(trace.compactions) >= 5


def adds_up(found: Compaction, count: Callable[[Message], int]) -> None:
    """What was there is kept, emptied or gone; what is there now was kept, emptied or put in; so with the tokens."""
    put = [m.id for m in found.added if m.injected != "cleared"]
    assert Counter([*found.kept, *found.cleared, *found.removed]) == Counter(m.id for m in found.before)
    assert Counter([*found.kept, *found.cleared, *put]) == Counter(m.id for m in found.after)
    left = {m.id: m for m in found.after}
    emptied = sum(count(m) - count(left[m.id]) for m in found.before if m.id in found.cleared)
    gone = sum(count(m) for m in found.before if m.id in found.removed)
    assert found.removed_tokens == gone
    assert found.window_after == found.window_before - gone - emptied + found.summary_tokens


def parted(found: Compaction) -> set[str]:
    """The results that lost their call by this compaction, and the calls that lost their result."""
    after = {m.id for m in found.after}
    asked = {c.id: m.id for m in found.before for c in m.tool_calls}
    pairs = [(asked[m.tool_call_id], m.id) for m in found.before if m.role == "tool" and m.tool_call_id in asked]
    return {one if one in after else other for one, other in pairs if (one in after) != (other in after)}


def orphans_named(trace: Trace, k: int) -> set[str]:
    """The messages that findings on orphans name at a compaction."""
    kinds = ("orphaned_tool_result", "orphaned_call", "orphaned_later")
    return {name for f in findings_at(trace, k) if f.kind in kinds for name in f.messages}


def nothing_is_lost(trace: Trace) -> None:
    """At the end every message is in the window, or an edit of some compaction names it as gone."""
    last = len(trace) - 1
    inside, gone = {m.id for m in trace.window(last)}, trace.gone(last).keys()
    assert {m.id for m in trace.messages} <= inside | gone
    assert not inside & gone


NEVER_HERE = {
    ("claude_code.microcompact", ""): "it acts after an hour's pause, and these messages carry no times",
    ("minimal_agent.compact", ""): "it acts only on request",
    ("stella.retention", ""): "it shortens results of more than 2,000 characters, and here is one such at most",
    ("cline.agentic", "nobody"): "the last turn stays, and where nobody typed there is no turn to cut at",
    ("gemini_cli.compression", "nobody"): "it cuts only in front of a user message",
    ("selfcompact.rubric", "nobody"): "it acts at the end of a turn, and where nobody typed there is no turn",
    ("langmem.summarize", "nobody"): "what it keeps free for the summary leaves no room beside this system prompt",
}


def can_act(chosen: Policy, shape: str) -> bool:
    """Whether the policy can be expected to act on such a history: one of its moments comes, and it may take something."""
    moments = {phase for stage in (*chosen.tiers, chosen.main) for phase in chosen.phases_of(stage)}
    base = simulate(session(shape), chosen, meter=Seven100(), summarizer=terse).measured
    comes = any(len(places_of(base, phase)) >= 5 for phase in moments)
    return comes and not any((chosen.name, part) in NEVER_HERE for part in ("", shape))
