"""Small parts that several pages draw."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from core import FoldlineError
from viewer.pages import state


def below_home(folder: Path) -> str:
    """The folder as a reader knows it, with ~ for the home: the sidebar is narrow."""
    home = Path.home()
    return str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)


def section(name: str) -> None:
    """A small heading in the sidebar; the name is constant text, the only kind that may go through `st.html`."""
    st.html(f'<div class="fl-section">{name}</div>')


def select(
    label: str,
    options: Sequence[str],
    index: int | None,
    key: str,
    on_pick: Callable[[str], None],
    format_func: Callable[[str], str] = str,
    placeholder: str | None = None,
) -> None:
    """A select box without a visible label; `on_pick` is called with the option that was picked."""
    st.selectbox(
        label,
        options,
        index=index,
        format_func=format_func,
        placeholder=placeholder,
        label_visibility="collapsed",
        key=key,
        on_change=lambda: on_pick(state.widget_value(key) or ""),
    )


def show_error(heading: str, error: FoldlineError) -> None:
    """An error as plain text: it may quote a file's name or content."""
    st.error(heading)
    st.text(f"{error}\n{error.hint}".strip())


def failure_box(over_the_page: bool = False) -> None:
    """The last error of the page, with a button to dismiss it; not the one that is said `over_the_page`."""
    failure = state.failure()
    if failure is None or (over_the_page and failure.not_opened):
        return
    with st.container(key="failure"):
        show_error(failure.heading, failure.error)
        st.button("Dismiss", width="stretch", on_click=state.dismiss)
