"""The run a step shows: a session under a scene's policy and settings, and the samples that lessons take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any

import sample_sessions
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.engine.unbounded import unbounded
from core.importers import load
from core.lessons.words import Estimate
from core.meters import Meter, approximate, bound, meter
from core.model.session import Session
from core.policies import policy
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace

RECORDED, NONE = "recorded", "none"
SAMPLE = "sample:"


@dataclass(frozen=True)
class Scene:
    """What the debugger shows: a source, a policy with settings (or the recorded run, or none), a meter, a summarizer."""

    source: str
    policy: str
    meter: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    summaries: str = "structural"

    def under(self, **settings: Any) -> "Scene":
        """The same scene with some settings changed."""
        return replace(self, settings={**self.settings, **settings})


class Run:
    """A session under a scene."""

    def __init__(self, session: Session, scene: Scene) -> None:
        self.session, self.scene = session, scene

    @cached_property
    def meter(self) -> Meter:
        """What counts the session. Raises FoldlineError for a meter that there is not, or that cannot count it."""
        return bound(meter(self.scene.meter), self.session)

    @cached_property
    def trace(self) -> Trace:
        """The trace of the scene. Raises FoldlineError for a policy, a setting or a meter that there is not."""
        scene = self.scene
        if scene.policy in (RECORDED, NONE):
            recorded = replay(self.session, meter=self.meter)
            return recorded if scene.policy == RECORDED else unbounded(recorded)
        write = summarizer(scene.summaries, session=self.session)
        return simulate(self.session, policy(scene.policy, **scene.settings), self.meter, write)

    @property
    def mark(self) -> str:
        """What stands before a number of its tokens: "~" where they are estimated."""
        return "~" if approximate(self.trace.meter, self.session.model) else ""

    @property
    def simulated(self) -> str:
        """What stands before the name of its compactions: "simulated ", or nothing where they are recorded."""
        return "" if self.scene.policy in (RECORDED, NONE) else "simulated "

    def tokens(self, number: int) -> int:
        """A number of its tokens, which a text writes as what it is: counted or estimated."""
        return Estimate(number) if self.mark else number

    def under(self, **settings: Any) -> "Run":
        """The same session under the same policy with some settings changed."""
        return Run(self.session, self.scene.under(**settings))

    def by(self, name: str, **settings: Any) -> "Run":
        """The same session under another policy, or none."""
        return Run(self.session, replace(self.scene, policy=name, settings=settings))


@dataclass(frozen=True)
class Yours:
    """The session a person opened: where it is from, the meter that counts it, and what suits a policy there."""

    source: str
    session: Session
    meter: str
    suggest: Callable[[str], Mapping[str, Any]]

    def run(self, scene: Scene, recorded: bool) -> Run:
        """The session under the policy of a scene, with the settings that suit the session.

        With `recorded` it is the recorded run of a session that has compactions of its own.
        """
        name = RECORDED if recorded and self.session.compactions else scene.policy
        settings = {} if name in (RECORDED, NONE) else self.suggest(name)
        return Run(self.session, Scene(self.source, name, self.meter, settings))


@cache
def sample(name: str) -> Session:
    """The sample at this path below `sample_sessions`."""
    with resources.as_file(resources.files(sample_sessions).joinpath(*name.split("/"))) as path:
        return load(path)


def run_of(scene: Scene, open_sample: Callable[[str], Session] = sample) -> Run:
    """The run of a scene of a sample; a program that has samples open gives its own."""
    return Run(open_sample(scene.source.removeprefix(SAMPLE)), scene)
