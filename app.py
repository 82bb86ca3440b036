"""The launcher: `streamlit run app.py` or `foldline` serves what is named here. No logic."""

from pathlib import Path

import streamlit as st
from starlette.routing import Mount

from viewer.api.announce import announced
from viewer.api.assets import Assets
from viewer.api.compare import ROUTES as COMPARE
from viewer.api.debugger import ROUTES as DEBUGGER
from viewer.api.fixes import ROUTES as FIXES
from viewer.api.followed import ROUTES as FOLLOWED
from viewer.api.forks import ROUTES as FORKS
from viewer.api.joined import ROUTES as JOINED
from viewer.api.lessons import ROUTES as LESSONS
from viewer.api.library import ROUTES as LIBRARY
from viewer.api.live import ROUTES as LIVE
from viewer.api.live_news import ROUTES as NEWS
from viewer.api.opening import ROUTES as OPENING
from viewer.api.preload import MODULES, READ_AHEAD
from viewer.api.provenance import ROUTES as PROVENANCE
from viewer.api.runs import ROUTES as RUNS
from viewer.api.scenes import ROUTES as SCENES
from viewer.api.security import MIDDLEWARE
from viewer.api.share import ROUTES as SHARE
from viewer.api.share_lessons import ROUTES as SHARE_LESSONS
from viewer.api.share_named import ROUTES as SHARE_NAMED
from viewer.api.streamlit_files import STREAMLIT
from viewer.api.streamlit_page import PAGE
from viewer.api.tuned import ROUTES as TUNE
from viewer.api.uploads import ROUTES as UPLOADS
from viewer.api.why import ROUTES as WHY

VIEWER = Path(__file__).parent / "viewer"

app = st.App(
    VIEWER / "pages" / "main.py",
    routes=[
        *JOINED,
        Mount("/viewer-assets", Assets(directory=VIEWER / "frontend")),
        *DEBUGGER,
        *COMPARE,
        *WHY,
        *FIXES,
        *PROVENANCE,
        *TUNE,
        *LESSONS,
        *OPENING,
        *FOLLOWED,
        *FORKS,
        *UPLOADS,
        *LIBRARY,
        *RUNS,
        *LIVE,
        *NEWS,
        *SCENES,
        *SHARE_LESSONS,
        *SHARE_NAMED,
        *SHARE,
    ],
    middleware=[*MIDDLEWARE, STREAMLIT, MODULES, READ_AHEAD, PAGE],
    lifespan=announced,
)

if __name__ == "__main__":
    app.run()
