"""The Debug page: opens what is chosen, and keeps the picture in step with the sliders.

Everything that changes with a slider is inside one fragment; the store, which is sent once, is outside of it. So a slider
costs one simulation and a few kilobytes, however long the session is.
"""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from core import FoldlineError, Policy, Trace, TranscriptError, meter, policy, simulate
from core.engine.pins import pins, pins_text
from core.summaries.summarizers import summarizer, summarizers
from viewer.api.access import local
from viewer.pages import components, sidebar, state
from viewer.pages.address import RECORDED, Choice
from viewer.pages.frame import OUTLINE
from viewer.pages.not_opened import not_opened, not_opened_notice
from viewer.pages.opening_page import opening_page
from viewer.pages.source_picker import source_picker
from viewer.pages.widgets import failure_box
from viewer.sessions.opening import Opening, ended_opening, opening
from viewer.sessions.registry import TRACES, Opened, digest, freeze_once, opened
from viewer.sessions.sources import Loaded, changed, open_source
from viewer.settings.grounds import grounds
from viewer.settings.query import settings_query
from viewer.settings.sliders import parameter_panel
from viewer.settings.suggest import suggested
from viewer.wire.catalogue import catalogue, own_settings
from viewer.wire.compared import chosen_policy
from viewer.wire.pack import view_payload

QUICK = 0.15
"""Seconds in which a transcript is opened without a word about it."""

POLL_SECONDS = 1.5
"""Seconds between two looks at an open file."""

POLL_FACTOR = 6
"""A file that takes long to read is looked at less often: after this many times the seconds that reading it takes."""


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


def page() -> None:
    """Draw the page for what is chosen."""
    state.begin()
    outline = st.empty()
    outline.html(OUTLINE)  # until the debugger's module has come
    begun = _begun(local())
    if begun is not None:
        opening_page(begun, local())
        return
    loaded = _load(local())
    if loaded is None:
        outline.empty()
        with st.sidebar:
            source_picker(local())
        not_opened(state.choice().source)
        return
    session = _counted(loaded, _meter_name(state.choice()))
    shown = _shown(loaded, session)
    _sidebar(local(), loaded, session, shown)
    components.catalogue(catalogue())
    components.store(session.sid, session.packed)
    debugger(session, shown, loaded, state.choice().place)
    not_opened_notice()
    if loaded.paths:
        st.fragment(reload_if_changed, run_every=max(POLL_SECONDS, POLL_FACTOR * loaded.seconds))(loaded)


def _begun(local: bool) -> Opening | None:
    """The opening of what is chosen, where that takes a while; None for what is on the page already."""
    chosen = state.choice()
    if state.shows_choice():
        return None
    found = opening(chosen.source, local, chosen.session, chosen.lane, _meter_name(chosen))
    return None if found.wait(QUICK) else found


def reload_if_changed(loaded: Loaded) -> None:
    """Read the file again once it has been written to: new messages then appear, and the browser keeps its place."""
    if state.file_changed(changed(loaded)):
        st.rerun()


def _load(local: bool) -> Loaded | None:
    """The chosen session. If it does not open, the error is kept, and what was on the page stays; None if nothing was."""
    try:
        loaded = _open_chosen(state.choice(), local)
    except FoldlineError as error:
        source = state.choice().source
        state.fail(error, path=source.name if source.kind == "path" else "")
        return state.restore_shown()
    state.remember_shown(loaded)
    return loaded


def _open_chosen(chosen: Choice, local: bool) -> Loaded:
    """The chosen session and lane; the first of the file if it does not have them. Raises FoldlineError."""
    try:
        ended = ended_opening(chosen.source, chosen.session, chosen.lane, _meter_name(chosen))
        if ended and ended.error:
            raise ended.error
        return open_source(chosen.source, local, chosen.session, chosen.lane)
    except FoldlineError as error:
        if not (chosen.session or chosen.lane) or (isinstance(error, TranscriptError) and state.has_shown()):
            raise  # a broken file of a folder: the one before stays on the page
        loaded = open_source(chosen.source, local)
        state.update_choice(session="", lane="")
        state.fail(error, state.ADDRESS_IGNORED)
        return loaded


def _meter_name(chosen: Choice) -> str:
    """The meter as chosen, else as the sample has it; "" for the one that counts the session by default."""
    sample = state.sample_of(chosen.source)
    return chosen.meter or (sample.meter if sample else "")


def _shown(loaded: Loaded, session: Opened) -> Shown:
    """Policy, settings and summarizer: as chosen, else as the sample has them, else what suits the session."""
    chosen = state.choice()
    sample = state.sample_of(chosen.source)
    fallback = RECORDED if loaded.session.compactions or loaded.session.driven else state.DEFAULT_POLICY
    default = (sample.policy or RECORDED) if sample else fallback
    name = chosen.policy or default
    fits = sample if sample and name == default else None
    sample_settings = fits.parameters if fits else {}
    summaries = chosen.summaries or (fits.summaries if fits else "") or state.DEFAULT_SUMMARIES
    known = [s.name for s in summarizers(loaded.session)]
    summaries = summaries if summaries in known else known[0]
    scope = f"{name}@{session.sid}"
    pinned = () if name == RECORDED else _pinned(chosen.pin, session)
    return Shown(name, dict(chosen.settings), sample_settings, summaries, scope, pinned)


def _pinned(text: str, session: Opened) -> tuple[int, ...]:
    """The places of the messages that the address pins; none, and an error is kept, where it names one that is not there."""
    try:
        return pins(session.session, text)
    except FoldlineError as error:
        state.fail(error, state.ADDRESS_IGNORED)
        state.update_choice(pin="")
        return ()


def _counted(loaded: Loaded, meter_name: str) -> Opened:
    """The session counted by its meter; by the default meter if that one cannot count it."""
    try:
        return opened(loaded.key, loaded.session, meter_name)
    except FoldlineError as error:
        state.fail(error, "This meter cannot count the session.")
        state.update_choice(meter="")
        return opened(loaded.key, loaded.session)


def _sidebar(local: bool, loaded: Loaded, session: Opened, shown: Shown) -> None:
    with st.sidebar:
        source_picker(local)
        failure_box(over_the_page=True)
        sidebar.opened_card(loaded)
        sidebar.session_picker(loaded, ask=state.session_undecided())
        sidebar.lane_picker(loaded)
        sidebar.policy_picker(shown.policy, session.session)
        if not shown.recorded:
            components.panel(_panel(shown, session))
            sidebar.pins(shown.pinned, session.measured)
        sidebar.meter_picker(session.recorded.meter, shown.scope, session.session)
        if not shown.recorded:
            known = summarizers(session.session)
            sidebar.summary_picker(shown.summaries, shown.scope, known, policy(shown.policy).writes_summaries)
        sidebar.keys()


def _panel(shown: Shown, session: Opened) -> dict[str, Any]:
    """The policy's parameters; what is suggested is what the session opens with."""
    rule, wanted = resolved_policy(shown, session), default_settings(shown, session)
    measured, model = session.measured, session.session.model
    params = parameter_panel(rule, measured, model, wanted)
    why = grounds(rule, wanted, measured, model)
    return {"policy": shown.scope, "params": params, "grounds": why, "returns": state.returns()}


def resolved_policy(shown: Shown, session: Opened) -> Policy:
    """The policy with the slider values, else the chosen settings, else the defaults here."""
    values = state.panel_settings(shown.scope)
    return chosen_policy(shown.policy, {**default_settings(shown, session), **shown.settings, **values})


def default_settings(shown: Shown, session: Opened) -> dict[str, Any]:
    """The settings where nobody has chosen: those a run was driven with, of the sample, else what suits the session."""
    known = suggested(policy(shown.policy), session.measured, session.session.model) | shown.sample_settings
    return known | own_settings(session.session, shown.policy)


@st.fragment
def debugger(session: Opened, shown: Shown, loaded: Loaded, place: str) -> None:
    """The part that runs again when a slider moves. The whole page does when the view has asked for another `place`."""
    if state.redraw_requested() or state.choice().place != place:
        st.rerun()
    rule = None if shown.recorded else resolved_policy(shown, session)
    if rule:
        state.update_choice(policy=rule.name, settings=tuple(rule.settings.items()))
        state.remember_shown(loaded)
    tid = trace_key(session, shown, rule)
    trace = TRACES.get_or_make(tid, lambda: _simulated(session, shown, rule) if rule else session.recorded)
    data = view_payload(session.sid, tid, trace, address(session, shown, rule), loaded.notes)
    components.view(data)


def _simulated(session: Opened, shown: Shown, rule: Policy) -> Trace:
    write = summarizer(shown.summaries, session=session.session)
    trace = simulate(session.session, rule, meter(session.recorded.meter), write, shown.pinned)
    freeze_once(
        f"{session.sid} summarized"
    )  # the first one leaves behind what the summarizer has read off the messages
    return trace


def trace_key(session: Opened, shown: Shown, rule: Policy | None) -> str:
    """The key of a trace in the registry: session, policy, settings, summarizer and pins."""
    if rule is None:
        return digest(session.sid, RECORDED)
    return digest(session.sid, rule.name, repr(sorted(rule.settings.items())), shown.summaries, repr(shown.pinned))


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
    return {"query": query | settings, "start": state.start_step(), "arrive": arrive, "rival": state.last_policy()}


def _place_of(session: Opened, message: str) -> int:
    """The index of the message with this id; -1 for none."""
    try:
        return session.measured.place_of(message)
    except KeyError:
        return -1
