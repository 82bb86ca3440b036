"""The Live page: drives an agent, and shows what its model sees meanwhile. What is live goes past Streamlit (live_api)."""

from typing import Any

import streamlit as st

from core import FoldlineError, policy
from core.errors import ModelError
from core.events import RunSettings
from core.llm import demo
from viewer import components, frame, live_list, live_setup, sidebar, state
from viewer.catalogue import card, catalogue
from viewer.compared import chosen_policy
from viewer.live_scale import expected
from viewer.origin import local
from viewer.runs import Live, runs
from viewer.sliders import parameter_panel
from viewer.suggest import suggested

DEMO = RunSettings(
    provider=demo.PROVIDER.name,
    model=demo.PROVIDER.model,
    system=demo.SYSTEM,
    tools=demo.FAMILIES,
    folder=str(demo.FOLDER),
    max_calls=demo.MAX_TURNS,
    **live_setup.DEMO_POLICY,
    meter=demo.METER,
    summaries="structural",
)
"""What the page opens on: it needs no key."""


def page() -> None:
    """Draw the page for the run that is looked at; the demo agent's where there is none."""
    state.begin()
    if not local():
        st.info(
            "Agents are driven only when foldline listens on 127.0.0.1: a run costs money, and its tools read files."
        )
        return
    try:
        live = _live()
    except FoldlineError as error:  # not even the demo's run can be begun: the data folder cannot be written
        st.error("No run can be begun here.")
        st.text(f"{error}\n{error.hint}".strip())
        return
    with st.sidebar:
        live_list.run_card(live)
        live_setup.new_run_button()
        live_list.runs_button(live)
        sidebar.failure_box()
        _policy(live)
        st.caption(f"Counted by {live.drive.meter}; {_summaries(live)}.")
        with st.container(key="written"):
            st.text(f"Written to {runs().store.path(live.drive.id)}")
    components.catalogue(catalogue())
    _follow(live)


def _live() -> Live:
    """The run that is chosen; where it does not open, the error is held, and another is shown."""
    wanted = state.run()
    if wanted:
        try:
            return runs().open(wanted, live_setup.key_for(wanted))
        except ModelError as error:
            state.fail(error, "That run wants a key.")
            live_setup.ask_key(wanted)
        except FoldlineError as error:
            state.fail(error, "That run could not be opened.")
    live = runs().newest() or runs().new(DEMO)
    state.choose_run(live.drive.id)
    return live


def _summaries(live: Live) -> str:
    how = live.drive.settings.summaries
    return "summaries by the model" if how == "model" else f"{how} summaries, offline"


def _policy(live: Live) -> None:
    """The policy in force and its sliders: both may be changed at any time, and act from the next model call on."""
    frame.section("Policy")
    settings, scale = live.drive.settings, expected(live.drive)
    components.chooser({"recorded": "", **card(settings.policy)}, chosen=lambda: _choose(live))
    rule = policy(settings.policy, **settings.parameters)
    components.panel({"policy": _scope(live), "params": parameter_panel(rule, scale, settings.model)})


def _scope(live: Live) -> str:
    return f"{live.drive.settings.policy}@live-{live.drive.id}"


def _choose(live: Live) -> None:
    name = state.picked_policy()
    if name and not live.driven_by_another(state.tab()):
        wanted = suggested(policy(name), expected(live.drive), live.drive.settings.model)
        live.drive.govern(chosen_policy(name, wanted))


@st.fragment
def _follow(live: Live) -> None:
    """The debugger; runs again when a slider moves. Where another run took this one's place, the whole page is drawn for it."""
    if state.run() != live.drive.id:
        st.rerun()
    said = state.panel_settings(_scope(live), "live")
    if state.moved(_scope(live), said) and not live.driven_by_another(state.tab()):
        settings = live.drive.settings
        live.drive.govern(chosen_policy(settings.policy, {**settings.parameters, **said}))
    components.live(_data(live), another=_take_run)


def _take_run() -> None:
    state.choose_run(state.moved_to() or "")


def _data(live: Live) -> dict[str, Any]:
    return {"run": live.drive.id, "address": {"query": {"run": live.drive.id}, "start": state.start_step()}}
