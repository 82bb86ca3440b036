"""The runs on disk: which one is open, and the dialog to open, name, export or delete one."""

import json
import time
from collections.abc import Callable

import streamlit as st

from core import FoldlineError, Session, load
from core.drive import RunInfo
from core.exports import to_anthropic, to_openai
from core.llm import demo
from core.llm.directory import providers
from core.trace import conversation
from viewer import frame, state
from viewer.runs import Live, runs
from viewer.sources import Source

MOST_SHOWN = 500


def run_card(live: Live) -> None:
    """What is driven, as plain text: names are a stranger's words."""
    frame.section("Agent")
    settings = live.drive.settings
    label = next((one.label for one in providers() if one.name == settings.provider), settings.provider)
    with st.container(border=True, key="opened"):
        st.text(label if settings.provider == "demo" else f"{settings.model} · {label}")
        st.text(", ".join(tool.name for tool in live.drive.tools) or "no tools")
        if settings.provider != demo.PROVIDER.name and st.button("Model and key…", key="reconnect"):
            _reconnect_dialog(live)


@st.dialog("Model and key")
def _reconnect_dialog(live: Live) -> None:
    """For a key that was refused, a model that is not there, a reply that was cut off."""
    settings, id = live.drive.settings, live.drive.id
    st.caption("For this run, from its next model call on. A key stays in memory.")
    key = st.text_input("Key", type="password", placeholder="as it is", key=f"new-key-of-{id}")
    model = st.text_input("Model", settings.model, key=f"new-model-of-{id}")
    base_url = st.text_input("Base URL", placeholder=settings.base_url or "the provider's own", key=f"new-url-of-{id}")
    most = st.number_input(
        "Longest reply, in tokens (0: as the provider has it)",
        0,
        1_000_000,
        settings.max_output or 0,
        key=f"new-most-of-{id}",
    )
    if st.button("Use it", type="primary", key="use-it"):
        said = (key.strip(), model.strip(), base_url.strip(), int(most) or None)
        _try(lambda: runs().reconnect(live, *said), "It could not be used.")


def runs_button(live: Live) -> None:
    """Opens the dialog with the runs on disk."""
    if st.button("Runs…", width="stretch", key="all-runs"):
        _dialog(live)


@st.dialog("Runs", width="large")
def _dialog(live: Live) -> None:
    known = {info.id: info for info in runs().store.runs()[:MOST_SHOWN]}
    if not known:
        st.caption("Every run is kept here from the first thing you type.")
        return
    id = st.selectbox(
        f"{len(known):,} on this machine, the newest first",
        list(known),
        index=list(known).index(live.drive.id) if live.drive.id in known else 0,
        format_func=lambda name: shown(known[name]),
        key="chosen-run",
    )
    _actions(id, known[id])
    _exports(id)


def shown(info: RunInfo) -> str:
    """One run in the list: what it is called, who answered, when it was last written to."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(info.changed))
    who = info.model if info.model not in ("", info.provider) else info.provider
    return " · ".join(part for part in (when, info.title or "untitled", who) if part)


def _actions(id: str, info: RunInfo) -> None:
    title = st.text_input("Name", info.title, key=f"name-of-{id}")
    open_, look, name, delete = st.columns(4)
    if open_.button("Open", type="primary", width="stretch", key="open-run"):
        state.choose_run(id)
        st.rerun()
    if look.button("Open in Debug", width="stretch", key="debug-run"):
        state.choose_source(Source("path", str(runs().store.path(id))))
        state.to_debug()
        st.rerun()
    if name.button("Rename", width="stretch", key="rename-run"):
        _try(lambda: runs().rename(id, title.strip()), "It could not be renamed.")
    sure = st.checkbox("Really delete it", key=f"sure-{id}")
    if delete.button("Delete", width="stretch", key="delete-run", disabled=not sure):
        _try(lambda: runs().delete(id), "It could not be deleted.")


def _try(act: Callable[[], None], failed: str) -> None:
    try:
        act()
    except FoldlineError as error:
        st.error(failed)
        st.text(f"{error}\n{error.hint}".strip())
    else:
        st.rerun()


def _exports(id: str) -> None:
    """The run as files of others: whole, all that was said, not the last window alone."""
    try:
        session = load(runs().store.path(id))
    except FoldlineError as error:
        st.text(f"{error}\n{error.hint}".strip())
        return
    columns = st.columns(3)
    for column, (label, name, made) in zip(columns, exports(session, id), strict=True):
        column.download_button(
            label, made, name, "application/json", width="stretch", on_click="ignore", key=f"export-{label}"
        )


def exports(session: Session, id: str) -> list[tuple[str, str, str]]:
    """Label, file name and text of each form a run can be taken away in."""
    said = list(conversation(session))
    whole = {"foldline": "session", **session.model_dump(mode="json")}
    made = (
        ("foldline JSON", "foldline", whole),
        ("OpenAI messages", "openai", to_openai(said)),
        ("Anthropic messages", "anthropic", to_anthropic(said)),
    )
    return [
        (label, f"{id}.{name}.json", json.dumps(value, ensure_ascii=False, indent=1)) for label, name, value in made
    ]
