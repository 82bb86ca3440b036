"""A lesson as data: steps, each a scene of the debugger, a caption, a question or a task. Figures are names in braces.

The engine fills them in when a step is shown. So no caption, question, answer or condition holds a digit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.lessons.run import Run, Scene

Facts = Mapping[str, Any]
Ranges = Mapping[str, tuple[float, float, float] | tuple[str, ...]]
AskKind = Literal["number", "choice", "message", "place"]


@dataclass(frozen=True)
class Choice:
    """An answer to choose: its letter, its text, and where it is wrong why, which is said to who chose it."""

    key: str
    text: str
    why: str = ""


@dataclass(frozen=True)
class Origin:
    """Where something can be read: what it is called, and its address."""

    name: str
    url: str


@dataclass(frozen=True)
class Ask:
    """What a person guesses before it is shown. `because` is shown with the answer.

    `kind` is how it is answered: by a number, by a letter, by a message of the list, or by a place between two of them.
    `source` is where to read what `because` says of another agent.
    """

    kind: AskKind
    question: str
    because: str
    unit: str = ""
    source: Origin | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Condition:
    """One thing that a task asks for: what it is, the figure that tells, whether it holds, and what is missing if not.

    `scores` is whether it tells how good a choice is, where a task is `blind`.
    """

    text: str
    figure: str
    passed: bool
    missing: str
    scores: bool = False


@dataclass(frozen=True)
class Verdict:
    """What the engine says of an attempt at a task: every condition, with the facts that their texts name, and a drawing.

    `note` is what the attempt shows beside the conditions, whether it passes or not.
    """

    conditions: tuple[Condition, ...]
    facts: Facts
    figures: Mapping[str, Any] | None = None
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether every condition holds."""
        return all(condition.passed for condition in self.conditions)


@dataclass(frozen=True)
class Attempt:
    """What a person tries: a run under the settings that were chosen, a place to cut at, what was picked, a price."""

    run: Run
    cut: int | None = None
    keep: tuple[str, ...] = ()
    cached: float | None = None


@dataclass(frozen=True)
class Task:
    """What a person does with the debugger, the controls for it, and the check. `passed` is shown once it is done.

    `ranges` are least, most and step of a control, or the names to choose from. Where the control is what is kept, `kept` gives
    the messages of a solution, and `sheet` what any choice is scored by without the engine. A `blind` task is scored when a
    person asks for it, not while they choose.
    """

    text: str
    controls: tuple[str, ...]
    check: Callable[[Attempt], Verdict]
    passed: str
    ranges: Ranges = field(default_factory=dict)
    kept: Callable[[Run], tuple[str, ...]] | None = None
    sheet: Callable[[Run], Mapping[str, Any]] | None = None
    blind: bool = False


@dataclass(frozen=True)
class Look:
    """What the engine says of a step: the facts its texts name, where the cursor stands, the answer, what is drawn.

    `phase` of a compaction is shown once the question is answered. Messages are named by their place in the session: also
    in `slots`, the places of a question for one, each by the message before which it lies (None is the end). `then` is where
    the cursor goes once the question is answered. `mark` is "~" where the answer is an estimate. `empty` is why there is
    nothing to show. `run` is what is shown where that is not the run that was looked at.
    `ranges` are those of controls that depend on the session.
    """

    facts: Facts = field(default_factory=dict)
    step: int = 0
    phase: int | None = None
    answer: int | float | str | None = None
    slots: tuple[int | None, ...] = ()
    figures: Mapping[str, Any] | None = None
    then: int | None = None
    mark: str = ""
    ranges: Ranges = field(default_factory=dict)
    empty: str = ""
    run: Run | None = None


@dataclass(frozen=True)
class Step:
    """One idea: its caption, what is covered until it is guessed, and the part of the page that is in question.

    `title` says what a person does or sees, in a verb and a few words, and gives no answer away.
    `still` is what stays covered behind the answer, because the next step asks for it. `words` are those of the glossary that
    a newcomer meets here first.
    `scene` is the lesson's unless it has one of its own; `yours` is whether it takes the person's own session, and
    `recorded` whether of that it shows the compactions which it recorded itself.
    """

    title: str
    caption: str
    look: Callable[[Run], Look]
    veil: tuple[str, ...] = ()
    still: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    spot: str = "window"
    ask: Ask | None = None
    task: Task | None = None
    scene: Scene | None = None
    yours: bool = False
    recorded: bool = False


@dataclass(frozen=True)
class Lesson:
    """A lesson: its number, its name in addresses, its title, one sentence on it, its minutes, its scene and steps.

    `does` is what a person sees and does in it. Title and sentences are read before any question: they name no figure, and
    give no answer away. `saw` is what is read at the
    end: what there was to see, in two to four sentences.
    """

    number: int
    key: str
    title: str
    about: str
    does: str
    minutes: int
    scene: Scene
    saw: tuple[str, ...]
    steps: tuple[Step, ...]

    def scene_of(self, step: Step) -> Scene:
        """The scene of a step."""
        return step.scene or self.scene
