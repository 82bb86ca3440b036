"""The script Streamlit runs for every browser session: the frame of the page, and which page it holds.

Library, Live, Compare, Tune and Learn will be further pages; each is one function in a module of its own.
"""

import streamlit as st

from viewer import debug, frame

PAGES = [st.Page(debug.page, title="Debug", url_path="debug", default=True)]

st.set_page_config(page_title="foldline", page_icon=frame.ICON, layout="wide")
frame.draw()
st.navigation(PAGES, position="hidden" if len(PAGES) == 1 else "sidebar").run()
