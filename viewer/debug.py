"""The Debug page: opens what is chosen, and keeps the picture in step with the sliders.

Everything that moves with a slider is inside one fragment; what is sent once, the store, is outside of it. So a slider costs
one simulation and a few kilobytes, however long the session.
"""

from typing import Any

import streamlit as st

from core import FoldlineError, Policy, Trace, meter, policy, simulate
from core.summarizers import summarizer
from viewer import components, present, sidebar, state
from viewer.pack import view_payload
from viewer.registry import TRACES, Opened, digest, hold, opened
from viewer.sliders import parameter_panel, suggested
from viewer.sources import LOOPBACK, Loaded, Source, first_source, open_source, samples


def page() -> None:
    """Draw the page for what is chosen."""
    state.begin()
    local = st.get_option("server.address") in LOOPBACK
    loaded = _load(local)
    chosen = state.choice()
    name, settings, meter_name = _defaults(loaded, chosen)
    found = _count(loaded, meter_name)
    scope = f"{name}@{found.sid}"
    _sidebar(local, loaded, found, name, settings, scope)
    components.store(found.sid, found.packed)
    live(found, name, settings, scope, loaded.note)


def _load(local: bool) -> Loaded:
    """The chosen session; if it does not open, the error is held and the last one that did stays."""
    chosen = state.choice().source
    try:
        with st.spinner("Reading the transcript…"):
            loaded = open_source(chosen, local)
    except FoldlineError as error:
        state.fail(error)
        stay = state.last_good() or (first_source() if first_source() != chosen else _first_sample())
        state.choose(source=stay)
        loaded = open_source(stay, local)
    state.showed(state.choice().source)
    return loaded


def _first_sample() -> Source:
    return Source("sample", samples()[0].path)


def _defaults(loaded: Loaded, chosen: state.Choice) -> tuple[str, dict[str, Any], str]:
    """Policy, parameters and meter: as chosen, else as the sample wants them, else what suits the session."""
    name, settings, meter_name = state.sample_settings(chosen.source)
    fallback = state.RECORDED if loaded.session.compactions else state.DEFAULT_POLICY
    picked = chosen.policy or name or fallback
    wanted = dict(chosen.settings) or (settings if picked == name else {})
    return picked, wanted, chosen.meter or meter_name or state.DEFAULT_METER


def _count(loaded: Loaded, meter_name: str) -> Opened:
    """The session under its meter; under the default one where that meter cannot count it."""
    try:
        return opened(loaded.key, loaded.session, meter_name)
    except FoldlineError as error:
        state.fail(error)
        state.choose(meter=state.DEFAULT_METER)
        return opened(loaded.key, loaded.session, state.DEFAULT_METER)


def _sidebar(local: bool, loaded: Loaded, found: Opened, name: str, settings: dict[str, Any], scope: str) -> None:
    with st.sidebar:
        sidebar.source_picker(local)
        sidebar.opened_card(loaded)
        sidebar.failure_box()
        sidebar.policy_picker(name, scope)
        if name != state.RECORDED:
            rule = resolved(name, settings, scope, found)
            components.panel({"policy": scope, "params": parameter_panel(rule, found.measured)})
        sidebar.meter_picker(found.recorded.meter, scope, usage=found.session.usage is not None)
        if name != state.RECORDED:
            sidebar.summary_picker(state.choice().summaries, scope)
        sidebar.keys()


def resolved(name: str, settings: dict[str, Any], scope: str, found: Opened) -> Policy:
    """The policy with what the sliders say, else what is chosen, else what suits the session."""
    said = state.slider_settings(scope)
    suited = suggested(policy(name), found.measured)
    return state.chosen_policy(name, {**suited, **settings, **said})


@st.fragment
def live(found: Opened, name: str, settings: dict[str, Any], scope: str, note: str) -> None:
    """The part that runs again when a slider moves."""
    trace, rule = found.recorded, None
    if name != state.RECORDED:
        rule = resolved(name, settings, scope, found)
        state.choose(settings=tuple(rule.settings.items()))
        trace = _simulated(found, rule)
    tid = trace_key(found, rule)
    hold(tid, trace)
    findings = present.finding_counts(trace)
    notes = [*trace.notes, *([note] if note else [])]
    components.view(view_payload(found.sid, tid, trace, address(found, name, rule), notes, findings=findings))


def _simulated(found: Opened, rule: Policy) -> Trace:
    write, counted_by = summarizer(state.choice().summaries), meter(found.recorded.meter)
    return TRACES.take(
        trace_key(found, rule), lambda: simulate(found.session, rule, meter=counted_by, summarizer=write)
    )


def trace_key(found: Opened, rule: Policy | None) -> str:
    """The name of a trace in the registry: the session, the policy with its settings, what summarises."""
    if rule is None:
        return digest(found.sid, state.RECORDED)
    return digest(found.sid, rule.name, repr(sorted(rule.settings.items())), state.choice().summaries)


def address(found: Opened, name: str, rule: Policy | None) -> dict[str, Any]:
    """What the address bar is to hold, besides the step."""
    chosen = state.choice()
    settings = {k: v for k, v in rule.settings.items() if v is not None} if rule else {}
    spoken = {"source": str(chosen.source), "policy": name, "meter": found.recorded.meter}
    if rule and chosen.summaries != state.DEFAULT_SUMMARIES:
        spoken["summaries"] = chosen.summaries
    return {"query": {**spoken, **settings}, "start": state.take_start_step()}
