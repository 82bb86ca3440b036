"""The script that Streamlit runs for every browser session: the frame, and the pages. A page is a function of its module."""

import streamlit as st

from viewer.pages import compare, debug, frame, learn, library, live, runs, state, tune

DEBUG = st.Page(debug.page, title="Debug", icon=":material/timeline:", url_path="debug", default=True)
COMPARE = st.Page(compare.page, title="Compare", icon=":material/segment:", url_path="compare")
LIVE = st.Page(live.page, title="Live", icon=":material/sensors:", url_path="live")

PAGES = [  # as the sidebar lists them: a row for looking into sessions, a row for where they come from, and to learn
    [DEBUG, COMPARE, st.Page(tune.page, title="Tune", icon=":material/tune:", url_path="tune")],
    [
        st.Page(library.page, title="Library", icon=":material/folder_open:", url_path="library"),
        st.Page(runs.page, title="Runs", icon=":material/history:", url_path="runs"),
        LIVE,
        st.Page(learn.page, title="Learn", icon=":material/school:", url_path="learn"),
    ],
]

st.set_page_config(page_title="foldline", page_icon=frame.ICON, layout="wide")
frame.draw(PAGES)
page = st.navigation([page for row in PAGES for page in row], position="hidden")
if state.debug_page_requested():
    st.switch_page(DEBUG)
if state.compare_page_requested():
    st.switch_page(COMPARE)
if state.live_page_requested():
    st.switch_page(LIVE)
page.run()
