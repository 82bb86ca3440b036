"""The ways to open a transcript, in the sidebar: a sample, an upload, a path, a recent file."""

from urllib.parse import unquote

import streamlit as st

from viewer.pages import state
from viewer.pages.widgets import section, select
from viewer.sessions.sources import Source, hold_upload, recent, sample_named, samples

WAYS = ["Sample", "Upload", "Path", "Recent"]


def source_picker(local: bool) -> None:
    """The ways to a transcript, one at a time; paths only where the server is this machine's own."""
    section("Transcript")
    ways = WAYS if local else WAYS[:2]
    failure = state.failure()
    mending = local and failure and failure.path  # what was chosen here is forgotten if the path took long to open
    way = st.segmented_control(
        "Open from",
        ways,
        default="Path" if mending else state.choice().source.kind.capitalize(),
        label_visibility="collapsed",
        key=f"way-to-{state.choice().source}",  # a new one each time: it then shows the way to what is open
        required=True,
        width="stretch",
    )
    draw = {"Sample": _sample_box, "Upload": _upload_box, "Path": _path_box, "Recent": _recent_box}
    draw[way or ways[0]]()


def _sample_box() -> None:
    names, chosen = [s.path for s in samples() if s.listed], state.choice().source
    select(
        "Sample",
        names,
        index=names.index(chosen.name) if chosen.kind == "sample" and chosen.name in names else None,
        key=f"sample-of-{chosen}",
        on_pick=lambda name: _open(Source("sample", name)),
        format_func=_sample_title,
        placeholder="Choose a sample",
    )


def _sample_title(path: str) -> str:
    sample = sample_named(path)
    return sample.title if sample else path


def open_first_sample() -> None:
    """Open the sample that the app opens on."""
    _open(Source("sample", samples()[0].path))


def _upload_box() -> None:
    st.file_uploader(
        "Transcript file",
        label_visibility="collapsed",
        key=f"upload-{state.uploads()}",  # a new one each time: it would add the next files to the last
        on_change=_on_upload,
        max_upload_size=200,
        accept_multiple_files=True,
    )


def _on_upload() -> None:
    files = state.widget_value(f"upload-{state.uploads()}")
    if files:
        state.count_upload()
        _open(hold_upload({file.name: file.getvalue() for file in files}))


def _path_box() -> None:
    chosen = state.choice().source
    key = f"path-of-{chosen}-{state.failures()}"
    failure = state.failure()
    with st.form(f"form-of-{key}", border=False, enter_to_submit=True):
        shown = (failure.path if failure else "") or (chosen.name if chosen.kind == "path" else "")
        st.text_input("Path", shown, label_visibility="collapsed", placeholder="/path/to/session.jsonl", key=key)
        st.form_submit_button(
            "Open", width="stretch", on_click=lambda: _open(Source("path", as_path(state.widget_value(key))))
        )


def as_path(text: str | None) -> str:
    """A pasted path without quotes around it or `file://` in front."""
    plain = (text or "").strip().strip("\"'")
    return unquote(plain.removeprefix("file://")) if plain.startswith("file://") else plain


def _recent_box() -> None:
    paths = recent()
    if not paths:
        st.caption("Files opened by path appear here.")
        return
    select(
        "Recent",
        paths,
        index=None,
        key=f"recent-after-{state.choice().source}-{state.failures()}",
        on_pick=lambda path: _open(Source("path", path)),
        format_func=_name_and_folder,
        placeholder="Choose a file",
    )


def _name_and_folder(path: str) -> str:
    folder, _, name = path.replace("\\", "/").rpartition("/")
    return f"{name} · {folder.rpartition('/')[2]}" if folder else name


def _open(source: Source) -> None:
    if source.name:
        state.choose_source(source)
