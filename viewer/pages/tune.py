"""The Tune page: what every setting of a policy would have cost and lost. It asks viewer/api/tuned.py, not Streamlit."""

from pathlib import Path

import streamlit as st

from core import meters
from core.engine.policies_used import agent_policy
from core.model.session import Session
from viewer.api.access import local
from viewer.pages import components, state
from viewer.sessions.sources import Source
from viewer.sessions.sweeps import workers
from viewer.wire.catalogue import catalogue


def page() -> None:
    """Draw the page for the session that is open, or that the address names."""
    state.begin(names_choice=False)
    asked = dict(st.query_params)
    named = Source.parse(asked.get("source", ""))
    chosen = state.choice()
    source, session = (named, asked.get("session", "")) if named else (chosen.source, chosen.session)
    with st.sidebar:
        components.tunepanel()
    components.catalogue(catalogue())
    components.tune(
        {
            "source": str(source),
            "session": session,
            "title": source.name.rpartition("/")[2],
            "now": state.last_policy(),
            "own": own_policy(state.shown_session() if source == chosen.source else None),
            "local": local(),
            "meter": chosen.meter,
            "meters": [known.name for known in meters()],
            "folder": proposed_folder(source),
            "workers": workers(),
        }
    )


def own_policy(session: Session | None) -> str:
    """The name of the policy that reproduces the agent of a session; "" where none is known."""
    rule = agent_policy(session) if session else None
    return rule.name if rule else ""


def proposed_folder(source: Source) -> str:
    """What is proposed where a folder is to be chosen: the one that is open, else the one that the open file is in."""
    if source.kind != "path" or not local():
        return ""
    place = Path(source.name).expanduser()
    return str(place if place.is_dir() else place.parent)
