"""The launcher: `streamlit run app.py` or `foldline` serves what is named here. No logic."""

from pathlib import Path

import streamlit as st
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from viewer.api import ROUTES
from viewer.live_api import ROUTES as LIVE
from viewer.preload import MODULES
from viewer.security import MIDDLEWARE
from viewer.shelf import ROUTES as SHELF
from viewer.uploads import ROUTES as UPLOADS

VIEWER = Path(__file__).parent / "viewer"

app = st.App(
    VIEWER / "main.py",
    routes=[Mount("/viewer-assets", StaticFiles(directory=VIEWER / "frontend")), *ROUTES, *UPLOADS, *SHELF, *LIVE],
    middleware=[*MIDDLEWARE, MODULES],
)

if __name__ == "__main__":
    app.run()
