"""The Tune page: what every setting of a policy would have cost and lost. It asks viewer/api/tuned.py, not Streamlit."""

from pathlib import Path

import streamlit as st

from core import meters
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
            "local": local(),
            "meter": chosen.meter,
            "meters": [known.name for known in meters()],
            "folder": _folder(source),
            "workers": workers(),
        }
    )


def _folder(source: Source) -> str:
    """The folder of a session with a path: what is proposed where a folder is to be chosen."""
    return str(Path(source.name).parent) if source.kind == "path" else ""
