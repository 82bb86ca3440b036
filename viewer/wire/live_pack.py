"""A live run as the browser gets it: what is new since it last asked, and the state of the run; docs/wire.md.

Only what is new is worked out, so that an answer costs the same however long the run is. No Streamlit.
"""

import json
import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.demo import provider as demo
from core.drive import Drive, PromptSize, State
from core.drive.breakpoints import Breakpoints
from core.drive.problems import places_of
from core.drive.restore import waiting_calls
from core.drive.servers import ServerState
from core.drive.status import ACTIVE
from core.engine.counts import added_tokens
from core.engine.live_context import LiveContext
from core.importers import foldline_run
from core.llm.directory import providers
from core.llm.endpoint import host_of
from core.model.session import ToolCall
from core.policy.vocabulary import Phase
from core.trace.events import Fork
from core.trace.partition_timeline import Cuts, cuts_between, policies_between
from core.window.window import Window
from viewer.settings.live_scale import expected_tokens
from viewer.wire.header import header_of
from viewer.wire.pack import MODEL_CALL, flag_of
from viewer.wire.preview import label, one_line, preview
from viewer.wire.view import ROLES, columns, eras_of, failed_columns, view_of

UNSETTLED = 40
"""The newest steps whose cuts are sent again: what arrives behind them may still move them."""

MOST_REPLY = 4_000
"""Characters of a reply that was cut off: they are sent with every answer. The run's file has all."""


@dataclass(frozen=True)
class Seen:
    """What a browser has: so many messages, compactions and steps."""

    messages: int = 0
    compactions: int = 0
    steps: int = 0

    def fits(self, context: LiveContext) -> bool:
        """Whether a browser of this run can have that much."""
        most = len(context.base.messages), len(context.compactions)
        return 0 <= self.messages <= most[0] and 0 <= self.compactions <= most[1] and self.steps >= 0


def news(drive: Drive, seen: Seen) -> dict[str, Any]:
    """All that is new to a browser that has seen this much; the caller holds the run's lock."""
    context = drive.context
    seen = seen if seen.fits(context) else Seen()
    return {
        "header": _header(drive),
        "messages": _messages(context, seen.messages),
        "view": _view(drive),
        "c": _compactions(context, seen.compactions),
        **_cuts(context, seen),
        "state": state_of(drive),
    }


def _header(drive: Drive) -> dict[str, Any]:
    settings, context = drive.settings, drive.context
    return header_of(
        sid_of(drive),
        context.base,
        drive.meter,
        settings.model,
        _notes(drive),
        title=one_line(title_of(drive)),
        format="foldline-run",
        formatName=foldline_run.AGENT,
        agent=foldline_run.AGENT,
        model=one_line(settings.model or settings.provider),
        total=context.base.running[-1] + added_tokens(context.compactions, context.base.places),
        tools=sized.tools if (sized := drive.state.next_prompt) else 0,
    )


def _notes(drive: Drive) -> list[str]:
    """Where it was forked from, how it was taken up, and the errors on the way."""
    told = [f"Forked from {fork_words(drive.fork)}" if drive.fork else "", drive.note]
    return [*filter(None, told), *(f"Error {told}" for told in drive.state.earlier_errors)]


def fork_words(fork: Fork) -> str:
    """What a run was forked from: the parent's title, the message or compaction, and whether its message was edited there."""
    edited = ", with an edited message" if fork.edited else ""
    return f"“{fork.title or fork.run}” at {fork.at or f'step {fork.step:,}'}{edited}"


def server_words(provider: str, base_url: str) -> str:
    """Who answers a run: the host of its server where the run names one, else the provider's label."""
    label = next((one.label for one in providers() if one.name == provider), provider)
    return host_of(base_url).removesuffix(":443").removesuffix(":80") or label


def sid_of(drive: Drive) -> str:
    """What the run is called in addresses of the API."""
    return f"live-{drive.id}"


def tid_of(drive: Drive) -> str:
    """What its trace is called there: another name once a step was undone, for what was told of that step holds no more."""
    undone = drive.context.undone
    return f"{sid_of(drive)}~{undone}" if undone else sid_of(drive)


def title_of(drive: Drive) -> str:
    """The run's name, else what was typed first, else what drives it."""
    base = drive.context.base
    typed = base.messages[base.turn_starts[0]].content if base.turn_starts else ""
    return drive.title or typed or "New run"


def _messages(context: LiveContext, start: int) -> dict[str, Any]:
    new = context.base.messages[start:]
    calls = context.base.calls
    asked = set(calls[bisect_left(calls, start) :])
    return {
        "from": start,
        "tokens": list(context.base.tokens[start:]),
        "roles": [ROLES[m.role] for m in new],
        "flags": [flag_of(m) | (MODEL_CALL if i in asked else 0) for i, m in enumerate(new, start)],
        "labels": [label(m) for m in new],
        "previews": [preview(m) for m in new],
    }


def _view(drive: Drive) -> dict[str, Any]:
    context, name = drive.context, sid_of(drive)
    return view_of(
        name,
        tid_of(drive),
        context.window().pool,
        context.policy,
        context.compactions[-50:],
        stamp=f"{name}-{context.steps}-{drive.version}",
        kind="simulate",
        length=context.steps,
        failed=failed_columns(context.failures.runs()),
        notes=[],
        held=sorted(context.pinned),
        eras=eras_of(context.policy_changes),
        awaited=[one_line(call.name, 60) for call in waiting_calls(context.base.messages)],
        due=compacts_first(drive),
    )


def compacts_first(drive: Drive) -> bool:
    """Whether the policy compacts the window as it is now before the next model call; of a run at work that is not asked."""
    if drive.state.status in ACTIVE or not drive.context.base.messages:
        return False
    answered = drive.context.base.messages[-1].role == "tool"
    phases: tuple[Phase, ...] = ("before_call", "on_read", *(("after_tools",) if answered else ()))
    return drive.state.before_compaction or any(drive.context.due(phase) for phase in phases)


def _compactions(context: LiveContext, start: int) -> dict[str, Any]:
    kept = context.compactions[start:]
    cleared = {m.id for c in kept for m in c.added if m.injected == "cleared"}
    places = {id: context.base.place_of(id) for id in cleared}
    found = columns(kept, places)
    found["at"] = [c.at for c in kept]
    found["tiers"] = [list(c.tiers) for c in kept]
    return {"from": start, **found}


def _cuts(context: LiveContext, seen: Seen) -> dict[str, Any]:
    """Where the policy in force cuts the window: for each epoch that is new or still grows, and at every step that may move."""
    start = max(0, min(seen.steps, context.steps) - UNSETTLED)
    first = sum(c.at + k <= start for k, c in enumerate(context.compactions))
    first = min(first, seen.compactions)
    heads, bodies, tails, spared = [], [], list[int](), list[int]()
    begun = 0
    for found in _epochs(context, first, start):
        heads.append(found.head)
        bodies.append(found.body)
        tails += found.tails
        spared += found.spared
        begun = begun if len(heads) > 1 else found.step
    return {
        "epochs": {"from": first, "heads": heads, "bodies": bodies},
        "steps": {
            "from": begun,
            "tails": tails,
            "spared": spared if any(spared) or context.policy.scope.protect else [],
        },
    }


@dataclass(frozen=True)
class _EpochCuts:
    """One epoch from a step on: where its head and body end, and the cuts at its steps."""

    head: int
    body: int
    tails: list[int]
    spared: list[int]
    step: int


def _epochs(context: LiveContext, first: int, start: int) -> Iterator[_EpochCuts]:
    """Every epoch from `first` on, each from step `start` on where it begins before that."""
    pool, arrived = context.window().pool, len(context.base.messages)
    ends = [*(c.at for c in context.compactions), arrived]
    for e in range(first, len(context.compactions) + 1):
        before = context.compactions[e - 1] if e else None
        at = before.at if before else 0
        window = Window(pool, before.layout_after if before else ())
        begun = max(at, start - e + 1) if e == first else at
        begun = min(max(begun, 0 if e else 1), ends[e]) if ends[e] else 0
        yield _cuts_of(context, window.grown(at, begun), e, begun, ends[e])


def _cuts_of(context: LiveContext, window: Window, e: int, begun: int, upto: int) -> _EpochCuts:
    """The cuts from `begun` messages on up to `upto`, policy by policy."""
    tails, spared = list[int](), list[int]()
    last: Cuts | None = None
    for policy, a, b in policies_between(context.policy_changes, e, begun, upto):
        last = cuts_between(window.grown(begun, a), policy, a, b)
        tails += last.tails
        spared += last.protected or [len(context.base.messages)] * len(last.tails)
    assert last is not None
    step = max(0, begun + e - 1)
    return _EpochCuts(last.head, last.body, tails if upto else [], spared if upto else [], step)


def state_of(drive: Drive) -> dict[str, Any]:
    """The status of the run and what is shown beside it."""
    return {**_activity(drive), **_prompts(drive), **_controls(drive), **_parts(drive)}


def _activity(drive: Drive) -> dict[str, Any]:
    """What the run does, since when, how far it is, and what went wrong."""
    state = drive.state
    return {
        "status": state.status,
        "doing": state.activity,
        "seconds": round(max(0.0, time.monotonic() - state.activity_since), 1) if state.activity else 0,
        "next_try": vars(state.next_try) if state.next_try else None,
        "why": one_line(state.reason, 400),
        "turn": len(drive.context.base.turn_starts),
        "more": drive.unfinished,
        "undo": drive.context.can_undo,
        "partial": one_line(state.partial_reply[-600:], 600),
        "error": _problem(drive, state),
        "notice": list(state.notice),
    }


def _prompts(drive: Drive) -> dict[str, Any]:
    """The model calls: how many there were and may be, the next and the last prompt, the tokens of all."""
    state = drive.state
    return {
        "calls": drive.turn_calls,
        "all": state.calls,
        "exchanges": len(drive.exchanges),
        "most": drive.settings.max_calls,
        "next": _sized(state.next_prompt),
        "last": _sized(state.last_prompt),
        "totals": state.totals.model_dump(exclude_none=True) if state.totals.prompt or state.totals.output else None,
    }


def _arguments(call: ToolCall | None) -> str:
    """With what the tool is called, as the model wrote it: which one of several calls this is."""
    return one_line(call.raw or json.dumps(call.arguments, ensure_ascii=False), 100) if call else ""


def _controls(drive: Drive) -> dict[str, Any]:
    """Where the run pauses, and what it waits before."""
    state, points, call = drive.state, drive.breakpoints, drive.next_tool
    return {
        "stepping": state.stepping,
        "tool": call.name if call else "",
        "tool_arguments": _arguments(call),
        "compaction": state.before_compaction,
        "pace": state.pace,
        "breakpoints": [
            {**point.model_dump(), "words": point.words, "hit": point.id in points.hit} for point in points.all
        ],
        "to": _target(points),
    }


def _parts(drive: Drive) -> dict[str, Any]:
    """What the run is made of: servers, tools, policy, model, and the goal where nothing was sent yet."""
    settings = drive.settings
    return {
        "servers": [_server(one) for one in drive.servers.states()],
        "tools": [tool.name for tool in drive.tools],
        "settings": json.dumps([settings.policy, settings.parameters], sort_keys=True, default=str),
        "expected": expected_tokens(drive),
        "provider": settings.provider,
        "model": settings.model,
        "goal": "" if drive.context.base.turn_starts or settings.provider != demo.PROVIDER.name else demo.GOAL,
        "file": f"{drive.id}.jsonl",
    }


def _target(points: Breakpoints) -> str:
    """Where the run goes on to, in words; "" where it goes to nowhere in particular."""
    if not points.runs_to_target:
        return ""
    return points.target.words if points.target else "the end of the turn"


def _server(server: ServerState) -> dict[str, Any]:
    """An MCP server; its texts are its own, and so not to be trusted."""
    return {
        "name": one_line(server.name, 100),
        "target": one_line(server.target, 200),
        "status": server.status,
        "problem": one_line(server.problem, 400),
        "tools": [
            [one_line(tool.name, 100), one_line(tool.description, 200), int(tool.offered)] for tool in server.tools
        ],
    }


def _sized(sized: PromptSize | None) -> dict[str, Any] | None:
    if sized is None:
        return None
    return {
        "messages": sized.messages,
        "tokens": sized.estimate,
        "tools_tokens": sized.tools,
        "estimate": sized.estimate + sized.tools,
        "counted": sized.counted,
        "usage": sized.usage.model_dump(exclude_none=True) if sized.usage else None,
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
        "orphans": places_of(problem.orphans, drive.context)[0],
        "policy": problem.policy,
        "reply": problem.reply[-MOST_REPLY:],
        "reply_length": len(problem.reply),
    }
