"""The Library page: the sessions on this machine, where the agents keep them; one click opens one in the debugger."""

from collections.abc import Callable

import streamlit as st

from core import FoldlineError
from core.library import add_place, places, remove_place
from viewer import components, frame, shelf, sidebar, state
from viewer.origin import local


def page() -> None:
    """Draw the page; the index is brought up to date meanwhile."""
    state.begin()
    if not local():
        st.info("The library shows files of the machine foldline runs on: only when it listens on 127.0.0.1.")
        return
    shelf.start_build()
    with st.sidebar:
        _places()
        sidebar.failure_box()
    components.library([str(place.root) for place in places()], opened=state.take_listed, dropped=state.take_dropped)


def _places() -> None:
    frame.section("Folders")
    known = places()
    there = [place for place in known if place.root.is_dir()]
    for place in there:
        with st.container(key=f"place-{known.index(place)}"):
            st.text(place.agent or "added")
            st.text(str(place.root))
            if place.kept:
                folder = str(place.root)
                st.button(
                    "Remove", key=f"remove-{folder}", on_click=lambda folder=folder: _changed(remove_place, folder)
                )
    if not there:
        st.caption("No agent keeps sessions here. Add a folder with transcripts.")
    with st.form("add-place", border=False, enter_to_submit=True, clear_on_submit=True):
        st.text_input("Folder", label_visibility="collapsed", placeholder="/path/to/folder", key="new-place")
        st.form_submit_button("Add folder", width="stretch", on_click=lambda: _add(state.widget("new-place")))


def _add(said: str | None) -> None:
    folder = sidebar.as_path(said)
    if folder:
        _changed(add_place, folder)


def _changed(change: Callable[[str], object], folder: str) -> None:
    try:
        change(folder)
    except FoldlineError as error:
        state.fail(error, "That folder could not be added.")
    else:
        state.dismiss()
