"""The script Streamlit runs for every browser session: the frame of the page, and which page it holds.

Compare, Tune and Learn will be further pages; each is one function in a module of its own.
"""

import streamlit as st

from viewer import debug, frame, library, live, state

PAGES = [
    st.Page(debug.page, title="Debug", url_path="debug", default=True),
    st.Page(library.page, title="Library", url_path="library"),
    st.Page(live.page, title="Live", url_path="live"),
]

st.set_page_config(page_title="foldline", page_icon=frame.ICON, layout="wide")
frame.draw(PAGES)
page = st.navigation(PAGES, position="hidden")
if state.leave_library():
    st.switch_page(PAGES[0])
page.run()
