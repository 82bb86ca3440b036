"""The run that a page shows: a policy with the settings that were chosen, of a session; or the run as recorded."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from core import FoldlineError, Policy, Session, Trace
from core.engine.policies_used import model_of
from core.summaries.summarizers import summarizers
from viewer.pages import state
from viewer.sessions import simulated
from viewer.sessions.registry import Opened
from viewer.sessions.sources import Loaded
from viewer.settings import as_recorded, grounds
from viewer.settings.lanes import RECORDED
from viewer.settings.pins import pins
from viewer.settings.sliders import FILLED, parameter_panel
from viewer.wire.catalogue import own_settings
from viewer.wire.compared import chosen_policy, settings_for


@dataclass(frozen=True)
class Shown:
    """What to show: a policy or the recorded run, its chosen settings, those of its sample, the summarizer, what is pinned.

    `scope` names policy and session, so that slider values are used for no other. `pinned` are places of messages that a
    person pinned for the simulation.
    """

    policy: str
    settings: dict[str, Any]
    sample_settings: dict[str, Any]
    summaries: str
    scope: str
    pinned: tuple[int, ...] = ()

    @property
    def recorded(self) -> bool:
        """Whether the transcript's own run is shown."""
        return self.policy == RECORDED


def shown_choice(loaded: Loaded, session: Opened) -> Shown:
    """Policy, settings and summarizer: as chosen, else as the sample has them, else the run as recorded."""
    chosen = state.choice()
    sample = state.sample_of(chosen.source)
    default = (sample.policy if sample else "") or RECORDED
    name = chosen.policy or default
    fits = sample if sample and name == default else None
    known = [s.name for s in summarizers(loaded.session)]
    wanted = (chosen.summaries, fits.summaries if fits else "", summaries_for(loaded.session, name))
    summaries = next((one for one in wanted if one in known), known[0])
    pinned = () if name == RECORDED else pinned_places(session)
    return Shown(name, dict(chosen.settings), sample_settings(name), summaries, f"{name}@{session.sid}", pinned)


def summaries_for(session: Session, name: str) -> str:
    """What writes the summaries where nobody has chosen: of a run's own policy the run itself, so that both lose the same."""
    return "recorded" if own_settings(session, name) else simulated.DEFAULT_SUMMARIES


def sample_settings(name: str) -> dict[str, Any]:
    """The settings that the open sample is shown with, where it is shown by the policy with this name."""
    sample = state.sample_of(state.choice().source)
    return dict(sample.parameters) if sample and name == (sample.policy or RECORDED) else {}


def pinned_places(session: Opened) -> tuple[int, ...]:
    """The places of the messages that the address pins; none, and an error is kept, where it names one that is not there."""
    return places_named(session, state.choice().pin, partial(state.update_choice, pin=""))


def places_named(session: Opened, pin: str, forget: Callable[[], object]) -> tuple[int, ...]:
    """The places of the messages that a text pins; of one that names a message that is not there none.

    That is then kept as an error, and the text forgotten, or the error would come again with every drawing of the page.
    """
    try:
        return pins(session.session, pin)
    except FoldlineError as error:
        state.fail(error, state.ADDRESS_IGNORED)
        forget()
        return ()


def like_record(shown: Shown, session: Opened) -> as_recorded.Shown | None:
    """How the run's own policy acts beside the record, with what the page shows; None where that is another policy."""
    return as_recorded.as_recorded(session.recorded, shown.policy, shown.summaries, shown.pinned)


def panel_data(shown: Shown, session: Opened) -> dict[str, Any]:
    """The policy's parameters; what is suggested is what the session opens with."""
    rule, wanted = resolved_policy(shown, session), default_settings(shown, session)
    measured, model = session.measured, model_of(session.session)
    found = like_record(shown, session)
    params = parameter_panel(rule, measured, model, wanted, as_recorded.BECAUSE if found else FILLED)
    why = as_recorded.grounds(found) if found else grounds.grounds(rule, wanted, measured, model)
    return {"policy": shown.scope, "params": params, "grounds": why, "returns": state.returns()}


def resolved_policy(shown: Shown, session: Opened) -> Policy:
    """The policy with the slider values, else the chosen settings, else the defaults here."""
    values = state.panel_settings(shown.scope)
    return chosen_policy(shown.policy, {**default_settings(shown, session), **shown.settings, **values})


def default_settings(shown: Shown, session: Opened) -> dict[str, Any]:
    """The settings where nobody has chosen: those a run was driven with, of the sample, that act as the record does, else what
    suits the session.
    """
    suits = settings_for(session.recorded, shown.policy)
    return suits | shown.sample_settings | own_settings(session.session, shown.policy)


def trace_of(session: Opened, shown: Shown, rule: Policy | None) -> Trace:
    """The trace of what is shown, from the registry if it is there; `rule` is None where no policy is simulated."""
    return simulated.trace_of(session, shown.policy, rule, shown.summaries, shown.pinned)


def trace_key(session: Opened, shown: Shown, rule: Policy | None) -> str:
    """The key of a trace in the registry: session, policy, settings, summarizer and pins."""
    return simulated.trace_key(session, shown.policy, rule, shown.summaries, shown.pinned)
