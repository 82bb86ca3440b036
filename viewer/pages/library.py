"""The Library page: the sessions of agents on this machine; one click opens one in the debugger."""

import os
from collections.abc import Callable, Sequence

import streamlit as st

from core import FoldlineError
from core.library import Place, add_place, places, remove_place
from viewer.api.access import local
from viewer.api.library import start_build
from viewer.pages import components, state
from viewer.pages.source_picker import as_path
from viewer.pages.widgets import below_home, failure_box, section
from viewer.sessions.sources import Source, first_source

NAMES = {"foldline run": "Your runs on Live"}
"""Places whose agent is no product that a reader knows by its name."""


def page() -> None:
    """Draw the page, and start to bring the index up to date."""
    state.begin(names_choice=False)
    if not local():
        st.info("The library lists files of the machine that runs foldline, so it is available only on 127.0.0.1.")
        return
    start_build()
    known = places()
    present = [place for place in known if os.path.isdir(place.root)]
    with st.sidebar:
        _places(known, present)
        failure_box()
    components.library(
        [str(place.root) for place in present],
        lesson=(state.lesson_chosen_for() or {}).get("lesson", ""),
        opened=state.on_library_row,
        dropped=state.on_dropped_files,
    )


def _places(known: Sequence[Place], present: Sequence[Place]) -> None:
    section("Folders")
    for place in present:
        folder = str(place.root)
        with st.container(key=f"place-{known.index(place)}"):
            st.text(_kind(place))
            st.text(below_home(place.root))
            if place.kept:
                about = "Its sessions leave the list and the search index. The files stay."
                st.button(
                    "Stop listing", key=f"remove-{folder}", help=about, on_click=_change, args=(remove_place, folder)
                )
    if not present:
        st.caption("None of the folders that agents keep their sessions in is on this machine. Add one:")
    with st.form("add-place", border=False, enter_to_submit=True, clear_on_submit=True):
        st.text_input("Folder", label_visibility="collapsed", placeholder="/path/to/folder", key="new-place")
        st.form_submit_button("Add folder", width="stretch", on_click=_add)


def _kind(place: Place) -> str:
    """Whose folder it is, or why it is listed."""
    if place.agent:
        return NAMES.get(place.agent, place.agent)
    if Source("path", str(place.root)) == first_source():
        return "The folder that you opened"
    return "A folder that you added" if place.kept else "From FOLDLINE_LIBRARY"


def _add() -> None:
    folder = as_path(state.widget_value("new-place"))
    if folder:
        _change(add_place, folder)


def _change(change: Callable[[str], object], folder: str) -> None:
    try:
        change(folder)
    except FoldlineError as error:
        state.fail(error, "Could not change the folders.")
    else:
        state.dismiss()
