"""The Live page: drives an agent and shows what its model sees. Live data goes through viewer/api/live.py, not Streamlit."""

from functools import partial
from typing import Any

import streamlit as st

from core import FoldlineError, policy
from core.engine.policies_used import SessionModel
from core.model.errors import ModelError
from core.window.measured import Measured
from viewer.api.access import local
from viewer.pages import components, new_run, run_card, state
from viewer.pages.runs import open_in_debug
from viewer.pages.widgets import below_home, failure_box, section, show_error
from viewer.sessions.demo_run import DEMO
from viewer.sessions.runs import OpenRun, runs
from viewer.settings.grounds import grounds
from viewer.settings.live_scale import expected, expected_tokens
from viewer.settings.sliders import parameter_panel
from viewer.settings.suggest import suggested
from viewer.wire.catalogue import card, catalogue
from viewer.wire.compared import chosen_policy


def page() -> None:
    """Draw the page for the chosen run; for a run of the demo agent if there is none."""
    state.begin()
    if not local():
        st.info("Live runs are available only on 127.0.0.1: a run can cost money, and its tools read files.")
        return
    try:
        live = _live()
    except FoldlineError as error:  # the data folder cannot be written
        show_error("Could not create a run.", error)
        return
    reach = expected_tokens(live.drive)
    with st.sidebar:
        run_card.run_card(live)
        new_run.new_run_button()
        failure_box()
        _policy(live)
        st.caption(f"Counted by {live.drive.meter}; {_summaries(live)}.")
        with st.container(key="written"):
            path = runs().store.path(live.drive.id)
            st.text(f"Saved to {path.name} in\n{below_home(path.parent)}\nfrom its first message on")
    components.catalogue(catalogue())
    _debugger(live, reach)


def _live() -> OpenRun:
    """The chosen run; if it does not open, the error is kept and another run is shown."""
    wanted = state.run_id()
    if wanted:
        try:
            live = runs().open(wanted, new_run.key_for(wanted))
            if state.resume_requested(wanted) and not live.driven_by_another(state.tab_id()):
                live.drive.resume()
            return live
        except ModelError as error:
            state.fail(error, "This run needs a key.")
            new_run.ask_key(wanted)
        except FoldlineError as error:
            state.fail(error, "Could not open the run.")
    last = runs().newest()
    live = last or runs().new(DEMO)
    state.choose_run(live.drive.id, unasked=last is not None and bool(last.drive.context.base.turn_starts))
    return live


def _summaries(live: OpenRun) -> str:
    how = live.drive.settings.summaries
    return "summaries by the model" if how == "model" else f"{how} summaries, offline"


def _policy(live: OpenRun) -> None:
    """The policy in use and its sliders: both can be changed at any time, with effect from the next model call."""
    section("Policy")
    settings, scale = live.drive.settings, expected(live.drive)
    components.chooser({"recorded": "", **card(settings.policy)}, chosen=lambda: _on_policy(live))
    rule, model = policy(settings.policy, **settings.parameters), SessionModel(settings.model)
    params = parameter_panel(rule, scale, model)
    why = grounds(rule, suggested(rule, scale, model), scale, model, _length(scale))
    components.panel({"policy": _scope(live), "params": params, "grounds": why})


def _length(scale: Measured) -> str:
    return f"a made-up run of {scale.running[-1]:,} tokens"


def _scope(live: OpenRun) -> str:
    return f"{live.drive.settings.policy}@live-{live.drive.id}"


def _on_policy(live: OpenRun) -> None:
    name = state.picked_policy()
    if name and not live.driven_by_another(state.tab_id()):
        settings = suggested(policy(name), expected(live.drive), SessionModel(live.drive.settings.model))
        live.drive.set_policy(chosen_policy(name, settings))


@st.fragment
def _debugger(live: OpenRun, reach: int) -> None:
    """The part that runs again when a slider moves. The whole page does when another run took the place of this one, and when
    the run has more tokens than `reach`, of which the sliders were drawn."""
    if state.run_id() != live.drive.id or state.redraw_requested():
        st.rerun()
    values = state.panel_settings(_scope(live), "live")
    if state.sliders_changed(_scope(live), values) and not live.driven_by_another(state.tab_id()):
        settings = live.drive.settings
        live.drive.set_policy(chosen_policy(settings.policy, {**settings.parameters, **values}))
    debug = partial(_on_debug, live.drive.id)
    components.live(_data(live, reach), another=_on_restarted_run, elsewhere=state.request_redraw, debug=debug)


def _on_debug(id: str) -> None:
    open_in_debug(id)
    state.request_redraw()


def _on_restarted_run() -> None:
    state.choose_run(state.restarted_run())


def _data(live: OpenRun, reach: int) -> dict[str, Any]:
    return {
        "run": live.drive.id,
        "expected": reach,
        "address": {"query": {"run": live.drive.id}, "start": state.start_step()},
    }
