"""What the Debug page shows while a large transcript is opened: how it begins, and how far it is."""

import streamlit as st

from viewer.pages import components, state
from viewer.pages.source_picker import source_picker
from viewer.pages.widgets import failure_box
from viewer.sessions.opening import Opening
from viewer.wire.catalogue import catalogue
from viewer.wire.pack import opening_payload


def opening_page(found: Opening, local: bool) -> None:
    """The beginning of the transcript. The page is drawn anew once the browser has seen that it is open."""
    with st.sidebar:
        source_picker(local)
        failure_box()
    components.catalogue(catalogue())
    st.empty()  # where the store will be: the view keeps its place, and is not mounted anew
    _view(found)


@st.fragment
def _view(found: Opening) -> None:
    if state.redraw_requested():
        st.rerun()
    components.view(opening_payload(found.id, found.name, found.size, found.beginning))
