"""The script that Streamlit runs for every browser session: the frame, and the pages. A page is a function of its module."""

import streamlit as st

from viewer.pages import compare, debug, frame, learn, library, live, runs, state, tune

DEBUG = st.Page(debug.page, title="Debug", url_path="debug", default=True)
COMPARE = st.Page(compare.page, title="Compare", url_path="compare")
LEARN = st.Page(learn.page, title="Learn", url_path="learn")
LIBRARY = st.Page(library.page, title="Library", url_path="library")
LIVE = st.Page(live.page, title="Live", url_path="live")

PAGES = [  # as the sidebar lists them, four in a row: to look into sessions and to learn, then where sessions come from
    DEBUG,
    COMPARE,
    st.Page(tune.page, title="Tune", url_path="tune"),
    LEARN,
    LIBRARY,
    st.Page(runs.page, title="Runs", url_path="runs"),
    LIVE,
]

st.set_page_config(page_title="foldline", page_icon=frame.ICON, layout="wide")
frame.draw(PAGES)
page = st.navigation(PAGES, position="hidden")
if state.debug_page_requested():
    st.switch_page(DEBUG)
if state.compare_page_requested():
    st.switch_page(COMPARE)
if state.live_page_requested():
    st.switch_page(LIVE)
if state.library_page_requested():
    st.switch_page(LIBRARY)
if lesson := state.lesson_requested():
    st.switch_page(LEARN, query_params=lesson)
if page is not LIBRARY:
    state.forget_lesson()
state.turn_to(page.title)
page.run()
