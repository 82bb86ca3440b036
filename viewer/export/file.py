"""What an exported file holds: a session, its runs, and all that a server would answer about them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.entities.index import index_of
from core.origins.looked import read_ahead
from core.trace.trace import Trace
from core.why.runs import Runs
from viewer.export import page
from viewer.export.answers import MOST_ORIGINS, add_comparison, add_run, add_session, add_shadows
from viewer.export.aside import aside
from viewer.export.blocks import Blocks, Bundle
from viewer.export.cures import add_cures, most_of
from viewer.export.exported import Exported
from viewer.export.following import add_fates
from viewer.export.grid import Simulate, add_position, axes_of, positions
from viewer.export.lost import Lost, losses_named
from viewer.export.telling import counted
from viewer.settings.query import settings_query
from viewer.wire.compared import rival_of
from viewer.wire.losses import loss_list
from viewer.wire.pack import packed, view_of_trace
from viewer.wire.preview import one_line

SID, RECORDED, OPENED = "s", "recorded", "opened"

LARGE = 500_000
"""Tokens of a session from which on two processes make its file, sooner than one."""

OF_THE_GRID = (
    "the findings at the other positions of its sliders, and what their summaries are made from."
    " Their windows, cards and summaries are here, and where a text went."
)


def export(
    trace: Trace,
    recorded: Trace,
    step: int | None = None,
    notes: tuple[str, ...] = (),
    simulate: Simulate | None = None,
    texts: Sequence[str] = (),
    beside: Sequence[Trace] = (),
    overview: bool = False,
) -> Exported:
    """The file of a trace; `recorded` is the same session's as recorded, under the same meter.

    `step` is where the file opens, by default as the app does. `notes` are said in the file. With `simulate`, which makes the
    trace of other settings, the file can be turned to a grid of them. `texts` are followed when it opens,
    and `beside` are other runs of the same session that it can show. With `overview` it opens with the overview at a step too.
    Raises StepError for a step that is not there.
    """
    if step is not None:
        trace.step(step)
    blocks, runs, rival = Blocks(), _runs(trace, recorded, beside), _rival(trace)
    large = sum(recorded.tokens) > LARGE
    if large:
        _look_ahead(recorded, runs)
    asked: Lost = {text: [] if step is None else [step] for text in texts}
    with aside(lambda: _others(recorded, runs, asked), worth=large) as others:
        page.add_program(blocks, page.SESSION)
        left = [*not_here(recorded), *_add_runs(blocks, runs, asked, OPENED)]
        add_comparison(blocks, SID, recorded, rival.get("policy") or rival_of(recorded), _settings(trace))
        grid = _add_grid(blocks, trace, simulate)
        made, starts, left_there = others()
    blocks.add_texts(made)
    left += [*left_there, *[OF_THE_GRID] * bool(grid["axes"])]
    left += _named(runs, runs, lambda tid, run: add_shadows(blocks, tid, run))
    _add_views(blocks, runs, [*notes, *(f"Not in this file: {sentence}" for sentence in left)])
    listed = [{"tid": tid, "name": name} for tid, name in _names(runs).items()]
    opens = {"start": "" if step is None else str(step), "overview": overview, "why": list(texts)}
    blocks.add(
        "head",
        {"version": 1, "sid": SID, "starts": {SID: starts}, "runs": listed, **opens, "rival": rival, "grid": grid},
    )
    return Exported(file_title(recorded), page.SESSION, blocks, left)


def _runs(trace: Trace, recorded: Trace, beside: Sequence[Trace]) -> dict[str, Trace]:
    """The runs that the file can show, by their names in it; the first is the one that it opens with."""
    with_recorded = trace.kind == "simulate" and recorded.compactions
    runs = {OPENED: trace} | ({RECORDED: recorded} if with_recorded else {})
    return runs | {f"beside{k}": run for k, run in enumerate(beside, 1) if run.kind == "simulate"}


def _look_ahead(recorded: Trace, runs: Mapping[str, Trace]) -> None:
    """Work out what every run with compactions needs of the messages: once, before there are two processes."""
    last = max((event.at for run in runs.values() for event in run.compactions), default=0)
    if last:
        index_of(recorded.messages)
        read_ahead(recorded.messages, last)


def _others(recorded: Trace, runs: Mapping[str, Trace], asked: Lost) -> tuple[dict[str, str], list[int], list[str]]:
    """The blocks of the session and of the runs that the file does not open with.

    Then where the blocks of messages start, and what is left out of these runs.
    """
    blocks = Blocks()
    starts = add_session(blocks, SID, recorded)
    left = list(_add_runs(blocks, runs, asked, *(tid for tid in runs if tid != OPENED)))
    return blocks.texts(), starts, left


def _add_runs(blocks: Blocks, runs: Mapping[str, Trace], asked: Lost, *some: str) -> Iterator[str]:
    """Add what is known of some of the runs; yields what is left out of them."""
    yield from _named(runs, some, lambda tid, run: add_run(blocks, tid, run))
    known, answered = Runs(), [tid for tid in (OPENED, RECORDED) if tid in runs]

    def add(tid: str, run: Trace) -> list[str]:
        return _add_followed(blocks, tid, run, asked, most_of(run, len(answered)) if tid in answered else 0, known)

    yield from _named(runs, some, add)


def _add_followed(blocks: Blocks, tid: str, run: Trace, asked: Lost, most: int, known: Runs) -> list[str]:
    """Add where texts went that were asked about, or that the overview names, and what would have kept them."""
    lost = losses_named(loss_list(run, most=MOST_ORIGINS)["rows"])
    fates = add_fates(blocks, tid, run, (*asked, *lost))
    return add_cures(blocks, tid, run, fates, asked, lost, most, known)


def _named(runs: Mapping[str, Trace], some: Iterable[str], add: Callable[[str, Trace], list[str]]) -> Iterator[str]:
    """Add something of some of the runs; yields what is left out, with the name of the run where there are several."""
    names = _names(runs)
    for tid in some:
        yield from (f"{names[tid]}: {sentence}" if len(runs) > 1 else sentence for sentence in add(tid, runs[tid]))


def _add_views(blocks: Blocks, runs: Mapping[str, Trace], said: Sequence[str]) -> None:
    """Add the view of each run, with these notes."""
    for tid, run in runs.items():
        blocks.add_packed(f"view-{tid}", packed(view_of_trace(SID, tid, run, said)))


def _add_grid(blocks: Blocks, trace: Trace, simulate: Simulate | None) -> dict[str, Any]:
    """Add every other position of the sliders; returns their axes, and why policies refuse some positions, by their names."""
    axes = axes_of(trace) if simulate else []
    refused, bundle = {}, Bundle()
    for tid, rule, why in counted(list(positions(trace, axes)), "Simulating settings") if simulate and axes else ():
        if rule is None:
            refused[tid] = why
        elif simulate:
            add_position(bundle, SID, tid, simulate(rule), trace)
    if axes:
        blocks.add_bytes("grid", bundle.joined())
        blocks.add_json("once", bundle.once())
    return {"axes": [axis._asdict() for axis in axes], "refused": refused}


def not_here(recorded: Trace) -> Iterator[str]:
    """What of the session is in no exported file of this window."""
    if children := len(recorded.session.children):
        yield f"the windows of its {children:,} sub-agents; export each with --lane."


def _names(runs: Mapping[str, Trace]) -> dict[str, str]:
    """What the runs are called; those of one policy with their settings."""
    names = {tid: _name(run) for tid, run in runs.items()}
    several = {name for name, count in Counter(names.values()).items() if count > 1}
    return {tid: f"{name} {_settings_text(runs[tid])}" if name in several else name for tid, name in names.items()}


def _name(trace: Trace) -> str:
    if trace.kind == "replay":
        return "as recorded"
    return trace.policy.name if trace.policy else "without compaction"


def _settings_text(trace: Trace) -> str:
    return ", ".join(f"{name} {value}" for name, value in _settings(trace).items())


def file_title(recorded: Trace) -> str:
    """The title of a file of a session."""
    return " · ".join(filter(None, (one_line(recorded.session.title, 120), "foldline")))


def _settings(trace: Trace) -> Mapping[str, str]:
    return settings_query(trace.policy, {}) if trace.kind == "simulate" and trace.policy else {}


def _rival(trace: Trace) -> dict[str, Any]:
    """The policy that recorded compactions are compared with, as an address names it."""
    return {"policy": trace.policy.name, **_settings(trace)} if trace.kind == "simulate" and trace.policy else {}
