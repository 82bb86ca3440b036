"""The sidebar of the Debug page below the source: what is open, and which policy, meter and summarizer are used."""

from collections.abc import Sequence

import streamlit as st

from core import Session
from core.importers import label_of
from core.meters import meters_for
from core.model.agent_windows import MAIN
from core.summaries.summarizers import SummarizerInfo
from core.window.measured import Measured
from viewer.pages import components, state
from viewer.pages.widgets import section, select
from viewer.sessions.sources import Loaded
from viewer.settings import as_recorded
from viewer.settings.lanes import RECORDED
from viewer.settings.pins import pins_text
from viewer.wire.catalogue import card, ran_under, what_if
from viewer.wire.lists import lane_title, meter_title

MOST_PINS = 6
"""Pinned messages that are listed one by one."""


def opened_card(loaded: Loaded) -> None:
    """What is open, as plain text: a file's name is not to be trusted."""
    with st.container(border=True, key="opened"):
        st.text(loaded.shown)
        st.text(loaded.about or label_of(loaded.session))


def session_picker(loaded: Loaded, ask: bool) -> None:
    """The open session of a file of many, and the dialog to choose another, which opens by itself with `ask`."""
    rows = loaded.entries.rows()
    if len(rows) < 2:
        return
    section("Session")
    data = {"file": loaded.shown, "rows": rows, "address": loaded.address, "ask": ask}
    components.sessions(data, chosen=state.on_session)


def lane_picker(loaded: Loaded) -> None:
    """Whose window is shown, in a session with sub-agents; for a sub-agent, the way back to the call that started it."""
    known = loaded.agent_windows
    if len(known) < 2:
        return
    section("Agent window")
    titles = {one.name: lane_title(one) for one in known}
    select(
        "Agent window",
        list(titles),
        index=list(titles).index(loaded.lane),
        key=f"lane-of-{state.choice().place}-{state.returns()}",
        on_pick=lambda name: state.choose_lane("" if name == MAIN else name),
        format_func=lambda name: titles.get(name, name),
    )
    shown = loaded.started
    if shown.parent:
        st.button("Back to the parent agent", width="stretch", on_click=lambda: state.go_to_parent(shown))


def policy_picker(name: str, session: Session, like_record: as_recorded.Shown | None) -> None:
    """The policy in use; a click opens the dialog of all policies. Below it, what could have compacted the session."""
    section("Policy")
    told = {"recorded": RECORDED, "ran": ran_under(session), "what_if": what_if(session), **card(name)}
    told |= {"compacted": bool(session.compactions), "note": as_recorded.note(like_record) if like_record else ""}
    components.chooser(told, chosen=state.on_policy)


def pins(pinned: Sequence[int], measured: Measured) -> None:
    """The messages that are pinned for the simulation, each with a button that lets it go."""
    if not pinned:
        return
    section("Pinned")
    for place in pinned[:MOST_PINS]:
        left = pins_text(measured.messages, (other for other in pinned if other != place))
        label = f"Message {place + 1:,} ×"
        st.button(
            label,
            key=f"pinned-{place}",
            width="stretch",
            help="No policy takes it. Click to unpin.",
            on_click=state.update_choice,
            kwargs={"pin": left},
        )
    if len(pinned) > MOST_PINS:
        st.caption(f"and {len(pinned) - MOST_PINS:,} more")
        st.button("Unpin all", width="stretch", on_click=state.update_choice, kwargs={"pin": ""})


def meter_picker(name: str, scope: str, session: Session) -> None:
    """The meter: one of those that can count the session."""
    section("Meter")
    names = [m.name for m in meters_for(session)]
    select(
        "Meter",
        names,
        index=names.index(name) if name in names else 0,
        key=f"meter-of-{scope}-{state.returns()}",
        on_pick=lambda picked: state.update_choice(meter=picked),
        format_func={n: meter_title(n, session) for n in names}.__getitem__,
    )
    about = next((m.about for m in meters_for(session) if m.name == name), "")
    means = "A meter counts tokens, the pieces in which a model reads text."
    st.caption(f"{means} This one: {about}." if about else means)


def summary_picker(name: str, scope: str, known: list[SummarizerInfo], writes: bool) -> None:
    """What writes the summaries of a simulated run, with a line on each; apart from those that work, those that fail."""
    section("Summaries")
    if not writes:
        st.caption("This policy writes no summaries.")
        return
    working, failing = ([info for info in known if info.fails == fails] for fails in (False, True))
    now = next(info for info in known if info.name == name)
    key = f"{scope}-{name}-{state.returns()}"
    with st.popover(
        f"If it fails: {now.label}" if now.fails else now.label, width="stretch", key=f"summaries-of-{key}"
    ):
        _summarizers("What writes the summaries", working, name, f"working-{key}")
        _summarizers("What if summarizing fails?", failing, name, f"failing-{key}")


def _summarizers(title: str, known: list[SummarizerInfo], name: str, key: str) -> None:
    """A group of the menu; the one in use is marked. Labels and lines are constant texts of core."""
    infos = {info.name: info for info in known}
    st.radio(
        title,
        list(infos),
        index=list(infos).index(name) if name in infos else None,
        format_func=lambda n: infos[n].label,
        captions=[f"{info.about[0].upper()}{info.about[1:]}." for info in known],
        key=key,
        on_change=lambda: state.update_choice(summaries=state.widget_value(key)),
    )


def keys() -> None:
    """The most used keys."""
    st.caption("`←` `→` step · `n` `p` compaction · `w` why · `/` find · `?` all shortcuts")
