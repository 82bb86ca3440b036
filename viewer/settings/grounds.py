"""Why settings are suggested: what they come to in a session, and what the policy's own would. No Streamlit."""

from core.engine.policies_used import SessionModel, for_model
from core.engine.quick_trial import MOST, Trial, tried
from core.model.cached import cached
from core.policy.policy import Policy
from core.window.measured import Measured
from viewer.settings.suggest import NO_MODEL, SELDOM, Settings

TRIAL = "By a quick trial without real summaries"


def grounds(
    policy: Policy, settings: Settings, measured: Measured, model: SessionModel = NO_MODEL, where: str = ""
) -> str:
    """How often the policy compacts with these settings, and with its defaults; "" where they are the same.

    By a trial in which all summaries are of one size, so about; `where` names what is not the session itself.
    """
    own = policy.with_settings({}).settings
    known = {name: value for name, value in settings.items() if name in own}
    if {**own, **known} == own:
        return ""
    key = ("grounds", policy.name, model, repr(sorted(known.items())))
    here, default = cached(measured, key, lambda base: [_trial(policy, s, base, model) for s in (known, {})])
    noun = "compaction" if here.compactions == 1 else "compactions"
    makes = f"{_count(here, 'no')} {noun}{where and ' in '}{where}{_over(here)}"
    return f"{TRIAL}: {makes}. The defaults make {_count(default, 'none')}{_over(default, ' still')}."


def _trial(policy: Policy, settings: Settings, measured: Measured, model: SessionModel) -> Trial:
    return tried(for_model(policy.with_settings(settings), model), measured)


def _count(trial: Trial, none: str) -> str:
    count = trial.compactions
    return none if not count else f"{MOST} or more" if count >= MOST else f"about {count}"


def _over(trial: Trial, still: str = "") -> str:
    """The share of the steps over the limit, where that is much."""
    share = f"{100 * trial.over:.0f}\N{NO-BREAK SPACE}%"
    return f", and {share} of the steps are{still} over the limit" if trial.over > SELDOM else ""
