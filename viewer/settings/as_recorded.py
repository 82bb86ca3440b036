"""The policy of a recorded run's agent, set to act where the record did. No Streamlit.

A simulation counts only what the transcript shows; the agent counted its whole prompt, with its system prompt and tools. So at
its own limit the policy would act later than the agent did, or never.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core import Trace
from core.engine.policies_used import agent_policy, for_session_model
from core.model.cached import cached
from core.policy.policy import Policy
from core.trace.compaction import Compaction
from core.why.acting import acting_at
from viewer.settings.suggest import Settings
from viewer.settings.trial import Trial, tried

_TRIES = 8  # sizes of recorded windows, the largest first


@dataclass(frozen=True)
class AsRecorded:
    """Settings of the policy that act where the record did, and how often both compact.

    The record acted at `prompt` tokens, 0 where that is not known, of which `visible` are in the transcript. `by_hand` is
    whether a person asked for each of its compactions. `cleared` more of the simulated ones only empty messages in their place;
    `at_defaults` is how often the policy compacts at its own settings.
    """

    settings: Settings
    visible: int
    prompt: int
    recorded: int
    simulated: int
    cleared: int
    at_defaults: int
    by_hand: bool


def as_recorded(trace: Trace, name: str) -> AsRecorded | None:
    """How the policy with this name acts as the record does; None where it is not that of the run's agent.

    None also where the record has no compaction with its window, and where the policy has no limit that can be set.
    """
    rule = agent_policy(trace.session)
    if rule is None or rule.name != name or trace.session.driven:
        return None
    return cached(trace, ("as recorded", name), lambda trace: _as_recorded(trace, rule))


def _as_recorded(trace: Trace, own: Policy) -> AsRecorded | None:
    """Of the settings that act at one of the recorded sizes, those that compact as often as the record, or most nearly so."""
    rule = for_session_model(own.with_settings({}), trace.session)
    past = [event for event in trace.compactions if event.kind == "compaction" and event.window_before]
    found = [(event, policy, tried(policy, trace.measured)) for event, policy in _settings(rule, past)]
    if not found:
        return None
    event, policy, trial = min(found, key=lambda one: abs(_taking(one[2]) - len(past)))
    return AsRecorded(
        settings=own.settings | {k: v for k, v in policy.settings.items() if v != rule.settings.get(k)},
        visible=event.window_before,
        prompt=event.size_before or 0,
        recorded=len(past),
        simulated=_taking(trial),
        cleared=trial.only_cleared,
        at_defaults=_taking(tried(rule, trace.measured)),
        by_hand=all(one.trigger == "manual" for one in past),
    )


def _settings(rule: Policy, past: list[Compaction]) -> Iterator[tuple[Compaction, Policy]]:
    """The policy as it acts at each recorded size, the largest first; at those a person did not choose, where there are any."""
    automatic = [event for event in past if event.trigger != "manual"] or past
    for event in sorted(automatic, key=lambda event: -event.window_before)[:_TRIES]:
        if (policy := acting_at(rule, event.window_before)) is not None:
            yield event, policy


def _taking(trial: Trial) -> int:
    """How many compactions took something out of the window."""
    return trial.compactions - trial.only_cleared


def words(found: AsRecorded) -> str:
    """Where the policy acts, why not at its own limit, and how often it compacts beside the record."""
    where = "where a person asked for it" if found.by_hand else "as recorded"
    hidden = max(0, found.prompt - found.visible)
    rest = f"; {hidden:,} more of the prompt, system prompt and tools among them, are not in it" if hidden else ""
    cleared = f" ({found.cleared:,} more only clear results)" if found.cleared else ""
    return (
        f"Acts at {found.visible:,} tokens of what the transcript shows, {where}{rest}. "
        f"Recorded {found.recorded:,}, simulated {found.simulated:,}{cleared}{_unlike(found)}."
    )


def grounds(found: AsRecorded) -> str:
    """The same behind the settings it is about, and what the policy does at its defaults."""
    said = words(found)
    return f"{said[0].lower()}{said[1:-1]}; with the defaults {found.at_defaults:,}"


def _unlike(found: AsRecorded) -> str:
    """Why the counts differ, where they do and that is known."""
    if found.simulated == found.recorded:
        return ""
    if found.simulated < found.recorded and found.cleared:
        return ": what it clears before keeps the window below that"
    if found.prompt > found.visible:
        return ": what is not in the transcript differs from call to call, so that no one limit acts at the same places"
    return ""
