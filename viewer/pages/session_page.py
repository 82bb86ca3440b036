"""How a page that shows one session begins: with the session, or with what stands in its place."""

import streamlit as st

from viewer.api.access import local
from viewer.pages import state
from viewer.pages.frame import outline
from viewer.pages.loading import loaded_choice, slow_opening
from viewer.pages.not_opened import not_opened
from viewer.pages.opening_page import opening_page
from viewer.pages.source_picker import source_picker
from viewer.sessions.sources import Loaded


def chosen_session(overview: bool = False) -> Loaded | None:
    """The chosen session. None where the page is drawn already: while it opens, and where nothing could be opened.

    `overview` is whether the page begins with one where the address names no step, or asks for it. Whether the run has
    compactions, which that one needs to be as wide as the page, is not known yet.
    """
    state.begin()
    cards = st.empty()
    cards.html(outline(whole=overview and state.starts_at_overview()))  # until the module of the page has come
    opening = slow_opening()
    if opening is not None:
        opening_page(opening, local())
        return None
    loaded = loaded_choice()
    if loaded is None:
        cards.empty()
        with st.sidebar:
            source_picker(local())
        not_opened(state.choice().source)
    return loaded
