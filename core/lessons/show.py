"""A step, an attempt and the list of lessons as plain data, with every figure worked out now."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from core.lessons.glossary import GLOSSARY
from core.lessons.lesson import Ask, Attempt, Choice, Lesson, Look, Step, Task, Verdict
from core.lessons.run import SAMPLE, Run, Scene, Yours, run_of, sample
from core.lessons.words import filled
from core.model.errors import FoldlineError, ParameterError
from core.model.session import Session

Row = dict[str, Any]
OpenSample = Callable[[str], Session]


def listed(lesson: Lesson) -> Row:
    """A lesson as the index shows it."""
    return {
        "number": lesson.number,
        "key": lesson.key,
        "title": lesson.title,
        "about": lesson.about,
        "does": lesson.does,
        "minutes": lesson.minutes,
        "steps": [step.title for step in lesson.steps],
        "saw": list(lesson.saw),
    }


def step_of(lesson: Lesson, number: int) -> Step:
    """The step with this number, from 1. Raises FoldlineError, which says how many there are."""
    if not 1 <= number <= len(lesson.steps):
        raise FoldlineError(f"lesson {lesson.number} has no step {number}", f"its steps are 1 to {len(lesson.steps)}")
    return lesson.steps[number - 1]


def shown(lesson: Lesson, number: int, yours: Yours | None = None, open_sample: OpenSample = sample) -> Row:
    """A step with its figures filled in. `yours` is used by the step that takes a person's own session, by no other."""
    step = step_of(lesson, number)
    run = run_shown(lesson, step, yours, open_sample)
    look = step.look(run)
    blank = bool(look.empty)
    return {
        "lesson": lesson.number,
        "step": number,
        "title": step.title,
        "scene": _scene((look.run or run).scene, look),
        "veil": [] if blank else list(step.veil),
        "still": [] if blank else list(step.still),
        "spot": step.spot,
        "words": [] if blank else [{"word": word, "means": GLOSSARY[word]} for word in step.words],
        "caption": "" if blank else filled(step.caption, {**_whose(run), **look.facts}),
        "ask": None if blank or step.ask is None or look.answer is None else _ask(step.ask, look),
        "task": None if blank or step.task is None else _task(step.task, look),
        "figures": None if blank else look.figures,
        "then": None if blank else look.then,
        "empty": filled(look.empty, look.facts) or None,
    }


def run_shown(lesson: Lesson, step: Step, yours: Yours | None, open_sample: OpenSample) -> Run:
    """The run of a step: of its sample, or of the person's own session."""
    scene = lesson.scene_of(step)
    return yours.run(scene, step.recorded) if step.yours and yours is not None else run_of(scene, open_sample)


def _whose(run: Run) -> dict[str, str]:
    """Whose session it is, within a sentence and at the beginning of one: nobody's own is called theirs."""
    name = "a sample session" if run.scene.source.startswith(SAMPLE) else "your session"
    return {"whose": name, "Whose": name[0].upper() + name[1:], "simulated": run.simulated}


def _scene(scene: Scene, look: Look) -> Row:
    return {
        "source": scene.source,
        "policy": scene.policy,
        "settings": dict(scene.settings),
        "meter": scene.meter,
        "summaries": scene.summaries,
        "step": look.step,
        "phase": look.phase,
    }


def _ask(ask: Ask, look: Look) -> Row:
    choices: list[Row] = [_choice(one, look) for one in ask.choices]
    if look.slots:
        choices = [one | {"before": at} for one, at in zip(choices, look.slots, strict=True)]
    return {
        "kind": ask.kind,
        "question": filled(ask.question, look.facts),
        "unit": ask.unit,
        "choices": choices,
        "answer": look.answer,
        "mark": look.mark,
        "because": filled(ask.because, look.facts),
        "source": asdict(ask.source) if ask.source else None,
    }


def _choice(one: Choice, look: Look) -> Row:
    why = {"why": filled(one.why, look.facts)} if one.why else {}
    return {"key": one.key, "text": filled(one.text, look.facts), **why}


def _task(task: Task, look: Look) -> Row:
    return {
        "text": filled(task.text, look.facts),
        "controls": list(task.controls),
        "ranges": {name: list(ends) for name, ends in {**task.ranges, **look.ranges}.items()},
        "passed": filled(task.passed, look.facts),
        "blind": task.blind,
    }


@dataclass(frozen=True)
class Tried:
    """What a person tries at a task: settings, a policy ("" is the scene's), a cut, what is kept, the price of the cache."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    policy: str = ""
    cut: int | None = None
    keep: tuple[str, ...] = ()
    cached: float | None = None


def controls_of(tried: Tried) -> Row:
    """An attempt as a page has it: the value of each control."""
    given = {
        "policy": tried.policy or None,
        "cut": tried.cut,
        "cached": tried.cached,
        "keep": ",".join(tried.keep) or None,
    }
    return {**tried.settings, **{name: value for name, value in given.items() if value is not None}}


def checked(
    lesson: Lesson, number: int, tried: Tried, yours: Yours | None = None, open_sample: OpenSample = sample
) -> Row:
    """What the engine says of an attempt at the task of a step: whether it passes, and what is missing.

    Raises FoldlineError for a step without a task, and for a control that it does not have.
    """
    step = step_of(lesson, number)
    if step.task is None:
        raise FoldlineError(f"step {number} of lesson {lesson.number} has no task", "its answer comes with the step")
    run = _chosen(run_shown(lesson, step, yours, open_sample), step.task, tried)
    return _verdict(step.task.check(Attempt(run, tried.cut, tried.keep, tried.cached)))


def _chosen(run: Run, task: Task, tried: Tried) -> Run:
    """The run under what a person chose, where the task has a control for it."""
    another = tried.policy not in ("", run.scene.policy)
    wrong = [name for name in (*tried.settings, *(["policy"] if another else [])) if name not in task.controls]
    if wrong:
        raise ParameterError(f"this task has no control {wrong[0]!r}", f"it has {', '.join(task.controls)}")
    return run.by(tried.policy, **tried.settings) if another else run.under(**tried.settings)


def _verdict(found: Verdict) -> Row:
    conditions = [
        {
            "text": filled(one.text, found.facts),
            "figure": filled(one.figure, found.facts),
            "passed": one.passed,
            "scores": one.scores,
        }
        for one in found.conditions
    ]
    missing = [filled(one.missing, found.facts) for one in found.conditions if not one.passed]
    return {
        "passed": found.passed,
        "missing": missing,
        "conditions": conditions,
        "figures": found.figures,
        "note": found.note,
    }
