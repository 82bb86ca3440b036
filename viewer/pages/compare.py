"""The Compare page: two to four runs of one session beside one another.

A run is a policy with its settings, the one that was recorded, or the one without any compaction.

As on the Debug page, what changes with a slider is in one fragment. It sends which traces there are; the browser fetches those
that it does not have yet.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.summaries.summarizers import structural, summarizers
from viewer.api.access import local
from viewer.pages import components, sidebar, state
from viewer.pages.loading import counted, follow_file
from viewer.pages.not_opened import not_opened_notice
from viewer.pages.session_page import chosen_session
from viewer.pages.simulated import (
    Shown,
    default_settings,
    panel_data,
    places_named,
    resolved_policy,
    sample_settings,
    shown_choice,
    trace_key,
    trace_of,
)
from viewer.pages.source_picker import source_picker
from viewer.pages.widgets import failure_box, section
from viewer.sessions.registry import Opened
from viewer.sessions.sources import Loaded
from viewer.settings.lanes import RECORDED, Lane, lane_text
from viewer.settings.pins import pins, pins_text
from viewer.wire.catalogue import card, catalogue
from viewer.wire.compared import rival_of

KEYS = "`←` `→` message · `d` `D` difference · `n` `p` compaction in any lane · `?` all shortcuts"


def page() -> None:
    """Draw the page for the chosen session."""
    loaded = chosen_session()
    if loaded is None:
        return
    session = counted(loaded)
    shown = _with_summaries(shown_choice(loaded, session), session)
    _chosen_lanes(session, state.choice().place)  # before the sidebar, which tells what is wrong with them
    _sidebar(loaded, session, shown)
    components.catalogue(catalogue())
    components.store(session.sid, session.packed)
    _lanes(session, shown, loaded, state.choice().place)
    not_opened_notice()
    follow_file(loaded)


def _with_summaries(shown: Shown, session: Opened) -> Shown:
    """With the summaries that were chosen; else with recorded ones where there are any: lanes then differ by their settings."""
    sample = state.sample_of(state.choice().source)
    known = [one.name for one in summarizers(session.session)]
    chosen = state.choice().summaries in known or (sample and sample.summaries)
    return shown if chosen or "recorded" not in known else replace(shown, summaries="recorded")


def _sidebar(loaded: Loaded, session: Opened, shown: Shown) -> None:
    with st.sidebar:
        section("Transcript")
        sidebar.opened_card(loaded)
        with st.popover("Change…", width="stretch", key="change-session"):
            source_picker(local())
        failure_box(over_the_page=True)
        sidebar.session_picker(loaded, ask=state.session_undecided())
        sidebar.lane_picker(loaded)
        components.lanes()
        sidebar.meter_picker(session.recorded.meter, "compare", session.session)
        sidebar.summary_picker(shown.summaries, "compare", summarizers(session.session), writes=True)
        st.caption(KEYS)


@st.fragment
def _lanes(session: Opened, shown: Shown, loaded: Loaded, place: str) -> None:
    """The part that runs again when a lane changes. The whole page does when something else is chosen than this `place`."""
    if state.redraw_requested() or state.choice().place != place:
        st.rerun()
    lanes = _chosen_lanes(session, place) or default_lanes(shown, session)
    state.remember_shown(loaded)
    data = {
        "sid": session.sid,
        "place": place,
        "nth": state.lanes_sent(),
        "lanes": [_lane(session, shown, lane, number) for number, lane in enumerate(lanes)],
        "address": {"query": _query(session, shown), "opened": state.opened(), **state.compare_start()},
    }
    components.compare(data, debug=partial(_on_debug, lanes, shown.summaries), quotes=_on_quotes)


def _chosen_lanes(session: Opened, place: str) -> tuple[Lane, ...]:
    """The lanes that were chosen. A pin of a message that is not there is forgotten, and an error is kept."""
    for number, lane in enumerate(state.compared_lanes(place)):
        places_named(session, lane.pin, partial(state.unpin_lane, place, number))
    return state.compared_lanes(place)


def default_lanes(shown: Shown, session: Opened) -> tuple[Lane, ...]:
    """As recorded, and the policy that the Debug page shows; where that is none, the one it showed last, else the agent's."""
    other = shown.policy
    if other == RECORDED:
        other = state.last_policy_here().get("policy", "") or rival_of(session.recorded)
    if other != shown.policy:
        return Lane(RECORDED), Lane(other)
    pin = pins_text(session.measured.messages, shown.pinned)
    return Lane(RECORDED), Lane(other, tuple(shown.settings.items()), pin)


def _lane(session: Opened, shown: Shown, lane: Lane, number: int) -> dict[str, Any]:
    """A lane as the browser gets it; the traces are made here, so that the routes find them by their ids."""
    scope = f"lane {number}: {lane.name}@{session.sid}"
    pinned = pins(session.session, lane.pin) if lane.simulated else ()
    one = Shown(lane.name, dict(lane.settings), sample_settings(lane.name), shown.summaries, scope, pinned)
    rule = resolved_policy(one, session) if lane.simulated else None
    trace = trace_of(session, one, rule)
    told: dict[str, Any] = {"tid": trace_key(session, one, rule), "name": lane.name, "text": lane.name}
    if rule:
        pin = pins_text(session.measured.messages, pinned)
        text = lane_text(rule, default_settings(one, session), pin)
        told |= {"text": text, "panel": panel_data(one, session), "card": card(rule.name), "pin": pin}
        told["pinned"] = list(trace.pinned)
    return told


def _query(session: Opened, shown: Shown) -> dict[str, str]:
    """What the address says beside the lanes and the cursor."""
    chosen = state.choice()
    where = {"source": str(chosen.source), "session": chosen.session, "lane": chosen.lane}
    query = {key: text for key, text in where.items() if text}
    return query | {"meter": session.recorded.meter, "summaries": shown.summaries}


def _on_debug(lanes: tuple[Lane, ...], summaries: str) -> None:
    asked = state.lane_to_debug()
    if asked is not None and 0 <= asked < len(lanes):
        state.show_in_debug(lanes[asked], summaries)


def _on_quotes() -> None:
    state.update_choice(summaries=structural.name)
    state.request_redraw()
