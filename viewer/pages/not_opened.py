"""What the Debug page shows where a transcript does not open: what is wrong, and the ways on.

If nothing else is on the page, the address stays as it is, so that a reload tries it again.
"""

import re

import streamlit as st

from core import FoldlineError
from viewer.pages import state
from viewer.pages.source_picker import open_first_sample
from viewer.sessions.sources import Source

HEADING = "This transcript could not be opened"

LONG = 400  # characters in a row without a space, with which what is wrong would no longer be in sight


def not_opened(source: Source) -> None:
    """What was asked for, the error in full, and buttons to try again or to look at a sample."""
    failure = state.failure()
    with st.container(key="not-opened", width=560):
        st.subheader(HEADING, anchor=False)
        said = _said(failure.error) if failure else ""
        if source.kind != "upload" and source.name not in said:  # an upload's name is the digest of what was sent
            st.text(source.name)
        st.text(said)
        with st.container(horizontal=True):
            st.button("Try again", type="primary")
            st.button("Open a sample", on_click=open_first_sample)
        st.caption("Or choose another transcript in the sidebar: a sample, a file to upload, a path or a recent one.")


def not_opened_notice() -> None:
    """The same in short over what is on the page and stays there, until it is dismissed."""
    failure = state.failure()
    if failure is None or not failure.not_opened:
        return
    with st.container(key="not-opened-notice"):
        st.subheader(HEADING, anchor=False)
        st.text(_said(failure.error))
        st.caption("What was open before is still shown.")
        st.button("Dismiss", on_click=state.dismiss)


def _said(error: FoldlineError) -> str:
    """The error, and its hint on a line of its own as a sentence; one that begins with a file's name stays as it is.

    Of a very long path the middle is left out: the field in the sidebar has it whole.
    """
    hint = error.hint if ": " in error.hint else error.hint[:1].upper() + error.hint[1:]
    said = f"{error}\n{hint}".strip()
    return re.sub(rf"\S{{{LONG},}}", lambda found: f"{found[0][:100]}…{found[0][-100:]}", said)
