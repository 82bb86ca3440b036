"""What an exported file holds: a session, its runs, and all that a server would answer about them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.trace.trace import Trace
from viewer.export import page
from viewer.export.answers import add_comparison, add_run, add_session
from viewer.export.blocks import Blocks
from viewer.export.following import add_fates
from viewer.export.grid import Axis, Simulate, add_position, axes_of, positions
from viewer.export.handed import Handed
from viewer.settings.query import settings_query
from viewer.wire.compared import DEFAULT_POLICY
from viewer.wire.pack import packed, store_bytes, view_of_trace
from viewer.wire.preview import one_line

SID, RECORDED, OPENED = "s", "recorded", "opened"


@dataclass
class Exported(Handed):
    """A file that can be written: its title, its blocks, and what it does not hold, in sentences."""

    title: str
    blocks: Blocks
    left_out: list[str] = field(default_factory=list)

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes in the file of each kind of content."""
        known = {"program": ("program", "styles"), "messages": ("bodies", "store", "overview")}
        sizes = {name: self.blocks.size(*kinds) for name, kinds in known.items()}
        return sizes | {"runs": self.blocks.size() - sum(sizes.values())}  # of the opened settings and of the grid

    def pieces(self) -> Iterator[bytes]:
        """The file, piece by piece."""
        return (piece.encode("utf-8", "replace") for piece in page.html(self.title, self.blocks))


def export(
    trace: Trace,
    recorded: Trace,
    step: int | None = None,
    notes: tuple[str, ...] = (),
    simulate: Simulate | None = None,
    texts: Sequence[str] = (),
    beside: Sequence[Trace] = (),
) -> Exported:
    """The file of a trace; `recorded` is the same session's as recorded, under the same meter.

    `step` is where the file opens, by default as the app does. `notes` are said in the file. With `simulate`, which makes the
    trace of other settings, the file can be turned to a grid of them. `texts` are followed when it opens,
    and `beside` are other runs of the same session that it can show.
    Raises StepError for a step that is not there.
    """
    blocks = Blocks()
    page.add_program(blocks)
    if step is not None:
        trace.step(step)
    simulated = trace.kind == "simulate"
    runs = {OPENED: trace, RECORDED: recorded} if simulated and recorded.compactions else {OPENED: trace}
    runs |= {f"beside{k}": run for k, run in enumerate(beside, 1) if run.kind == "simulate"}
    names = _names(runs)
    left = list(_not_here(recorded))
    blocks.add_bytes("store", store_bytes(SID, recorded))
    starts = add_session(blocks, SID, recorded)
    for tid, run in runs.items():
        missing = add_run(blocks, tid, run)
        left += [f"{names[tid]}: {sentence}" if len(runs) > 1 else sentence for sentence in missing]
        add_fates(blocks, tid, run, texts)
    axes = axes_of(trace) if simulate else []
    refused = _add_grid(blocks, trace, axes, simulate) if simulate and axes else {}
    left += [
        "findings, origins and followed texts of the other settings of its sliders: it has their windows, cards and summaries."
    ] * bool(axes)
    rival = _rival(trace)
    add_comparison(blocks, SID, recorded, rival.get("policy", DEFAULT_POLICY), _settings(trace))
    said = [*notes, *(f"Not in this file: {sentence}" for sentence in left)]
    for tid, run in runs.items():
        blocks.add_packed(f"view-{tid}", packed(view_of_trace(SID, tid, run, said)))
    start = "" if step is None else str(step)
    listed = [{"tid": tid, "name": name} for tid, name in names.items()]
    grid = {"axes": [axis._asdict() for axis in axes], "refused": refused}
    where = {"start": start, "why": list(texts)}
    head = {"version": 1, "sid": SID, "starts": starts, "runs": listed, **where, "rival": rival, "grid": grid}
    blocks.add("head", head)
    return Exported(_title(recorded), blocks, left)


def _add_grid(blocks: Blocks, trace: Trace, axes: list[Axis], simulate: Simulate) -> dict[str, str]:
    """Add every other position of the grid; returns why policies refuse some, by their names."""
    refused = {}
    for tid, rule, why in positions(trace, axes):
        if rule is None:
            refused[tid] = why
            continue
        run = simulate(rule)
        add_position(blocks, tid, run)
        blocks.add_packed(f"view-{tid}", packed(view_of_trace(SID, tid, run, ())))
    return refused


def _not_here(recorded: Trace) -> Iterator[str]:
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


def _title(recorded: Trace) -> str:
    return " · ".join(filter(None, (one_line(recorded.session.title, 120), "foldline")))


def _settings(trace: Trace) -> Mapping[str, str]:
    return settings_query(trace.policy, {}) if trace.kind == "simulate" and trace.policy else {}


def _rival(trace: Trace) -> dict[str, Any]:
    """The policy that recorded compactions are compared with, as an address names it."""
    return {"policy": trace.policy.name, **_settings(trace)} if trace.kind == "simulate" and trace.policy else {}
