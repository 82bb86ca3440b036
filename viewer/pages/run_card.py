"""The card of the open run in the sidebar, and the dialog to change its model or key."""

from collections.abc import Callable

import streamlit as st

from core import FoldlineError
from core.demo import provider as demo
from viewer.pages import state
from viewer.pages.widgets import section, show_error
from viewer.sessions.runs import OpenRun, runs
from viewer.wire.live_pack import fork_words, server_words


def run_card(live: OpenRun) -> None:
    """The agent of the open run, as plain text: names are not to be trusted."""
    section("Agent")
    if state.run_unasked():
        st.caption("This is the run used last. *New run…* starts another.")
    settings = live.drive.settings
    server = server_words(settings.provider, settings.base_url)
    with st.container(border=True, key="opened"):
        st.text(server if settings.provider == "demo" else f"{settings.model} · {server}")
        st.text(", ".join(tool.name for tool in live.drive.tools if not tool.gone()) or "no tools")
        if live.drive.fork:
            st.text(f"Fork of {fork_words(live.drive.fork)}")
        if settings.provider != demo.PROVIDER.name and st.button("Model and key…", key="reconnect"):
            _reconnect_dialog(live)


@st.dialog("Model and key")
def _reconnect_dialog(live: OpenRun) -> None:
    """Change the key, the model, the address or the reply limit: for a refused key, an unknown model, a reply cut off."""
    settings, id = live.drive.settings, live.drive.id
    st.caption("Applies to this run from its next model call. The key stays in memory.")
    key = st.text_input("Key", type="password", placeholder="unchanged", key=f"new-key-of-{id}")
    model = st.text_input("Model", settings.model, key=f"new-model-of-{id}")
    base_url = st.text_input("Base URL", placeholder=settings.base_url or "provider default", key=f"new-url-of-{id}")
    label = "Max reply tokens (0: provider default)"
    most = st.number_input(label, 0, 1_000_000, settings.max_output or 0, key=f"new-most-of-{id}")
    if st.button("Apply", type="primary", key="apply"):
        values = (key.strip(), model.strip(), base_url.strip(), int(most) or None)
        _try(lambda: runs().reconnect(live, *values), "Could not apply the change.")


def _try(act: Callable[[], None], failed: str) -> None:
    try:
        act()
    except FoldlineError as error:
        show_error(failed, error)
    else:
        st.rerun()
