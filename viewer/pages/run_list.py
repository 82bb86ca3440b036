"""The saved runs: the card of the open one, and the dialog to open, rename, export or delete one."""

import json
import time
from collections.abc import Callable

import streamlit as st

from core import FoldlineError, Session, load
from core.demo import provider as demo
from core.drive import RunInfo
from core.llm.directory import providers
from core.llm.exports import to_anthropic, to_openai
from core.trace.trace import conversation
from viewer.pages import state
from viewer.pages.widgets import section, show_error
from viewer.sessions.runs import MOST_OPEN, OpenRun, runs
from viewer.sessions.sources import Source

MOST_SHOWN = 500


def run_card(live: OpenRun) -> None:
    """The agent of the open run, as plain text: names are not to be trusted."""
    section("Agent")
    settings = live.drive.settings
    label = next((one.label for one in providers() if one.name == settings.provider), settings.provider)
    with st.container(border=True, key="opened"):
        st.text(label if settings.provider == "demo" else f"{settings.model} · {label}")
        st.text(", ".join(tool.name for tool in live.drive.tools if not tool.gone()) or "no tools")
        if gone := [tool.name for tool in live.drive.tools if tool.gone()]:
            st.text(f"An MCP server has ended. Not offered: {', '.join(gone)}")
            if st.button("Restart MCP servers", key="restart-servers"):
                _try(lambda: runs().restart_servers(live), "Could not restart the MCP servers.")
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


def runs_button(live: OpenRun) -> None:
    """A button that opens the dialog of saved runs."""
    if st.button("Runs…", width="stretch", key="all-runs"):
        _dialog(live)


@st.dialog("Runs", width="large")
def _dialog(live: OpenRun) -> None:
    known = {info.id: info for info in runs().store.runs()[:MOST_SHOWN]}
    if not known:
        st.caption("No runs yet. A run is saved as soon as you send its first message.")
        return
    id = st.selectbox(
        f"{len(known):,} on this machine, newest first",
        list(known),
        index=list(known).index(live.drive.id) if live.drive.id in known else 0,
        format_func=lambda name: run_title(known[name]),
        key="chosen-run",
    )
    _actions(id, known[id])
    _exports(id)
    st.caption(
        f"Runs stay open until foldline stops. When more than {MOST_OPEN} are open, those that are idle and not on screen are "
        "parked: they keep their key and MCP servers in memory, and open again as they were."
    )


def run_title(info: RunInfo) -> str:
    """One run in the list: when it was last written to, its title, its model."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(info.changed))
    return " · ".join(part for part in (when, info.title or "untitled", info.model or info.provider) if part)


def _actions(id: str, info: RunInfo) -> None:
    title = st.text_input("Name", info.title, key=f"name-of-{id}")
    open_, debug, rename, delete = st.columns(4)
    if open_.button("Open", type="primary", width="stretch", key="open-run"):
        state.choose_run(id)
        st.rerun()
    if debug.button("Open in Debug", width="stretch", key="debug-run"):
        state.choose_source(Source("path", str(runs().store.path(id))))
        state.request_debug_page()
        st.rerun()
    if rename.button("Rename", width="stretch", key="rename-run"):
        _try(lambda: runs().rename(id, title.strip()), "Could not rename the run.")
    confirmed = st.checkbox("Confirm delete", key=f"confirm-delete-{id}")
    if delete.button("Delete", width="stretch", key="delete-run", disabled=not confirmed):
        _try(lambda: runs().delete(id), "Could not delete the run.")


def _try(act: Callable[[], None], failed: str) -> None:
    try:
        act()
    except FoldlineError as error:
        show_error(failed, error)
    else:
        st.rerun()


def _exports(id: str) -> None:
    """Buttons to download the whole run, not only its last window."""
    try:
        session = load(runs().store.path(id))
    except FoldlineError as error:
        show_error("Could not read the run.", error)
        return
    columns = st.columns(3)
    for column, (label, name, made) in zip(columns, exports(session, id), strict=True):
        column.download_button(
            label, made, name, "application/json", width="stretch", on_click="ignore", key=f"export-{label}"
        )


def exports(session: Session, id: str) -> list[tuple[str, str, str]]:
    """Label, file name and text of each form that a run can be exported in."""
    messages = list(conversation(session))
    whole = {"foldline": "session", **session.model_dump(mode="json")}
    forms = (
        ("foldline JSON", "foldline", whole),
        ("OpenAI messages", "openai", to_openai(messages)),
        ("Anthropic messages", "anthropic", to_anthropic(messages)),
    )
    return [
        (label, f"{id}.{name}.json", json.dumps(value, ensure_ascii=False, indent=1)) for label, name, value in forms
    ]
