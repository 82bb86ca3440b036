"""The Learn page: lessons that drive the debugger. It asks viewer/api/lessons.py and viewer/api/scenes.py, not Streamlit."""

import streamlit as st

from viewer.pages import components, state


def page() -> None:
    """Draw the page; the last step of a lesson is about the session that is open."""
    state.begin(names_choice=False)
    with st.sidebar:
        components.lesson()
    chosen = state.choice()
    components.learn({"source": str(chosen.source), "session": chosen.session, "name": chosen.source.name})
