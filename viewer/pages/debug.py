"""The Debug page: opens what is chosen, and keeps the picture in step with the sliders.

Everything that changes with a slider is inside one fragment; the store, which is sent once, is outside of it. So a slider
costs one simulation and a few kilobytes, however long the session is.
"""

from typing import Any

import streamlit as st

from core import Policy, policy
from core.summaries.summarizers import summarizers
from viewer.api.access import local
from viewer.pages import components, sidebar, state
from viewer.pages.loading import counted, follow_file
from viewer.pages.not_opened import not_opened_notice
from viewer.pages.session_page import chosen_session
from viewer.pages.simulated import (
    Shown,
    default_settings,
    like_record,
    panel_data,
    resolved_policy,
    shown_choice,
    trace_key,
    trace_of,
)
from viewer.pages.source_picker import source_picker
from viewer.pages.widgets import failure_box
from viewer.sessions.read_ahead import read_when_idle
from viewer.sessions.registry import Opened
from viewer.sessions.simulated import DEFAULT_SUMMARIES
from viewer.sessions.sources import Loaded
from viewer.sessions.urgent import URGENT
from viewer.settings.pins import pins_text
from viewer.settings.query import settings_query
from viewer.wire.catalogue import catalogue
from viewer.wire.pack import view_payload


def page() -> None:
    """Draw the page for what is chosen."""
    loaded = chosen_session(overview=True)
    if loaded is None:
        return
    session = counted(loaded)
    shown = shown_choice(loaded, session)
    _sidebar(local(), loaded, session, shown)
    components.catalogue(catalogue())
    components.store(session.sid, session.packed)
    debugger(session, shown, loaded, state.choice().place)
    not_opened_notice()
    follow_file(loaded)


def _sidebar(local: bool, loaded: Loaded, session: Opened, shown: Shown) -> None:
    with st.sidebar:
        source_picker(local)
        failure_box(over_the_page=True)
        sidebar.opened_card(loaded)
        sidebar.session_picker(loaded, ask=state.session_undecided())
        sidebar.lane_picker(loaded)
        sidebar.policy_picker(shown.policy, session.session, like_record(shown, session))
        if not shown.recorded:
            components.panel(panel_data(shown, session))
            sidebar.pins(shown.pinned, session.measured)
        sidebar.meter_picker(session.recorded.meter, shown.scope, session.session)
        if not shown.recorded:
            known = summarizers(session.session)
            sidebar.summary_picker(shown.summaries, shown.scope, known, policy(shown.policy).writes_summaries)
        sidebar.keys()


@st.fragment
def debugger(session: Opened, shown: Shown, loaded: Loaded, place: str) -> None:
    """The part that runs again when a slider moves. The whole page does when the view has asked for another `place`."""
    if state.redraw_requested() or state.choice().place != place:
        st.rerun()
    rule = None if shown.recorded else resolved_policy(shown, session)
    if rule:
        state.update_choice(policy=rule.name, settings=tuple(rule.settings.items()))
        state.remember_shown(loaded)
    with URGENT.first():
        tid = trace_key(session, shown, rule)
        trace = trace_of(session, shown, rule)
        data = view_payload(session.sid, tid, trace, address(session, shown, rule), loaded.notes)
        components.view(data)
    if rule and rule.writes_summaries and shown.summaries == DEFAULT_SUMMARIES:
        read_when_idle(session)


def address(session: Opened, shown: Shown, rule: Policy | None) -> dict[str, Any]:
    """What the browser writes into the address bar, the step to start at, and the policy to compare with."""
    chosen = state.choice()
    settings = settings_query(rule, default_settings(shown, session)) if rule else {}
    where = {"source": str(chosen.source), "session": chosen.session, "lane": chosen.lane}
    query = {key: text for key, text in where.items() if text}
    query |= {"policy": shown.policy, "meter": session.recorded.meter}
    if rule:
        query["summaries"] = shown.summaries
        query |= {"pin": pins_text(session.measured.messages, shown.pinned)} if shown.pinned else {}
        state.remember_policy({"policy": rule.name, **settings})
    arrive = _place_of(session, state.arrival_message())
    return {
        "query": query | settings,
        "start": state.start_step(),
        "arrive": arrive,
        "opened": state.opened(),
        "rival": state.last_policy_here(),
        "nth": state.returns(),
    }


def _place_of(session: Opened, message: str) -> int:
    """The index of the message with this id; -1 for none."""
    try:
        return session.measured.place_of(message)
    except KeyError:
        return -1
