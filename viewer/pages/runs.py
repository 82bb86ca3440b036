"""The Runs page: every run of an agent on this machine; one click opens one on the Live page."""

import streamlit as st

from core import FoldlineError
from viewer.api.access import local
from viewer.pages import components, state
from viewer.pages.widgets import below_home, failure_box
from viewer.sessions.runs import MOST_OPEN, runs
from viewer.sessions.sources import Source


def page() -> None:
    """Draw the page."""
    state.begin(names_choice=False)
    if not local():
        st.info("Live runs are available only on 127.0.0.1: a run can cost money, and its tools read files.")
        return
    with st.sidebar:
        failure_box()
        st.caption("A run is saved as soon as you send its first message. Create one on the Live page.")
        st.caption(
            f"A run that you leave works on until foldline stops. When more than {MOST_OPEN} are open, those that rest and "
            "that no tab shows are closed. Open one again, and it goes on as before, with its key."
        )
        with st.container(key="written"):
            st.text(f"Saved in\n{below_home(runs().store.folder)}")
    components.runs(opened=_on_open, debug=_on_debug)


def _on_open() -> None:
    """Show the run on the Live page, and resume it if that was asked for; without an id, show the page."""
    state.request_live_page(*state.opened_run())


def _on_debug() -> None:
    open_in_debug(state.debugged_run())


def open_in_debug(id: str) -> None:
    """Show the saved run on the Debug page; if it is not saved, the error is kept. The browser knows the step."""
    try:
        path = runs().store.path(id)
        if not path.exists():
            raise FoldlineError("the run is not saved yet", "send its first message")
    except FoldlineError as error:
        state.fail(error, "Could not open the run.")
        return
    state.choose_source(Source("path", str(path)))
    state.request_debug_page()
