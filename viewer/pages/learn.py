"""The Learn page: lessons that drive the debugger. It asks viewer/api/lessons.py and viewer/api/scenes.py, not Streamlit."""

import streamlit as st

from viewer.api.access import local
from viewer.pages import components, state
from viewer.sessions.sources import Source, samples

_SAMPLE = Source("sample", "openai-chat/coding-session.json")  # every lesson has something to show of it


def page() -> None:
    """Draw the page; the last step of a lesson is about the session that is open."""
    state.begin(names_choice=False)
    with st.sidebar:
        components.lesson()
    chosen = state.choice()
    opening = Source("sample", samples()[0].path)  # too short for the lesson about a session of one's own
    source = _SAMPLE if chosen.source == opening else chosen.source
    own = {"source": str(source), "session": chosen.session, "name": source.name, "library": local()}
    components.learn(own, to_library=state.on_lesson_library)
