"""The frame around every page: the page fits the viewport like an instrument and does not scroll itself."""

import streamlit as st

ICON = (
    "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28'>"
    "<g stroke-width='3' stroke-linecap='round'>"
    "<path d='M3 6h22' stroke='%234a7bd8'/><path d='M3 12h22' stroke='%234a7bd8'/>"
    "<path d='M3 18h22' stroke='%23d98a1a' stroke-dasharray='3 5'/><path d='M3 24h11' stroke='%231f9d86'/></g></svg>"
)

STYLE = """
<style>
  .stApp [data-testid="stHeader"] { background: transparent; height: 0; min-height: 0; }
  .stApp [data-testid="stToolbar"], .stApp [data-testid="stDecoration"], .stApp [data-testid="stStatusWidget"] { display: none; }
  .stApp [data-testid="stMainBlockContainer"] { padding: 10px 18px 0 18px; max-width: none; }
  .stApp [data-testid="stMain"] { overflow: hidden; }
  .stApp [data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0; }
  .stApp [data-testid="stSidebar"] { width: 262px !important; min-width: 262px !important; max-width: 262px !important; }
  .stApp [data-testid="stSidebar"][aria-expanded="false"] { min-width: 0 !important; }
  .stApp [data-testid="stSidebarHeader"] { height: 0; min-height: 0; padding: 0; margin: 0; }
  .stApp [data-testid="stSidebarContent"] { overflow-x: hidden; }
  .stApp [data-testid="stSidebarUserContent"] { padding: 14px 16px 12px 16px; }
  .stApp [data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] { gap: 8px; }
  .fl-brand { display: flex; align-items: center; gap: 10px; font-size: 20px; font-weight: 700; }
  .fl-section { font-size: 11px; letter-spacing: .06em; text-transform: uppercase; opacity: .65; margin: 6px 0 -2px 0; }
</style>
"""

BRAND = """
<div class="fl-brand">
  <svg width="26" height="24" viewBox="0 0 28 28" aria-hidden="true"><g stroke-width="3" stroke-linecap="round">
    <path d="M3 6h22" stroke="#4a7bd8"/><path d="M3 12h22" stroke="#4a7bd8"/>
    <path d="M3 18h22" stroke="#d98a1a" stroke-dasharray="3 5"/><path d="M3 24h11" stroke="#1f9d86"/>
  </g></svg><span>foldline</span>
</div>
"""


def draw() -> None:
    """The style of the page and the name above the sidebar. Constant text alone may go through `st.html`."""
    st.html(STYLE)
    with st.sidebar:
        st.html(BRAND)


def section(name: str) -> None:
    """A small heading in the sidebar; the name is constant text."""
    st.html(f'<div class="fl-section">{name}</div>')
