"""A lesson of Learn as one file: its steps, what the engine says at every place of its controls, and the scenes behind them."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from core.engine.default_meter import session_meter
from core.engine.policies_used import model_of
from core.engine.replay import replay
from core.lessons import lesson
from core.lessons.lesson import Lesson
from core.lessons.run import NONE, RECORDED, SAMPLE, Run, Scene, Yours, sample
from core.lessons.show import Tried, checked, controls_of, listed, run_shown, shown
from core.lessons.solutions import attempts, nearest
from core.meters import meter_name
from core.model.session import Session
from core.policies import policy
from viewer.export import page
from viewer.export.answers import add_run, add_session, add_shadows
from viewer.export.blocks import Blocks
from viewer.export.exported import Exported
from viewer.export.following import add_fates
from viewer.export.telling import counted
from viewer.settings.suggest import suggested
from viewer.wire.pack import packed, view_of_trace

WITHOUT_SETTINGS = (NONE, RECORDED)


class Scenes:
    """The scenes that a lesson can show: each run is in the file once, and each session once with each meter."""

    def __init__(self, blocks: Blocks, yours: Yours | None = None) -> None:
        self._blocks, self._yours = blocks, yours
        self.rows: list[dict[str, Any]] = []
        self.left_out: list[str] = []
        self._known: set[str] = set()
        self.starts: dict[str, list[int]] = {}
        self._sids: dict[tuple[str, str], str] = {}

    def add(self, scene: Scene, texts: Sequence[str] = (), told: bool = True) -> None:
        """Add a scene; of one that is `told`, where its summaries come from, and where these texts went."""
        if same(asdict(scene)) in self._known:
            return
        self._known.add(same(asdict(scene)))
        run, tid = self._run(scene), f"t{len(self.rows)}"
        sid = self._session(scene, run)
        self.rows.append({"scene": asdict(scene), "sid": sid, "tid": tid})
        self._blocks.add_packed(f"view-{tid}", packed(view_of_trace(sid, tid, run.trace, ())))
        if told:
            self.left_out += add_run(self._blocks, tid, run.trace)
            add_fates(self._blocks, tid, run.trace, texts)
        else:
            add_run(self._blocks, tid, run.trace, origins=0)
            self.left_out.append(OF_CONTROLS)
        self.left_out += add_shadows(self._blocks, tid, run.trace)

    def _run(self, scene: Scene) -> Run:
        own = self._yours if self._yours and self._yours.source == scene.source else None
        return Run(own.session if own else sample(scene.source.removeprefix(SAMPLE)), scene)

    def _session(self, scene: Scene, run: Run) -> str:
        """What the session of a scene is called in the file, which has it from now on."""
        key = scene.source, scene.meter
        if key not in self._sids:
            sid = self._sids[key] = f"s{len(self._sids)}"
            self.starts[sid] = add_session(self._blocks, sid, replay(run.session, meter=run.meter))
        return self._sids[key]


def export_lesson(number: int, yours: Yours | None = None, notes: Sequence[str] = ()) -> Exported:
    """The file of a lesson; its last step is about `yours`, of which it says `notes` there, or else about a sample.

    Raises FoldlineError for a lesson that there is not.
    """
    found, blocks = lesson(number), Blocks()
    page.add_program(blocks, page.LESSON)
    steps = {at: shown(found, at, yours) for at in range(1, len(found.steps) + 1)}
    scenes = Scenes(blocks, yours)
    for scene, texts in _followed(steps.values()):
        scenes.add(scene, texts)
    for at in steps:
        if steps[at]["task"]:
            _add_task(blocks, scenes, found, at, yours)
    heading = listed(found)
    left = list(dict.fromkeys([*([] if yours else [NOT_YOURS]), *scenes.left_out, *_of_yours(yours)]))
    said = [*notes, *(f"Not in this file: {sentence}" for sentence in left)] if yours else []
    held = {"scenes": scenes.rows, "starts": scenes.starts, "own": yours.source if yours else "", "notes": said}
    blocks.add("head", {"version": 1, "lesson": heading, "steps": steps} | held)
    return Exported(f"{number} · {heading['title']} · foldline", page.LESSON, blocks, left)


def _of_yours(yours: Yours | None) -> Iterator[str]:
    """What of a person's own session is in no lesson."""
    if yours and (children := len(yours.session.children)):
        yield f"the windows of its {children:,} sub-agents."


def own_session(session: Session, name: str | None = None) -> Yours:
    """A session for the last step, counted by the meter of this name or by its default; policies get settings that suit it."""
    counter = session_meter(name, session)
    measured = replay(session, meter=counter).measured

    def suits(policy_name: str) -> dict[str, Any]:
        return suggested(policy(policy_name), measured, model_of(session))

    return Yours(OWN, session, meter_name(counter), suits)


OWN = "own"
"""The source of the session that was put into the last step."""

NOT_YOURS = "your own session: the last step shows a sample."
OF_CONTROLS = "which messages a summary comes from, and what became of a text, once a control of a task is moved."


def _scene_of(row: Mapping[str, Any]) -> Scene:
    """The scene of a step that is shown."""
    scene = row["scene"]
    return Scene(scene["source"], scene["policy"], scene["meter"], scene["settings"], scene["summaries"])


def _followed(rows: Collection[Mapping[str, Any]]) -> Iterator[tuple[Scene, list[str]]]:
    """Each scene of these steps once, with the texts that its steps follow."""
    scenes = {same(asdict(_scene_of(row))): _scene_of(row) for row in rows}
    for scene in scenes.values():
        yield scene, [text for row in rows if _scene_of(row) == scene for text in _texts(row)]


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    """The texts that a step follows once its question is answered."""
    figure = row["figures"] or {}
    if row["ask"]:
        yield from (one["text"] for one in figure.get("figures", [figure]) if one.get("kind") == "fate")


def _add_task(blocks: Blocks, scenes: Scenes, found: Lesson, at: int, yours: Yours | None) -> None:
    """Add what the engine says of every attempt that the controls of a task allow, the scenes of these, and what solves it."""
    step = found.steps[at - 1]
    assert step.task is not None
    solved = nearest(found, at, yours)
    blocks.add(f"solution-{at}", {"controls": solved and controls_of(solved)})
    run = run_shown(found, step, yours, sample)
    if step.task.sheet is not None:
        blocks.add(f"sheet-{at}", step.task.sheet(run))
        return
    checks = {}
    for tried in counted(list(attempts(found, at, yours)), f"Checking the controls of step {at}"):
        controls = asked_of(tried)
        if same(controls) not in checks:
            checks[same(controls)] = {"controls": controls, "check": checked(found, at, tried, yours)}
            scenes.add(_under(run.scene, tried), told=False)
    blocks.add(f"check-{at}", list(checks.values()))


def _under(scene: Scene, tried: Tried) -> Scene:
    """The scene as the controls of a task have it."""
    policy = tried.policy or scene.policy
    own = {} if policy in WITHOUT_SETTINGS else tried.settings
    return replace(scene, policy=policy, settings={**scene.settings, **own})


def asked_of(tried: Tried) -> dict[str, Any]:
    """The controls of an attempt as the page asks about them: without a policy there are no settings of one."""
    controls = controls_of(tried)
    if tried.policy in WITHOUT_SETTINGS:
        controls = {name: value for name, value in controls.items() if name not in tried.settings}
    return controls


def same(row: Mapping[str, Any]) -> str:
    """What rows with the same values have in common, in whatever order these stand."""
    return json.dumps(row, sort_keys=True)
