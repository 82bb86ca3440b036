"""Forks of transcripts: what a live run would be made of that begins with the window of a trace at one of its steps."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core import Policy, Trace, meters, policy
from core.drive.fork_trace import forked_trace
from core.engine.policies_used import model_of
from core.meters import NEED_USAGE
from core.toolbox import make_tools
from core.trace.events import RunSettings
from viewer.sessions.demo_run import DEMO
from viewer.sessions.runs import OpenRun, Runs
from viewer.settings.suggest import suggested
from viewer.wire.compared import DEFAULT_POLICY, chosen_policy


@dataclass(frozen=True)
class NewFork:
    """A fork that is not begun yet. `like` is the run whose model, tools and folder it takes, None for the demo agent."""

    trace: Trace
    step: int
    rule: Policy
    settings: RunSettings
    like: OpenRun | None

    @property
    def tools(self) -> list[str]:
        """The names of the tools that it may call. Raises FoldlineError where they cannot be made."""
        made = self.like.drive.tools if self.like else make_tools(DEMO.tools, DEMO.folder)
        return [spec["name"] for spec in made.specs()]

    @property
    def missing(self) -> list[str]:
        """The tools that the window names and the run does not have, in order of name."""
        called = {call.name for message in self.trace.window(self.step) for call in message.tool_calls}
        return sorted(called - set(self.tools))

    def begin(self, runs: Runs) -> OpenRun:
        """The run. Raises FoldlineError: no key, no such folder, a file that cannot be written."""
        return runs.begin(forked_trace(self.trace, self.step, self.settings), self.like)


def new_fork(runs: Runs, trace: Trace, step: int, name: str, settings: Mapping[str, Any]) -> NewFork:
    """The fork of a trace, made like the run that was used last. Raises FoldlineError outside the trace.

    The policy is that of the trace at the step; where it has none, the one of this `name` with these `settings`.
    """
    trace.step(step)
    like = runs.newest()
    before = like.drive.settings if like else DEMO
    rule = trace.policy_at(step) or _policy(trace, name, settings)
    counts = {one.name for one in meters() if one.how not in NEED_USAGE}
    counted = {"meter": trace.meter if trace.meter in counts else DEMO.meter}
    governed = {"policy": rule.name, "parameters": dict(rule.settings)}
    return NewFork(trace, step, rule, before.model_copy(update={**governed, **counted}), like)


def _policy(trace: Trace, name: str, settings: Mapping[str, Any]) -> Policy:
    """The policy of this name, by default `agentkit.memory`; with settings that suit the session where none are given."""
    rule = policy(name or DEFAULT_POLICY)
    return chosen_policy(rule.name, settings or suggested(rule, trace.measured, model_of(trace.session)))
