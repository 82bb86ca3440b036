"""The script that Streamlit runs for every browser session: the frame, and the pages. A page is a function of its module."""

import streamlit as st

from viewer.pages import debug, frame, library, live, runs, state

PAGES = [
    st.Page(debug.page, title="Debug", url_path="debug", default=True),
    st.Page(library.page, title="Library", url_path="library"),
    st.Page(runs.page, title="Runs", url_path="runs"),
    st.Page(live.page, title="Live", url_path="live"),
]

st.set_page_config(page_title="foldline", page_icon=frame.ICON, layout="wide")
frame.draw(PAGES)
page = st.navigation(PAGES, position="hidden")
if state.debug_page_requested():
    st.switch_page(PAGES[0])
if state.live_page_requested():
    st.switch_page(PAGES[3])
page.run()
