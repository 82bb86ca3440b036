"""A live run as the browser gets it: what is new since it last asked, and the state of the run; docs/wire.md.

Only what is new is worked out, so that an answer costs the same however long the run is. No Streamlit.
"""

import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.bands import Cuts, cuts_between
from core.course import Course
from core.drive import Drive, Sized, State
from core.drive.problems import places_of
from core.llm import demo
from core.policy import Policy
from core.window import Window
from viewer.pack import (
    MODEL_CALL,
    NOTE_CHARS,
    ROLES,
    STATUSES,
    VERSION,
    columns,
    failed_columns,
    flag_of,
    limit_name,
    meter_facts,
    pins_of,
    policy_facts,
    shadow_columns,
    typical,
    worded,
)
from viewer.preview import label, one_line, preview

UNSETTLED = 40
"""The newest steps whose cuts are sent again: what arrives behind them may still move them."""


@dataclass(frozen=True)
class Seen:
    """What a browser has: so many messages, compactions and steps."""

    messages: int = 0
    compactions: int = 0
    steps: int = 0

    def fits(self, course: Course) -> bool:
        """Whether a browser of this run can have that much."""
        return self.messages <= len(course.base.messages) and self.compactions <= len(course.compactions)


def news(drive: Drive, seen: Seen) -> dict[str, Any]:
    """All that is new to a browser that has seen this much; the caller holds the run's lock."""
    course = drive.course
    seen = seen if seen.fits(course) else Seen()
    return {
        "header": _header(drive),
        "messages": _messages(course, seen.messages),
        "view": _view(drive),
        "c": _compactions(course, seen.compactions),
        **_cuts(course, seen),
        "state": state_of(drive),
    }


def _header(drive: Drive) -> dict[str, Any]:
    course, settings = drive.course, drive.settings
    base = course.base
    return {
        "version": VERSION,
        "sid": sid_of(drive),
        "session": sid_of(drive),
        "n": len(base.messages),
        "title": one_line(title_of(drive)),
        "format": "foldline-run",
        "formatName": "live run",
        "model": one_line(settings.model or settings.provider),
        **meter_facts(drive.meter, settings.model),
        "total": base.running[-1],
        "turns": len(base.turn_starts),
        "notes": [one_line(note, NOTE_CHARS) for note in _notes(drive)],
        "recordedCompactions": 0,
        "recorded": {
            "at": [],
            "before": [],
            "after": [],
            "left": [],
            "prompts": {"at": [], "tokens": []},
            "error": None,
        },
        "unseen": None,
        "marked": {"summary": [], "ack": [], "cleared": []},
    }


def _notes(drive: Drive) -> list[str]:
    """How it was taken up, and the errors on the way."""
    return [*([drive.note] if drive.note else []), *(f"Error {told}" for told in drive.state.past)]


def sid_of(drive: Drive) -> str:
    """What the run is called in addresses of the API."""
    return f"live-{drive.id}"


def title_of(drive: Drive) -> str:
    """The run's name, else what was typed first, else what drives it."""
    base = drive.course.base
    typed = base.messages[base.turn_starts[0]].content if base.turn_starts else ""
    return drive.title or typed or "New run"


def _messages(course: Course, start: int) -> dict[str, Any]:
    new = course.base.messages[start:]
    calls = course.base.calls
    asked = set(calls[bisect_left(calls, start) :])
    return {
        "from": start,
        "tokens": list(course.base.tokens[start:]),
        "roles": [ROLES[m.role] for m in new],
        "flags": [flag_of(m) | (MODEL_CALL if i in asked else 0) for i, m in enumerate(new, start)],
        "labels": [label(m) for m in new],
        "previews": [preview(m) for m in new],
    }


def _view(drive: Drive) -> dict[str, Any]:
    course, name = drive.course, sid_of(drive)
    pool, rules = course.window().pool, course.policy
    return {
        "version": VERSION,
        "sid": name,
        "tid": name,
        "stamp": f"{name}-{course.steps}-{drive.version}",
        "kind": "simulate",
        "length": course.steps,
        "policy": policy_facts(rules),
        "statuses": STATUSES,
        "pins": pins_of(rules, pool),
        "shadows": [shadow_columns(shadow) for shadow in pool.shadows],
        "worded": worded(course.base, rules.placement) if rules.placement else [],
        "typicalSummary": typical(course.compactions[-50:]),
        "failed": failed_columns(course.failures.runs()),
        "notes": [],
        "held": sorted(course.held),
        "eras": [
            [era.since, era.policy.limit, era.policy.ceiling, limit_name(era.policy), era.policy.name]
            for era in course.eras
        ],
    }


def _compactions(course: Course, start: int) -> dict[str, Any]:
    kept = course.compactions[start:]
    real = course.compactions_as_told(start)
    cleared = {m.id for c in kept for m in c.added if m.injected == "cleared"}
    places = {id: course.base.place_of(id) for id in cleared}
    found = columns(real, places)
    found["at"] = [c.at for c in kept]
    found["tiers"] = [list(c.tiers) for c in kept]
    found["layout"] = [[end for part in c.layout_after for end in part] for c in kept]
    return {"from": start, **found}


def _cuts(course: Course, seen: Seen) -> dict[str, Any]:
    """Where the policy in force cuts the window: for each epoch that is new or still grows, and at every step that may move."""
    start = max(0, min(seen.steps, course.steps) - UNSETTLED)
    first = sum(c.at + k <= start for k, c in enumerate(course.compactions))
    first = min(first, seen.compactions)
    heads, bodies, tails, spared = [], [], list[int](), list[int]()
    begun = 0
    for found in _epochs(course, first, start):
        heads.append(found.head)
        bodies.append(found.body)
        tails += found.tails
        spared += found.spared
        begun = begun if len(heads) > 1 else found.step
    return {
        "epochs": {"from": first, "heads": heads, "bodies": bodies},
        "steps": {"from": begun, "tails": tails, "spared": spared if any(spared) or course.policy.scope.spare else []},
    }


@dataclass(frozen=True)
class _Stretch:
    """One epoch from a step on: where its head and body end, and the cuts at its steps."""

    head: int
    body: int
    tails: list[int]
    spared: list[int]
    step: int


def _epochs(course: Course, first: int, start: int) -> Iterator[_Stretch]:
    """Every epoch from `first` on, each from step `start` on where it begins before that."""
    pool, arrived = course.window().pool, len(course.base.messages)
    ends = [*(c.at for c in course.compactions), arrived]
    for e in range(first, len(course.compactions) + 1):
        before = course.compactions[e - 1] if e else None
        at = before.at if before else 0
        window = Window(pool, course.real(before.layout_after) if before else ())
        begun = max(at, start - e + 1) if e == first else at
        begun = min(max(begun, 0 if e else 1), ends[e]) if ends[e] else 0
        yield _stretch(course, window.grown(at, begun), e, begun, ends[e])


def _stretch(course: Course, window: Window, e: int, begun: int, upto: int) -> _Stretch:
    """The cuts from `begun` messages on up to `upto`, era by era."""
    tails, spared = list[int](), list[int]()
    last: Cuts | None = None
    for policy, a, b in _eras(course, e, begun, upto):
        last = cuts_between(window.grown(begun, a), policy, a, b)
        tails += last.tails
        spared += last.spared or [len(course.base.messages)] * len(last.tails)
    assert last is not None
    step = max(0, begun + e - 1)
    return _Stretch(last.head, last.body, tails if upto else [], spared if upto else [], step)


def _eras(course: Course, e: int, begun: int, upto: int) -> Iterator[tuple[Policy, int, int]]:
    """Which policy was in force from how many messages on, up to how many, within this epoch."""
    at = begun
    while at <= upto:
        step = at + e - 1
        later = [era.since - e + 1 for era in course.eras if era.since > step]
        end = min([upto, *(place - 1 for place in later)])
        governs = [era.policy for era in course.eras if era.since <= max(0, step)]
        yield (governs[-1] if governs else course.policy), at, max(at, end)
        at = max(at, end) + 1


def state_of(drive: Drive) -> dict[str, Any]:
    """The lamp and the words beside it."""
    state = drive.state
    return {
        "status": state.status,
        "doing": state.doing,
        "seconds": round(max(0.0, time.monotonic() - state.since), 1) if state.doing else 0,
        "why": one_line(state.why, 400),
        "calls": drive.turn_calls,
        "all": state.calls,
        "most": drive.settings.max_calls,
        "turn": len(drive.course.base.turn_starts),
        "more": drive.unfinished,
        "partial": one_line(state.partial[-600:], 600),
        "next": _sized(state.next),
        "last": _sized(state.last),
        "totals": state.totals.model_dump() if state.totals.prompt or state.totals.output else None,
        "error": _problem(drive, state),
        "notice": list(state.notice),
        "stepping": state.stepping,
        "tool": state.tool,
        "pace": state.pace,
        "breakpoints": [
            {**point.model_dump(), "hit": point.id in drive.breakpoints.hit} for point in drive.breakpoints.all
        ],
        "tools": [tool.name for tool in drive.tools],
        "provider": drive.settings.provider,
        "model": drive.settings.model,
        "goal": "" if drive.course.base.turn_starts or drive.settings.provider != demo.PROVIDER.name else demo.GOAL,
        "file": f"{drive.id}.jsonl",
    }


def _sized(sized: Sized | None) -> dict[str, Any] | None:
    if sized is None:
        return None
    return {
        "messages": sized.messages,
        "tokens": sized.estimate,
        "tools_tokens": sized.tools,
        "estimate": sized.estimate + sized.tools,
        "counted": sized.counted,
        "usage": sized.usage.model_dump() if sized.usage else None,
        "error": None if sized.error is None else round(sized.error, 1),
    }


def _problem(drive: Drive, state: State) -> dict[str, Any] | None:
    problem = state.problem
    if problem is None:
        return None
    return {
        "kind": problem.kind,
        "text": one_line(problem.text, 600),
        "hint": one_line(problem.hint, 600),
        "retry": problem.retry,
        "orphans": places_of(problem.orphans, drive.course)[0],
        "policy": problem.policy,
    }
