"""A recorded compaction beside what a policy would have done to the same window, as plain numbers. No Streamlit."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from core import FoldlineError, Policy, Trace, meter, policies, policy
from core.engine.compare_recorded import compare_recorded
from core.engine.policies_used import agent_policy, model_of
from core.meters import bound
from core.trace.compaction import Compaction
from core.trace.hidden_before import hidden_before
from core.window.ranges import Ranges, places, size
from viewer.settings.as_recorded import as_recorded
from viewer.settings.as_recorded import settings as like_settings
from viewer.settings.query import parse_value
from viewer.settings.suggest import Settings, suggested
from viewer.wire.preview import one_line

DEFAULT_POLICY = "agentkit.memory"
"""The one to begin with, where no other suggests itself."""


def rival_of(trace: Trace) -> str:
    """The policy that recorded compactions are first compared with: that of the run's agent where one is known."""
    rule = agent_policy(trace.session)
    return rule.name if rule and as_recorded(trace, rule.name) else DEFAULT_POLICY


def settings_for(trace: Trace, name: str) -> Settings:
    """The settings of a policy that nobody has set: those that act as near to the record as can be, else what suits it."""
    like_record = as_recorded(trace, name)
    if like_record:
        return like_settings(like_record)
    return suggested(policy(name), trace.measured, model_of(trace.session))


def chosen_policy(name: str, settings: Mapping[str, Any]) -> Policy:
    """The policy with those of the settings it knows and can take; the others stay at their defaults.

    Raises FoldlineError for a policy there is none of.
    """
    known = {p.name: p for p in policy(name).parameters}
    good: dict[str, Any] = {}
    for key, value in settings.items():
        try:
            good[key] = parse_value(known[key], value) if isinstance(value, str) else known[key].check(value)
        except (KeyError, FoldlineError):
            continue
    return policy(name, **good)


def comparison(trace: Trace, k: int, name: str, settings: Mapping[str, str]) -> dict[str, Any]:
    """Compaction k of a replayed trace against the policy, with settings that suit the session where none are given.

    Raises FoldlineError for an unknown policy.
    """
    rule = chosen_policy(name, settings or settings_for(trace, name))
    shown = settings_text(rule)
    found = compare_recorded(trace, k, rule, bound(meter(trace.meter), trace.session))
    return {
        "policy": rule.name,
        "fidelity": rule.fidelity,
        "settings": shown,
        "about": "\n".join(f"{p.name}: {p.about}" for p in rule.parameters if p.about and p.name in shown),
        "fitted": _fitted(trace, rule),
        "hidden": hidden_before(trace, k) if rule.limit is not None else None,
        "automatic": found.automatic,
        "why": one_line(found.why, 300),
        "status": found.made.status,
        "reason": one_line(found.made.reason, 300),
        "recorded": _row(found.recorded),
        "made": _row(found.made),
        "both": size(found.both),
        "recorded_alone": _listed(found.recorded_alone),
        "policy_alone": _listed(found.policy_alone),
        "policies": [p.name for p in policies()],
    }


def _fitted(trace: Trace, rule: Policy) -> list[str]:
    """The settings that are not the agent's own: they make the policy act as near to the record as it can."""
    like_record = as_recorded(trace, rule.name)
    changed = like_record.changed if like_record else {}
    return [name for name, value in changed.items() if rule.settings.get(name) == value]


def settings_text(rule: Policy) -> dict[str, str]:
    """The settings of a policy as they are shown, by name; without the empty ones."""
    shown = {p.name: p.to_text(rule.settings.get(p.name)) for p in rule.parameters}
    return {name: text for name, text in shown.items() if text}


def _row(compaction: Compaction) -> dict[str, Any]:
    return {
        "before": compaction.window_before,
        "after": compaction.window_after,
        "removed": len(compaction.removed),
        "cleared": len(compaction.cleared),
        "kept": len(compaction.kept),
        "summary": compaction.known_summary_tokens,
        "unreadable": compaction.unreadable,
    }


def _listed(ranges: Ranges) -> dict[str, Any]:
    """How many messages, and the places of the first dozen."""
    return {"total": size(ranges), "first": list(islice(places(ranges), 12))}
