"""The frame around every page: the page fits the viewport and does not scroll itself."""

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

ICON = (
    "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28'>"
    "<g stroke-width='3' stroke-linecap='round'>"
    "<path d='M3 6h22' stroke='%234a7bd8'/><path d='M3 12h22' stroke='%234a7bd8'/>"
    "<path d='M3 18h22' stroke='%23d98a1a' stroke-dasharray='3 5'/><path d='M3 24h11' stroke='%231f9d86'/></g></svg>"
)

MARK = ICON.replace("<", "%3C").replace(">", "%3E")

STYLE = f"""
<style>
  .stApp [data-testid="stHeader"] {{ background: transparent; height: 0; min-height: 0; }}
  .stApp [data-testid="stMainMenu"], .stApp [data-testid="stToolbarActions"] {{ display: none; }}
  .stApp [data-testid="stDecoration"], .stApp [data-testid="stStatusWidget"] {{ display: none; }}
  .stApp [data-testid="stToolbar"] {{ position: static; height: 0; }}
  .stApp [data-testid="stExpandSidebarButton"] {{ position: fixed; left: 6px; top: 6px; z-index: 999992; }}
  .stApp:has([data-testid="stSidebar"][data-collapsed="true"]) [data-testid="stMainBlockContainer"] {{ padding-left: 44px; }}
  @media (min-width: 641px) and (min-height: 600px) {{ .stApp [data-testid="stMain"] {{ overflow: hidden; }} }}
  .stApp [data-testid="stMainBlockContainer"] {{ padding: 10px 18px 0 18px; max-width: none; }}
  .stApp [data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] {{ gap: 0; }}
  .stApp [data-testid="stSidebar"]:not([data-collapsed="true"]) {{ width: 262px !important; min-width: 0; }}
  .stApp [data-testid="stSidebar"][data-collapsed="true"] {{ width: 0 !important; min-width: 0; }}
  /* In front of a room there is no sidebar. The Learn page sets it. */
  [data-fl-present] .stApp :is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]) {{ display: none; }}
  .stApp [data-testid="stSidebarCollapseButton"] {{ visibility: visible !important; }}
  .stApp [data-testid="stSidebarHeader"] {{ position: absolute; right: 0; top: 4px; z-index: 2;
    height: 40px; padding: 0 8px; margin: 0; }}
  .stApp [data-testid="stSidebarContent"] {{ overflow-x: hidden; padding: 0; }}
  .stApp [data-testid="stSidebarUserContent"] {{ padding: 16px 16px 12px 16px; }}
  .stApp [data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] {{ gap: 7px; }}
  .stApp [data-testid="stSidebar"] {{ font-size: 14px; }}
  .stApp [data-testid="stSidebar"] [data-testid="stButtonGroup"] button {{ padding: 2px 4px; min-height: 28px; flex: 1; }}
  .stApp [data-testid="stSidebar"] [data-testid="stButtonGroup"] p {{ font-size: 12.5px; }}
  .stApp [data-testid="stSidebar"] [data-testid="stSelectbox"] [role="group"] {{ height: 34px; min-height: 0; }}
  .stApp [data-testid="stSidebar"] [data-testid="stSelectbox"] [role="group"] > * {{ height: 32px; font-size: 13.5px; }}
  .stApp [data-testid="stSidebar"] [data-testid="stTextInputRootElement"] {{ height: 34px; }}
  .stApp [data-testid="stSidebar"] [data-testid="stTextInputField"] {{ height: 30px; font-size: 13.5px; }}
  .stApp [data-testid="stCaptionContainer"] {{ opacity: .78; }}
  .stApp [data-testid="stCaptionContainer"] code {{ color: inherit; }}
  .stApp [data-testid="stSidebar"] [data-testid="stCaptionContainer"] p {{ font-size: 12.5px; line-height: 1.45; }}
  /* What comes from a transcript stands in the direction of its own script, as with dir="auto" */
  .stApp :is([data-testid="stText"] > span, [data-testid="stSelectbox"] input), [role="listbox"] [data-item-hl] {{
    unicode-bidi: plaintext; text-align: start; }}
  .stApp .st-key-opened {{ padding: 8px 12px; gap: 2px !important; }}
  .stApp .st-key-opened [data-testid="stText"] {{ font-family: inherit; font-size: 12.5px; white-space: pre-wrap;
    overflow-wrap: anywhere; opacity: .75; }}
  .stApp .st-key-opened > div:first-child [data-testid="stText"] {{ font-size: 13.5px; font-weight: 600; opacity: 1; }}
  .stApp .st-key-not-opened {{ margin: 12vh auto 0; gap: 12px !important; }}
  .stApp .st-key-not-opened [data-testid="stText"] {{ font-family: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }}
  .stApp .st-key-not-opened-notice {{ position: absolute; top: 44px; left: 50%; translate: -50%; z-index: 50;
    width: min(560px, 92%); padding: 14px 18px 16px; gap: 8px !important; background: Canvas; border-radius: 10px;
    border: 1px solid color-mix(in srgb, currentColor 22%, transparent); box-shadow: 0 8px 30px rgb(0 0 0 / .25); }}
  .stApp .st-key-not-opened-notice h3 {{ font-size: 17px; line-height: 24px; padding: 0 0 6px; }}
  .stApp .st-key-not-opened-notice [data-testid="stText"] {{ font-family: inherit; white-space: pre-wrap;
    overflow-wrap: anywhere; }}
  .stApp .st-key-failure {{ gap: 4px !important; }}
  .stApp .st-key-failure [data-testid="stText"] {{ font-family: inherit; font-size: 12.5px; line-height: 1.45;
    white-space: pre-wrap; overflow-wrap: anywhere; padding: 2px 4px; }}
  .stApp .st-key-failure [data-testid="stAlertContainer"] {{ padding: 8px 12px; font-size: 13px; }}
  .stApp .st-key-failure button {{ min-height: 28px; padding: 0; }}
  .stApp [data-testid="stSidebar"] [data-testid="stFormSubmitButton"] button {{ min-height: 30px; padding: 0; }}
  .stApp [data-testid="stSidebar"] [data-testid="stForm"] [data-testid="stVerticalBlock"] {{ gap: 5px; }}
  /* Every column is as wide as its longest name, at any width; in a wide sidebar they stay together. */
  .stApp .st-key-pages {{ display: grid !important; grid-template-columns: repeat(4, auto); gap: 2px 0 !important;
    justify-content: space-between; width: auto; max-width: 246px; margin: 4px -8px 2px; }}
  .stApp .st-key-pages > div {{ width: auto; min-width: 0; }}
  .stApp [data-testid="stSidebar"] [data-testid="stSkeleton"] {{ height: 34px; }}
  .stApp .st-key-pages [data-testid="stSkeleton"] {{ height: 24px; }}
  .stApp [data-testid="stMain"] [data-testid="stSkeleton"] {{ visibility: hidden; }}
  .stApp .st-key-pages a {{ padding: 3px 8px; border-radius: 7px; min-height: 28px; }}
  .stApp .st-key-pages a p {{ font-size: 13px; }}
  .stApp .st-key-pages a:focus-visible {{ outline: 2px solid var(--st-primary-color, #2f52c9); outline-offset: -2px; }}
  .stApp :is([data-testid="stTextInputRootElement"], [data-testid="stNumberInputContainer"]):focus-within {{
    outline: 2px solid var(--st-primary-color, #2f52c9); outline-offset: -1px; }}
  .stApp [data-testid="stMain"]:focus-visible {{ outline: 2px solid var(--st-primary-color, #2f52c9); outline-offset: -2px; }}
  /* Streamlit lays it over the field; the button below says the same. */
  .stApp [data-testid="stSidebar"] [data-testid="InputInstructions"] {{ display: none; }}
  .stApp .st-key-change-session button {{ min-height: 30px; padding: 0 10px; }}
  .stApp .st-key-written [data-testid="stText"] {{ font-family: inherit; font-size: 12px; opacity: .7; white-space: pre-wrap;
    overflow-wrap: anywhere; line-height: 1.4; }}
  .stApp [class*="st-key-place-"] {{ gap: 0 !important; padding: 2px 2px 4px; }}
  .stApp [class*="st-key-place-"] [data-testid="stText"] {{ font-family: inherit; font-size: 12px; opacity: .75;
    white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.4; }}
  .stApp [class*="st-key-place-"] > div:first-child [data-testid="stText"] {{ font-size: 13.5px; opacity: 1; }}
  .stApp [class*="st-key-place-"] button {{ min-height: 26px; padding: 0 8px; margin-top: 3px; }}
  /* Streamlit forgets what was typed into a password field when Tab goes from there to its button: Tab goes on instead. */
  [data-testid="stTextInputRootElement"] button[aria-label*="password"] {{ display: none; }}
  /* A small page keeps the room for what it shows: a narrow sidebar. */
  @media (min-width: 769px) and (max-width: 1000px) {{
    .stApp [data-testid="stSidebar"]:not([data-collapsed="true"]) {{ width: 220px !important; }}
    .stApp [data-testid="stSidebarUserContent"] {{ padding-inline: 2px; }}
    .stApp .st-key-pages {{ margin-right: -2px; }}
    .stApp .st-key-pages a {{ padding-inline: 6px; }}
    .stApp [data-testid="stSidebar"] [data-testid="stButtonGroup"] button {{ padding-inline: 0; }}
  }}
  /* A dialog of Streamlit's has the measures of those of the debugger, frontend/debugger/overlays.css. */
  [data-testid="stDialog"]:has(.st-key-setup-foot) > div {{ width: min(860px, calc(100vw - 32px)); max-width: none; }}
  [data-testid="stDialog"] h2 {{ font-size: 16px; line-height: 22px; }}
  [data-testid="stDialog"] [data-testid="stVerticalBlock"] {{ gap: 10px; }}
  [data-testid="stDialog"] :is([data-testid="stWidgetLabel"] p, [data-testid="stCaptionContainer"] p, summary p, textarea,
    input, [data-testid="stSelectbox"] [role="group"] > *) {{ font-size: 13px; line-height: 1.45; }}
  [data-testid="stDialog"] [data-testid="stWidgetLabel"] {{ min-height: 0; margin-bottom: 2px; }}
  [data-testid="stDialog"] :is([data-testid="stSelectbox"] [role="group"], [data-testid="stTextInputRootElement"],
    [data-testid="stNumberInputContainer"]) {{ height: auto; min-height: 34px; }}
  [data-testid="stDialog"] :is([data-testid="stSelectbox"] [role="group"] > *, [data-testid="stTextInputField"],
    [data-testid="stNumberInputField"]) {{ min-height: 0; height: 30px; }}
  [data-testid="stDialog"] [data-testid="stBaseButton-primary"] {{ min-height: 30px; padding: 0 14px; }}
  /* The end of the dialog for a run stays in sight: its button, and what becomes of the press. */
  [data-testid="stDialog"]:has(.st-key-setup-foot) {{ padding-bottom: 0; }}
  [data-testid="stDialog"]:has(.st-key-setup-foot) > div {{ overflow: clip; }}
  [data-testid="stDialog"] section *:has(.st-key-setup-foot) {{ background: inherit; }}
  [data-testid="stLayoutWrapper"]:has(> .st-key-setup-foot) {{ position: sticky; bottom: 0; z-index: 2; padding: 12px 0;
    border-top: 1px solid color-mix(in srgb, currentColor 13%, transparent); }}
  .st-key-setup-foot {{ gap: 8px !important; }}
  .st-key-setup-foot [data-testid="stAlertContainer"] {{ padding: 8px 12px; }}
  .st-key-setup-foot [data-testid="stText"] {{ font-size: 14px; }}
  .fl-brand {{ display: flex; align-items: center; gap: 10px; font-size: 20px; font-weight: 700; line-height: 24px; }}
  .fl-brand::before {{ content: ""; width: 26px; height: 24px; background: url("{MARK}") center / contain no-repeat; }}
  .fl-section {{ font-size: 11px; letter-spacing: .06em; text-transform: uppercase; opacity: .65; margin: 6px 0 -2px 0; }}
  /* The debugger's cards, empty, until it lies over them; as in frontend/lib/base.css */
  .fl-outline {{ container: fl / size; position: absolute; inset: 0 0 auto; height: calc(100dvh - 22px); min-height: 420px;
    pointer-events: none; }}
  .fl-outline > div {{ display: grid; height: 100%; gap: 10px;
    grid: "header header" 26px "timeline timeline" 176px "plan plan" 40px "window inspector" minmax(0, 1fr)
      / minmax(0, 57fr) minmax(0, 43fr); }}
  .fl-outline i {{ border: 1px solid color-mix(in srgb, currentColor 13%, transparent); border-radius: 10px; }}
  .fl-outline i:first-child {{ grid-area: timeline; }}
  .fl-outline i:nth-child(2) {{ grid-area: window; }}
  .fl-outline i:nth-child(3) {{ grid-area: inspector; }}
  .fl-outline-whole i:nth-child(2) {{ grid-area: window-start / window-start / inspector-end / inspector-end; }}
  .fl-outline::after {{ content: "Opening…"; position: absolute; inset: 36px 0 auto; height: 176px; display: grid;
    place-items: center; font-size: 13px; opacity: .7; }}
  @container fl (max-width: 900px) {{
    .fl-outline > div {{ grid-template: 26px 138px 80px minmax(0, 1fr) / minmax(0, 55fr) minmax(0, 45fr); gap: 8px;
      grid-template-areas: "header header" "timeline timeline" "plan plan" "window inspector"; }}
    .fl-outline-whole > div {{ grid-template-rows: 26px 138px 34px minmax(0, 1fr); }}
    .fl-outline::after {{ inset: 34px 0 auto; height: 138px; }}
  }}
  @container fl (min-width: 901px) and (max-height: 720px) {{
    .fl-outline > div {{ grid-template-rows: 26px 140px 40px minmax(0, 1fr); gap: 8px; }}
  }}
</style>
"""

_CARDS = '<div class="fl-outline" aria-hidden="true"><div><i></i><i></i><i></i></div></div>'
_WHOLE = '<div class="fl-outline fl-outline-whole" aria-hidden="true"><div><i></i><i></i></div></div>'


def outline(whole: bool) -> str:
    """What stands where the debugger will be: its cards, empty; one `whole` card below the timeline for the overview.

    A screen reader hears of it from the debugger itself.
    """
    return _WHOLE if whole else _CARDS


BRAND = '<div class="fl-brand">foldline</div>'


def draw(pages: Sequence[StreamlitPage]) -> None:
    """The style, the name above the sidebar, the links to the pages. Only constant text may go through `st.html`."""
    st.html(STYLE)
    with st.sidebar:
        st.html(BRAND)
        with st.container(horizontal=True, key="pages"):
            for page in pages:
                st.page_link(page)
