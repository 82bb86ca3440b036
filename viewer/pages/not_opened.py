"""What the Debug page shows where the transcript of its address does not open: what is wrong, and the ways on.

The address stays as it is, so that a reload tries it again.
"""

import streamlit as st

from viewer.pages import state
from viewer.pages.source_picker import open_first_sample
from viewer.sessions.sources import Source


def not_opened(source: Source) -> None:
    """What was asked for, the error in full, and buttons to try again or to look at a sample."""
    failure = state.failure()
    with st.container(key="not-opened", width=560):
        st.subheader("This transcript could not be opened", anchor=False)
        said = f"{failure.error}\n{failure.error.hint}".strip() if failure else ""
        if source.kind != "upload" and source.name not in said:  # an upload's name is the digest of what was sent
            st.text(source.name)
        st.text(said)
        with st.container(horizontal=True):
            st.button("Try again", type="primary")
            st.button("Open a sample", on_click=open_first_sample)
        st.caption("Or choose another transcript in the sidebar: a sample, a file to upload, a path or a recent one.")
